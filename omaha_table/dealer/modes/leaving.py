"""The way out: at once between hands, after a question while a hand is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change, leave
from omaha_table.dealer.model import Mode
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt


def shut_down(model: Model) -> Change:
    if model.state.hand is None:
        return _quit(model)
    return Change(model.enter(ShutDown()))


def _quit(model: Model) -> Change:
    return Change(replace(model, quit=True))


@dataclass(frozen=True, slots=True)
class ShutDown(Mode):
    """Players are in a hand: one key too many must not take the screen away from them."""

    def show(self, model: Model, strip: Strip) -> Prompt:
        strip.add("+", "YES, SHUT DOWN", _quit, strong=True)
        strip.add("ENTER", "NO, PLAY ON", leave)
        strip.add(".", "BACK", leave)
        strip.floor()
        detail = (
            f"Hand {model.state.hands} is being played. It is kept: the next start goes on with it."
        )
        return strip.prompt("SURE", "SHUT DOWN?", detail)

"""The table itself: what each step asks of the dealer, and which key answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes import awards, betting, between, dealing, showdown
from omaha_table.dealer.modes.alarm_key import with_alarm_key

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt


@dataclass(frozen=True, slots=True)
class AtTable(Mode):
    """Follows the table's own step."""

    def show(self, model: Model, strip: Strip) -> Prompt:
        return with_alarm_key(model, strip, self._step(model, strip))

    def _step(self, model: Model, strip: Strip) -> Prompt:
        if model.awarded is not None:
            return awards.push_award(model, strip, model.awarded)
        match model.step.what:
            case "act":
                return betting.act(model, strip)
            case "deal":
                return dealing.deal(model, strip)
            case "flop" | "turn" | "river":
                return dealing.board(model, strip)
            case "check_cards" | "rule_on_card":
                return dealing.trouble(model, strip)
            case "show" | "read":
                return showdown.show(model, strip)
            case "push":
                return showdown.push(model, strip)
            case _:
                return between.between_hands(model, strip)

"""The pushes of an award by the floor, one by one: the log has them, the players not yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change
from omaha_table.dealer.event_text import chips, drop
from omaha_table.dealer.modes.table_keys import LETTERS, floor_key
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import AwardedPushes, Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.money import Cents


def push_title(amount: Cents, seat: int) -> str:
    """'PUSH 120 > SEAT 4', in as many words as the band has letters for."""
    said = chips(amount)
    titles = (f"PUSH {said} > SEAT {seat}", f"PUSH {said} > {seat}", f"{said} > {seat}")
    return next(text for text in titles if len(text) <= LETTERS)


def push_award(model: Model, strip: Strip, awarded: AwardedPushes) -> Prompt:
    seat, amount = awarded.due[awarded.pushed]
    strip.add("0", "PUSHED", _pushed(awarded), strong=True)
    strip.when_pressed("ENTER", "Press 0 when the chips are pushed.")
    if awarded.pushed:
        strip.add(".", "BACK", _become(replace(awarded, pushed=awarded.pushed - 1)))
    floor_key(strip)
    said = ["As the floor ruled."]
    if len(awarded.due) > 1:
        said.append(f"Push {awarded.pushed + 1} of {len(awarded.due)}.")
    if awarded.fee + awarded.jackpot and not awarded.pushed:
        said.append(f"Drop {drop(awarded.fee, awarded.jackpot)} first.")
    return strip.prompt("DEALER", push_title(amount, seat), "  ".join(said))


def _pushed(awarded: AwardedPushes) -> Action:
    done = awarded.pushed + 1
    return _become(replace(awarded, pushed=done) if done < len(awarded.due) else None)


def _become(awarded: AwardedPushes | None) -> Action:
    return lambda model: Change(replace(model.clear(), awarded=awarded))

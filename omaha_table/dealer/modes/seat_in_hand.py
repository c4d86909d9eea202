"""Which seat's menu to open while a hand is played: at the table digits are amounts and cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, instead, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.seat_menu import SeatMenu

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

_BEYOND_NINE: Final = ((10, "0"), (11, "+"))
"""Seats that have no digit of their own."""


@dataclass(frozen=True, slots=True)
class WhichSeat(Mode):
    """One key for each seat: the hand waits for nobody who looks for ENTER."""

    @property
    def digits_commit(self) -> bool:
        return True

    def show(self, model: Model, strip: Strip) -> Prompt:
        most = model.state.profile.seats.max
        strip.digits("SEAT MENU", _open, cap=f"1-{min(most, 9)}")
        for seat, cap in _BEYOND_NINE:
            if seat <= most:
                strip.add(cap, f"SEAT {seat}", instead(SeatMenu(seat)))
        strip.add(".", "BACK", leave)
        strip.floor()
        detail = "The hand is played on. What you enter takes effect when it ends."
        return strip.prompt("DEALER", "WHICH SEAT?", detail)


def _open(model: Model, digit: str) -> Change:
    seat, most = int(digit), model.state.profile.seats.max
    if not 1 <= seat <= most:
        return Change(model.refuse(f"Seats are 1 to {most}."))
    return Change(model.leave().enter(SeatMenu(seat)))

"""A name that somebody at the table already has: the same person, or another one?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change, do, leave, stay
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.model import Mode
from omaha_table.table import commands as table
from omaha_table.table.seating import unused_name

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.money import Cents
    from omaha_table.session.answer import Answer


@dataclass(frozen=True, slots=True)
class SameName(Mode):
    seat: int
    name: str
    other: int
    """The seat in which somebody has this name."""
    stack: Cents | None

    def show(self, model: Model, strip: Strip) -> Prompt:
        seat, state = self.seat, model.state
        another = unused_name((at.name for at in state.seats.values()), self.name)
        there = state.seats.get(self.other)
        strip.add("*", f"SAME PERSON, MOVES TO {seat}", do(table.MoveSeat(self.other, seat), _done),
                  short=f"MOVES TO SEAT {seat}")  # fmt: skip
        sits = do(table.SeatPlayer(seat, another, self.stack), _done)
        strip.add("+", f"SOMEBODY ELSE: {another}", sits, short=another.upper())
        strip.add("ENTER", "BACK TO THE NAME", leave, strong=True)
        strip.add(".", "BACK", leave)
        strip.floor()
        stack = "" if there is None or there.stack is None else f" with {chips(there.stack)}"
        detail = f"{self.name} is in seat {self.other}{stack}. Has this player moved?"
        return strip.prompt("SURE", "SAME NAME TWICE", detail[:78])


def _done(model: Model, answer: Answer) -> Change:
    """Back to the table; a refusal comes back to the question."""
    if answer.refusal is not None:
        return stay(model, answer)
    return Change(model.leave_all())

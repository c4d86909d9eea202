"""One seat between hands: chips, away and back, posting, leaving, moving."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import (
    Change,
    clear,
    do,
    enter,
    leave,
    leave_if_done,
    type_digit,
)
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.sure import Sure
from omaha_table.hand.frozen import replace
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.table import SeatAtTable

MOST_LETTERS: Final = 24
"""Of a player's name."""


@dataclass(frozen=True, slots=True)
class SeatMenu(Mode):
    seat: int
    name: str = ""
    """Of who sits down here."""

    def text(self, model: Model, name: str) -> Change | None:
        """A keyboard's letters are the name of who sits down."""
        if self.seat in model.state.seats:
            return None
        letter = {"space": " ", "apostrophe": "'", "minus": "-"}.get(name, name)
        if name == "backspace" and self.name:
            typed = self.name[:-1]
        elif len(letter) == 1 and (letter.isalpha() or (self.name and letter in " '-")):
            typed = (self.name + letter)[:MOST_LETTERS]
        else:
            return None
        return Change(model.become(replace(self, name=typed)))

    def show(self, model: Model, strip: Strip) -> Prompt:
        at = model.state.seats.get(self.seat)
        if at is None:
            return self._open_seat(model, strip)
        return self._taken_seat(model, strip, at)

    def _open_seat(self, model: Model, strip: Strip) -> Prompt:
        amount = model.amount
        label = "SITS, NOT TRACKED" if amount is None else f"SITS WITH {chips(amount)}"
        name = self.name.strip() or f"Seat {self.seat}"
        sit = do(table.SeatPlayer(self.seat, name, amount), leave_if_done)
        strip.add("ENTER", label, sit, strong=True)
        strip.digits("CHIPS", type_digit)
        _back_key(model, strip)
        named = f"{self.name}_   Type the player's chips, then ENTER."
        unnamed = "Type the player's chips, then ENTER. Letters give a name."
        return strip.prompt(
            "READY",
            f"SEAT {self.seat} IS OPEN",
            named if self.name else unnamed,
            model.typed,
            "CHIPS" if model.typed else "",
        )

    def _taken_seat(self, model: Model, strip: Strip, at: SeatAtTable) -> Prompt:
        seat, amount = self.seat, model.amount
        if amount is None:
            strip.add("ENTER", "DONE", leave, strong=True)
            if at.away:
                strip.add("-", "IS BACK", do(table.Back(seat)))
            else:
                strip.add("-", "AWAY", do(table.Away(seat)))
            if at.new or at.owes_big or at.owes_small:
                strip.add("*", "POSTS NOW", do(table.PostOwed(seat)))
            strip.add("/", "LEAVES", enter(self._leaves()))
        else:
            strip.add("+", f"ADDS {chips(amount)}", do(table.Buy(seat, amount)), strong=True)
            strip.when_pressed("ENTER", f"Press + to add {chips(amount)} to the stack.")
            to, state = model.number, model.state
            if to is not None and 1 <= to <= state.profile.seats.max and to not in state.seats:
                move = do(table.MoveSeat(seat, to), leave_if_done)
                strip.add("/", f"MOVES TO SEAT {to}", move)
        strip.digits("CHIPS OR SEAT", type_digit)
        _back_key(model, strip)
        stack = "chips not tracked" if at.stack is None else f"{chips(at.stack)} in chips"
        return strip.prompt(
            "READY",
            f"SEAT {seat}",
            f"{at.name}: {stack}.   Chips: amount, then +.   Move: seat, then /."[:78],
            model.typed,
            "TYPED" if model.typed else "",
        )

    def _leaves(self) -> Sure:
        return Sure(
            f"SEAT {self.seat} LEAVES?",
            "The seat is free at once; the chips go with the player.",
            "YES, THE SEAT IS FREE",
            table.Leave(self.seat),
            leave_if_done,
        )


def _back_key(model: Model, strip: Strip) -> None:
    if not strip.decimal_point(model, cents=model.state.profile.has_cents):
        strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)

"""One seat: name, chips, away and back, leaving; between hands also posting and moving.

During a hand it shows the seat as it will be when the hand ends, and what is entered waits until
then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import (
    Change,
    become,
    clear,
    do,
    enter,
    leave,
    leave_if_done,
    stay,
    type_digit,
)
from omaha_table.dealer.event_text import chips, seat_change
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.picking_up import pick_up_key
from omaha_table.dealer.modes.same_name import SameName
from omaha_table.dealer.modes.seat_chips import chip_keys, chips_detail
from omaha_table.dealer.modes.sure import Sure
from omaha_table.hand.frozen import replace
from omaha_table.table import commands as table
from omaha_table.table.seat_changes import last_asked_at, seats_after_hand
from omaha_table.table.seating import seat_named, unused_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.session.answer import Answer
    from omaha_table.table import SeatAtTable

MOST_LETTERS: Final = 24
"""Of a player's name."""


_DETAIL: Final = 78
"""What the band's detail line holds at 80 columns."""


@dataclass(frozen=True, slots=True)
class SeatMenu(Mode):
    seat: int
    name: str = ""
    """Of who sits down here, or the new one of who sits here."""

    def text(self, model: Model, name: str) -> Change | None:
        """A keyboard's letters are the name of who sits down, or the new name of who sits here."""
        if model.state.hand is not None and self.seat in seats_after_hand(model.state):
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
        at = seats_after_hand(model.state).get(self.seat)
        if at is None:
            return self._open_seat(model, strip)
        return self._taken_seat(model, strip, at)

    def _take_back_key(self, model: Model, strip: Strip) -> None:
        """What waits at this seat for the end of the hand, the last first."""
        waiting = last_asked_at(model.state, self.seat)
        if waiting is None or model.typed or self.name:
            return
        text = seat_change(waiting.change)
        sure = Sure(
            f"UNDO {text.brief}?",
            f"Takes back: {text.plain}."[:_DETAIL],
            "YES, TAKE IT BACK",
            table.CancelSeatChange(self.seat),
            leave_if_done,
            no="NO, KEEP IT",
        )
        strip.add("*", f"TAKE BACK {text.brief}", enter(sure))

    def _open_seat(self, model: Model, strip: Strip) -> Prompt:
        amount, name, state = model.amount, self.name.strip(), model.state
        leaving = state.seats.get(self.seat)
        if name:
            label = "SITS, NOT TRACKED" if amount is None else f"SITS WITH {chips(amount)}"
            short = "" if amount is None else f"SITS: {chips(amount)}"
            strip.add("ENTER", label, self._sits(model, name), strong=True, short=short)
        else:
            self._nameless_keys(model, strip)
        strip.digits("CHIPS", type_digit)
        self._take_back_key(model, strip)
        _back_key(model, strip)
        named = f"{self.name}_   Type the player's chips, then ENTER."
        unnamed = "Letters give a name, digits the chips.  + seats a player without a name."
        if state.hand is not None:
            unnamed = "When the hand ends.  Letters give a name, digits the chips."
        return strip.prompt(
            "READY",
            f"SEAT {self.seat} {'IS OPEN' if leaving is None else 'LEAVES'}",
            named if name else unnamed,
            model.typed,
            "CHIPS" if model.typed else "",
        )

    def _nameless_keys(self, model: Model, strip: Strip) -> None:
        """A seat that was opened by mistake is left with any key that goes on; a player without a
        name takes a key of its own."""
        amount = model.amount
        with_chips = "NOT TRACKED" if amount is None else f"SITS WITH {chips(amount)}"
        short = "" if amount is None else f"NO NAME: {chips(amount)}"
        name = unused_name(_names(model), f"Seat {self.seat}")
        sit = do(table.SeatPlayer(self.seat, name, amount), leave_if_done)
        if amount is None:
            strip.add("ENTER", "NOBODY SITS DOWN", leave, strong=True)
        else:
            why = "Press + to seat a player without a name, or type the name."
            strip.when_pressed("ENTER", why)
        strip.add("+", f"NO NAME, {with_chips}", sit, strong=amount is not None, short=short)

    def _sits(self, model: Model, name: str) -> Action:
        other = seat_named(model.state, name)
        if other is not None and model.state.hand is None:
            return enter(SameName(self.seat, name, other, model.amount))
        return do(table.SeatPlayer(self.seat, name, model.amount), leave_if_done)

    def _taken_seat(self, model: Model, strip: Strip, at: SeatAtTable) -> Prompt:
        seat, amount = self.seat, model.amount
        if self.name:
            return self._new_name(model, strip, at)
        in_hand = model.state.hand is not None
        then = leave_if_done if in_hand else stay  # the betting has the keys again at once
        if amount is None:
            strip.add("ENTER", "DONE", leave, strong=True)
            if at.away:
                strip.add("-", "IS BACK", do(table.Back(seat), then))
            else:
                strip.add("-", "AWAY", do(table.Away(seat), then))
            if not in_hand and (at.new or at.owes_big or at.owes_small):
                strip.add("*", "POSTS NOW", do(table.PostOwed(seat)))
            if in_hand or pick_up_key(model, strip, seat, "/") is None:
                strip.add("/", "LEAVES", enter(self._leaves(model)))
        elif in_hand:
            strip.add("+", f"ADDS {chips(amount)}", do(table.Buy(seat, amount), then), strong=True)
            strip.when_pressed("ENTER", f"Press + to add {chips(amount)} to the stack.")
        else:
            chip_keys(strip, seat, at, amount)
            to, state = model.number, model.state
            if to is not None and 1 <= to <= state.profile.seats.max and to not in state.seats:
                move = do(table.MoveSeat(seat, to), leave_if_done)
                strip.add("/", f"MOVES TO SEAT {to}", move)
        strip.digits("CHIPS" if in_hand else "CHIPS OR SEAT", type_digit)
        self._take_back_key(model, strip)
        _back_key(model, strip)
        stack = "chips not tracked" if at.stack is None else f"{chips(at.stack)} in chips"
        keys = f"{chips_detail(at)}   Move: seat, /."
        if in_hand:
            keys = f"{stack}.   Chips: amount, then +.   All of it when the hand ends."
        return strip.prompt(
            "READY",
            f"SEAT {seat}",
            _fitting(f"{at.name}: {keys}", keys),
            model.typed,
            "TYPED" if model.typed else "",
        )

    def _new_name(self, model: Model, strip: Strip, at: SeatAtTable) -> Prompt:
        name = self.name.strip()
        renamed = do(table.RenamePlayer(self.seat, name), self._renamed)
        strip.add("ENTER", f"IS NAMED {name}", renamed, strong=True, short="THE NEW NAME")
        strip.add(".", "KEEP THE NAME", become(SeatMenu(self.seat)))
        strip.explain("A-Z", "THE NAME")
        strip.explain("-", "HYPHEN")
        strip.explain("BACKSPACE", "ERASE")
        detail = f"{self.name}_   is the new name of {at.name}; results stay with the player."
        return strip.prompt("READY", f"SEAT {self.seat}: NAME", detail[:_DETAIL])

    def _renamed(self, model: Model, answer: Answer) -> Change:
        """A refused name can be typed on."""
        done = stay(model, answer)
        return done if answer.refusal is not None else Change(model.become(SeatMenu(self.seat)))

    def _leaves(self, model: Model) -> Sure:
        return Sure(
            f"SEAT {self.seat} LEAVES?",
            "The seat is free at once; the chips go with the player."
            if model.state.hand is None
            else "The hand is played on. When it ends the seat is free.",
            "YES, THE SEAT IS FREE" if model.state.hand is None else "YES, WHEN IT ENDS",
            table.Leave(self.seat),
            leave_if_done,
        )


def _fitting(line: str, without_name: str) -> str:
    """No key is cut off: where both are too long, the name is on the table anyway."""
    return line if len(line) <= _DETAIL else without_name


def _names(model: Model) -> Iterator[str]:
    return (at.name for at in seats_after_hand(model.state).values())


def _back_key(model: Model, strip: Strip) -> None:
    if not strip.decimal_point(model, cents=model.has_cents):
        strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)

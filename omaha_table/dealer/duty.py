"""Who deals and which boxes are on the table: the dealer push, the change of shift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.event_text import chips
from omaha_table.dealer.faults import Sure
from omaha_table.dealer.view import Page
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt

SHIFTS: Final = ("day", "swing", "graveyard")


class DealerPush:
    """The next dealer sits down and types the house number."""

    def __init__(self, front: Front) -> None:
        self._front = front

    def show(self, strip: Strip) -> Prompt:
        front = self._front
        down = front.session.state.down
        if front.typed:
            name = f"D{front.typed}"
            strip.add("ENTER", f"DEALER {name} IN", lambda: self._sit_in(name), strong=True)
        else:
            if down is not None:
                strip.add("-", f"DEALER {down.dealer} OUT", lambda: self._do(table.PushOut()))
            strip.add("*", "SHIFT AND BOXES", self._shift)
        strip.digits("DEALER'S NUMBER", front.type_figure)
        strip.add(".", "CLEAR" if front.typed else "BACK", self._back)
        told = "Tell the next dealer of blinds owed, warnings and the kill."
        now = "" if down is None else f"{down.dealer}: {down.hands} hands, {chips(down.fees)}.  "
        return strip.prompt("DEALER", "DEALER PUSH", f"{now}{told}", front.typed,
                            "NUMBER" if front.typed else "")  # fmt: skip

    def _do(self, command: table.TableCommand) -> bool:
        done = self._front.do(command)
        if done:
            self._front.leave()
        return done

    def _sit_in(self, name: str) -> None:
        if self._do(table.PushIn(name)) and not self._front.session.knows_dealer(name):
            self._front.inform(f"{name} is recorded, but is not on the staff list.")

    def _shift(self) -> None:
        self._front.leave()
        self._front.enter(ShiftChange(self._front))

    def _back(self) -> None:
        if self._front.typed:
            self._front.clear()
        else:
            self._front.leave()


class ShiftChange:
    """New boxes are locked on, with their numbers; the count of the old ones is on the slip."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._said: list[str] = []

    @property
    def digits_commit(self) -> bool:
        """A digit chooses the shift; of a box it is only a figure."""
        return not self._said

    def show(self, strip: Strip) -> Prompt:
        front, state = self._front, self._front.session.state
        if not self._said:
            lines = [f"{number}  {name}" for number, name in enumerate(SHIFTS, start=1)]
            strip.digits("THE SHIFT", self._name, cap=f"1-{len(SHIFTS)}")
            now = "No shift is open."
            if state.shift is not None:
                now = (
                    f"Shift {state.shift}, box {state.box.name}: drop {chips(state.box.fees)}, "
                    f"jackpot {chips(state.box.jackpots)}."
                )
                strip.add("-", f"CLOSE SHIFT {state.shift.upper()}", self._ask_close)
            page = Page("SHIFT AND BOXES", (now, "", "Which shift begins?", *lines))
            strip.add(".", "BACK", self._back)
            return strip.prompt("DEALER", "WHICH SHIFT?", now, page=page)
        what = "drop box" if len(self._said) == 1 else "jackpot box"
        if front.typed:
            strip.add("ENTER", f"{what.upper()} {front.typed}", self._box, strong=True)
        strip.digits(f"{what.upper()} NUMBER", front.type_figure)
        strip.add(".", "CLEAR" if front.typed else "BACK", self._back)
        return strip.prompt(
            "DEALER",
            what.upper(),
            f"Shift {self._said[0]}.  Type the number on the {what} that is locked on, then ENTER.",
            front.typed,
            "NUMBER" if front.typed else "",
        )

    def _name(self, digit: str) -> None:
        if digit == "0" or int(digit) > len(SHIFTS):
            self._front.refuse("There is no such line.")
            return
        self._said.append(SHIFTS[int(digit) - 1])

    def _box(self) -> None:
        self._said.append(self._front.typed)
        self._front.clear()
        if not any(bracket.jackpot for bracket in self._front.session.state.limit.fees):
            self._said.append("none")
        if len(self._said) == 3:
            shift, box, jackpot = self._said
            if self._front.do(table.OpenShift(shift, box, jackpot)):
                self._front.leave()
            else:
                self._said = []

    def _ask_close(self) -> None:
        self._front.leave()
        self._front.enter(
            Sure(
                self._front,
                "CLOSE THE SHIFT?",
                "Its boxes are taken off; what goes in from now on is in no box.",
                "YES, CLOSE IT",
                lambda: self._front.do(table.CloseShift()),
            )
        )

    def _back(self) -> None:
        if self._front.typed:
            self._front.clear()
        elif self._said:
            self._said.pop()
        else:
            self._front.leave()

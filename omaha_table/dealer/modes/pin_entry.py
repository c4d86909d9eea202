"""A supervisor's PIN on the pad, with the staff number before it where it must be said.

Five wrong PINs lock the keypad for everybody, but a wrong one with a staff number counts against
that person alone: whoever says who it is can always sign.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change
from omaha_table.floor.staff import LEAST_PIN
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip

LONGEST_PIN: Final = 12
SHORT_PIN: Final = f"A PIN has at least {LEAST_PIN} digits. Press . to erase."
"""No try is counted: a card that is keyed too early opens the floor with its `/`."""
_MOST_CHOICES: Final = 9


@dataclass(frozen=True, slots=True)
class PinEntry:
    """What is typed so far. Digits before `*` are a staff number, and not shown either."""

    number: str = ""
    pin: str = field(default="", repr=False)
    choices: tuple[str, ...] = ()
    """Staff numbers that end in the digits which were typed."""

    @property
    def begun(self) -> bool:
        return bool(self.number or self.pin or self.choices)

    def keys(
        self, strip: Strip, typed: Callable[[Model, PinEntry], Change], label: str, accept: Action
    ) -> None:
        """The keys of this entry; `typed` puts what they make of it in its place."""
        if self.choices:
            strip.digits("WHO", lambda model, digit: self._choose(model, digit, typed))
        else:
            strip.digits("PIN", lambda model, digit: typed(model, self._add(digit)))
        if len(self.pin) >= LEAST_PIN:
            strip.add("ENTER", label, accept, strong=True)
        elif self.pin:
            strip.when_pressed("ENTER", SHORT_PIN)
        else:
            first = f"Type 1 to {len(self.choices)}." if self.choices else "Type the PIN first."
            strip.when_pressed("ENTER", first)
        if self.pin and not self.number:
            strip.add("*", "STAFF NUMBER", lambda model: self._take_number(model, typed))
        if self.begun:
            strip.add(".", "ERASE", lambda model: typed(model, self._erased()))

    def lines(self, asks: str) -> tuple[str, ...]:
        if self.choices:
            found = [f"{at}  {who}" for at, who in enumerate(self.choices, start=1)]
            return ("Which of them are you?", *found)
        if self.number:
            return (f"{self.number}: type your PIN, then ENTER.",)
        return (asks, "Or your staff number, *, and your PIN.")

    @property
    def detail(self) -> str:
        return "Only this person's PIN is tried." if self.number else "The PIN is not shown."

    def _add(self, digit: str) -> PinEntry:
        return replace(self, pin=(self.pin + digit)[:LONGEST_PIN])

    def _erased(self) -> PinEntry:
        return PinEntry(self.number) if self.pin else PinEntry()

    def _take_number(self, model: Model, typed: Callable[[Model, PinEntry], Change]) -> Change:
        found = _ending_in(self.pin, model.facts.supervisors)
        if not found:
            # Not repeated: it may be a PIN.
            change = typed(model, PinEntry())
            return replace(change, model=change.model.refuse("No supervisor has that number."))
        if len(found) == 1:
            return typed(model, PinEntry(found[0]))
        return typed(model, PinEntry(choices=found[:_MOST_CHOICES]))

    def _choose(
        self, model: Model, digit: str, typed: Callable[[Model, PinEntry], Change]
    ) -> Change:
        if not 1 <= int(digit) <= len(self.choices):
            return Change(model.refuse(f"Type 1 to {len(self.choices)}."))
        return typed(model, PinEntry(self.choices[int(digit) - 1]))


def _ending_in(digits: str, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """The staff numbers that are these digits, or letters and these digits: 1 is F1 and S1."""
    return tuple(
        number
        for number in numbers
        if number == digits or "".join(letter for letter in number if letter.isdecimal()) == digits
    )

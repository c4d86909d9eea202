"""Who signs at a table: its staff, and what the office journal says of each PIN.

In a data folder the office journal counts wrong PINs; without one the table counts by itself, in
the core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.floor import (
    Authority,
    Identity,
    Numbered,
    SignIn,
    SignShift,
    Staff,
    check_dealer,
    check_shift,
    identify,
    with_numbers,
)
from omaha_table.floor.staff import MAY_RULE, Role
from omaha_table.hand.frozen import replace
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.table.commands import PushIn

if TYPE_CHECKING:
    from omaha_table.floor import Give, Person, Pin
    from omaha_table.table import TableState
    from omaha_table.table.commands import CloseShift, OpenShift

Purpose: TypeAlias = Literal["ruling", "sign_in", "shift"]
"""What a PIN is typed for at a table."""


class Signers:
    def __init__(
        self,
        staff: Staff | PinDesk | None = None,
        *,
        dealer_pins: bool = False,
        authority: Authority | None = None,
    ) -> None:
        self._desk = staff if isinstance(staff, PinDesk) else None
        """Of a data folder: its staff list, and the office journal that counts wrong PINs."""
        self._fixed = staff if isinstance(staff, Staff) else Staff()
        self.dealer_pins = dealer_pins
        """Whether dealers on the staff list sign in with their PIN."""
        self.authority = authority or Authority()

    @property
    def staff(self) -> Staff:
        return self._fixed if self._desk is None else self._desk.staff

    @property
    def supervisors(self) -> tuple[Person, ...]:
        """Who may give rulings."""
        return tuple(who for who in self.staff.people if who.role in MAY_RULE)

    @property
    def dealers(self) -> frozenset[str]:
        """The dealers on the staff list who may deal."""
        people = self.staff.people
        return frozenset(who.id for who in people if who.role is Role.DEALER and not who.disabled)

    def look(self) -> bool:
        """Takes a changed staff list in; whether it, or what is wrong with it, is another."""
        return self._desk is not None and self._desk.look()

    @property
    def problem(self) -> str:
        """Why the staff list is not used, or no PIN can be recorded; empty: all is well."""
        return "" if self._desk is None else self._desk.problem

    @property
    def room_list(self) -> str:
        """The SHA-256 of the room's staff list that is in use; empty: the table has its own."""
        return "" if self._desk is None else self._desk.room_list

    @property
    def is_demo(self) -> bool:
        return self._desk is not None and self._desk.demo

    def identify(self, pin: str, number: str = "", purpose: Purpose = "ruling") -> Identity:
        """Whose PIN this is, with a staff number whose alone. Slow; touches no table."""
        if self._desk is not None:
            return self._desk.sign(purpose, pin, number)
        return identify(self.staff, Numbered(number, pin) if number else pin)

    def judged(self, pin: Pin, purpose: Purpose = "ruling") -> Pin:
        """What the office journal says of a PIN; the same PIN where the table counts itself."""
        if self._desk is None or isinstance(pin, Identity):
            return pin
        if not self.staff.people and not self._desk.problem:
            return pin
        if isinstance(pin, Numbered):
            return self._desk.sign(purpose, pin.pin, pin.number)
        return self._desk.sign(purpose, pin)

    def ruling(self, ruling: Give) -> Give:
        """A ruling with what the office journal says of its PINs."""
        pins = tuple(self.judged(pin) for pin in with_numbers(self.staff, ruling.pins))
        return replace(ruling, pins=pins)

    def shift(self, state: TableState, sign: SignShift, at: int) -> OpenShift | CloseShift:
        """The command with who signed for it, and when; raises Refused."""
        by = self.authority.shift
        if by != "dealer" and sign.pin is not None:
            sign = replace(sign, pin=self.judged(sign.pin, "shift"))
        return replace(check_shift(state, self.staff, sign, at, by), at=at)

    def push(self, state: TableState, dealer: SignIn, at: int) -> PushIn:
        """The dealer's push, with how the identity was checked; raises Refused."""
        if isinstance(dealer.pin, str) and dealer.dealer in self.dealers:
            own = Numbered(dealer.dealer, dealer.pin)
            dealer = replace(dealer, pin=self.judged(own, "sign_in"))
        checked = check_dealer(state, self.staff, dealer, at, pin_needed=self.dealer_pins)
        return PushIn(dealer.dealer, checked)

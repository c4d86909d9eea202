"""PINs at the page: the staff list and the lock-outs of the data folder, as at a table."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from omaha_table.floor.staff import Role
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.pins import PinCheck, this_moment
from omaha_table.journal.staff_list import load_staff
from omaha_table.office.decisions import OfficeRefused, check_signatures
from omaha_table.office.events import Signature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from omaha_table.floor.staff import Person, Staff
    from omaha_table.office.locks import Moment
    from omaha_table.room.page.sessions import Session

WHERE = "the floor's page"
"""In the place of a table, where a PIN was refused."""


class Signers:
    def __init__(self, folder: Path, now: Callable[[], Moment] = this_moment) -> None:
        """Raises StaffError or JournalFault where the staff list cannot be trusted."""
        self._folder = folder
        self._desk = PinDesk(folder, WHERE, WHERE, now)
        self._now = now
        # A hash takes 64 MB: many at once would be a way to stop the machine.
        self._one_at_a_time = threading.Lock()
        self._looking = threading.Lock()

    @property
    def staff(self) -> Staff:
        """As it is now: what somebody changed counts with the next request."""
        with self._looking:
            self._desk.look()
            return self._desk.staff

    @property
    def problem(self) -> str:
        """Why no PIN can be taken; empty: all is well."""
        return self._desk.problem

    def is_on_staff(self, session: Session) -> bool:
        """Whether somebody who has signed in still has the same role here."""
        found = self.person(session.who.id)
        return found is not None and not found.disabled and found.role == session.who.role

    def person(self, number: str) -> Person | None:
        return next((one for one in self.staff.people if one.id == number), None)

    def sign(self, act: str, number: str, pin: str) -> Signature:
        """Who typed this PIN, if that person may do what it is for; takes as long as Argon2.

        Raises OfficeRefused, after recording the failure, or JournalFault.
        """
        if not number or not pin:
            raise OfficeRefused("no_pin", "Type the staff number and the PIN.")
        if not (pin.isascii() and pin.isdecimal() and len(pin) <= 12):
            raise OfficeRefused("no_pin", "A PIN has digits alone.")
        with self._one_at_a_time:
            check = PinCheck(
                self._folder, self.staff, WHERE, WHERE, self._now,
                renew=lambda: load_staff(self._folder),
            )  # fmt: skip
            return check.sign(act, pin, number)

    def sign_all(self, act: str, typed: Sequence[tuple[str, str]]) -> tuple[Signature, ...]:
        """The same for several persons; who may not sign is told before any PIN is looked at."""
        people = [self._listed(number) for number, _ in typed]
        check_signatures(act, [Signature(p.id, p.name, p.role.value) for p in people])
        return tuple(self.sign(act, number, pin) for number, pin in typed)

    def _listed(self, number: str) -> Person:
        found = self.person(number)
        if found is None:
            raise OfficeRefused("unknown", f"There is no staff number {number!r}.")
        if found.disabled:
            raise OfficeRefused("not_authorised", f"{number} is disabled and cannot sign.")
        return found


def role_words(role: str) -> str:
    return {Role.FLOOR: "floor supervisor", Role.SHIFT: "shift manager"}.get(Role(role), role)

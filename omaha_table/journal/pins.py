"""A PIN that is typed anywhere in a data folder: checked, counted and locked out in one place.

Failures are entries of the office journal, so no restart, other table or other command clears
them.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omaha_table.floor.staff import Role
from omaha_table.journal.office_book import brief_of, open_office
from omaha_table.office.decisions import ACTS, OfficeRefused
from omaha_table.office.events import PinAccepted, PinRefused, Signature
from omaha_table.office.locks import KEYPAD, Moment

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Literal

    from omaha_table.floor.staff import Person, Staff
    from omaha_table.journal.office_book import OfficeBook
    from omaha_table.office.locks import Locks

    Why = Literal["wrong_pin", "locked", "disabled", "not_allowed", "taken"]

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


def this_moment() -> Moment:
    """The clock, and how long the machine has been running, sleep included."""
    try:
        boot = _BOOT.read_text(encoding="ascii").strip()
        running = time.clock_gettime(time.CLOCK_BOOTTIME)
    except (OSError, AttributeError, ValueError):
        boot, running = "", time.monotonic()
    return Moment(int(time.time()), int(running), boot)


class PinNotAccepted(OfficeRefused):
    """What happened to a PIN; it is recorded."""

    def __init__(self, code: str, message: str, event: PinRefused, locked_for: int) -> None:
        super().__init__(code, message)
        self.event, self.locked_for = event, locked_for


class PinCheck:
    """Checks PINs against the staff list of a folder, for one table or command."""

    def __init__(
        self,
        folder: Path,
        staff: Staff,
        holder: str,
        where: str = "",
        now: Callable[[], Moment] = this_moment,
        *,
        demo: bool = False,
        enrolling: bool = False,
        renew: Callable[[], Staff] | None = None,
    ) -> None:
        self._folder, self._holder = folder, holder
        self.staff = staff
        """The list that PINs are compared with; a table changes it for the next PIN."""
        self._where, self._now, self._demo = where, now, demo
        self._enrolling = enrolling
        """The office journal of this folder is damaged: failures go to the segment that waits."""
        self._owed: tuple[str, str, Why] | None = None
        """A failure that could not be recorded: until it is, no other PIN is looked at."""
        self._renew = renew
        """Reads the list again; for a command or a screen, which may wait for a PIN while somebody
        is disabled, and which remembers no failure that could not be recorded."""

    def sign(self, purpose: str, pin: str, number: str = "", *, settle: bool = True) -> Signature:
        """Who typed this PIN, if that person may do what it is for.

        With a staff number only that person's hash is tried, and only that person is locked out.
        Failures before it count no more, unless somebody settles them later. Raises PinNotAccepted,
        or JournalFault if a failure cannot be recorded.
        """
        if self._renew is not None:
            self.staff = self._renew()
            # Who fills the disk, or holds the lock, could else try one PIN with each command.
            with self._open():
                pass
        listed = self.listed(number)
        # What is no staff number may be a PIN that was typed in its place: it is not recorded.
        counts = KEYPAD if listed is None else number
        if self._owed is not None:
            self._refuse(*self._owed)
        locks = brief_of(self._folder).locks
        if locks.left(counts, self._now()):
            raise self._refuse(purpose, counts, "locked")
        person = self._whose(pin, number, listed)
        why: Why | None = None
        if person is None:
            why = "wrong_pin"
        elif person.disabled:
            why = "disabled"
        elif Role(person.role) not in ACTS[purpose].roles:
            why = "not_allowed"
        if person is None or why is not None:
            raise self._refuse(purpose, counts, why or "wrong_pin")
        # Again: hashing takes so long that others may have failed meanwhile, many at once even.
        locks = brief_of(self._folder).locks
        if locks.left(counts, self._now()):
            raise self._refuse(purpose, counts, "locked")
        signed = Signature(person.id, person.name, person.role.value)
        settled = self.settled(purpose, signed, keypad=counts == KEYPAD) if settle else ()
        if settled:
            with self._open() as book:
                book.record(*settled, actor=f"office:{person.id}")
        return signed

    def _open(self) -> AbstractContextManager[OfficeBook]:
        return open_office(self._folder, self._holder, demo=self._demo, enrolling=self._enrolling)

    def settled(
        self, purpose: str, signed: Signature, *, keypad: bool = False
    ) -> tuple[PinAccepted, ...]:
        """The entry after which failures before it count no more; none: there were none."""
        counts = KEYPAD if keypad else signed.id
        if counts not in brief_of(self._folder).locks.of:
            return ()
        return (PinAccepted(purpose, self._where, keypad, signed),)

    def taken(self, purpose: str, person: str) -> PinNotAccepted:
        """Somebody chose a new PIN that somebody has: it counts as a wrong one."""
        return self._refuse(purpose, person, "taken")

    def listed(self, number: str) -> Person | None:
        return next((person for person in self.staff.people if person.id == number), None)

    def _whose(self, pin: str, number: str, listed: Person | None) -> Person | None:
        if not number:
            return self.staff.whose(pin)
        if listed is None:
            return None
        return listed if listed.pin.matches(pin, self.staff.pepper) else None

    def _refuse(self, purpose: str, counts: str, why: Why) -> PinNotAccepted:
        self._owed = (purpose, counts, why)
        with self._open() as book:
            now, locks = self._now(), book.brief.locks
            if locks.left(counts, now):
                why = "locked"
            locks_for = 0 if why == "locked" else locks.next_lock(counts)
            event = PinRefused(
                purpose, self._where, counts, why, now.at, now.running, now.boot, locks_for
            )
            book.record(event, actor="office")
            locks = book.brief.locks
        self._owed = None
        return PinNotAccepted(*_message(event, locks, now), event, locks.left(counts, now))


def _message(event: PinRefused, locks: Locks, now: Moment) -> tuple[str, str]:
    left = locks.left(event.person, now)
    if left:
        minutes = (left + 59) // 60
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        whose = f"{event.person} is" if event.person else "PINs are"
        other = "" if event.person else " Use a staff number."
        return "locked", f"Too many wrong PINs: {whose} locked for {wait}.{other}"
    tries = locks.tries(event.person)
    more = "1 try" if tries == 1 else f"{tries} tries"
    match event.why:
        case "disabled":
            return "not_authorised", f"This PIN is disabled: {more} left."
        case "taken":
            return "not_authorised", f"This PIN cannot be used. Choose another: {more} left."
        case "not_allowed":
            return (
                "not_authorised",
                f"This person may not {ACTS[event.purpose].title}: {more} left.",
            )
    return "not_authorised", f"Wrong PIN: {more} left."

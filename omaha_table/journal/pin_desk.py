"""Whose PINs a table takes: the staff list of a folder, as its office journal names it now.

A change reaches running tables with the next PIN. A list that nobody signed for is not used: the
last good one is kept, and the table has an alarm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.floor.authority import Identity, Verdict, listed_number
from omaha_table.floor.files import NEW_FILE, STAFF_FILE, demo_staff
from omaha_table.floor.staff import Staff, StaffError
from omaha_table.journal.days import office_files
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.office_book import brief_of
from omaha_table.journal.pins import PinCheck, PinNotAccepted, this_moment
from omaha_table.journal.staff_list import NotNamedError, load_staff

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.office.locks import Moment

_NOT_NAMED: Final = "STAFF LIST changed by hand, not used. Put back the signed one."
_UNUSED: Final = {
    "list_forged": "STAFF LIST: the room has one that the office did not sign, not used. Call a "
    "shift manager.",
    "list_older": "STAFF LIST: the room has an older one, not used. Call a shift manager.",
    "list_unusable": "STAFF LIST: the room's cannot be used here. Enroll the table again.",
}
"""The list that was taken last goes on; a newer one that the office signed ends this."""
_WHY: Final = ("wrong_pin", "not_allowed", "locked", "disabled")


class PinDesk:
    def __init__(
        self,
        folder: Path,
        table: str,
        holder: str,
        now: Callable[[], Moment] = this_moment,
        *,
        demo: bool = False,
    ) -> None:
        self._folder, self.demo = folder, demo
        self._check = PinCheck(folder, Staff(), holder, table, now, demo=demo)
        self._seen: object = None
        self._named = False
        """Whether the office journal has named a list: from then on one must be named."""
        self.room_list = ""
        """The SHA-256 of the list in use, if it is one of the room; empty: it is the folder's."""
        self.problem = ""
        """Why PINs cannot be trusted or recorded, and what to do; empty: all is well."""
        if demo:
            _check_demo(folder)
            self._check.staff = demo_staff()
        else:
            self.look()

    @property
    def staff(self) -> Staff:
        return self._check.staff

    def look(self) -> bool:
        """Takes a changed staff list in; whether anything is different from before."""
        if self.demo:
            return False
        seen = self._stamps()
        if seen == self._seen:
            return False
        before = self._check.staff, self.problem
        self._seen, self.problem = seen, ""
        try:
            brief = brief_of(self._folder)
            named = bool(brief.staff)
            if self._named and not named:
                raise NotNamedError
            self._check.staff, self._named = load_staff(self._folder), named
            self.room_list = brief.staff if brief.room_list.version else ""
            said = [text for why, text in _UNUSED.items() if why in brief.room_list.refused]
            self.problem = said[0] if said else ""
        except NotNamedError:
            self.problem = _NOT_NAMED
        except StaffError as error:
            self.problem = f"STAFF LIST: {error}"
        except JournalFault as fault:
            self.problem = _office_problem(fault)
        return (self._check.staff, self.problem) != before

    def sign(self, purpose: str, pin: str, number: str = "") -> Identity:
        """Whose PIN this is and what the office journal says of it. Slow; touches no table."""
        self.look()
        check, staff = self._check, self._check.staff
        if self.problem and not staff.people:
            # Nobody's PIN can be right, so none is wrong.
            return Identity(None, "", Verdict("not_authorised", self.problem))
        listed = listed_number(staff, Identity(None, number))
        try:
            signed = check.sign(purpose, pin, number)
        except PinNotAccepted as refused:
            why = refused.event.why
            assert why in _WHY
            verdict = Verdict(refused.code, refused.message, why, refused.locked_for)
            return Identity(None, listed, verdict)
        except JournalFault as fault:
            self.problem = _office_problem(fault)
            message = f"No PIN can be recorded: {fault.message} {_todo(fault)}"
            return Identity(None, listed, Verdict("journal_full", message))
        return Identity(staff.get(signed.id), listed, Verdict())

    def _stamps(self) -> object:
        """What changes when the list or the office journal does; without reading either."""
        books = office_files(self._folder)[-1:]
        files = [self._folder / STAFF_FILE, self._folder / NEW_FILE, *books]
        files += [book.with_name(f"{book.name}-wal") for book in books]
        return [_stamp(file) for file in files]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


def _check_demo(folder: Path) -> None:
    """The demo's PINs are printed in the README: they rule no folder but a demo's own."""
    if (folder / STAFF_FILE).exists() or (office_files(folder) and not brief_of(folder).demo):
        raise StaffError(
            f"{folder} is the folder of a real table. The demo needs one of its own: leave --data "
            "out, or open the table with --table."
        )


def _office_problem(fault: JournalFault) -> str:
    return f"OFFICE JOURNAL: {fault.message} {_todo(fault)}"


def _todo(fault: JournalFault) -> str:
    if isinstance(fault, Tampered):
        return "Keep the files and call a manager."
    return "Free or repair the disk; then type the PIN again."

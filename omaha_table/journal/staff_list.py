"""The staff list of a folder, which the office journal names by its SHA-256.

A change writes the new list beside the old one, records the event, and puts the new list in place.
Whoever reads finds the list that is named, also after a kill between any two of these steps; a list
that nobody signed for is never used.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Final

from omaha_table.floor.files import (
    NEW_FILE,
    STAFF_FILE,
    content_of,
    list_content,
    nobody_yet,
    sha256,
    staff_of,
)
from omaha_table.floor.staff import Staff, StaffError
from omaha_table.journal.keys import sync_folder, write_durably
from omaha_table.journal.office_book import brief_of, open_office
from omaha_table.office.events import StaffChanged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.office_book import OfficeBook
    from omaha_table.office.events import OfficeEvent, Signature

NOT_NAMED: Final = (
    "The staff list was not changed by the program and is not used. Put back the one that was "
    "signed for."
)
_READS: Final = 3
"""Of a list and the journal that names it: between the two, somebody may change both."""


class NotNamedError(StaffError):
    """The staff list is not the one that the office journal names."""

    def __init__(self) -> None:
        super().__init__(NOT_NAMED)


def load_staff(folder: Path) -> Staff:
    """The staff of a folder as somebody signed for it; empty if there is none yet.

    A list that no office journal knows of is one of 0.1.0, and is used until its next change.
    Raises StaffError or JournalFault.
    """
    for _ in range(_READS - 1):
        with contextlib.suppress(NotNamedError):
            return _named(folder, brief_of(folder).staff)
        time.sleep(0.02)
    return _named(folder, brief_of(folder).staff)


def has_list(folder: Path) -> bool:
    """Whether a folder has a staff list of its own, or should have one. Raises JournalFault."""
    files = (folder / STAFF_FILE, folder / NEW_FILE)
    return any(file.exists() for file in files) or bool(brief_of(folder).staff)


def _named(folder: Path, named: str) -> Staff:
    content = list_content(folder)
    if not named:
        return Staff() if content is None else staff_of(folder, content)
    if content is None or sha256(content) != named:
        content = list_content(folder, NEW_FILE)
        if content is None or sha256(content) != named:
            raise NotNamedError
        _put_in_place(folder)
    return staff_of(folder, content)


def put_in_place(folder: Path, named: str) -> None:
    """The end of a change that a kill may have left undone: only the list that is named."""
    content = list_content(folder, NEW_FILE)
    if content is not None and sha256(content) == named:
        _put_in_place(folder)


def _put_in_place(folder: Path) -> None:
    # Whoever reads may do it as well, and one of them is first.
    with contextlib.suppress(OSError):
        (folder / NEW_FILE).replace(folder / STAFF_FILE)
        sync_folder(folder)


def change_staff(
    folder: Path,
    holder: str,
    change: StaffChanged,
    make: Callable[[Staff], Staff],
    settled: tuple[OfficeEvent, ...] = (),
) -> None:
    """Makes a change that was signed for; what it makes of the list is in `make`.

    `settled` is recorded with it. Raises StaffError, OfficeRefused or JournalFault, and then the
    list is as it was.
    """
    with open_office(folder, holder) as book:
        if book.brief.demo:
            raise StaffError("This folder is the demo's, with its own staff: use another folder.")
        before = _named(folder, book.brief.staff)
        _check_signer(before, change.by)
        if not before.people:
            before = nobody_yet(folder)
        content = content_of(make(before))
        events = [*_taken_in(folder, book, change), _naming(change, content), *settled]
        try:
            write_durably(folder / NEW_FILE, content)
        except OSError as error:
            raise StaffError(f"{folder} cannot be written: {error.strerror}.") from None
        book.record(*events, actor="office" if change.by is None else f"office:{change.by.id}")
        _put_in_place(folder)


def _check_signer(staff: Staff, by: Signature | None) -> None:
    """Somebody may have been disabled since the PIN was typed."""
    if by is not None and staff.get(by.id).disabled:
        raise StaffError(f"{by.id} is disabled.")


def _naming(change: StaffChanged, content: bytes) -> StaffChanged:
    return StaffChanged(
        change.change, change.person, change.name, change.role, change.by, sha256(content)
    )


def _taken_in(folder: Path, book: OfficeBook, change: StaffChanged) -> list[OfficeEvent]:
    """A list that was there before the office journal is named once, as it is."""
    content = list_content(folder)
    if book.brief.staff or content is None or change.change == "init":
        return []
    return [StaffChanged("taken_in", "", "", "", None, sha256(content))]

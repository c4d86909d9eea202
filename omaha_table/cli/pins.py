"""PINs at a command: prompted for, never arguments, never shown, and counted like all others."""

from __future__ import annotations

import getpass
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from omaha_table.cli.lines import Problem
from omaha_table.floor.staff import StaffError
from omaha_table.journal.faults import Busy, JournalFault, Tampered
from omaha_table.journal.opening import writer_name
from omaha_table.journal.pins import PinCheck
from omaha_table.journal.staff_list import has_list, load_staff
from omaha_table.office.decisions import OfficeRefused
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.floor.staff import Staff
    from omaha_table.office.events import Signature

_LONGEST: Final = 200
"""Letters of a line with a PIN; nothing reads more than that of what a pipe may bring."""
OWN_LIST: Final = "{} has a staff list of its own, which says who signs there: leave out --staff."


def pin_check(folder: Path) -> PinCheck:
    """Checks PINs of the staff of a folder; there must be some."""
    staff = staff_of(folder)
    check = PinCheck(folder, staff, writer_name(), renew=lambda: load_staff(folder))
    if not check.staff.people:
        raise click.UsageError(
            f"No staff yet in {folder}: a manager runs "
            "'omaha-table staff init ID NAME --data DIR' first."
        )
    return check


def staff_folder(data: Path, named: Path | None) -> Path:
    """The folder of the list that says who signs, `--staff` or the data folder itself.

    Whoever may type a command may also make a list of his own, with anybody's name on it: so it
    counts only where the data folder has none.
    """
    if named is None or named.resolve() == data.resolve():
        return data
    with said():
        own = has_list(data)
    if own:
        raise click.UsageError(OWN_LIST.format(data))
    return named


def staff_of(folder: Path) -> Staff:
    with said():
        return load_staff(folder)


@contextmanager
def said() -> Iterator[None]:
    """What a person can put right is said without a traceback."""
    try:
        yield
    except StaffError as error:
        raise click.UsageError(visible(str(error))) from None
    except OfficeRefused as refused:
        raise Problem(visible(refused.message)) from None
    except JournalFault as fault:
        raise not_recorded(fault) from None
    except OSError as error:
        where = f"{error.filename} " if error.filename else "The data folder "
        raise click.UsageError(f"{where}cannot be used: {error.strerror}.") from None


def signed_by(check: PinCheck, purpose: str, number: str = "", prompt: str = "") -> Signature:
    """Asks for a PIN and says what became of it, if it was not accepted."""
    try:
        return check.sign(purpose, ask(prompt or f"PIN of {number}: "), number)
    except StaffError as error:
        raise click.UsageError(str(error)) from None
    except OfficeRefused as refused:
        raise Problem(refused.message) from None
    except JournalFault as fault:
        raise not_recorded(fault) from None


def not_recorded(fault: JournalFault) -> Problem:
    """Nothing goes on without the office journal: it knows the staff list and takes the entry."""
    todo = fault.todo
    if isinstance(fault, Tampered):
        todo = "Keep the files. A shift manager goes on: omaha-table enroll --office --data DIR."
    elif isinstance(fault, Busy):
        todo = "Try again."
    return Problem(f"The office journal cannot be written: {fault.message} {todo}")


def ask(prompt: str) -> str:
    """Without echo on a terminal; a line from a pipe. Raises StaffError."""
    try:
        if sys.stdin is not None and sys.stdin.isatty():
            return getpass.getpass(prompt)
        line = sys.stdin.readline(_LONGEST) if sys.stdin is not None else ""
        line.encode()
    except UnicodeError:
        raise StaffError("A PIN has digits alone.") from None
    if not line:
        raise StaffError("No PIN was entered.")
    return line.rstrip("\n")


def ask_new(prompt: str = "New PIN: ") -> str:
    """Asks twice; raises StaffError if the two differ."""
    first, second = ask(prompt), ask("Repeat the PIN: ")
    if first != second:
        raise StaffError("The two PINs do not match. Nothing was changed.")
    return first

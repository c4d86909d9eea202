"""Signatures on the command line: staff numbers are given, PINs are asked for and never shown."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from omaha_table.cli.lines import Problem
from omaha_table.cli.pins import ask, staff_of
from omaha_table.floor.staff import StaffError
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.pins import PinCheck
from omaha_table.office.decisions import OfficeRefused, check_signatures
from omaha_table.office.events import Signature
from omaha_table.review.index.ledger import not_recorded
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.floor.staff import Person, Staff


@contextmanager
def refusals() -> Iterator[None]:
    """What the office refuses ends a command with status 2, and nothing is recorded."""
    try:
        yield
    except OfficeRefused as refused:
        raise Problem(refused.message) from None
    except JournalFault as fault:
        raise Problem(not_recorded(fault)) from None


def sign(folder: Path, act: str, numbers: tuple[str, ...]) -> tuple[Signature, ...]:
    """Asks each person for the PIN; who may not sign is told before any PIN is asked for.

    `folder` has the staff list, and the office journal in which wrong PINs count.
    """
    staff = staff_of(folder)
    with refusals():
        people = [_person(staff, number, folder) for number in numbers]
        check_signatures(act, [Signature(p.id, p.name, p.role.value) for p in people])
        check = PinCheck(folder, staff, "the office", renew=lambda: staff_of(folder))
        return tuple(check.sign(act, _ask_pin(person), person.id) for person in people)


def _person(staff: Staff, number: str, folder: Path) -> Person:
    if not staff.people:
        raise OfficeRefused(
            "no_staff",
            f"{folder} has no staff list, so nobody can sign. Make the first shift manager with "
            "'omaha-table staff init', or name the folder of the list with --staff.",
        )
    found = next((person for person in staff.people if person.id == number), None)
    if found is None:
        raise OfficeRefused("unknown", f"There is no staff number {number!r}.")
    if found.disabled:
        raise OfficeRefused("not_authorised", f"{number} is disabled and cannot sign.")
    return found


def _ask_pin(person: Person) -> str:
    try:
        return ask(visible(f"PIN of {person.id} {person.name}: "))
    except StaffError:
        message = f"No PIN was entered for {person.id}: nothing was recorded."
        raise OfficeRefused("no_pin", message) from None

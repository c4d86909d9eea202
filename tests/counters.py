"""A staff whose PINs are checked quickly, and the keys with which they sign in the review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role, Staff
from omaha_table.office.events import Signature
from omaha_table.review.index.ledger import Ledger
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.writer import Clock

PINS: Final = {"D1": "810101", "D2": "810202", "F1": "820103", "F2": "820204", "S1": "830105",
               "S2": "830206", "A1": "840107"}  # fmt: skip
_PEOPLE: Final = (
    ("F1", "Fern Hill", Role.FLOOR),
    ("S1", "Sam Vale", Role.SHIFT),
    ("F2", "Finn Lake", Role.FLOOR),
    ("S2", "Sue Moor", Role.SHIFT),
    ("D1", "Dee Poe", Role.DEALER),
    ("D2", "Dan Roe", Role.DEALER),
    ("A1", "Ann Tor", Role.AUDITOR),
)


def hire(folder: Path) -> Staff:
    """Writes the staff list of a folder. One pass over 8 kB, so that a test does not wait."""
    pepper = nobody_yet(folder).pepper
    people = tuple(
        Person(number, name, role, PinHash.of(PINS[number], pepper, 8, 1))
        for number, name, role in _PEOPLE
    )
    staff = Staff(people, pepper)
    save_staff(folder, staff)
    return staff


def ledger(folder: Path, clock: Clock | None = None) -> Ledger:
    """The office's records of a folder in which everybody above may sign."""
    folder.mkdir(parents=True, exist_ok=True)
    hire(folder)
    return Ledger(folder, clock=clock)


def signature(number: str) -> Signature:
    [(name, role)] = [(name, role.value) for found, name, role in _PEOPLE if found == number]
    return Signature(number, name, role)


def signs(*numbers: str) -> tuple[str, ...]:
    """The keys with which people sign one after the other."""
    return tuple(key for number in numbers for key in (*number, "enter", *PINS[number], "enter"))

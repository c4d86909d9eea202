"""Staff files for tests: the demo's people and PINs with a pepper, and hashes that take no time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.floor import Person, Role, Staff
from omaha_table.floor.files import content_of, demo_staff, nobody_yet
from omaha_table.floor.staff import PinHash

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE: Final = (
    ("F1", "Fern, floor", Role.FLOOR, "4711"),
    ("F2", "Finn, floor", Role.FLOOR, "4712"),
    ("S1", "Sam, shift manager", Role.SHIFT, "9000"),
    ("D1", "Dana, dealer", Role.DEALER, "1111"),
    ("A1", "Ari, auditor", Role.AUDITOR, "2222"),
)


FULL_COST: Final = (64 * 1024, 3)
"""Argon2's memory in KiB and its passes, as the product has them: 0.2 s of work."""


def person(id_: str, name: str, role: Role, pin: str, pepper: bytes) -> Person:
    return Person(id_, name, role, PinHash.of(pin, pepper, 64, 1))


def put_staff(folder: Path, people: tuple[tuple[str, str, Role, str], ...] = PEOPLE) -> Staff:
    """A list as 0.1.0 left it: no office journal names it, and PINs may have four digits."""
    empty = nobody_yet(folder)
    staff = Staff(tuple(person(*one, empty.pepper) for one in people), empty.pepper)
    save_staff(folder, staff)
    return staff


def save_staff(folder: Path, staff: Staff) -> None:
    path = folder / "staff.json"
    path.unlink(missing_ok=True)
    path.touch(0o600)
    path.write_bytes(content_of(staff))


def without_dealers() -> Staff:
    """The demo's staff without its dealer: nobody is on a list of dealers, so anybody may deal."""
    people = demo_staff().people
    return Staff(tuple(person for person in people if person.role is not Role.DEALER))

"""A staff list whose PINs are hashed in a moment, and what an office journal holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.staff import Person, PinHash, Role, Staff
from omaha_table.journal.office_book import read_office
from omaha_table.journal.verification import office_in, verify
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.verdict import Verdict
    from omaha_table.office.events import OfficeEvent

PEPPER = bytes(32)
PINS = {"F1": "4711", "F2": "1234", "S1": "9876", "S2": "8642", "A1": "3571", "D1": "2468"}
ROLES = {"F": Role.FLOOR, "S": Role.SHIFT, "A": Role.AUDITOR, "D": Role.DEALER}


def quick_staff(disabled: str = "") -> Staff:
    """Two floor supervisors, two shift managers, an auditor and a dealer."""
    people = (
        Person(
            number, f"Name of {number}", ROLES[number[0]], PinHash.of(pin, PEPPER, 8, 1),
            number == disabled,
        )
        for number, pin in PINS.items()
    )  # fmt: skip
    return Staff(tuple(people), PEPPER)


def make_staff(folder: Path, disabled: str = "") -> Path:
    """A folder with that staff list."""
    folder.mkdir(0o700, parents=True, exist_ok=True)
    (folder / "pepper").write_bytes(PEPPER)
    save_staff(folder, quick_staff(disabled))
    return folder


def pins(*numbers: str) -> str:
    """What these persons type."""
    return "".join(f"{PINS[number]}\n" for number in numbers)


def recorded(folder: Path) -> list[OfficeEvent]:
    """All that is neither a count nor a note."""
    return [dated.event for dated in read_office(folder).others]


def check_office(folder: Path) -> Verdict:
    return verify(office_in(folder))

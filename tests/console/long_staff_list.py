"""A table with thirty people on its staff list, whose PINs take more than a second to check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role
from tests.staff_files import FULL_COST, save_staff

if TYPE_CHECKING:
    from pathlib import Path

    from tests.console.terminal import Terminal

PIN = "482155"


def thirty_people(folder: Path) -> Path:
    """A data folder with the hashes of thirty PINs, the supervisor in the middle of the list.

    Everybody's PIN is tried. The check must be going on while the next keys are typed: at the full
    cost of a hash it would only take longer, so that each has one pass of three.
    """
    memory, _ = FULL_COST
    staff = nobody_yet(folder)
    people = tuple(
        Person(
            f"F{number}", f"Person {number}", Role.FLOOR, PinHash.of(pin, staff.pepper, memory, 1)
        )
        for number in range(11, 41)
        for pin in [PIN if number == 25 else f"7000{number:02}"]
    )
    save_staff(folder, type(staff)(people, staff.pepper))
    return folder


def begin_hand(terminal: Terminal) -> None:
    terminal.wait("BUTTON DRAW")
    terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
    terminal.wait("START HAND 1")
    terminal.press("+")
    terminal.wait("CARDS ARE OUT")
    terminal.press("0")
    terminal.wait("hole cards out")

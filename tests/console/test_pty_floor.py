"""The floor at a real terminal with a long staff list: a PIN takes seconds, and no key is lost."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.updates import DEAD_TIME
from omaha_table.floor.files import new_staff, save_staff
from omaha_table.floor.staff import Person, PinHash, Role
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in
from omaha_table.table.events import Ruled
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path

PIN = "482155"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Thirty people with real hashes, the supervisor in the middle of the list."""
    folder = tmp_path / "data"
    staff = new_staff(folder)
    people = tuple(
        Person(f"F{number}", f"Person {number}", Role.FLOOR, PinHash.of(pin, staff.pepper))
        for number in range(30)
        for pin in [PIN if number == 15 else f"7000{number:02}"]
    )
    save_staff(folder, type(staff)(people, staff.pepper))
    return folder


def begin_hand(terminal: Terminal) -> None:
    terminal.wait("BUTTON DRAW")
    terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
    terminal.wait("START HAND 1")
    terminal.press("enter")
    terminal.wait("CARDS ARE OUT")
    # A pace and no wait: for so long after a hand starts the console takes no ENTER.
    time.sleep(DEAD_TIME)
    terminal.press("enter")
    terminal.wait("hole cards out")


def number_of(title: str, shown: str) -> str:
    found = re.search(rf"(\d)  {title}", shown)
    assert found is not None, shown
    return found[1]


def test_every_key_typed_during_a_long_pin_check_lands_where_it_was_meant(
    tmp_path: Path, data: Path
) -> None:
    table = table_file(tmp_path)
    with Terminal(["console", "--table", str(table), "--data", str(data)]) as terminal:
        begin_hand(terminal)
        terminal.press("/", *PIN, "enter", gap=0.05)
        terminal.wait("Checking the PIN")
        terminal.wait("RULINGS THAT FIT NOW", 120)
        shown = terminal.wait("Declare a hand dead")
        line = number_of("Declare a hand dead", shown)
        terminal.press(".")
        terminal.wait("to call")
        # The whole ruling in one go, twenty keys a second: PIN, which, seat 3, reason.
        terminal.press("/", *PIN, "enter", line, "3", "enter", "1", gap=0.05)
        assert "Checking the PIN" in terminal.text
        terminal.wait("FLOOR F15 dead: dealer error", 120)
        terminal.wait("to call")
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    [journal] = files_in(data)
    with Reader(journal) as reader:
        events = [record_of(row).event for row in reader.since()]
    [ruled] = [event for event in events if isinstance(event, Ruled)]
    assert (ruled.ruling, ruled.words, ruled.by) == ("dead", ("3",), ("F15",))
    kinds = [type(event).__name__ for event in events]
    assert "Acted" not in kinds, "no key of the dialog reached the table"

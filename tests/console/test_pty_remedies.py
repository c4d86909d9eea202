"""A remedy at a real terminal: ordered by the floor, and gone with the flop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role
from tests.console.long_staff_list import PIN, begin_hand
from tests.console.terminal import Terminal, table_file
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_remedy_leaves_the_screen_with_the_flop(tmp_path: Path, size: tuple[int, int]) -> None:
    data = tmp_path / "data"
    staff = nobody_yet(data)
    floor = Person("F15", "Fay", Role.FLOOR, PinHash.of(PIN, staff.pepper))
    save_staff(data, type(staff)((floor,), staff.pepper))
    given = ["console", "--table", str(table_file(tmp_path)), "--data", str(data)]
    with Terminal(given, size) as terminal:
        begin_hand(terminal)
        terminal.press("/", *PIN, "enter")
        terminal.wait("14  Dead hand", 20)
        terminal.press("1", "2", "3", "enter", "1", "enter")
        terminal.wait("1  Finish the deal.", 20)
        terminal.press("enter")
        terminal.wait("Remedy: Use the exposed card as the burn")
        terminal.press("enter", "enter", "enter")
        terminal.wait("bets in")
        assert "Remedy: " in terminal.text
        terminal.press("7", "+", "5", "*", "2", "/", "0")
        terminal.wait("No alarms")
        assert "Remedy" not in "\n".join(terminal.settled())
        terminal.press("/", "*", "8")
        terminal.wait("No remedy of the floor is left to do.")

"""Shift slips at a real terminal: they come back after a restart, with the words of the log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import files_in
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path

MENU_SLIP = ("/", "*", "5")
SHUT_DOWN = ("/", "*", "9")
LOG = re.compile(r"Log +([a-z]+-[a-z]+-[a-z]+-[a-z]+)")


def words(shown: str) -> str:
    found = LOG.search(shown)
    assert found is not None, shown
    return found[1]


def test_a_slip_is_shown_at_the_close_and_again_after_a_restart(tmp_path: Path) -> None:
    console = ["console", "--table", str(table_file(tmp_path)), "--data", str(tmp_path / "data")]
    with Terminal(console) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        terminal.press("/", "+", "*", "2", "7", "1", "enter")
        terminal.wait("Swing shift open: box 71.")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("0", "-", "-", "0")
        terminal.wait("START HAND 2")
        terminal.press("/", "+", "*", "3", "8", "2", "enter")
        shown = terminal.wait(lambda text: "SLIP OF THE SWING SHIFT" in text and "Log " in text)
        assert "Box 71        0" in shown
        assert "Hands         1" in shown
        swing = words(shown)
        terminal.press("enter", "/", "+", "*", "-", "+")
        terminal.wait("SLIP OF THE GRAVEYARD SHIFT")
        terminal.press("enter", *SHUT_DOWN)
        assert terminal.end() == 0
    with Terminal(console, (120, 40)) as terminal:
        terminal.wait("START HAND 2")
        terminal.press(*MENU_SLIP)
        terminal.wait(lambda text: "SLIP OF THE GRAVEYARD SHIFT" in text and "Box 82" in text)
        terminal.press("*")
        shown = terminal.wait(lambda text: "SLIP OF THE SWING SHIFT" in text and "Box 71" in text)
        assert words(shown) == swing
        terminal.press("enter", *SHUT_DOWN)
        assert terminal.end() == 0
    done = CliRunner().invoke(omaha_table, ["verify", str(tmp_path / "data"), "--words", swing])
    assert done.exit_code == 0, done.output
    [journal] = files_in(tmp_path / "data")
    with Reader(journal) as reader:
        [swing_closed, _] = reader.since(0, ("shift_closed",))
    assert f"event {swing_closed.seq}," in done.output

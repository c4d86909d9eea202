"""The floor is called on a real terminal; a kill does not lose the call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path


def test_a_call_is_seen_from_afar_survives_a_kill_and_is_in_the_report(tmp_path: Path) -> None:
    data = tmp_path / "data"
    console = ["console", "--table", str(table_file(tmp_path)), "--data", str(data)]
    with Terminal(console) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("0")
        terminal.wait("hole cards out")
        terminal.press("/")
        terminal.wait("CALL THE FLOOR")
        terminal.press("enter")
        terminal.wait("END THE CALL")
        terminal.press(".")
        terminal.wait("ENTER  CALL 4")
        terminal.press("enter")
        terminal.wait("seat 1 CALL 4")
        terminal.wait("■ FLOOR CALLED")
        terminal.kill()
    with Terminal(console) as terminal:
        terminal.wait("THE FELT AGREES")
        assert "■ FLOOR CALLED" in terminal.text
        terminal.press("enter")
        terminal.wait("to call")
        terminal.press("/")
        terminal.wait("END THE CALL")
        terminal.press("-")
        terminal.wait("floor call ended")
        terminal.press(".")
        terminal.wait("to call")
        terminal.press("-")
        terminal.wait("seat 2 FOLD")
        terminal.press("-")
        terminal.wait("PUSHED")
        terminal.press("0")
        terminal.wait("START HAND 2")
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    day = next(data.glob("*.journal")).stem.removeprefix("t7-")
    given = ["report", "day", day, "--data", str(data), "--format", "json"]
    done = CliRunner().invoke(omaha_table, given)
    [call] = json.loads(done.stdout)["floor_calls"]
    assert (call["hand"], call["by"], call["outcome"]) == (1, "", "taken back")

"""A PIN that is typed at a terminal is not shown there, and files that hold secrets are closed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor import Role
from omaha_table.journal.staff_list import load_staff
from tests.console.terminal import Terminal
from tests.journal.days import LINES, delete_tail, journal_file, open_session, say
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from pathlib import Path


PEOPLE = (("F1", "Fern", Role.FLOOR, "864205"), ("S1", "Sam", Role.SHIFT, "135790"))


def test_a_new_pin_is_typed_twice_and_never_seen(tmp_path: Path) -> None:
    words = ["staff", "init", "S1", "Sam", "--data", str(tmp_path / "table")]
    with Terminal(words) as terminal:
        terminal.wait("New PIN:")
        terminal.press(*"864205", "enter")
        terminal.wait("Repeat the PIN:")
        terminal.press(*"864205", "enter")
        assert terminal.end() == 0
        assert "S1 is the first shift manager." in terminal.text
        assert b"4205" not in terminal.raw
    found = load_staff(tmp_path / "table").identify("864205")
    assert found is not None
    assert found.id == "S1"


def test_two_pins_at_a_terminal_that_differ_change_nothing(tmp_path: Path) -> None:
    words = ["staff", "init", "S1", "Sam", "--data", str(tmp_path / "table")]
    with Terminal(words) as terminal:
        terminal.wait("New PIN:")
        terminal.press(*"864205", "enter")
        terminal.wait("Repeat the PIN:")
        terminal.press(*"864215", "enter")
        assert terminal.end() == 2
        assert "do not match" in " ".join(terminal.text.split())
    assert load_staff(tmp_path / "table").people == ()


def test_the_pin_of_whoever_enrolls_a_journal_is_never_seen(tmp_path: Path) -> None:
    put_staff(tmp_path, PEOPLE)
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    delete_tail(journal_file(tmp_path))
    words = ["enrol", "--data", str(tmp_path), "--table", "t7", "--reason", "power loss"]
    with Terminal(words) as terminal:
        terminal.wait("Supervisor's PIN:", 40)
        terminal.press(*"864205", "enter")
        assert terminal.end(30) == 0
        assert "enrolled by F1" in " ".join(terminal.text.split())
        assert b"864205" not in terminal.raw


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_staff_and_pepper_are_for_their_owner_alone(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        words = ["staff", "init", "S1", "Sam", "--data", str(tmp_path / "table")]
        done = CliRunner().invoke(omaha_table, words, input="864205\n864205\n")
    finally:
        os.umask(before)
    assert done.exit_code == 0
    folder = tmp_path / "table"
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    assert modes.pop("table") == 0o700
    assert {"pepper", "staff.json"} < modes.keys()
    assert set(modes.values()) == {0o600}
    for path in folder.iterdir():
        assert b"864205" not in path.read_bytes()


def test_a_disabled_supervisor_rules_no_more(tmp_path: Path) -> None:
    put_staff(tmp_path, PEOPLE)
    assert load_staff(tmp_path).identify("864205") is not None
    words = ["staff", "disable", "F1", "--by", "S1", "--data", str(tmp_path)]
    assert CliRunner().invoke(omaha_table, words, input="135790\n").exit_code == 0
    assert load_staff(tmp_path).identify("864205") is None

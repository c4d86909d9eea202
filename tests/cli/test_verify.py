"""`omaha-table verify`: the verdict in words, in JSON and as a status; no progress in a pipe."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.console.terminal import Terminal
from tests.journal.days import CLOSE, LINES, change_award, journal_file, open_session, say

if TYPE_CHECKING:
    from pathlib import Path


def verify(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(omaha_table, ["verify", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """A folder with an open day of six hands."""
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    return tmp_path


def test_a_sound_log_is_called_sound_and_nothing_else(day: Path) -> None:
    status, text, errors = verify(str(day))
    assert (status, errors) == (0, "")
    assert text.splitlines()[-1].startswith("Sound. Not anchored: ")
    assert "NOT SOUND" not in text
    [path] = day.glob("*.journal")
    assert f"{path.name} is still open: it has no receipt yet." in text
    assert verify(str(path))[0] == 0


def test_a_closed_day_is_not_called_open(day: Path) -> None:
    session = open_session(day)
    say(session, CLOSE)
    session.close()
    status, text, _ = verify(str(day))
    assert status == 0
    assert "is still open" not in text


def test_a_changed_log_is_not_called_sound_anywhere(day: Path) -> None:
    change_award(journal_file(day))
    status, text, _ = verify(str(day))
    assert status == 1
    assert "Sound." not in text
    assert "NOT SOUND" in text
    assert "omaha-table enrol" in " ".join(text.split())


@pytest.mark.parametrize("damaged", [False, True])
def test_the_verdict_in_json_is_that_of_the_status(day: Path, damaged: bool) -> None:
    if damaged:
        change_award(journal_file(day))
    status, text, _ = verify("--json", str(day))
    verdict: dict[str, Any] = json.loads(text)
    assert (status, verdict["sound"]) == ((1, False) if damaged else (0, True))
    assert bool(verdict["damage"]) == damaged


@pytest.mark.parametrize("name", ["", "nowhere", "staff.json"])
def test_where_there_is_no_journal_nothing_is_sound(tmp_path: Path, name: str) -> None:
    (tmp_path / "staff.json").write_text("{}")
    status, text, errors = verify(str(tmp_path / name))
    assert status != 0
    assert "Sound." not in text + errors


def test_a_file_that_is_no_journal_is_judged_at_a_terminal_too(day: Path) -> None:
    """The progress bar counts the events of every file first, also of one that has none."""
    journal_file(day).write_bytes(b"not a journal" * 400)
    with Terminal(["verify", str(day)]) as terminal:
        assert terminal.end(30) == 1
        assert "NOT SOUND" in terminal.text
        assert b"Traceback" not in terminal.raw

"""A damaged journal is never written on, however far back the damage is."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.screen.run import Evening
from omaha_table.journal.faults import Tampered
from omaha_table.session.config import load_table
from tests.console.terminal import Terminal, table_file
from tests.journal.days import (
    LINES,
    change_award,
    delete_row,
    journal_file,
    open_session,
    say,
    swap_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAM = [sys.executable, "-m", "omaha_table"]


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """A day that is still open."""
    session = open_session(tmp_path / "data")
    say(session, *LINES)
    session.close()
    return tmp_path / "data"


def digest(folder: Path) -> str:
    return hashlib.sha256(journal_file(folder).read_bytes()).hexdigest()


@pytest.mark.parametrize("damage", [change_award, delete_row, swap_rows])
def test_neither_the_console_nor_a_script_goes_on_with_it(
    day: Path, damage: Callable[[Path], None]
) -> None:
    damage(journal_file(day))
    before = digest(day)
    with pytest.raises(Tampered, match=r"was changed or damaged|is missing"):
        Evening(load_table(table_file(day.parent)), day).open()
    done = subprocess.run(
        [*PROGRAM, "script", "--data", str(day), "--table", "t7"],
        input="seat 9 Eve\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "was changed or damaged" in done.stderr or "is missing" in done.stderr
    assert "omaha-table enroll" in done.stderr
    assert digest(day) == before


def test_a_sound_day_is_gone_on_with(day: Path) -> None:
    session = Evening(load_table(table_file(day.parent)), day).open()
    assert session.state.hands == 6
    session.close()


def test_verify_shows_its_progress_on_a_terminal_and_then_its_verdict(day: Path) -> None:
    with Terminal(["verify", str(day)]) as terminal:
        assert terminal.end() == 0
        assert "6 hands replayed" in terminal.text
        assert "Sound." in terminal.text
    change_award(journal_file(day))
    with Terminal(["verify", str(day)]) as terminal:
        assert terminal.end() == 1
        assert "NOT SOUND" in terminal.text

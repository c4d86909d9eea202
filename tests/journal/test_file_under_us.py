"""The journal's own file while a table deals: deleted, moved, replaced, locked, on a bad disk."""

from __future__ import annotations

import errno
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.events import ClockStepped
from omaha_table.journal.faults import Busy, Full, Gone, Unwritable, unwritten
from omaha_table.journal.store import Store
from omaha_table.journal.writer import Clock
from omaha_table.session.script import run_line
from tests.journal.days import LINES, check, journal_file, open_session, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.session import Session

BEFORE = 24
"""Lines that open the game and begin a hand."""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = open_session(tmp_path / "data")
    say(session, *LINES[:BEFORE])
    yield session
    session.close()


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("kept"))


def replace(path: Path) -> None:
    """By a copy of itself, as a restored backup would be."""
    copy = path.with_name("copy")
    shutil.copy2(path, copy)
    copy.replace(path)


def delete_the_wal(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def replace_the_wal(path: Path) -> None:
    replace(path.with_name(f"{path.name}-wal"))


def move_the_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize(
    "change", [delete, move, replace, delete_the_wal, replace_the_wal, move_the_folder]
)
def test_nothing_is_acknowledged_into_a_file_that_nobody_will_find(
    session: Session, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    change(journal_file(tmp_path / "data"))
    before = session.state
    for _ in range(2):
        with pytest.raises((Gone, Full)) as caught:
            list(run_line(session, 1, LINES[BEFORE]))
        assert session.state is before
    assert type(caught.value) is not Full


def test_a_file_that_goes_while_it_is_written_is_not_acknowledged(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the check before the write and the commit."""
    right, left = Store._check_file, [1]

    def check_once(store: Store) -> None:
        right(store)
        if left:
            left.clear()
            journal_file(tmp_path / "data").unlink()

    monkeypatch.setattr(Store, "_check_file", check_once)
    before = session.state
    with pytest.raises(Gone):
        list(run_line(session, 1, LINES[BEFORE]))
    assert session.state is before


def test_without_its_lock_file_a_second_console_does_not_get_in(
    session: Session, tmp_path: Path
) -> None:
    (tmp_path / "data" / "t7.lock").unlink()
    with pytest.raises(Busy):
        open_session(tmp_path / "data")
    say(session, *LINES[BEFORE:])
    assert check(tmp_path / "data").sound


def test_a_copy_of_a_journal_is_no_other_file_for_its_reader(tmp_path: Path) -> None:
    session = open_session(tmp_path / "data")
    say(session, *LINES)
    os.link(journal_file(tmp_path / "data"), tmp_path / "linked")
    say(session, "away 1", "back 1")
    session.close()
    assert check(tmp_path / "data").sound


# What the system says


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOSPC, Full, "disk is full"),
        (errno.EDQUOT, Full, "disk is full"),
        (errno.EACCES, Unwritable, "may not write"),
        (errno.EPERM, Unwritable, "may not write"),
        (errno.EROFS, Unwritable, "read-only"),
        (errno.EIO, Unwritable, "does not answer"),
        (errno.ESTALE, Unwritable, "does not answer"),
        (errno.ENOTDIR, Unwritable, "cannot be written"),
    ],
)
def test_each_refusal_of_the_system_has_a_sentence_of_its_own(
    number: int, kind: type[Full], words: str
) -> None:
    fault = unwritten(OSError(number, os.strerror(number), "/srv/t7/t7.key"))
    assert type(fault) is kind
    assert words in fault.message
    assert "/srv" not in fault.message
    assert ("Free disk space" in fault.todo) == (kind is Full)


# The clock


def test_a_clock_that_was_set_back_while_no_console_ran_is_recorded(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    clock = Clock(lambda: now[0], lambda: 5.0)
    session = open_session(tmp_path, clock=clock)
    say(session, *LINES[:BEFORE])
    session.close()
    now[0] -= 3600
    session = open_session(tmp_path, clock=clock)
    steps = [r.event.seconds for r in session.opening if isinstance(r.event, ClockStepped)]
    assert steps == [-3600.0]
    session.close()
    now[0] += 60
    session = open_session(tmp_path, clock=clock)
    assert not [r for r in session.opening if isinstance(r.event, ClockStepped)]
    session.close()
    assert check(tmp_path).sound

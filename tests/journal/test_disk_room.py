"""Room on the disk: what is kept for a hand, and what is done where a write finds none."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.hand import commands as hand
from omaha_table.journal.events import Record, Recovered
from omaha_table.journal.faults import Uncertain
from omaha_table.journal.writer import JournalWriter
from tests.journal.days import (
    LINES,
    OPENING,
    check,
    day_opened,
    note,
    open_session,
    say,
    session_and_writer,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.session import Session


def test_a_full_disk_lets_the_hand_finish_and_refuses_the_next_until_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, journal = session_and_writer(tmp_path)
    say(session, *LINES[:OPENING], "hand", "deal")
    ballast = next(tmp_path.glob("*.ballast"))
    pages = journal._store._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._store._connection.execute(f"PRAGMA max_page_count = {pages}")
    fold_and_undo(session, 400)
    assert not ballast.exists(), "it made room, and the write was made on a new connection"
    while session.state.hand is not None:
        say(session, {"act": "fold", "push": "push"}[session.step.what])
    with monkeypatch.context() as full:
        full.setattr("omaha_table.journal.writer.MIN_FREE_BYTES", 1 << 62)
        refusal = session.do(hand.Deal()).refusal
        assert refusal is not None
        assert refusal.code == "journal_full"
    assert not ballast.exists()
    assert session.do(hand.Deal()).refusal is None
    assert ballast.exists()
    session.close()
    assert check(tmp_path).sound


def fold_and_undo(session: Session, times: int) -> None:
    for _ in range(times):
        session.do(hand.Act("fold"))
        session.do(hand.Undo())


def test_after_a_failed_commit_nothing_more_is_taken(tmp_path: Path) -> None:
    session, journal = session_and_writer(tmp_path)
    say(session, "seat 1 A")
    real = journal._store._connection

    class Failing:
        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

        def execute(self, statement: str, *rest: Any) -> Any:
            if statement == "COMMIT":
                raise sqlite3.OperationalError("disk I/O error")
            return real.execute(statement, *rest)

    journal._store._connection = Failing()  # type: ignore[assignment]
    before = session.state
    with pytest.raises(Uncertain):
        say(session, "seat 2 B")
    journal._store._connection = real
    with pytest.raises(Uncertain):
        say(session, "seat 3 C")
    assert session.state is before
    session.close()
    again = open_session(tmp_path)
    assert set(again.state.seats) in ({1}, {1, 2})


DAY = "2026-11-14"


class NoRoom:
    """A connection that says at COMMIT that the disk is full, after something else was done."""

    def __init__(self, real: sqlite3.Connection, instead: Callable[[sqlite3.Connection], None]):
        self._real, self._instead = real, instead

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, statement: str, *given: Any) -> Any:
        if statement != "COMMIT":
            return self._real.execute(statement, *given)
        self._instead(self._real)
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error


def commits(connection: sqlite3.Connection) -> None:
    connection.execute("COMMIT")


def rolls_back(connection: sqlite3.Connection) -> None:
    connection.execute("ROLLBACK")


def another_writes(connection: sqlite3.Connection) -> None:
    connection.execute("ROLLBACK")
    connection.execute("INSERT INTO event VALUES(2,NULL,0,0,'y','','{}',x'00')")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[JournalWriter]:
    journal = JournalWriter(tmp_path, "t7", DAY, holder="console")
    journal.append([day_opened(journal)])
    yield journal
    journal.close()


def full(journal: JournalWriter, instead: Callable[[sqlite3.Connection], None]) -> None:
    store = journal._store
    store._connection = NoRoom(store._connection, instead)  # type: ignore[assignment]


@pytest.mark.parametrize("instead", [commits, rolls_back])
def test_what_was_written_though_the_disk_was_full_is_written_once(
    journal: JournalWriter, instead: Callable[[sqlite3.Connection], None]
) -> None:
    full(journal, instead)
    journal.append([note(2)])
    journal.append([note(3)])
    assert [row.seq for row in journal.rows.since()] == [1, 2, 3]


def test_an_end_that_another_has_written_meanwhile_is_not_gone_on_with(
    journal: JournalWriter,
) -> None:
    full(journal, another_writes)
    with pytest.raises(Uncertain, match="does not end with the last known event"):
        journal.append([note(2)])
    with pytest.raises(Uncertain, match="accepts no more"):
        journal.append([note(2)])


def test_without_its_first_witness_a_journal_takes_nothing_more(tmp_path: Path) -> None:
    """Whether the event stands is found out when the day is opened again."""
    journal = JournalWriter(tmp_path, "t7", DAY, holder="console")
    in_the_way = journal.path.with_suffix(".witness")
    in_the_way.mkdir()
    with pytest.raises(Uncertain, match="cannot be written"):
        journal.append([day_opened(journal)])
    in_the_way.rmdir()
    with pytest.raises(Uncertain, match="accepts no more"):
        journal.append([note(2)])
    journal.close()


def test_a_hand_needs_the_ballast_in_its_place(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES[:OPENING])
    ballast = tmp_path / "t7.ballast"
    ballast.unlink()
    ballast.symlink_to(tmp_path / "no folder" / "ballast")
    refusal = session.do(hand.Deal()).refusal
    assert refusal is not None
    assert refusal.code == "journal_full"
    ballast.unlink()
    assert session.do(hand.Deal()).refusal is None
    session.close()


def test_the_first_event_of_a_day_is_written_with_the_room_that_was_kept_for_it(
    tmp_path: Path,
) -> None:
    journal = JournalWriter(tmp_path, "t7", "2026-11-14", holder="a test")
    connection = journal._store._connection
    [pages] = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    journal.append([Record(1, None, Recovered("x" * 100_000))])
    assert not list(tmp_path.glob("*.ballast"))
    assert [row.seq for row in journal.rows.since()] == [1]


def test_no_hand_is_dealt_where_the_folder_cannot_be_asked_for_its_room(tmp_path: Path) -> None:
    session = open_session(tmp_path / "data")
    say(session, *LINES[:OPENING])
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    refusal = session.do(hand.Deal()).refusal
    assert refusal is not None
    assert refusal.code == "journal_full"

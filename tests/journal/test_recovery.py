"""A table that is opened again: the rules in force, the witness, and a disk without room."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.hand import commands as hand
from omaha_table.journal.faults import Tampered, Uncertain
from omaha_table.journal.writer import JournalWriter
from tests.journal.days import (
    LINES,
    Line,
    check,
    day_opened,
    forge,
    journal_file,
    note,
    open_session,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DAY = "2026-11-14"
A_HAND = ("deal", *["fold"] * 7, "push")


# Rules


@pytest.mark.parametrize("restart", [False, True])
def test_rules_that_were_changed_since_the_seal_are_in_force_after_every_restart(
    tmp_path: Path, restart: bool
) -> None:
    """Changed between hands, used for a hand, which is sealed with them."""
    session = open_session(tmp_path)
    say(session, *LINES, "rules ca_omaha_hilo")
    for _ in range(2):
        if restart:
            session.close()
            session = open_session(tmp_path)
        assert session.state.profile.id == "ca_omaha_hilo"
        say(session, *A_HAND)
    session.close()
    again = open_session(tmp_path)
    assert again.state.profile.id == "ca_omaha_hilo"
    assert again.state.profile.game.hole_cards == 4
    again.close()
    verdict = check(tmp_path)
    assert verdict.sound, verdict.damage
    assert verdict.hands == 8


def test_rules_changed_before_the_first_seal_are_in_force_after_a_restart(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES[:9], "rules ca_omaha_hilo")
    session.close()
    session = open_session(tmp_path)
    assert session.state.profile.id == "ca_omaha_hilo"
    say(session, *A_HAND)
    session.close()
    again = open_session(tmp_path)
    assert again.state.profile.id == "ca_omaha_hilo"
    again.close()
    assert check(tmp_path).sound


@pytest.mark.parametrize("rules_seq", [1, 5, 10_000])
def test_a_seal_whose_rules_are_not_where_it_says_is_damage(tmp_path: Path, rules_seq: int) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()

    def elsewhere(lines: list[Line]) -> None:
        for line in lines:
            if line.kind == "journal_sealed":
                line.body["state"]["rules_seq"] = rules_seq

    key = forge(journal_file(tmp_path), elsewhere)
    (tmp_path / "t7.key").write_bytes(key)
    with pytest.raises(Tampered, match=f"cannot be folded: event {rules_seq} "):
        open_session(tmp_path)


# What a seal leaves behind


def test_a_day_that_ends_with_the_seal_of_a_hand_is_still_open(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    again = open_session(tmp_path)
    assert again.recovered == "between hands, 6 played"
    again.close()
    assert check(tmp_path).open_days == [journal_file(tmp_path).name]


def test_the_witness_stands_from_the_first_event_and_moves_with_every_seal(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    path = journal_file(tmp_path)
    first = json.loads(path.with_suffix(".witness").read_text())
    assert first["seq"] == session.state.seq == 2
    say(session, *LINES)
    session.close()
    with sqlite3.connect(path) as db:
        [seq, head] = db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    db.close()
    assert json.loads(path.with_suffix(".witness").read_text()) == {"seq": seq, "head": head.hex()}


def test_a_seal_folds_the_wal_so_that_a_damaged_one_can_drop_nothing_before_it(
    tmp_path: Path,
) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    path = journal_file(tmp_path)
    assert path.with_name(path.name + "-wal").stat().st_size == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / path.name).write_bytes(path.read_bytes())
    assert check(alone).events == session.state.seq
    session.close()


# A disk without room


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
    with pytest.raises(Uncertain, match="does not end where it should"):
        journal.append([note(2)])
    with pytest.raises(Uncertain, match="takes nothing more"):
        journal.append([note(2)])


def test_without_its_first_witness_a_journal_takes_nothing_more(tmp_path: Path) -> None:
    journal = JournalWriter(tmp_path, "t7", DAY, holder="console")
    journal.path.with_suffix(".witness").mkdir()
    with pytest.raises(Uncertain, match="cannot be written"):
        journal.append([day_opened(journal)])
    with pytest.raises(Uncertain, match="takes nothing more"):
        journal.append([note(2)])
    journal.close()


def test_a_hand_needs_the_ballast_in_its_place(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES[:9])
    ballast = tmp_path / "t7.ballast"
    ballast.unlink()
    ballast.symlink_to(tmp_path / "no folder" / "ballast")
    refusal = session.do(hand.Deal()).refusal
    assert refusal is not None
    assert refusal.code == "journal_full"
    ballast.unlink()
    assert session.do(hand.Deal()).refusal is None
    session.close()

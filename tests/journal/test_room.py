"""Room on the disk: what is done where there is none, before there is a first event and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.hand import commands as hand
from omaha_table.journal.events import Record, Recovered
from omaha_table.journal.faults import Uncertain
from omaha_table.journal.writer import JournalWriter
from tests.journal.days import LINES, note, open_session, say

if TYPE_CHECKING:
    from pathlib import Path


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
    say(session, *LINES[:9])
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    refusal = session.do(hand.Deal()).refusal
    assert refusal is not None
    assert refusal.code == "journal_full"


def test_nothing_more_is_taken_after_an_event_that_has_no_witness(tmp_path: Path) -> None:
    """The event is written, and whether it stands is found out when the day is opened again."""
    journal = JournalWriter(tmp_path, "t7", "2026-11-14", holder="a test")
    in_the_way = journal.path.with_suffix(".witness")
    in_the_way.mkdir()
    with pytest.raises(Uncertain):
        journal.append([note(1)])
    in_the_way.rmdir()
    with pytest.raises(Uncertain):
        journal.append([note(2)])

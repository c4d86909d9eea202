"""The diary of refusals: beside the events, never in their way."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

from omaha_table.desk.script import run_line
from omaha_table.journal.diary import MOST, Refusal
from omaha_table.journal.reader import Reader
from tests.journal.days import CLOSE, LINES, check, journal_file, open_desk, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.desk import Desk


def refused(desk: Desk, line: str) -> str:
    [answer] = run_line(desk, 1, line)
    assert answer["type"] == "refused"
    return str(answer["message"])


def diary(folder: Path) -> list[Refusal]:
    with Reader(journal_file(folder)) as reader:
        return reader.refusals()


def events(folder: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{journal_file(folder)}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT * FROM event ORDER BY seq").fetchall()
    finally:
        connection.close()


def test_a_refusal_is_kept_with_its_rule_and_source_and_changes_nothing_else(
    tmp_path: Path,
) -> None:
    desk = open_desk(tmp_path)
    say(desk, *LINES[:12])
    witness = (tmp_path / journal_file(tmp_path).with_suffix(".witness").name).read_bytes()
    before, head, seq = events(tmp_path), desk.head_words, desk.state.seq
    message = refused(desk, "seat 99 Nobody")
    refused(desk, 'floor 4711 award 3 1 "no such pot"')
    assert (events(tmp_path), desk.head_words, desk.state.seq) == (before, head, seq)
    assert journal_file(tmp_path).with_suffix(".witness").read_bytes() == witness
    first, second = diary(tmp_path)
    assert (first.after_seq, first.hand, first.message) == (seq, 1, message)
    assert first.code
    assert first.rule
    assert first.source
    assert "4711" not in repr(second)
    say(desk, *LINES[12:])
    desk.close()
    assert check(tmp_path).sound
    assert len(diary(tmp_path)) == 2


def test_a_refusal_between_hands_names_no_hand(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    refused(desk, "push")
    desk.close()
    assert [refusal.hand for refusal in diary(tmp_path)] == [None]


def test_a_wrong_pin_is_an_event_and_not_written_twice(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    say(desk, *LINES[:12])
    answers = list(run_line(desk, 1, 'floor 9999 misdeal "two cards exposed"'))
    assert [answer["type"] for answer in answers] == ["authority_refused", "refused"]
    desk.close()
    assert diary(tmp_path) == []


def test_a_refused_card_is_not_named(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    say(desk, *LINES[:9], "hand", "deal", *["call"] * 7, "check")
    assert "Ah" in refused(desk, "flop Ah Ah 2c")
    desk.close()
    [kept] = diary(tmp_path)
    assert "▒▒" in kept.message
    assert "Ah" not in repr(kept)


def test_a_stuck_key_fills_a_page_and_no_more_until_the_hand_is_over(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    ended = 0
    for line in LINES:
        say(desk, line)
        if desk.state.hands == 1 and desk.state.hand is not None and not ended:
            for _ in range(MOST + 50):
                refused(desk, "seat 99 Nobody")
            desk.close()
            assert len(diary(tmp_path)) == MOST
            desk = open_desk(tmp_path)
            refused(desk, "seat 99 Nobody")
            assert len(diary(tmp_path)) == MOST
            ended = 1
        if desk.state.hands == 2:
            break
    refused(desk, "seat 99 Nobody")
    desk.close()
    assert len(diary(tmp_path)) == MOST + 1


def test_a_journal_without_a_diary_is_read_and_written_on(tmp_path: Path) -> None:
    """As versions before the diary have left it."""
    desk = open_desk(tmp_path)
    say(desk, *LINES[:20])
    desk.close()
    path = journal_file(tmp_path)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name='refusal'").fetchone() == (
            0,
        )
    assert diary(tmp_path) == []
    assert check(tmp_path).sound
    desk = open_desk(tmp_path)
    refused(desk, "seat 99 Nobody")
    desk.close()
    assert len(diary(tmp_path)) == 1


def test_a_broken_or_forged_diary_stops_nobody(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    say(desk, *LINES[:20])
    desk.close()
    with sqlite3.connect(journal_file(tmp_path)) as db:
        db.execute("CREATE VIEW refusal AS SELECT 1 AS x")
    desk = open_desk(tmp_path)
    refused(desk, "seat 99 Nobody")
    say(desk, *LINES[20:])
    desk.close()
    assert diary(tmp_path) == []
    assert check(tmp_path).sound
    with sqlite3.connect(journal_file(tmp_path)) as db:
        db.execute("DROP VIEW refusal")
        db.execute("CREATE TABLE refusal(id, after_seq, at_us, hand, code, message, rule, source)")
        db.execute("INSERT INTO refusal VALUES(1, 'x', 2, 3, 4, x'ff', '', '')")
        db.execute("INSERT INTO refusal VALUES(2, 9, 9, NULL, 'a', 'b', 'c', 'd')")
    assert [refusal.id for refusal in diary(tmp_path)] == [2]
    assert check(tmp_path).sound


def test_after_the_day_is_closed_a_refusal_is_an_answer_and_nothing_more(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    say(desk, *LINES, CLOSE)
    content = journal_file(tmp_path).read_bytes()
    refused(desk, "hand")
    assert journal_file(tmp_path).read_bytes() == content
    receipt = json.loads(journal_file(tmp_path).with_suffix(".receipt").read_text())
    assert receipt["seq"] == len(events(tmp_path))
    assert check(tmp_path).sound

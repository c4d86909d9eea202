"""The diary of refusals: beside the events, never in their way."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

from omaha_table.journal.diary import MAX_REFUSALS, Refusal
from omaha_table.journal.reader import Reader
from omaha_table.session.script import run_line
from tests.journal.days import CLOSE, LINES, OPENING, check, journal_file, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session


def refused(session: Session, line: str) -> str:
    [answer] = run_line(session, 1, line)
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
    session = open_session(tmp_path)
    say(session, *LINES[: OPENING + 3])
    witness = (tmp_path / journal_file(tmp_path).with_suffix(".witness").name).read_bytes()
    before, head, seq = events(tmp_path), session.head_words, session.state.seq
    message = refused(session, "seat 99 Nobody")
    refused(session, 'floor 4711 award 3 1 "no such pot"')
    assert (events(tmp_path), session.head_words, session.state.seq) == (before, head, seq)
    assert journal_file(tmp_path).with_suffix(".witness").read_bytes() == witness
    first, second = diary(tmp_path)
    assert (first.after_seq, first.hand, first.message) == (seq, 1, message)
    assert first.code
    assert first.rule
    assert first.source
    assert "4711" not in repr(second)
    say(session, *LINES[OPENING + 3 :])
    session.close()
    assert check(tmp_path).sound
    assert len(diary(tmp_path)) == 2


def test_a_refusal_between_hands_names_no_hand(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    refused(session, "push")
    session.close()
    assert [refusal.hand for refusal in diary(tmp_path)] == [None]


def test_a_wrong_pin_is_an_event_and_not_written_twice(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES[: OPENING + 3])
    answers = list(run_line(session, 1, 'floor 9999 misdeal "two cards exposed"'))
    assert [answer["type"] for answer in answers] == ["authority_refused", "refused"]
    session.close()
    assert diary(tmp_path) == []


def test_a_refused_card_is_not_named(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES[:OPENING], "hand", "deal", *["call"] * 7, "check")
    assert "Ah" in refused(session, "flop Ah Ah 2c")
    session.close()
    [kept] = diary(tmp_path)
    assert "▒▒" in kept.message
    assert "Ah" not in repr(kept)


def test_a_stuck_key_fills_a_page_and_no_more_until_the_hand_is_over(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    ended = 0
    for line in LINES:
        say(session, line)
        if session.state.hands == 1 and session.state.hand is not None and not ended:
            for _ in range(MAX_REFUSALS + 50):
                refused(session, "seat 99 Nobody")
            session.close()
            assert len(diary(tmp_path)) == MAX_REFUSALS
            session = open_session(tmp_path)
            refused(session, "seat 99 Nobody")
            assert len(diary(tmp_path)) == MAX_REFUSALS
            ended = 1
        if session.state.hands == 2:
            break
    refused(session, "seat 99 Nobody")
    session.close()
    assert len(diary(tmp_path)) == MAX_REFUSALS + 1


def test_a_journal_without_a_diary_is_read_and_written_on(tmp_path: Path) -> None:
    """As versions before the diary have left it."""
    session = open_session(tmp_path)
    say(session, *LINES[: OPENING + 11])
    session.close()
    path = journal_file(tmp_path)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name='refusal'").fetchone() == (
            0,
        )
    assert diary(tmp_path) == []
    assert check(tmp_path).sound
    session = open_session(tmp_path)
    refused(session, "seat 99 Nobody")
    session.close()
    assert len(diary(tmp_path)) == 1


def test_a_broken_or_forged_diary_stops_nobody(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES[: OPENING + 11])
    session.close()
    with sqlite3.connect(journal_file(tmp_path)) as db:
        db.execute("CREATE VIEW refusal AS SELECT 1 AS x")
    session = open_session(tmp_path)
    refused(session, "seat 99 Nobody")
    say(session, *LINES[OPENING + 11 :])
    session.close()
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
    session = open_session(tmp_path)
    say(session, *LINES, CLOSE)
    content = journal_file(tmp_path).read_bytes()
    refused(session, "hand")
    assert journal_file(tmp_path).read_bytes() == content
    receipt = json.loads(journal_file(tmp_path).with_suffix(".receipt").read_text(encoding="utf-8"))
    assert receipt["seq"] == len(events(tmp_path))
    assert check(tmp_path).sound

"""How a ruling was given before: which days are read, in which order, and what is not trusted."""

from __future__ import annotations

import os
import threading
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal import similar_rulings
from omaha_table.journal.days import day_files
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.reader import Reader
from omaha_table.journal.similar_rulings import ENOUGH, PastRulings
from omaha_table.journal.verification import files_in, verify
from tests.journal.days import raw
from tests.rulings_before import DAY, SEATS, bound, dead, open_day, play_day, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.journal.similar_rulings import SimilarRulings
    from omaha_table.journal.table_check import DayEnd
    from omaha_table.journal.verdict import Verdict

FIRST = datetime(2026, 11, 10, 20, 0).timestamp()


def told(found: SimilarRulings) -> list[tuple[str, int | None, str]]:
    return [(ruling.day, ruling.hand, ruling.reason) for ruling in found.rulings]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three gaming days: 10 and 12 November with rulings, 11 November with others."""
    play_day(tmp_path, FIRST, dead(1, "fouled hand"), (), dead(2, "clock ran out"))
    play_day(tmp_path, FIRST + DAY, bound("call", "acted out of turn"), bound("fold", "slow play"))
    play_day(tmp_path, FIRST + 2 * DAY, bound("call", "again"), dead(3, "wrong number of cards"))
    assert verify(files_in(tmp_path)).sound
    return tmp_path


def test_the_latest_comes_first_with_day_hand_words_and_who_gave_it(folder: Path) -> None:
    found = PastRulings(folder, "t7").similar("dead", ("2",))
    assert told(found) == [
        ("2026-11-12", 2, "wrong number of cards"),
        ("2026-11-10", 3, "clock ran out"),
        ("2026-11-10", 1, "fouled hand"),
    ]
    assert [ruling.words for ruling in found.rulings] == [("3",), ("2",), ("1",)]
    assert {ruling.by for ruling in found.rulings} == {("F1",)}
    assert found.left_out == ()


def test_those_with_the_same_choice_come_first(folder: Path) -> None:
    """A seat is no choice: who it was says nothing about what is right."""
    past = PastRulings(folder, "t7")
    assert told(past.similar("binding", ("3", "call"))) == [
        ("2026-11-12", 1, "again"),
        ("2026-11-11", 1, "acted out of turn"),
        ("2026-11-11", 2, "slow play"),
    ]
    assert told(past.similar("binding", ("3", "fold")))[0] == ("2026-11-11", 2, "slow play")


def test_the_open_day_is_read_too_and_between_hands_there_is_no_hand(folder: Path) -> None:
    session = open_day(folder, FIRST + 3 * DAY)
    say(session, *SEATS, 'floor 4711 stack 1 2 50 "wrong change"')
    past = PastRulings(folder, "t7")
    assert told(past.similar("stack", ())) == [("2026-11-13", None, "wrong change")]
    say(session, 'floor 4711 stack 2 1 50 "agreed deal"')
    assert told(past.similar("stack", ()))[0] == ("2026-11-13", None, "agreed deal"), "at once"
    assert told(session.similar_rulings("stack", ("1", "2", "50"))) == told(
        past.similar("stack", ())
    )
    session.close()


def test_a_ruling_of_another_table_is_not_one_of_this(folder: Path) -> None:
    play_day(folder, FIRST, dead(1, "of another table"), table="t70")
    reasons = [reason for _, _, reason in told(PastRulings(folder, "t7").similar("dead", ()))]
    assert len(reasons) == 3
    assert "of another table" not in reasons


# How many


def test_a_few_are_enough_and_earlier_days_are_not_opened(folder: Path) -> None:
    many = [dead(1, f"reason {number}") for number in range(ENOUGH)]
    play_day(folder, FIRST + 3 * DAY, *many)
    first = day_files(folder, "t7")[0]
    first.chmod(0o644)
    first.write_bytes(b"not a journal at all")
    found = PastRulings(folder, "t7").similar("dead", ())
    wanted = [f"reason {number}" for number in reversed(range(ENOUGH))]
    assert [reason for _, _, reason in told(found)] == wanted
    assert found.left_out == (), "nobody asked for that day"


def test_a_closed_day_is_read_and_checked_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A year of logs is walked through in one visit of the floor, and not at every ruling."""
    opened: list[str] = []

    def read(path: Path) -> Reader:
        opened.append(f"read {path.stem}")
        return Reader(path)

    def checked(path: Path, verdict: Verdict) -> FileCheck:
        opened.append(f"check {path.stem}")
        return FileCheck(path, verdict)

    monkeypatch.setattr(similar_rulings, "Reader", read)
    monkeypatch.setattr(similar_rulings, "FileCheck", checked)
    past = PastRulings(folder, "t7")
    past.similar("dead", ())
    assert opened == ["read t7-2026-11-12", "check t7-2026-11-12", "read t7-2026-11-11",
                      "read t7-2026-11-10", "check t7-2026-11-10"]  # fmt: skip
    opened.clear()
    past.similar("dead", ("3",))
    assert opened == []
    past.similar("binding", ("3", "call"))
    assert opened == ["check t7-2026-11-11"]


def test_it_never_looks_further_back_than_its_bound(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_rulings, "MOST_DAYS", 2)
    days = {day for day, _, _ in told(PastRulings(folder, "t7").similar("dead", ()))}
    assert days == {"2026-11-12"}


# What is not trusted


def _change_reason(path: Path) -> None:
    with raw(path) as db:
        db.execute("UPDATE event SET body = replace(body, 'fouled hand', 'as a favor')")


def _cut(path: Path) -> None:
    with raw(path) as db:
        db.execute("DELETE FROM event WHERE seq > 20")


def _no_journal(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(os.urandom(5000))


@pytest.mark.parametrize("damage", [_change_reason, _cut, _no_journal])
def test_a_day_that_is_not_sound_is_left_out_and_named(folder: Path, damage: object) -> None:
    assert callable(damage)
    damage(day_files(folder, "t7")[0])
    found = PastRulings(folder, "t7").similar("dead", ())
    assert told(found) == [("2026-11-12", 2, "wrong number of cards")]
    assert found.left_out == ("2026-11-10",)


def test_a_day_that_was_made_anew_as_a_whole_is_left_out(folder: Path, tmp_path: Path) -> None:
    """It is sound in itself: only the next day shows that it is another one."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    play_day(other, FIRST, dead(1, "as a favor"))
    for path in other.glob("t7-2026-11-10.*"):
        target = folder / path.name
        target.unlink()
        target.write_bytes(path.read_bytes())
    found = PastRulings(folder, "t7").similar("dead", ())
    assert "as a favor" not in str(found)
    assert found.left_out == ("2026-11-10",)


def test_a_day_that_is_damaged_after_it_was_checked_is_checked_again(folder: Path) -> None:
    past = PastRulings(folder, "t7")
    assert len(past.similar("dead", ()).rulings) == 3
    _change_reason(day_files(folder, "t7")[0])
    assert past.similar("dead", ()).left_out == ("2026-11-10",)


# Cards


@pytest.mark.parametrize(("reason", "shown"), [
    ("mucked AsKd by mistake", "mucked ▒▒ by mistake"),
    ("seat 3 had 7h", "seat 3 had ▒▒"),
    ("same as yesterday", "same as yesterday"),
])  # fmt: skip
def test_what_is_spelled_like_a_card_in_a_reason_is_blacked_out(
    tmp_path: Path, reason: str, shown: str
) -> None:
    play_day(tmp_path, FIRST, dead(1, reason))
    [ruling] = PastRulings(tmp_path, "t7").similar("dead", ()).rulings
    assert ruling.reason == shown


# Beside a table that deals


def test_each_event_of_the_day_in_play_is_checked_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of a long day the next ruling must not wait for all of it to be checked again."""
    checked: list[tuple[str, int]] = []

    class Counted(FileCheck):
        def check(self, row: Row, ends: dict[str, DayEnd]) -> None:
            checked.append((self.path.name, row.seq))
            super().check(row, ends)

    monkeypatch.setattr(similar_rulings, "FileCheck", Counted)
    session = open_day(folder, FIRST + 3 * DAY)
    say(session, *SEATS)
    for number in range(3):
        say(session, "deal", *dead(1, f"number {number}"))
        found = session.similar_rulings("dead", ("1",))
        assert found.rulings[0].reason == f"number {number}"
        while session.step.what == "act":
            say(session, "fold")
        say(session, "push")
    session.close()
    assert len(checked) == len(set(checked))


def test_a_ruling_of_the_day_in_play_that_was_changed_is_not_quoted(folder: Path) -> None:
    session = open_day(folder, FIRST + 3 * DAY)
    say(session, *SEATS, "deal", *dead(1, "fouled hand"))
    session.close()
    _change_reason(day_files(folder, "t7")[-1])
    found = PastRulings(folder, "t7").similar("dead", ())
    assert found.left_out == ("2026-11-13",)
    assert {ruling.day for ruling in found.rulings} == {"2026-11-10", "2026-11-12"}


def test_it_is_read_while_the_table_deals_on(folder: Path) -> None:
    """The same process writes the day that a thread reads: neither disturbs the other."""
    session = open_day(folder, FIRST + 3 * DAY)
    say(session, *SEATS)
    results: list[SimilarRulings] = []
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            results.append(session.similar_rulings("dead", ()))

    thread = threading.Thread(target=search)
    thread.start()
    for number in range(8):
        say(session, "deal", *dead(1, f"number {number}"))
        while session.step.what == "act":
            say(session, "fold")
        say(session, "push")
    stop.set()
    thread.join()
    session.close()
    assert all(found.left_out == () for found in results)
    assert verify(files_in(folder)).sound
    assert len(session.similar_rulings("dead", ()).rulings) == ENOUGH

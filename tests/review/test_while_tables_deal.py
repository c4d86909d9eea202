"""A review beside tables that deal: the choice stays, and no event falls between two readings."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.journal.verification import Verdict, verify
from omaha_table.review.counts import Counts
from omaha_table.review.filters import parse_filter
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.paint import paint
from omaha_table.review.projection import Projection
from omaha_table.review.reading import Place, Reading
from omaha_table.review.trust import trust
from omaha_table.session.script import run_line
from tests.review.nights import Night

if TYPE_CHECKING:
    from pathlib import Path

BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")


@pytest.fixture
def room(tmp_path: Path) -> tuple[Night, Night, ReviewFront]:
    """Two tables with a shift and a box of one name each, and a review of both."""
    nights = []
    for table in ("t1", "t2"):
        night = Night(tmp_path, "ca_big_o", table=table, seed=4).seat(5)
        night.say("shift swing B12 J12", "down D1")
        nights.append(night.play(2))
    projection = Projection()

    def refresh() -> list[str]:
        return projection.refresh(sorted(tmp_path.glob("*.journal")))

    refresh()
    notes, counts = Notes(tmp_path / "notes"), Counts(tmp_path / "counts")
    return nights[0], nights[1], ReviewFront(projection, notes, counts, refresh=refresh)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments])


def test_a_count_goes_to_the_box_that_was_chosen(
    room: tuple[Night, Night, ReviewFront], tmp_path: Path
) -> None:
    first, _, front = room
    front.press("4")
    lines = paint(front, 80, 24).text().splitlines()
    [place] = [line for line in lines if line.startswith("►")]
    table = place.split()[1] if place.split()[0] == "►" else place.split()[0].strip("►")
    # The other table deals a hand, so that its box is the latest.
    (first if table == "t2" else room[1]).play(1)
    assert front.keep_up()
    front.press("+")
    assert f"{table} " in front.asking.shown if front.asking is not None else False
    for key in (*"57", "enter", "enter", *"F1", "enter", *"S1", "enter"):
        front.press(key)
    [kept] = (tmp_path / "counts").read_text(encoding="utf-8").splitlines()
    assert json.loads(kept)["table"] == table


def test_a_mark_goes_to_the_incident_that_was_chosen(
    room: tuple[Night, Night, ReviewFront],
) -> None:
    first, _, front = room
    for _ in range(3):
        list(run_line(first.session, 1, "9 raise 3"))
    assert front.keep_up()
    for key in ("-", "/", "2"):
        front.press(key)
    room_before = paint(front, 80, 24).text()
    [chosen] = [line for line in room_before.splitlines() if line.startswith("►")]
    list(run_line(first.session, 1, "8 raise 3"))
    assert front.keep_up()
    [still] = [line for line in paint(front, 80, 24).text().splitlines() if line.startswith("►")]
    assert still == chosen


def test_a_hand_of_another_table_that_comes_in_below_moves_nothing(
    room: tuple[Night, Night, ReviewFront],
) -> None:
    first, second, front = room
    second.say("hand")
    first.play(2)
    assert front.keep_up()
    front.press("2")
    chosen = str(front.view(20))
    second.say("deal", *["fold"] * 4, "push")
    assert front.keep_up()
    row = front.projection.page(parse_filter(""), 0, 9)
    assert [r["table"] for r in row][:4] != ["t2", "t1", "t1", "t1"]
    assert "HAND 3   t1" in chosen
    assert "HAND 3   t1" in str(front.view(20))


def test_one_look_at_a_journal_is_one_look(tmp_path: Path) -> None:
    """A refund and a refusal between two parts of a reading are found by the next one."""
    night = Night(tmp_path, "ca_omaha_hilo", seed=5).seat(3, 20000)
    night.say("deal", "call", "call", "check", *BOARD, "high 1", "low 2", "push")
    [path] = tmp_path.glob("*.journal")
    place = Place()
    with closing(Reading(path, place)) as reading:
        night.say('floor 4711 refund 1 1 1 "the reader failed"')
        list(run_line(night.session, 1, "9 raise 3"))
        seen = [*reading]
        place = reading.place
    assert [getattr(found, "refunded", None) for found in seen] == [0]
    with closing(Reading(path, place)) as again:
        assert not again.goes_on
        hands = [found for found in again if hasattr(found, "refunded")]
    assert [hand.refunded for hand in hands] == [100]


def test_a_journal_that_was_locked_is_read_at_the_next_look(tmp_path: Path) -> None:
    """The lock leaves no trace: size and time of the file are what they were."""
    path = Night(tmp_path, "ca_big_o").seat(3).play(2).close()
    projection = Projection()
    assert projection.refresh([path]) == []
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = DELETE")
        writer.execute("BEGIN EXCLUSIVE")
        [fault] = projection.refresh([path])
        assert "Another program is writing this journal" in fault
        assert projection.count_incidents(parse_filter("")) == 1
        writer.execute("ROLLBACK")
    assert projection.refresh([path]) == []
    assert (projection.count(), projection.count_incidents(parse_filter(""))) == (2, 0)
    projection.close()


def test_a_refusal_between_two_hands_is_seen_before_the_next_seal(tmp_path: Path) -> None:
    """It is in the WAL alone: the journal file itself is as it was."""
    night = Night(tmp_path, "ca_big_o").seat(3).play(1)
    [path] = tmp_path.glob("*.journal")
    projection = Projection()
    projection.refresh([path])
    before = path.stat()
    list(run_line(night.session, 1, "9 raise 3"))
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    projection.refresh([path])
    assert projection.count_incidents(parse_filter("")) == 1
    projection.close()


@pytest.mark.parametrize("comes", [True, False], ids=["is written", "is gone"])
def test_a_hand_sealed_while_the_chain_is_checked_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comes: bool
) -> None:
    """The rows were read before the table sealed a hand, its witness after that."""
    path = Night(tmp_path, "ca_big_o").seat(3).play(1).close()
    before = path.read_bytes()
    Night(tmp_path, "ca_big_o").play(1).close()
    after = path.read_bytes()
    path.write_bytes(before)

    def dealing(files: list[Path]) -> Verdict:
        verdict = verify(files)
        if comes:
            path.write_bytes(after)
        return verdict

    monkeypatch.setattr("omaha_table.review.trust.verify", dealing)
    trusted, said = trust([path])
    assert trusted == comes
    assert said.startswith("√ chain of " if comes else f"Do not trust {path.name}")

"""A review beside tables that deal: the choice stays, and no event falls between two readings."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.journal.office_book import read_office
from omaha_table.journal.verification import verify
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.reading import Place, Reading
from omaha_table.review.index.soundness import trust
from omaha_table.review.screens.desk import Desk
from omaha_table.session.script import run_line
from tests.counters import ledger, signs
from tests.review.driving import Driver
from tests.review.nights import Night

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.verdict import Verdict

BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Night, Night]:
    """Two tables with a shift and a box of one name each."""
    nights = []
    for table in ("t1", "t2"):
        night = Night(tmp_path, "ca_big_o", table=table, seed=4).seat(5)
        night.say("shift swing B12 J12", "down D1")
        nights.append(night.play(2))
        night.say("shift close")
    return nights[0], nights[1]


@pytest.fixture
def review(tables: tuple[Night, Night], tmp_path: Path) -> Iterator[Driver]:
    projection = Projection()

    def refresh() -> list[str]:
        return projection.refresh(sorted(tmp_path.glob("t?-*.journal")))

    refresh()
    with Driver(Desk(projection, ledger(tmp_path), refresh=refresh)) as review:
        yield review


def run(*arguments: object) -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments])


def test_a_count_goes_to_the_box_that_was_chosen(
    tables: tuple[Night, Night], review: Driver, tmp_path: Path
) -> None:
    review.press("4")
    table = review.chosen[0]
    # The other table deals a hand, so that its box is the latest.
    tables[0 if table == "t2" else 1].play(1)
    review.keep_up()
    review.press("+")
    assert f"{table} " in review.text
    review.press(*"57", "enter", "enter", *signs("F1", "S1"))
    [(kept,)] = read_office(tmp_path).counts.values()
    assert kept.event.table == table


def test_a_mark_goes_to_the_incident_that_was_chosen(
    tables: tuple[Night, Night], review: Driver
) -> None:
    for _ in range(3):
        list(run_line(tables[0].session, 1, "9 raise 3"))
    review.keep_up()
    review.press("-", "4", "2")
    chosen = review.chosen
    list(run_line(tables[0].session, 1, "8 raise 3"))
    review.keep_up()
    assert review.chosen == chosen
    assert review.listed.at == 2


def test_a_hand_of_another_table_that_comes_in_below_moves_nothing(
    tables: tuple[Night, Night], review: Driver
) -> None:
    first, second = tables
    second.say("hand")
    first.play(2)
    review.keep_up()
    review.press("2")
    chosen = review.chosen
    assert "Hand 3 t1" in review.words("#about")
    second.say("deal", *["fold"] * 4, "push")
    review.keep_up()
    assert [line[2] for line in review.lines][:4] != ["t2", "t1", "t1", "t1"]
    assert review.chosen == chosen


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

    monkeypatch.setattr("omaha_table.review.index.soundness.verify", dealing)
    trusted, said = trust([path])
    assert trusted == comes
    assert said.startswith("√ chain of " if comes else f"Do not trust {path.name}")

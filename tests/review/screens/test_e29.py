"""E29 in the review: its box in every cut, counted $5 short, and the hand that explains it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.office_book import read_office
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.index.projection import Projection
from omaha_table.review.screens.box_sheets import BoxSheets
from omaha_table.review.screens.desk import Desk
from omaha_table.review.screens.hand_text import hand_detail
from omaha_table.review.screens.replay import Replay
from omaha_table.review.screens.statistics import summarize
from tests.counters import ledger, signs
from tests.review.driving import Driver, desk_of
from tests.review.swing import Swing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def desk(shift: Path, tmp_path: Path) -> Iterator[Desk]:
    desk = desk_of(shift.glob("*.journal"), tmp_path)
    yield desk
    desk.projection.close()


@pytest.fixture
def review(desk: Desk) -> Iterator[Driver]:
    with Driver(desk, (140, 40)) as review:
        review.press("4")
        yield review


def test_the_box_says_what_must_be_in_it_in_every_cut(desk: Desk) -> None:
    [box] = desk.projection.boxes()
    sheets = BoxSheets(desk, box)
    assert "fees       $848   jackpot       $180" in sheets.foot()[0]
    # Hands that saw a flop, by how many were dealt in: 53, 82, 29, 9, 5, 2.
    assert [line.cells[:4] for line in sheets.lines("Brackets")] == [
        ("8", "$5", "53", "$265"),
        ("7", "$5", "82", "$410"),
        ("6", "$4", "29", "$116"),
        ("5", "$4", "9", "$36"),
        ("4", "$3", "5", "$15"),
        ("3", "$3", "2", "$6"),
    ]
    [down] = sheets.lines("Downs")
    assert (down.cells[0], down.cells[3:6]) == ("D114", ("197", "$848", "$180"))
    assert [line.cells[:4] for line in sheets.lines("Dealers")] == [("D114", "197", "$848", "$180")]
    assert sheets.lines("Hands")[-1].cells[0] == "197"


def test_a_box_of_843_is_counted_signed_by_two_and_explained(
    review: Driver, shift: Path, tmp_path: Path
) -> None:
    [path] = shift.glob("*.journal")
    before = path.read_bytes()
    assert review.chosen[2:] == ("swing", "B7", "197", "$848", "-", "not counted")
    review.press("5", *"6666")
    assert "has not been counted" in review.text
    review.press("+", *"843", "enter", *"180", "enter", *signs("F1", "S1"))
    [suspect] = review.lines
    assert suspect[0] == str(62 + 88 + 3)
    foot = review.words("#foot")
    assert "VARIANCE fees $5 short jackpot agrees open" in foot
    assert "signed by F1 Fern Hill and S1 Sam Vale" in foot
    review.press("5")
    assert review.page(Replay).about().startswith("153 ")
    [(kept,)] = read_office(tmp_path).counts.values()
    event = kept.event
    assert (event.counted, event.jackpot, event.due) == (84300, 18000, 84800)
    assert [by.id for by in event.by] == ["F1", "S1"]
    assert path.read_bytes() == before
    # And in the report of the shift.
    (tmp_path / path.name).write_bytes(before)
    arguments = [sys.executable, "-m", "omaha_table", "report", "shift", "swing", "--data",
                 str(tmp_path)]  # fmt: skip
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert "Variance: **$5 short**" in done.stdout
    assert "1 of 1 box" in done.stdout
    assert "Jackpot box counted: **$180**" in done.stdout
    assert "| 153 |" in done.stdout


def test_the_last_count_stands_and_the_one_before_stays(review: Driver, tmp_path: Path) -> None:
    review.press("+", *"843", "enter", "enter", *signs("F1", "S1"))
    review.press("+", *"848", "enter", "enter", "1", *signs("S1", "F1"))
    [counts] = read_office(tmp_path).counts.values()
    assert [(c.event.counted, [by.id for by in c.event.by]) for c in counts] == [
        (84300, ["F1", "S1"]),
        (84800, ["S1", "F1"]),
    ]
    assert review.chosen[-2:] == ("$848", "agrees")
    about = review.words("#about")
    assert "before: $843 (F1, S1, " in about
    assert "corrected: typed wrong" in about
    review.press("5", *"6666")
    assert "agrees with the log" in review.text


def test_a_count_that_cannot_be_is_told_and_not_kept(review: Driver, tmp_path: Path) -> None:
    for keys, said in (
        ([*"84x", "enter"], "'84x' is not an amount"),
        (["enter"], "'' is not an amount"),
        ([*"8.4.5", "enter"], "is not an amount"),
        ([*"843.255", "enter"], "is not an amount"),
        ([*"843", "enter", *"1k", "enter"], "'1k' is not an amount"),
        ([*"843", "enter", "enter", "9"], "no such line"),
    ):
        review.press("+", *keys)
        assert said in review.text
        assert not read_office(tmp_path).counts
        review.press("escape")
        assert review.app.screen is review.app.page


def test_what_cannot_be_recorded_is_told(review: Driver, tmp_path: Path) -> None:
    (tmp_path / "office.key").mkdir()
    review.press("+", *"843", "enter", "enter", *signs("F1"))
    assert "Nothing was recorded" in review.said
    assert review.chosen[-1] == "not counted"
    (tmp_path / "office.key").rmdir()


def test_without_a_staff_list_nobody_signs(shift: Path, tmp_path: Path) -> None:
    projection = Projection()
    projection.refresh(shift.glob("*.journal"))
    with Driver(Desk(projection, Ledger(tmp_path))) as review:
        review.press("4", "+", *"843", "enter", "enter")
        assert "not enough people on the staff list" in review.text


def test_two_journals_with_one_name_are_kept_apart_and_never_added_up(tmp_path: Path) -> None:
    """Two tables of two rooms in one folder, both called t7, on the same day."""
    made = [
        Swing(tmp_path / room, seed=seed).play() for room, seed in (("north", 11), ("south", 12))
    ]
    projection = Projection()
    assert projection.refresh(made) == []
    desk = Desk(projection, ledger(tmp_path))
    assert "Several journals claim t7 2025-11-16: kept apart by file" in desk.warning
    rows = projection.page(desk.filter, 0, 99)
    assert len({desk.table(row["table"], row["day"], row["log"]) for row in rows}) == 2
    assert any(line.startswith("file ") for line in hand_detail(desk, rows[0]))
    with Driver(desk, (140, 40)) as review:
        review.press("+", "1", *signs("F1"))
        assert "pull the tape" in review.words("#about")
        review.press("2")
        assert "pull the tape" not in review.words("#about")
        review.press("4")
        assert "t7 2025-11-16 is here twice, by file" in review.text
        assert [line[4] for line in review.lines] == ["25", "25"]
        assert len({line[0] for line in review.lines}) == 2
        assert "Another journal has this name" in review.words("#about")
        review.press("+", *"1", "enter", "enter", *signs("F1", "S1"))
        assert [line[-1] for line in review.lines].count("not counted") == 1
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "report", "shift", "swing", "--data", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "both say they are table t7 on 2025-11-16" in done.stderr


def test_statistics_are_of_the_hands_that_the_filter_lets_through(desk: Desk) -> None:
    found = summarize(desk.projection.statistics(desk.filter).result)
    facts = dict(found.facts)
    # 17 of 197 ended before the flop.
    assert (facts["Hands"], facts["Without a flop"]) == ("197", "17 (9%)")
    assert (facts["Fees"], facts["Jackpot"]) == ("$848", "$180")
    assert [name for name, _ in found.charts[3].points] == ["D114"]
    few = summarize(desk.projection.statistics(parse_filter("seats<4")).result)
    assert dict(few.facts)["Hands"] == "2"

"""Reports and reconciliation: E29 as a shift that was really dealt, and the pages made of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.table_view import TableView
from omaha_table.floor.files import demo_staff
from omaha_table.review.counts import Counts, counts_beside
from omaha_table.review.drop import reconcile, total
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.projection import Projection
from omaha_table.review.reading import hands_in
from omaha_table.review.render import as_html, as_markdown
from omaha_table.review.report import incident, summary
from omaha_table.review.views import ChartsView, ListView, SheetView
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import profile_with
from tests.review.swing import REFUSED_IN, Swing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHIFT = {8: (62, 9), 7: (88, 6), 6: (31, 2), 5: (9, 0), 4: (5, 0), 3: (2, 0)}
"""E29: how many hands were dealt to how many seats, and how many of them ended before the flop."""


def lines() -> Iterator[str]:
    yield from (f"seat {seat} P{seat}" for seat in range(1, 9))
    yield "button 8"
    yield "shift swing B7 J7"
    yield "down D114"
    undone = False
    for seats, (count, early) in SHIFT.items():
        if seats < 8:
            yield f"leave {seats + 1}"
        for hand in range(count):
            yield "deal"
            if hand < early:
                yield from ["fold"] * (seats - 1)
                yield "push"
                continue
            yield from ["call"] * (seats - 1)
            yield "check"
            if seats == 6 and not undone:
                undone = True
                yield "flop 7c 5h 3s"
                yield "undo"
            yield "flop 7c 5h 2s"
            yield "check around"
            yield "turn Kd"
            yield "check around"
            yield "river As"
            yield "check around"
            yield "high 1"
            yield "low 2"
            yield "push"


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shift")
    fees = [
        {"players": "7+", "fee": "5.00", "jackpot": "1.00"},
        {"players": "5-6", "fee": "4.00", "jackpot": "1.00"},
        {"players": "2-4", "fee": "3.00", "jackpot": "1.00"},
    ]
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00", "fees": fees}  # fmt: skip
    profile = profile_with("ca_big_o", limit=limit)
    session = Session.on_journal(folder, "t7", profile, profile.limits[0], demo_staff())
    for line in lines():
        for answer in run_line(session, 1, line):
            assert answer["type"] != "refused", (line, answer)
    session.close()
    return folder


def journal(folder: Path) -> Path:
    return next(folder.glob("*.journal"))


def test_the_shift_of_e29_comes_to_848_and_180_dollars(shift: Path) -> None:
    drop = total(hands_in(journal(shift)))
    assert (drop.hands, drop.no_flop) == (197, 17)
    assert (drop.fees, drop.jackpots) == (84800, 18000)
    assert dict(drop.dealt) == {seats: count for seats, (count, _) in SHIFT.items()}


def test_a_box_of_843_is_five_short_and_the_hand_that_was_taken_back_is_named(shift: Path) -> None:
    checked = reconcile(hands_in(journal(shift)), 84300)
    assert checked.variance == -500
    assert [suspect.number for suspect in checked.suspects] == [62 + 88 + 3]
    assert "taken back" in checked.suspects[0].why
    assert reconcile(hands_in(journal(shift)), 84800).suspects == ()


def test_the_command_reports_the_shift_with_its_variance(shift: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "report", "shift", "swing", "--data", str(shift),
         "--box", "843", "--signed", "F1", "--signed", "S1", "--format", "json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert (found["fees"], found["jackpots"], found["variance"]) == (84800, 18000, -500)
    assert found["signed"] == ["F1", "S1"]
    assert found["dealers"]["D114"]["hands"] == 197


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shift", "never"], "No shift"),
        (["hand", "9999"], "No hand"),
        (["shift", "swing", "--box", "84x", "--signed", "A", "--signed", "B"], "not an amount"),
        (["shift", "swing", "--box", "843"], "Two people must sign"),
        (
            ["shift", "swing", "--box", "843", "--signed", "A", "--signed", "A"],
            "Two people must sign",
        ),
    ],
)
def test_what_cannot_be_reported_is_said(shift: Path, arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "report", *arguments, "--data", str(shift)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_journal_is_told_and_the_others_are_read(shift: Path, tmp_path: Path) -> None:
    good = tmp_path / journal(shift).name
    good.write_bytes(journal(shift).read_bytes())
    (tmp_path / "t8-2026-01-01.journal").write_bytes(b"not a journal")
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "report", "shift", "swing", "--data", str(tmp_path),
         "--format", "json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "t8-2026-01-01.journal" in done.stderr
    assert json.loads(done.stdout)["fees"] == 84800


def test_a_page_needs_nothing_from_anywhere_and_escapes_what_it_shows(shift: Path) -> None:
    page = as_html(summary("Shift <swing> & co", hands_in(journal(shift)), 84300))
    assert "<swing>" not in page
    assert re.findall(r"(?:src|href)=", page) == []
    assert re.findall(r"https?://[^\"]+", page) == []
    assert "<svg" in page
    assert "-$5" in page


def test_an_incident_sheet_says_all_of_a_hand(shift: Path) -> None:
    hand = next(hand for hand in hands_in(journal(shift)) if "undo" in hand.flags)
    text = as_markdown(incident(hand))
    assert f"# Hand {hand.number}, t7" in text
    assert "FLOP 7c 5h 3s (taken back)" in text
    assert "FLOP 7c 5h 2s" in text
    assert hand.moments[0].hash in text
    assert "seat 1" in text


# The same shift in the review's boxes


@pytest.fixture
def front(shift: Path, tmp_path: Path) -> Iterator[ReviewFront]:
    projection = Projection()
    projection.refresh([journal(shift)])
    yield ReviewFront(
        projection,
        Notes(tmp_path / "notes"),
        Counts(counts_beside(tmp_path)),
        staff=["F1 Fern Hill", "S1 Sam Vale"],
    )
    projection.close()


def press(front: ReviewFront, *keys: str) -> None:
    for key in keys:
        front.press(key)


def sheet(front: ReviewFront) -> SheetView:
    view = front.view(60)
    assert isinstance(view, SheetView)
    return view


def cells(front: ReviewFront) -> list[tuple[str, ...]]:
    return [line.cells for line in sheet(front).lines]


def test_the_box_of_e29_says_what_must_be_in_it_in_every_cut(front: ReviewFront) -> None:
    press(front, "4")
    [box] = cells(front)
    assert box[2:] == ("swing", "B7", "197", "$848", "-", "not counted")
    assert any("jackpot due $180" in line for line in sheet(front).foot)
    press(front, "5")
    # Hands that saw a flop, by how many were dealt in: 53, 82, 29, 9, 5, 2.
    assert [line[:4] for line in cells(front)] == [
        ("8", "$5", "53", "$265"),
        ("7", "$5", "82", "$410"),
        ("6", "$4", "29", "$116"),
        ("5", "$4", "9", "$36"),
        ("4", "$3", "5", "$15"),
        ("3", "$3", "2", "$6"),
    ]
    press(front, "6")
    [down] = cells(front)
    assert (down[0], down[3:6]) == ("D114", ("197", "$848", "$180"))
    press(front, "6")
    assert [line[:4] for line in cells(front)] == [("D114", "197", "$848", "$180")]
    press(front, "6")
    assert len(sheet(front).lines) < 60
    press(front, "1")
    assert cells(front)[-1][0] == "197"


def test_a_box_of_843_is_counted_signed_by_two_and_explained(
    front: ReviewFront, shift: Path, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in shift.iterdir()}
    press(front, "4", "5", "4")
    assert "has not been counted" in sheet(front).empty
    press(front, "+", *"843", "enter", *"180", "enter", "1", "2")
    [suspect] = cells(front)
    assert suspect[0] == str(62 + 88 + 3)
    foot = " ".join(sheet(front).foot)
    assert "VARIANCE fees        -$5   jackpot         $0" in foot
    assert "signed by F1 and S1" in foot
    press(front, "5")
    opened = front.view(20)
    assert isinstance(opened, TableView)
    assert opened.hand == "HAND #153"
    kept = json.loads(counts_beside(tmp_path).read_text(encoding="utf-8"))
    assert (kept["counted"], kept["jackpot"], kept["due"]) == (84300, 18000, 84800)
    assert kept["signed"] == ["F1", "S1"]
    assert {path: path.read_bytes() for path in shift.iterdir()} == before


def test_a_count_that_agrees_needs_no_explanation(front: ReviewFront) -> None:
    press(front, "4", "+", *"848", "enter", "enter", "1", "2", "5", "4")
    assert "agrees with the log" in sheet(front).empty
    press(front, ".")
    assert cells(front)[0][-2:] == ("$848", "$0")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ([*"84x", "enter"], "'84x' is not an amount"),
        (["enter"], "'' is not an amount"),
        ([*"8.4.5", "enter"], "is not an amount"),
        ([*"843.255", "enter"], "is not an amount"),
        ([*"843", "enter", *"1k", "enter"], "'1k' is not an amount"),
        ([*"843", "enter", "enter", "1", "1"], "F1 has signed already"),
        ([*"843", "enter", "enter", "9"], "no such line"),
    ],
)
def test_a_count_that_cannot_be_is_told_and_not_kept(
    front: ReviewFront, tmp_path: Path, keys: list[str], said: str
) -> None:
    press(front, "4", "+", *keys)
    assert said in front.said
    assert front.asking is not None
    assert not counts_beside(tmp_path).exists()
    press(front, "escape")
    assert front.asking is None


def test_without_a_staff_file_who_counted_is_typed(front: ReviewFront, tmp_path: Path) -> None:
    front.staff = []
    press(front, "4", "+", *"843", "enter", "enter", *"12", "enter", *"F2", "enter")
    assert json.loads(counts_beside(tmp_path).read_text(encoding="utf-8"))["signed"] == ["12", "F2"]


def test_a_count_that_cannot_be_written_is_told(front: ReviewFront, tmp_path: Path) -> None:
    counts_beside(tmp_path).mkdir()
    press(front, "4", "+", *"843", "enter", "enter", "1", "2")
    assert "cannot be written" in front.said
    assert cells(front)[0][-1] == "not counted"


def test_the_last_count_stands_and_broken_lines_are_passed_over(
    front: ReviewFront, tmp_path: Path
) -> None:
    press(front, "4", "+", *"843", "enter", "enter", "1", "2")
    press(front, "+", *"848", "enter", "enter", "2", "1")
    path = counts_beside(tmp_path)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
    path.write_bytes(b'\xff{\n{"signed": 1}\n[]\n' + path.read_bytes())
    [box] = front.projection.boxes()
    count = Counts(path).of(box.log, box.shift, box.box, box.jackpot_box)
    assert count is not None
    assert (count.counted, count.signed) == (84800, ("S1", "F1"))


def test_what_was_counted_in_the_review_is_in_the_report(
    front: ReviewFront, shift: Path, tmp_path: Path
) -> None:
    copy = tmp_path / journal(shift).name
    copy.write_bytes(journal(shift).read_bytes())
    press(front, "4", "+", *"843", "enter", *"180", "enter", "1", "2")
    arguments = [sys.executable, "-m", "omaha_table", "report", "shift", "swing", "--data",
                 str(tmp_path)]  # fmt: skip
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert "Variance: **-$5**" in done.stdout
    assert "1 of 1 boxes, by F1 and S1" in done.stdout
    assert "Jackpot box counted: **$180**" in done.stdout
    assert "| 153 |" in done.stdout


def test_two_journals_with_one_name_are_kept_apart_and_never_added_up(
    shift: Path, swing: Path, tmp_path: Path
) -> None:
    """Two tables of two rooms in one folder, both called t7, on the same day."""
    made = []
    for room, seed in (("north", 11), ("south", 12)):
        made.append(Swing(tmp_path / room, seed=seed).play())
    projection = Projection()
    assert projection.refresh(made) == []
    front = ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"))
    assert "Several journals claim t7 2025-11-16" in front.warning
    assert "kept apart by file" in front.warning
    view = front.view(60)
    assert isinstance(view, ListView)
    assert view.tables
    assert len({line.table for line in view.lines}) == 2
    assert any(line.startswith("file ") for line in view.detail)
    press(front, "+", "1")
    assert str(front.view(60)).count("pull the tape") == 1
    press(front, "2")
    assert str(front.view(60)).count("pull the tape") == 0
    press(front, "4")
    boxes = cells(front)
    assert [line[4] for line in boxes] == ["25", "25"]
    assert len({line[0] for line in boxes}) == 2
    assert any("Another journal has this name" in line for line in sheet(front).foot)
    assert "t7 2025-11-16 is here twice, by file" in sheet(front).bar.about
    press(front, "+", *"1", "enter", "enter", *"A", "enter", *"B", "enter")
    assert [line[-1] for line in cells(front)].count("not counted") == 1
    projection.close()
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "report", "shift", "swing", "--data", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "both say they are table t7 on 2025-11-16" in done.stderr


def test_the_incident_sheet_has_what_was_refused(swing: Path) -> None:
    hand = next(hand for hand in hands_in(journal(swing)) if hand.number == REFUSED_IN)
    assert "refusal" in hand.flags
    text = as_markdown(incident(hand))
    assert "## Refused (diary, not sealed)" in text
    assert "cannot raise to $500" in text
    assert hand.refusals[0].rule in text


def test_statistics_are_of_the_hands_that_the_filter_lets_through(front: ReviewFront) -> None:
    press(front, "0")
    view = front.view(20)
    assert isinstance(view, ChartsView)
    facts = dict(view.facts)
    # 17 of 197 ended before the flop.
    assert (facts["Hands"], facts["Without a flop"]) == ("197", "17 (9%)")
    assert (facts["Fees"], facts["Jackpot"]) == ("$848", "$180")
    [dealer] = view.charts[3].points
    assert dealer[0] == "D114"
    assert dealer[2].endswith("197 hands")
    press(front, "/", *"seats<4", "enter")
    view = front.view(20)
    assert isinstance(view, ChartsView)
    assert dict(view.facts)["Hands"] == "2"

"""Reports and reconciliation: E29 as a shift that was really dealt, and the pages made of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.desk import Desk
from omaha_table.desk.script import run_line
from omaha_table.floor.files import demo_staff
from omaha_table.review.drop import reconcile, total
from omaha_table.review.hands import hands_in
from omaha_table.review.render import as_html, as_markdown
from omaha_table.review.report import incident, summary
from tests.evenings import profile_with

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
    desk = Desk.on_journal(folder, "t7", profile, profile.limits[0], demo_staff())
    for line in lines():
        for answer in run_line(desk, 1, line):
            assert answer["type"] != "refused", (line, answer)
    desk.close()
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
        (["shift", "never"], "There is no shift"),
        (["hand", "9999"], "There is no hand"),
        (["shift", "swing", "--box", "84x", "--signed", "A", "--signed", "B"], "not an amount"),
        (["shift", "swing", "--box", "843"], "counted by two"),
        (["shift", "swing", "--box", "843", "--signed", "A", "--signed", "A"], "counted by two"),
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

"""Time to arrival in the reports, against a clock that is set by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.review.found import Wall, found, projected
from tests.session.night import FOLDED, SEATS, journals, open_session, past_six, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session


@pytest.fixture
def wall() -> Wall:
    return Wall(2026, 11, 14, 23, 0)


def report(folder: Path, *arguments: str, form: str = "json") -> str:
    given = ["report", *arguments, "--data", str(folder), "--format", form]
    done = CliRunner().invoke(omaha_table, given)
    assert done.exit_code == 0, done.output
    return done.stdout


def calls(folder: Path, *arguments: str) -> list[tuple[Any, ...]]:
    made = json.loads(report(folder, *arguments)).get("floor_calls", [])
    return [(c["hand"], c["of_hand"], c["seconds"], c["by"], c["outcome"]) for c in made]


def evening(session: Session, wall: Wall) -> None:
    """Four calls: answered by a ruling, looked at, taken back, and left open."""
    say(session, *SEATS, "deal", "callfloor")
    wall.at += 72
    session.check_pin("4711")
    wall.at += 100
    say(session, 'floor 4711 dead 1 "cards in the muck"', *["fold"] * 3, "push")
    say(session, "callfloor")
    wall.at += 48
    session.check_pin("4712")
    say(session, "callfloor off", "deal", "callfloor")
    wall.at += 4
    say(session, "callfloor off", *["fold"] * 4, "push", "callfloor")


EVENING = [
    (1, 1, 72, "F1", "dead"),
    (None, 1, 48, "F2", "no ruling"),
    (2, 2, None, "", "taken back"),
    (None, 2, None, "", "still open"),
]


def test_each_call_is_reported_with_who_came_and_after_how_long(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    evening(session, wall)
    session.close()
    assert calls(tmp_path, "shift", "night") == EVENING
    assert calls(tmp_path, "day", "2026-11-14") == EVENING
    assert calls(tmp_path, "dealer", "Dee") == EVENING
    text = report(tmp_path, "shift", "night", form="md")
    assert "4, arrived after 1:00 on average" in text
    assert "| 2026-11-14 23:00:00 | 1 | 1:12 | F1 | Dead hand |" in text
    assert "| after 1 | 0:48 | F2 | no ruling |" in text


def test_a_hand_has_its_calls_on_the_incident_sheet(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    evening(session, wall)
    say(session, "callfloor off", *FOLDED)
    session.close()
    sheet = report(tmp_path, "hand", "1", form="md")
    assert "1:12 | F1 | Dead hand" in sheet
    assert "after 1 | 0:48 | F2 | no ruling" in sheet
    assert "taken back" not in sheet, "that was hand 2"
    assert "Floor calls" not in report(tmp_path, "hand", "3", form="md")
    projection = projected(*journals(tmp_path))
    assert found(projection, "flag:called") == [2, 1]
    projection.close()


def test_a_ruling_in_a_script_is_the_arrival(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "deal", "callfloor")
    wall.at += 31
    say(session, 'floor 4712 misdeal "exposed"')
    session.close()
    assert calls(tmp_path, "shift", "night") == [(1, 1, 31, "F2", "misdeal")]


def test_a_call_that_is_answered_after_six_is_one_call(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *FOLDED, "callfloor")
    past_six(wall)
    session.check_pin("4711")
    say(session, "callfloor off", *FOLDED)
    session.close()
    assert len(journals(tmp_path)) == 2
    assert calls(tmp_path, "shift", "night") == [(None, 1, 7 * 3600 + 1, "F1", "no ruling")]

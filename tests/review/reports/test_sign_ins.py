"""How dealers were identified, in the reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor import SignIn, Staff
from omaha_table.floor.staff import Role
from omaha_table.journal.events import Record
from omaha_table.journal.opening import open_journal
from omaha_table.session import Session
from omaha_table.table.events import DealerIn
from tests.review.found import Wall
from tests.session.night import FOLDED, RULES, SEATS, say
from tests.staff_files import person

if TYPE_CHECKING:
    from pathlib import Path

DEALERS = Staff(
    (
        person("D1", "Dee", Role.DEALER, "482155", b""),
        person("D2", "Dan", Role.DEALER, "246813", b""),
    )
)


@pytest.fixture
def wall() -> Wall:
    return Wall(2026, 11, 14, 23, 0)


def opened(folder: Path, wall: Wall, staff: Staff, *, pins: bool = False) -> Session:
    limit = RULES.limits[0]
    return Session.on_journal(folder, "t7", RULES, limit, staff, clock=wall.clock, dealer_pins=pins)


def report(folder: Path, form: str) -> str:
    given = ["report", "shift", "night", "--data", str(folder), "--format", form]
    done = CliRunner().invoke(omaha_table, given)
    assert done.exit_code == 0, done.output
    return done.stdout


def unknown_of_old(folder: Path, wall: Wall) -> None:
    """A dealer who is not on the list, as a log has it that was made before they were refused."""
    writer = open_journal(folder, "t7", None, wall.clock)
    writer.append([Record(writer.seq + 1, None, DealerIn("D9", "unknown"))], "dealer")
    writer.close()


def test_the_report_names_how_each_dealer_was_identified(tmp_path: Path, wall: Wall) -> None:
    session = opened(tmp_path, wall, Staff())
    say(session, *SEATS, *FOLDED)
    session.close()
    session = opened(tmp_path, wall, DEALERS)
    say(session, "down D1", *FOLDED)
    session.close()
    unknown_of_old(tmp_path, wall)
    session = opened(tmp_path, wall, DEALERS, pins=True)
    wall.at += 60
    assert session.sign_in(SignIn("D1", "0000")).refusal is not None
    say(session, "down D1 482155", *FOLDED)
    session.close()
    signed = [(s["dealer"], s["checked"]) for s in json.loads(report(tmp_path, "json"))["sign_ins"]]
    assert signed == [("Dee", "no"), ("D1", "list"), ("D9", "unknown"), ("D1", "pin")]
    text = report(tmp_path, "md")
    assert "| Dee | not checked: no dealer is on the staff list |" in text
    assert "| D9 | NOT ON THE STAFF LIST |" in text
    assert "| 2026-11-14 23:01:00 | D1 | PIN checked |" in text


def test_a_pin_is_in_no_row_of_the_log(tmp_path: Path, wall: Wall) -> None:
    session = opened(tmp_path, wall, DEALERS, pins=True)
    say(session, *SEATS[:-1], "down D1 482155")
    session.sign_in(SignIn("D1", "771234"))
    session.close()
    for path in tmp_path.iterdir():
        content = path.read_bytes()
        assert b"482155" not in content
        assert b"771234" not in content


def test_a_push_that_was_taken_back_is_not_reported(tmp_path: Path, wall: Wall) -> None:
    session = opened(tmp_path, wall, DEALERS)
    say(session, *SEATS[:-1], "down D1", "undo", "down D2", *FOLDED)
    session.close()
    signed = [s["dealer"] for s in json.loads(report(tmp_path, "json"))["sign_ins"]]
    assert signed == ["D2"]

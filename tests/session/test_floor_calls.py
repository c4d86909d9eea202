"""Calling the floor: one call at a time, who came and when, and what ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.journal.verification import verify
from omaha_table.session.script import run_line
from tests.review.found import Wall
from tests.session.night import FOLDED, SEATS, journals, open_session, past_six, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session


@pytest.fixture
def wall() -> Wall:
    return Wall(2026, 11, 14, 23, 0)


def last(session: Session, line: str) -> dict[str, Any]:
    *_, answer = run_line(session, 1, line)
    return answer


def test_a_call_stands_until_it_is_ended(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *FOLDED)
    called = last(session, "callfloor")
    assert (called["type"], called["at"], called["of_hand"]) == ("floor_called", wall.at, 1)
    again = last(session, "callfloor")
    assert (again["code"], again["message"]) == ("wrong_phase", "The floor is called already.")
    wall.at += 95
    ended = last(session, "callfloor off")
    assert (ended["type"], ended["waited"]) == ("floor_call_ended", 95)
    assert last(session, "callfloor off")["message"] == "The floor is not called."
    assert session.state.floor_call is None


def test_a_ruling_ends_the_call_and_a_hand_does_not(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "deal", "callfloor", "fold", "fold", "fold", "fold", "push")
    assert session.state.floor_call is not None
    say(session, "deal", 'floor 4711 misdeal "exposed card"')
    assert session.state.floor_call is None


def test_the_first_pin_that_is_accepted_is_the_arrival(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "callfloor")
    wall.at += 20
    assert session.check_pin("0000").refusal is not None
    assert session.check_pin("1111").refusal is not None, "a dealer is not the floor"
    assert session.state.floor_call is not None
    assert session.state.floor_call.arrived == ""
    wall.at += 40
    [arrived] = session.check_pin("4711").records
    assert session.state.floor_call.arrived == "F1"
    assert (type(arrived.event).__name__, session.state.floor_call.waited) == ("FloorArrived", 60)
    assert session.check_pin("4712").records == [], "somebody has come already"
    assert session.state.floor_call.arrived == "F1"


def test_without_a_call_a_pin_that_is_accepted_records_nothing(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS)
    assert session.check_pin("4711").records == []


def test_a_clock_that_is_set_back_makes_no_negative_wait(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "callfloor")
    wall.at -= 500
    ended = last(session, "callfloor off")
    assert ended["waited"] == 0


def test_a_call_survives_a_restart_in_a_hand_and_between_hands(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "callfloor")
    called = session.state.floor_call
    session.close()
    session = open_session(tmp_path, wall)
    assert session.state.floor_call == called
    say(session, "deal")
    wall.at += 30
    session.check_pin("4711")
    arrived = session.state.floor_call
    assert arrived != called
    session.close()
    session = open_session(tmp_path, wall)
    assert session.state.floor_call == arrived
    # The end of a hand is sealed with the call in it, and read back from that seal.
    say(session, "fold", "fold", "fold", "fold", "push")
    session.close()
    session = open_session(tmp_path, wall)
    assert session.state.floor_call == arrived
    session.close()
    assert verify(journals(tmp_path)).sound


def test_a_call_goes_on_into_the_next_day(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "callfloor")
    called = session.state.floor_call
    past_six(wall)
    say(session, "deal")
    assert len(journals(tmp_path)) == 2
    assert session.state.floor_call == called
    session.close()
    assert verify(journals(tmp_path)).sound

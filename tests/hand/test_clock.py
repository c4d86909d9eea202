"""The clock on a seat: how long it runs, what ends it, and what it does when it has run out.

Three players at 4-8, the button on seat 3, which acts first; seat 1 has posted 2, seat 2 has 4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor.files import demo_staff
from omaha_table.hand.audit import fault_in
from omaha_table.hand.events import ClockRanOut
from omaha_table.hand.state import OnClock
from omaha_table.journal.verification import verify
from omaha_table.journal.writer import Clock
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import PLACED_HILO, codes, of_type

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.hand import HandState

NOON = 1_800_000_000.0
THREE = ("seat 1 A 100", "seat 2 B 100", "seat 3 C 100", "button 3", "deal")
CALLED = 'floor 4711 clock 3 "asked for by seat 1"'


class Evening:
    """A table whose wall clock the test moves."""

    def __init__(self, folder: Path | None = None) -> None:
        self.now, self.folder = NOON, folder
        self.open()

    def open(self) -> None:
        profile, limit = PLACED_HILO, PLACED_HILO.limits[0]
        if self.folder is None:
            self.session = Session(profile, limit, demo_staff(), lambda: self.now)
        else:
            clock = Clock(lambda: self.now, lambda: self.now)
            self.session = Session.on_journal(
                self.folder, "t7", profile, limit, demo_staff(), clock=clock
            )

    def say(self, *lines: str) -> list[dict[str, Any]]:
        return [answer for line in lines for answer in run_line(self.session, 1, line)]

    @property
    def hand(self) -> HandState:
        assert self.session.state.hand is not None
        return self.session.state.hand


def on_the_clock(*lines: str) -> Evening:
    evening = Evening()
    assert not codes(evening.say(*THREE, *lines, CALLED))
    return evening


@pytest.mark.parametrize(
    ("wall", "left"),
    [(0.0, 30), (0.9, 30), (1.1, 30), (10.0, 21), (30.0, 1), (30.9, 1), (31.0, 0), (99.0, 0)],
)
def test_a_part_of_a_second_counts_for_the_player(wall: float, left: int) -> None:
    """The clock is called in some part of second 0, so it must not end before second 31."""
    assert OnClock(3, 0, 30).left(wall) == left


def test_a_wall_clock_that_is_set_back_gives_no_more_than_the_whole_time() -> None:
    assert OnClock(3, 1000, 30).left(500.0) == 30


def test_the_clock_is_on_the_seat_to_act_from_when_it_was_called() -> None:
    evening = on_the_clock()
    assert evening.hand.clock == OnClock(3, int(NOON), 30)


def test_only_one_clock_runs() -> None:
    evening = on_the_clock()
    assert codes(evening.say(CALLED)) == ["wrong_phase"]
    assert codes(evening.say(CALLED.replace("clock 3", "clock 1"))) == ["wrong_phase"]


@pytest.mark.parametrize("line", ["3 call", "3 raise", "3 fold", "fold to 2"])
def test_acting_ends_it(line: str) -> None:
    evening = on_the_clock()
    assert not codes(evening.say(line))
    assert evening.hand.clock is None


@pytest.mark.parametrize(
    "line", ['floor 4711 dead 3 "left the table"', 'floor 4711 backup 1 "keyed wrong"', "undo"]
)
def test_what_takes_the_turn_away_ends_it(line: str) -> None:
    evening = Evening()
    called = CALLED.replace("clock 3", "clock 1")
    evening.say(*THREE, "3 call", called)
    assert evening.hand.clock is not None
    evening.say(line.replace("dead 3", "dead 1"))
    assert evening.hand.clock is None


def test_it_does_not_come_back_with_an_action_that_is_taken_back() -> None:
    evening = on_the_clock()
    evening.say("3 call", "undo")
    assert (evening.hand.actor, evening.hand.clock) == (3, None)


def test_a_fold_out_of_turn_and_its_undo_leave_it_running() -> None:
    evening = on_the_clock()
    evening.say("outofturn 1 fold")
    assert evening.hand.clock is not None
    evening.say("undo")
    assert evening.hand.clock is not None


def test_the_end_of_a_street_ends_it() -> None:
    evening = Evening()
    evening.say(*THREE, "3 call", "1 call", CALLED.replace("clock 3", "clock 2"), "2 check")
    assert evening.hand.clock is None
    assert codes(evening.say("clock off")) == ["wrong_phase"]


def test_it_is_called_off_by_an_event_of_its_own() -> None:
    evening = on_the_clock()
    answers = evening.say("clock off")
    assert [answer["type"] for answer in answers] == ["clock_cancelled"]
    assert (evening.hand.clock, evening.hand.actor) == (None, 3)
    assert not codes(evening.say(CALLED))


def test_nothing_happens_while_there_is_time() -> None:
    evening = on_the_clock()
    evening.now += 30.5
    [refused] = of_type(evening.say("clock out"), "refused")
    assert refused["message"] == "Seat 3 has 1 second left."
    assert evening.hand.actor == 3
    assert codes(Evening().say(*THREE, "clock out")) == ["wrong_phase"]


def test_facing_a_bet_the_hand_is_dead_and_the_log_says_by_the_clock() -> None:
    evening = on_the_clock()
    evening.now += 31
    answers = evening.say("clock out")
    assert [(a["type"], a["seat"], a["entry"]) for a in answers] == [
        ("clock_ran_out", 3, 2),
        ("acted", 3, 2),
    ]
    assert answers[0]["at"] == int(NOON) + 31
    assert (answers[1]["action"], answers[1]["amount"], answers[1]["to"]) == ("fold", 0, 0)
    assert evening.hand.actor == 1


def test_facing_no_bet_the_seat_checks() -> None:
    """The big blind has its option: 4 lie in front of it, and nothing is to call."""
    evening = Evening()
    evening.say(*THREE, "3 call", "1 call", CALLED.replace("clock 3", "clock 2"))
    evening.now += 31
    answers = evening.say("clock out")
    assert (answers[1]["action"], answers[1]["to"]) == ("check", 400)
    assert of_type(answers, "street_closed")[0]["pot"] == 1200


def test_one_undo_takes_back_what_the_clock_did() -> None:
    evening = on_the_clock()
    before = evening.hand
    evening.now += 31
    evening.say("clock out", "undo")
    assert replace(evening.hand, entry=before.entry, clock=before.clock) == before


def test_a_seat_that_is_bound_to_an_action_is_for_the_floor() -> None:
    evening = Evening()
    bound = 'floor 4711 binding 1 call "out of turn"'
    evening.say(*THREE, bound, "3 call", CALLED.replace("clock 3", "clock 1"))
    evening.now += 31
    assert codes(evening.say("clock out")) == ["bound"]


def test_a_clock_that_ran_out_too_early_is_found_in_the_log() -> None:
    hand = on_the_clock().hand
    entry = hand.entry + 1
    assert fault_in(hand, ClockRanOut(3, int(NOON) + 31, entry)) == ""
    assert fault_in(hand, ClockRanOut(3, int(NOON) + 29, entry))
    assert fault_in(hand, ClockRanOut(1, int(NOON) + 31, entry))
    assert fault_in(replace(hand, clock=None), ClockRanOut(3, int(NOON) + 31, entry))


@pytest.mark.parametrize(("away", "left"), [(12.0, 19), (500.0, 0)])
def test_after_a_restart_the_time_that_is_left_is_left(
    tmp_path: Path, away: float, left: int
) -> None:
    evening = Evening(tmp_path)
    evening.say(*THREE, CALLED)
    evening.session.close()
    evening.now += away
    evening.open()
    clock = evening.hand.clock
    assert clock is not None
    assert clock.left(evening.now) == left
    evening.now = NOON + 600
    assert not codes(evening.say("clock out"))
    evening.session.close()
    assert verify(list(tmp_path.glob("*.journal"))).sound

"""What was asked for during a hand waits through restarts and a change of gaming day."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.events import Record
from omaha_table.journal.verification import files_in, verify
from omaha_table.session.script import run_line
from omaha_table.table.events import PlayerLeft, SeatChangeCancelled
from omaha_table.table.state import SeatChange
from tests.evenings import codes
from tests.paths import PYTHONPATH, ROOT
from tests.review.found import Wall
from tests.session.night import SEATS, journals, open_session, past_six, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Event
    from omaha_table.session import Session

WALL = (2026, 11, 14, 23, 0)
# Ada has posted 3 and Ben 6; Cara's chips are not tracked.
ASKED = ("leave 6", "buy 1 50", "seat 9 Hal 80", "away 4")


def sound(folder: Path) -> bool:
    verdict = verify(files_in(folder))
    assert verdict.sound, verdict.damage
    return True


def after_the_hand(session: Session) -> None:
    state = session.state
    assert state.hand is None
    assert not state.asked
    assert sorted(state.seats) == [1, 3, 4, 8, 9]
    assert state.seats[1].stack == 200_00 - 3_00 + 50_00
    assert state.seats[9].stack == 80_00
    assert state.seats[4].away


def test_what_waits_is_the_same_after_a_restart(tmp_path: Path) -> None:
    session = open_session(tmp_path, Wall(*WALL))
    say(session, *SEATS, "deal", "fold", *ASKED, "cancel 4", "away 4")
    before = session.state.asked
    session.close()
    session = open_session(tmp_path, Wall(*WALL))
    assert session.state.asked == before
    say(session, "undo", "away 4", "fold", "fold", "fold", "push")
    after_the_hand(session)
    session.close()
    assert sound(tmp_path)


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.review.found import Wall
from tests.session.night import SEATS, open_session, say
session = open_session(Path(sys.argv[1]), Wall(2026, 11, 14, 23, 0))
say(session, *SEATS, "deal", "fold", "leave 6", "buy 1 50", "seat 9 Hal 80", "away 4")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_waits_survives_a_kill_between_the_request_and_the_end_of_the_hand(
    tmp_path: Path,
) -> None:
    killed = subprocess.run(
        [sys.executable, "-P", "-c", KILLED, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": PYTHONPATH}, cwd=ROOT, check=False,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL
    session = open_session(tmp_path, Wall(*WALL))
    waits = [(asked.change.what, asked.change.seat) for asked in session.state.asked]
    assert waits == [("leave", 6), ("buy", 1), ("seat", 9), ("away", 4)]
    say(session, "fold", "fold", "fold", "push")
    after_the_hand(session)
    session.close()
    assert sound(tmp_path)


def test_a_log_is_read_on_from_the_seal_after_what_was_carried_out(tmp_path: Path) -> None:
    """No seal keeps what an undo would take back, so nothing before it can be taken back."""
    session = open_session(tmp_path, Wall(*WALL))
    say(session, *SEATS, "deal", "fold", *ASKED, "fold", "fold", "fold", "push")
    assert codes(list(run_line(session, 1, "undo"))) == ["wrong_phase"]
    say(session, "buy 3 10", "undo")
    session.close()
    session = open_session(tmp_path, Wall(*WALL))
    after_the_hand(session)
    assert codes(list(run_line(session, 1, "undo"))) == ["wrong_phase"]
    session.close()
    assert sound(tmp_path)


def test_a_hand_that_ends_on_the_next_day_carries_out_what_waits_before_the_day_changes(
    tmp_path: Path,
) -> None:
    wall = Wall(*WALL)
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "deal", "fold", *ASKED)
    past_six(wall)
    say(session, "fold", "fold", "fold", "push")
    after_the_hand(session)
    say(session, "buy 3 10")
    after_the_hand(session)
    session.close()
    assert len(journals(tmp_path)) == 2
    assert sound(tmp_path)


@pytest.mark.parametrize("change", ["other", "early", "cancelled"])
def test_a_log_that_carries_out_something_else_is_not_sound(tmp_path: Path, change: str) -> None:
    session = open_session(tmp_path, Wall(*WALL))
    say(session, *SEATS, "deal", "fold", "leave 6")
    if change != "early":
        say(session, "cancel 6", "fold", "fold", "fold", "push")
    at, journal = session.state.seq + 1, session._journal
    assert journal is not None
    hand = 1 if change == "early" else None
    events: dict[str, Event] = {
        "other": PlayerLeft(1, 197_00, asked_in=1),
        "early": PlayerLeft(6, 300_00, asked_in=1),
        "cancelled": SeatChangeCancelled(3, SeatChange("leave", 6)),
    }
    journal.append([Record(at, hand, events[change])], "dealer", ())
    session.close()
    [damage] = verify(files_in(tmp_path)).damage
    assert (damage.event, damage.kind) == (at, "replay")


def test_a_refused_request_leaves_no_event(tmp_path: Path) -> None:
    session = open_session(tmp_path, Wall(*WALL))
    say(session, *SEATS, "deal", "leave 6")
    seq = session.state.seq
    assert codes(list(run_line(session, 1, "buy 6 50"))) == ["no_such_seat"]
    assert session.state.seq == seq
    session.close()
    assert sound(tmp_path)

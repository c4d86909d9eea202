"""What can be taken back is the same after a restart, and the log of it can be verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.events import Record
from omaha_table.journal.verification import files_in, verify
from omaha_table.session.script import run_line
from omaha_table.table.events import TakenBack
from tests.evenings import codes
from tests.review.found import Wall
from tests.session.night import FOLDED, SEATS, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

WALL = (2026, 11, 14, 23, 0)


def test_entries_since_the_last_pot_can_be_taken_back_after_a_restart(tmp_path: Path) -> None:
    session = open_session(tmp_path, Wall(*WALL))
    say(session, *SEATS, *FOLDED, "buy 1 50", "hand")
    before = session.state
    session.close()
    session = open_session(tmp_path, Wall(*WALL))
    assert [entry.seqs for entry in session.state.undoable] == [
        entry.seqs for entry in before.undoable
    ]
    say(session, "undo", "undo")
    assert session.state.hand is None
    assert session.state.seats[1].stack == 197_00, "the small blind of hand 1 is gone"
    # Seats and chips were sealed with the first hand: they are not offered, before or after.
    assert codes(list(run_line(session, 1, "undo"))) == ["wrong_phase"]
    session.close()
    verdict = verify(files_in(tmp_path))
    assert verdict.sound, verdict.damage
    assert verdict.hands == 1


def test_a_table_between_the_start_and_its_undo_goes_on_after_a_restart(tmp_path: Path) -> None:
    session = open_session(tmp_path, Wall(*WALL))
    say(session, *SEATS, *FOLDED, "hand", "undo", "buy 4 100")
    before = session.state
    session.close()
    session = open_session(tmp_path, Wall(*WALL))
    assert session.state.seats == before.seats
    assert (session.state.hands, session.state.hand) == (2, None)
    [started, *_] = say(session, "hand")
    assert started["number"] == 3
    session.close()
    verdict = verify(files_in(tmp_path))
    assert verdict.sound, verdict.damage


def test_a_log_in_which_another_entry_is_taken_back_is_not_sound(tmp_path: Path) -> None:
    session = open_session(tmp_path, Wall(*WALL))
    say(session, *SEATS, "buy 1 50", "buy 3 20")
    journal = session._journal
    assert journal is not None
    last = session.state.seq
    journal.append([Record(last + 1, None, TakenBack((last - 1,)))], "dealer", ())
    session.close()
    [damage] = verify(files_in(tmp_path)).damage
    assert (damage.event, damage.kind) == (last + 1, "replay")

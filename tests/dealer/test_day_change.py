"""Six in the morning at the console: one key goes on with the next hand in the next day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.console import Console
from omaha_table.dealer.screen.drawing import draw
from tests.review.found import Wall
from tests.session.night import SCOOPED, SEATS, journals, open_session, past_six, say

if TYPE_CHECKING:
    from pathlib import Path


def test_the_hand_that_is_started_after_six_is_the_first_of_the_new_day(tmp_path: Path) -> None:
    wall = Wall(2026, 11, 14, 23, 0)
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    console = Console(session, wall=lambda: wall.at)
    seats = console.view().seats
    past_six(wall)
    console.press("+")
    shown = console.view()
    assert "the table goes on from 2026-11-14" in " ".join(shown.log)
    assert [(seat.number, seat.name) for seat in shown.seats] == [
        (seat.number, seat.name) for seat in seats
    ]
    assert session.state.hand is not None
    assert session.state.hands == 2
    assert len(journals(tmp_path)) == 2
    # The hand is played with the same keys as any other.
    text = draw(shown, 80, 24).text()
    assert "KILL 9" in text
    assert "HAND #2" in text
    session.close()

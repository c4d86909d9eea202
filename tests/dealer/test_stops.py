"""When the log takes nothing, was opened again, or was found in the middle of a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.console import Console
from omaha_table.journal.faults import Busy, Uncertain
from tests.console.scenes import Table
from tests.evenings import draw_lines
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SEATED = [f"seat {seat} P{seat} 200" for seat in range(1, 5)]


def test_cards_that_come_while_the_log_is_stopped_wait_for_the_dealer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Table(devices=True).live().deck().keys("enter", "+").cards(17)
    with monkeypatch.context() as patch:
        patch.setattr(made.session, "do", lambda *_: (_ for _ in ()).throw(Busy("busy")))
        made.cards(1)
    made.cards(2)
    hand = made.session.state.hand
    assert hand is not None
    assert (made.console.prompt.title, hand.cards_out) == ("LOG IS BUSY", 17)
    made.keys("+")
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 20


def test_what_was_half_done_is_left_when_the_log_was_opened_again() -> None:
    made, other = Table(), Table()
    made.console.reopen = lambda: other.session
    made.keys("4", "enter", "2", "0")
    made.console.stop(Uncertain("uncertain"))
    made.keys("enter")
    assert made.console.prompt.title == "START HAND"
    assert made.console.model.typed == ""


def test_a_log_opened_again_inside_a_hand_is_compared_with_the_felt() -> None:
    made, other = Table().to_flop(), Table().to_flop()
    other.session.recovered = "hand 1, flop, action on seat 8"
    made.console.reopen = lambda: other.session
    made.console.stop(Uncertain("uncertain"))
    made.keys("enter")
    assert made.console.prompt.title == "COMPARE FELT"
    assert "Hand 1, flop" in made.console.prompt.detail
    made.keys("+", "-")
    assert other.session.state.seq == made.session.state.seq, (
        "nothing is keyed before it was compared"
    )


def test_a_restart_inside_a_hand_is_compared_with_the_felt(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *SEATED, *draw_lines(4, range(1, 5)), "hand")
    session.close()
    session = open_session(tmp_path)
    assert Console(session).prompt.title == "COMPARE FELT"
    session.close()


def test_a_second_copy_that_is_not_written_is_shown_between_hands(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.write_text("a file where a folder should be")
    session = open_session(tmp_path / "data", mirror=mirror)
    say(
        session,
        *SEATED,
        *draw_lines(4, range(1, 5)),
        "hand",
        "deal",
        "fold",
        "fold",
        "fold",
        "push",
    )
    alarm = Console(session).view().alarm
    assert alarm.level == "warn"
    assert "second copy" in alarm.text
    session.close()

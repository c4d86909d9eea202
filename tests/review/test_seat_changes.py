"""Seat changes asked for during a hand, as the reviewer reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.review.exchange.hand_actions import actions_of
from omaha_table.review.index.incidents import KINDS, incident_of, incidents_in
from omaha_table.review.index.replay import frames
from omaha_table.review.reports.hand_report import incident
from omaha_table.review.reports.render import as_markdown
from omaha_table.table.events import SeatChangeDropped
from omaha_table.table.state import SeatChange
from tests.review.found import found, projected
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from pathlib import Path


def night(folder: Path) -> Path:
    made = Night(folder, "ca_omaha_hilo").seat(3, 200_00)
    made.say("deal", "leave 3", "buy 1 50", "seat 3 Hal 90", "away 2", "cancel 2", "fold")
    made.say("fold", "push", "deal", "fold", "fold", "push")
    return made.close()


def test_the_sheet_of_the_hand_has_every_request_with_its_time(tmp_path: Path) -> None:
    [first, second] = read(night(tmp_path))
    text = as_markdown(incident(first))
    for words in (
        "seat 3 leaves when the hand ends",
        "seat 1 adds 50 when the hand ends",
        "seat 3 Hal sits down with 90 when the hand ends",
        "« seat 2 AWAY when the hand ends: taken back",
    ):
        assert words in text
    assert (first.names[3], second.names[3]) == ("P3", "Hal")


def test_chips_that_were_bought_in_a_hand_are_in_the_next_one(tmp_path: Path) -> None:
    [first, second] = read(night(tmp_path))
    # Seat 1 was the small blind and lost 2 of its 200.
    assert first.started.stacks[1] == 200_00
    assert second.started.stacks[1] == 200_00 - 2_00 + 50_00
    assert second.started.stacks[3] == 90_00


def test_what_was_taken_back_is_worth_a_look_and_what_was_asked_for_is_not(tmp_path: Path) -> None:
    journal = night(tmp_path)
    [first, second] = read(journal)
    assert [(one.kind, one.says) for one in incidents_in(first)] == [
        ("undo", "seat 2 AWAY when the hand ends: taken back"),
    ]
    assert not list(incidents_in(second))
    projection = projected(journal)
    assert found(projection, "flag:undo") == [1]
    projection.close()


def test_a_request_is_a_step_of_the_replay_and_no_action_of_an_export(tmp_path: Path) -> None:
    journal = night(tmp_path)
    [first, _] = read(journal)
    assert [(act.seat, act.kind) for act in actions_of(first)] == [
        (1, "small_blind"), (2, "big_blind"), (3, "fold"), (1, "fold"),
    ]  # fmt: skip
    steps = frames(journal, first.moments[0].seq)
    waits = [[one.change.what for one in step.state.asked] for step in steps]
    assert ["leave", "buy", "seat", "away"] in waits


def test_a_request_that_could_not_be_carried_out_is_in_the_queue() -> None:
    dropped = SeatChangeDropped(SeatChange("seat", 3, "Hal"), "Seat 3 is taken by 'Ben'.", 5)
    line = incident_of(90, 0, dropped)
    assert line is not None
    assert KINDS[line.kind] == "NOT DONE"
    assert line.says == (
        "seat 3 Hal sits down, asked for in hand 5: not done. Seat 3 is taken by 'Ben'."
    )

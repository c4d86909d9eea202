"""What stands of a hand: nothing that was taken back, and no more than its own hand and shift."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from omaha_table.cards import parse_cards
from omaha_table.review.exchange.hand_actions import actions_of
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.incidents import incidents_in
from omaha_table.review.index.projection import Projection
from omaha_table.review.reports.hand_report import incident
from tests.evenings import profile_with
from tests.review.found import Wall, found, projected
from tests.review.nights import Night, read
from tests.review.report_parts import cells_of

if TYPE_CHECKING:
    from pathlib import Path

BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")


def test_an_action_that_was_taken_back_is_no_step_of_the_hand(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("deal", "call", "undo", "raise 8", "undo", "fold", "fold", "push")
    [hand] = read(night.close())
    assert [(act.seat, act.kind) for act in actions_of(hand)] == [
        (1, "small_blind"), (2, "big_blind"), (3, "fold"), (1, "fold"),
    ]  # fmt: skip


def test_actions_that_the_floor_backed_up_are_no_steps_of_the_hand(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("deal", "call", "call", 'floor 4711 backup 2 "seat 3 had announced a raise"')
    night.say("raise 8", "fold", "fold", "push")
    [hand] = read(night.close())
    assert [(act.seat, act.kind, act.amount) for act in actions_of(hand)] == [
        (1, "small_blind", 2_00), (2, "big_blind", 4_00),
        (3, "raise", 8_00), (1, "fold", 0), (2, "fold", 0),
    ]  # fmt: skip


def test_a_hand_that_was_tabled_by_mistake_and_then_mucked_has_no_cards(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("deal", "call", "call", "check", *BOARD)
    night.say("show 1 Qc Qd Qh Qs", "undo", "muck 1", "show 2 Kc Kh 4d 8s", "muck 3", "push")
    [hand] = read(night.close())
    assert list(hand.tabled) == [2]
    assert [(d.seat, d.kind) for d in actions_of(hand) if d.kind in ("show", "muck")] == [
        (1, "muck"), (2, "show"), (3, "muck"),
    ]  # fmt: skip
    assert [cells[7] for cells in cells_of(incident(hand), "Seats")] == [
        "-", parse_cards("Kc Kh 4d 8s"), "-",
    ]  # fmt: skip


def test_dead_money_does_not_lie_in_front_of_a_seat(tmp_path: Path) -> None:
    """Seat 3 missed both blinds: the small one is dead, the big one plays for it."""
    night = Night(tmp_path, "ca_omaha_hilo").seat(5)
    night.fold_out()
    night.say("away 3")
    for _ in range(3):
        night.fold_out()
    night.say("back 3", "post 3")
    night.fold_out()
    posts = [d for d in actions_of(read(night.close())[-1]) if d.seat == 3 and d.amount]
    assert sorted((act.kind, act.amount) for act in posts) == [("dead", 2_00), ("late", 4_00)]
    assert max(act.to for act in posts) == 4_00


def test_nothing_is_waived_of_a_hand_that_was_called_off(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("deal", "call", "call", "check", 'floor 4711 waive "a long delay"', *BOARD[:2])
    night.say('floor 4711 9000 void "the deck was short"')
    [hand] = read(night.close())
    assert (hand.outcome, hand.waived, hand.fee) == ("void", 0, 0)
    assert hand.flags == {"void", "override", "waived"}


def test_a_pot_too_small_for_the_fee_is_worth_a_look(tmp_path: Path) -> None:
    """Two players with 4 each: a fee of 10 would leave nothing to win, so it is waived."""
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00",
             "fees": [{"players": "2+", "fee": "10.00"}]}  # fmt: skip
    night = Night(tmp_path, profile_with("ca_omaha_hilo", limit=limit)).seat(2)
    night.say("deal", "call", "check", *BOARD, "high 1", "low none", "push")
    [hand] = read(night.close())
    assert (hand.fee, hand.waived) == (0, 10_00)
    assert hand.flags == {"waived", "dealer_read"}
    assert [found.kind for found in incidents_in(hand)] == ["waived", "dealer_read"]


def test_a_hand_after_the_shift_and_the_dealer_have_gone_is_nobodys(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("shift swing B7 J7", "down D114")
    night.fold_out()
    night.say("shift close", "down out")
    night.fold_out()
    path = night.close()
    assert [(h.shift, h.box, h.jackpot_box, h.dealer) for h in read(path)] == [
        ("swing", "B7", "J7", "D114"),
        ("", "", "", ""),
    ]
    projection = projected(path)
    assert found(projection, "shift:swing") == found(projection, "dealer:D114") == [1]
    projection.close()


def test_a_seat_that_a_player_left_by_moving_has_no_name(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(4)
    night.say("move 4 6")
    night.fold_out()
    [hand] = read(night.close())
    assert hand.names == {1: "P1", 2: "P2", 3: "P3", 6: "P4"}


def test_a_hand_is_slow_after_four_minutes_and_not_at_four(tmp_path: Path) -> None:
    wall = Wall(2026, 11, 14, 20, 0, 0)
    night = Night(tmp_path, "ca_omaha_hilo", clock=wall.clock).seat(3)
    for seconds in (240, 241):
        night.say("deal", "fold", "fold")
        wall.at += seconds
        night.say("push")
    projection = projected(night.close())
    assert found(projection, "flag:slow") == [2]
    assert projection.count_incidents(parse_filter("")) == 1
    projection.close()


@pytest.mark.parametrize("hands", [2, 4], ids=["shorter", "longer"])
def test_another_journal_under_the_same_name_takes_the_place_of_the_first(
    tmp_path: Path, hands: int
) -> None:
    """A longer one has an event wherever reading ended: only its hash tells them apart."""
    first = Night(tmp_path / "first", "ca_omaha_hilo", seed=1).seat(3).play(3).close()
    other = Night(tmp_path / "other", "ca_omaha_hilo", seed=2).seat(4).play(hands).close()
    projection = Projection()
    projection.refresh([first])
    assert projection.count() == 3
    shutil.copyfile(other, first)
    projection.refresh([first])
    assert projection.count() == projection.count(parse_filter("seats=4")) == hands
    projection.close()


def test_a_hand_whose_start_was_taken_back_is_no_hand_but_explains_its_number(
    tmp_path: Path,
) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.fold_out()
    night.say("hand", "undo")
    night.fold_out()
    path = night.close()
    assert [hand.number for hand in read(path)] == [1, 3]
    projection = projected(path)
    assert found(projection, "") == [3, 1]
    lines = projection.incidents(parse_filter(""), 0, 10, by_time=True)
    assert [(row["kind"], row["says"], row["number"]) for row in lines] == [
        ("undo", "hand 2 is taken back before its first card", None)
    ]
    assert lines[0]["more"] == "3 seats, button seat 1; all posts went back."


def test_what_was_taken_back_between_hands_is_listed_and_no_longer_true(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("down Dana")
    night.fold_out()
    night.say("move 2 7", "undo", "down Eve", "undo")
    night.fold_out()
    path = night.close()
    hands = read(path)
    assert [(hand.dealer, hand.down) for hand in hands] == [("Dana", 1), ("Dana", 1)]
    assert hands[1].names == {1: "P1", 2: "P2", 3: "P3"}
    lines = projected(path).incidents(parse_filter(""), 0, 10, by_time=True)
    assert [row["says"] for row in lines[::-1]] == [
        "seat 2 moves to seat 7", "dealer Dana out: 1 hand, dealer Eve in, identity not checked",
    ]  # fmt: skip

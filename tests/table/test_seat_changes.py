"""Seats and chips asked for while a hand is played: taken at once, carried out when it ends."""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.dealer.event_text import event_line
from omaha_table.floor.files import demo_staff
from omaha_table.hand import commands as hand
from omaha_table.hand.frozen import replace
from omaha_table.session import Session
from omaha_table.session.script import run_line
from omaha_table.table import apply, decide
from omaha_table.table.commands import StartHand
from omaha_table.table.events import (
    PlayerLeft,
    SeatChangeAsked,
    SeatChangeCancelled,
    SeatChangeDropped,
)
from omaha_table.table.state import Asked, SeatChange
from tests.evenings import PLACED_HILO, codes, of_type

NOW = 1_800_000_000
# Button 3: seat 1 posts 2, seat 2 posts 4, seat 3 acts first.
THREE = ("seat 1 Ada 200", "seat 2 Ben 200", "seat 3 Carmen 200", "button 3", "deal")
FOLDED = ("fold", "fold", "push")
"""Seats 3 and 1 fold: 198, 202, 200."""


def table(*lines: str) -> Session:
    session = Session(PLACED_HILO, PLACED_HILO.limits[0], demo_staff(), lambda: float(NOW))
    say(session, *lines)
    return session


def say(session: Session, *lines: str) -> list[dict[str, Any]]:
    answers = [answer for line in lines for answer in run_line(session, 1, line)]
    assert not codes(answers), of_type(answers, "refused")
    return answers


def refusal(session: Session, line: str) -> tuple[str, str]:
    [answer] = run_line(session, 1, line)
    assert answer["type"] == "refused", answer
    return answer["code"], answer["message"]


def stacks(session: Session) -> dict[int, int | None]:
    return {seat: at.stack for seat, at in sorted(session.state.seats.items())}


def waiting(session: Session) -> list[tuple[str, int]]:
    return [(asked.change.what, asked.change.seat) for asked in session.state.asked]


def test_a_player_leaves_when_the_hand_ends_with_what_was_won_in_it() -> None:
    session = table(*THREE)
    [asked] = say(session, "leave 2")
    assert asked["type"] == "seat_change_asked"
    assert asked["hand"] == 1
    assert sorted(session.state.seats) == [1, 2, 3]
    *_, left = say(session, *FOLDED)
    assert (left["type"], left["seat"], left["stack"], left["asked_in"]) == (
        "player_left", 2, 202_00, 1,
    )  # fmt: skip
    assert stacks(session) == {1: 198_00, 3: 200_00}
    assert not session.state.asked


def test_a_leaving_player_with_a_live_hand_plays_it_on() -> None:
    session = table(*THREE, "leave 3")
    say(session, "call", "call", "check", "flop 7c 5h 2s")
    assert session.step.seat == 1
    say(session, "check", "check", "bet")
    hand = session.state.hand
    assert hand is not None
    assert hand.seats[3].bet == 4_00


def test_a_rebuy_is_not_in_play_before_the_hand_ends() -> None:
    session = table("seat 1 Ada 200", "seat 2 Ben 6", "seat 3 Carmen 200", "button 3", "deal")
    say(session, "buy 2 100")
    hand = session.state.hand
    assert hand is not None
    assert hand.seats[2].stack == 2_00
    say(session, "raise", "fold", "call")  # Carmen makes it 8; all that Ben has is 6 in all
    hand = session.state.hand
    assert hand is not None
    assert (hand.seats[2].put_in, hand.seats[2].stack) == (6_00, 0)


def test_chips_are_added_to_what_is_left_of_a_stack() -> None:
    session = table(*THREE, "buy 1 50", "buy 1 25.50")
    *_, first, second = say(session, *FOLDED)
    assert [first["type"], second["type"]] == ["chips_bought"] * 2
    assert stacks(session)[1] == 198_00 + 50_00 + 25_50


def test_away_is_for_the_next_hand_from_when_it_was_said() -> None:
    session = table(*THREE, "away 3")
    assert session.state.seats[3] == table(*THREE).state.seats[3]
    say(session, *FOLDED)
    assert session.state.seats[3].away
    assert session.state.seats[3].away_since == NOW
    [started] = of_type(say(session, "deal"), "hand_started")
    assert started["dealt"] == [1, 2]


def test_who_comes_back_during_a_hand_gets_the_next_one() -> None:
    session = table(*THREE[:4], "away 3", "deal", "back 3")
    assert session.state.seats[3].away
    say(session, "fold", "push")
    assert session.state.present == [1, 2, 3]


def test_a_newcomer_sits_down_when_the_hand_ends_and_waits_for_the_blind_as_always() -> None:
    session = table(*THREE, "seat 7 Gus 150")
    assert 7 not in session.state.seats
    *_, seated = say(session, *FOLDED)
    assert (seated["type"], seated["name"], seated["asked_in"]) == ("player_seated", "Gus", 1)
    between = table(*THREE, *FOLDED, "seat 7 Gus 150")
    assert replace(session.state.seats[7], sitting=0) == replace(between.state.seats[7], sitting=0)


def test_everything_is_carried_out_in_the_order_in_which_it_was_asked_for() -> None:
    session = table(*THREE, "away 1", "leave 2", "buy 3 20", "seat 2 Eve 100")
    made = say(session, *FOLDED)
    at = [answer["type"] for answer in made].index("hand_ended")
    assert [(answer["type"], answer["seat"]) for answer in made[at + 1 :]] == [
        ("player_away", 1), ("player_left", 2), ("chips_bought", 3), ("player_seated", 2),
    ]  # fmt: skip
    assert all(answer["asked_in"] == 1 for answer in made[at + 1 :])
    assert session.state.seats[2].name == "Eve"


@pytest.mark.parametrize(
    "end",
    [
        'floor 4711 misdeal "two cards exposed"',
        'floor 4711 9000 void "fouled deck"',
    ],
)
def test_a_hand_that_is_called_off_carries_it_out_too(end: str) -> None:
    session = table(*THREE, "leave 1", "buy 2 50")
    say(session, end)
    assert session.state.hand is None
    assert stacks(session) == {2: 250_00, 3: 200_00}


def test_a_misdealt_hand_is_dealt_again_to_those_who_stay() -> None:
    session = table(*THREE, "leave 1", 'floor 4711 misdeal "two cards exposed"')
    [started, *_] = say(session, "deal")
    assert started["dealt"] == [2, 3]


def test_a_game_that_breaks_up_at_the_end_of_a_hand_is_opened_again() -> None:
    session = table(*THREE, "leave 1", "leave 2", "leave 3", "seat 5 Eve 100")
    say(session, *FOLDED)
    assert session.state.button is None
    assert sorted(session.state.seats) == [5]


# What does not fit is refused at once


@pytest.mark.parametrize(
    ("before", "line", "code", "says"),
    [
        ("leave 2", "buy 2 50", "no_such_seat", "Seat 2 leaves when the hand ends"),
        ("leave 2", "leave 2", "no_such_seat", "Seat 2 leaves when the hand ends"),
        ("away 2", "away 2", "wrong_phase", "Seat 2 is away when the hand ends"),
        ("seat 7 Gus", "seat 7 Hal", "seat_taken", "'Gus' sits down in seat 7"),
    ],
)
def test_what_contradicts_what_waits_is_refused_with_the_way_out(
    before: str, line: str, code: str, says: str
) -> None:
    session = table(*THREE, before)
    found, message = refusal(session, line)
    assert found == code
    assert says in message
    assert f"'cancel {line.split()[1]}' takes that back" in message


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("seat 2 Hal", "seat_taken"),
        ("seat 99 Hal", "no_such_seat"),
        ("leave 7", "no_such_seat"),
        ("back 2", "wrong_phase"),
        ("buy 2 0", "bet_size"),
        ("cancel 2", "wrong_phase"),
        ("move 2 7", "wrong_phase"),
        ("post 2", "wrong_phase"),
    ],
)
def test_what_is_not_possible_between_hands_either_is_refused_as_there(
    line: str, code: str
) -> None:
    assert refusal(table(*THREE), line)[0] == code


def test_nothing_can_be_cancelled_between_hands() -> None:
    assert refusal(table(*THREE, *FOLDED), "cancel 2")[0] == "wrong_phase"


def test_away_and_back_in_one_hand_leave_the_player_in_the_next() -> None:
    session = table(*THREE, "away 3", "back 3", *FOLDED)
    assert session.state.present == [1, 2, 3]


def test_a_chair_that_is_given_up_is_free_for_the_next_player() -> None:
    session = table(*THREE, "leave 3", "seat 3 Hal 90", "buy 3 10", *FOLDED)
    assert (session.state.seats[3].name, session.state.seats[3].stack) == ("Hal", 100_00)


# Taking back


def test_what_waits_is_cancelled_seat_by_seat_the_last_first() -> None:
    session = table(*THREE, "buy 2 50", "leave 3", "away 2")
    [cancelled] = say(session, "cancel 2")
    assert cancelled["type"] == "seat_change_cancelled"
    assert cancelled["change"]["what"] == "away"
    assert waiting(session) == [("buy", 2), ("leave", 3)]
    say(session, "cancel 3", "cancel 2", *FOLDED)
    assert stacks(session) == {1: 198_00, 2: 202_00, 3: 200_00}


def test_an_undo_takes_back_what_was_entered_last_action_or_seat_change() -> None:
    session = table(*THREE, "fold", "leave 3", "fold")
    [undone] = say(session, "undo")
    assert undone["type"] == "undone"
    assert session.step.seat == 1
    [cancelled] = say(session, "undo")
    assert cancelled["type"] == "seat_change_cancelled"
    [undone] = say(session, "undo")
    assert undone["type"] == "undone"
    assert session.step.seat == 3


def test_the_start_of_a_hand_is_taken_back_after_what_was_asked_for_in_it() -> None:
    session = table(*THREE[:4], "hand", "leave 1", "down D1")
    taken = [answer["type"] for answer in say(session, "undo", "undo", "undo")]
    assert taken == ["taken_back", "seat_change_cancelled", "hand_taken_back"]
    assert sorted(session.state.seats) == [1, 2, 3]
    assert session.state.hand is None


def test_an_entry_taken_back_does_not_bring_back_what_was_cancelled() -> None:
    session = table(*THREE[:4], "hand", "leave 1", "down D1", "cancel 1", "undo")
    assert session.state.down is None
    assert not session.state.asked


def test_what_was_carried_out_with_the_push_is_past_the_reach_of_an_undo() -> None:
    session = table(*THREE, "leave 2", "buy 3 50", *FOLDED)
    assert refusal(session, "undo")[0] == "wrong_phase"
    say(session, "buy 1 10", "undo")
    assert refusal(session, "undo")[0] == "wrong_phase"
    assert stacks(session) == {1: 198_00, 3: 250_00}


# What no longer fits, and logs that were changed


def test_what_is_not_possible_any_more_is_said_in_the_log_and_the_rest_is_carried_out() -> None:
    """Nothing at the table can do this today; whatever does, nothing is lost in silence."""
    session = table(*THREE, "fold", "fold")
    taken = Asked(session.state.seq, SeatChange("seat", 2, "Hal", 90_00))
    chips = Asked(session.state.seq, SeatChange("buy", 1, amount=10_00))
    made = decide(replace(session.state, asked=(taken, chips)), hand.Push())
    *_, dropped, bought = made.events
    assert isinstance(dropped, SeatChangeDropped)
    assert (dropped.asked_in, dropped.why) == (1, "Seat 2 is taken by 'Ben'.")
    assert event_line(dropped) == (
        "! seat 2 Hal sits down with 90, asked for in hand 1: not done. Seat 2 is taken by 'Ben'."
    )
    assert event_line(bought) == "seat 1 adds 10, asked for in hand 1"
    assert not made.state.asked


def test_a_log_that_carries_out_what_nobody_asked_for_does_not_fit() -> None:
    between = table(*THREE, *FOLDED).state
    with pytest.raises(ValueError, match="not asked for"):
        apply(between, PlayerLeft(2, 202_00, asked_in=1))
    during = table(*THREE, "leave 2").state
    [asked] = during.asked
    with pytest.raises(ValueError, match="waits"):
        apply(during, SeatChangeCancelled(asked.seq + 1, asked.change))


def test_a_log_that_starts_a_hand_before_it_has_carried_out_what_waits_does_not_fit() -> None:
    between = table(*THREE, *FOLDED).state
    started = decide(between, StartHand()).events[0]
    forgotten = replace(between, asked=(Asked(9, SeatChange("leave", 2)),))
    with pytest.raises(ValueError, match="not carried out"):
        apply(forgotten, started)


def test_the_words_of_what_waits() -> None:
    session = table(*THREE)
    for line in ("leave 3", "away 1", "back 1", "buy 1 50", "seat 7 Gus 90", "seat 8 Hal"):
        say(session, line)
    assert [event_line(record) for record in _asked(session)] == [
        "seat 3 leaves when the hand ends",
        "seat 1 AWAY when the hand ends",
        "seat 1 back when the hand ends",
        "seat 1 adds 50 when the hand ends",
        "seat 7 Gus sits down with 90 when the hand ends",
        "seat 8 Hal sits down when the hand ends",
    ]


def _asked(session: Session) -> list[Any]:
    return [SeatChangeAsked(asked.change) for asked in session.state.asked]

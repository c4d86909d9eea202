"""Random hands through the choices of the step, and random commands that nobody offered."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omaha_table.cards import DECK
from omaha_table.hand import Refused
from omaha_table.hand import commands as hand
from omaha_table.hand.phases import Street
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.table import commands as table
from tests.machine import Evening, command_for, open_game

if TYPE_CHECKING:
    from omaha_table.table.commands import TableCommand

SLOW = settings(
    max_examples=int(os.environ.get("OMAHA_EXAMPLES", "150")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


UNFORESEEN = (
    *("bet_size", "raise_cap", "not_reopened", "nobody_to_call"),
    *("cards_speak", "no_such_seat", "wrong_phase"),
)


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    profile = load_profile(draw(st.sampled_from(shipped_ids())))
    limit = draw(st.sampled_from(profile.limits))
    evening = Evening(profile, limit.id)
    seats = draw(st.sets(st.integers(1, profile.seats.max), min_size=2))
    for seat in sorted(seats):
        chips = st.integers(1, 40 * limit.big_blind // 100) | st.integers(1, 3 * limit.big_blind)
        stack = draw(st.none() | chips.map(lambda dollars: dollars * 100) | chips)
        assert not isinstance(evening.do(table.SeatPlayer(seat, f"P{seat}", stack)), Refused)
    for command in open_game(evening.session.state, draw(st.sampled_from(sorted(seats)))):
        assert not isinstance(evening.do(command), Refused)
    return evening


@SLOW
@given(st.data())
def test_what_a_step_offers_can_be_done_and_every_hand_ends_with_every_chip(
    data: st.DataObject,
) -> None:
    evening = data.draw(evenings())
    for _ in range(data.draw(st.integers(1, 2))):
        if len(evening.session.state.present) < 2:
            break
        assert not isinstance(evening.do(table.StartHand()), Refused)
        for _ in range(400):
            if evening.session.state.hand is None:
                break
            offered = {choice.word for choice in evening.session.step.choices}
            command = data.draw(command_for(evening))
            done = evening.do(command)
            if isinstance(done, Refused):
                # Only what the step cannot know beforehand: amounts of untracked stacks,
                # readings that go against tabled cards, a hand that the shoe is dealing.
                assert done.code in UNFORESEEN, (done.message, offered)
                if done.code == "wrong_phase":
                    assert isinstance(command, hand.Deal | hand.Muck), done.message
                finish(evening)
            if data.draw(st.integers(0, 9)) == 9:
                evening.do(hand.Undo())
        else:
            raise AssertionError("the hand does not end")
    evening.check_log()


def finish(evening: Evening) -> None:
    """Takes the plainest choice, so that a refused try does not stop the hand."""
    plain = {"check": hand.Act("check"), "call": hand.Act("call"), "fold": hand.Act("fold")}
    for choice in reversed(evening.session.step.choices):
        if choice.word in plain:
            assert not isinstance(evening.do(plain[choice.word]), Refused)
            return
    if evening.session.step.what == "deal":
        evening.do(hand.DealCard())


cards = st.sampled_from(DECK)
seat_numbers = st.integers(-1, 12)
amounts = st.none() | st.integers(-100, 30_000)
verbs = st.sampled_from(["fold", "check", "call", "bet", "raise", "allin"])
any_command: st.SearchStrategy[TableCommand] = st.one_of(
    st.builds(hand.Act, verbs, amounts, st.none() | seat_numbers),
    st.builds(hand.ActUntil, st.sampled_from(["fold", "check", "call"]), st.none() | seat_numbers),
    st.builds(hand.FoldOutOfTurn, seat_numbers),
    st.just(hand.Deal()),
    st.builds(hand.DealCard, st.none() | cards),
    st.builds(hand.TimeIsUp, st.sampled_from([0, 2_000_000_000])),
    st.just(table.CancelClock()),
    st.just(hand.Burn()),
    st.builds(hand.Board, st.sampled_from(Street), st.lists(cards, max_size=5).map(tuple)),
    st.builds(hand.Show, seat_numbers, st.lists(cards, max_size=6).map(tuple)),
    st.builds(hand.Muck, seat_numbers),
    st.builds(
        hand.Read, st.sampled_from(["high", "low"]), st.lists(seat_numbers, max_size=3).map(tuple)
    ),
    st.just(hand.Push()),
    st.just(hand.Undo()),
    st.just(table.StartHand()),
    st.builds(table.SeatPlayer, seat_numbers, st.just("x"), amounts),
    st.builds(table.Leave, seat_numbers),
    st.builds(table.Away, seat_numbers),
    st.builds(table.Back, seat_numbers),
    st.builds(table.Buy, seat_numbers, st.integers(-5, 10_000)),
    st.builds(table.MoveSeat, seat_numbers, seat_numbers),
    st.builds(table.PostOwed, seat_numbers),
    st.builds(table.PushIn, st.just("D1")),
    st.just(table.PushOut()),
    st.builds(table.OpenShift, st.just("day"), st.just("B1"), st.just("J1")),
    st.just(table.CloseShift()),
    st.builds(table.Draw, seat_numbers, cards),
    st.builds(table.PlaceButton, seat_numbers),
    st.builds(table.ImportButton, seat_numbers),
    st.builds(table.ChangeLimit, st.sampled_from(["4-8", "2-5", "none"])),
    st.builds(
        table.ReportDeck, st.sampled_from(["ok", "bad", "manual"]), st.none() | st.integers(0, 60)
    ),
)


@SLOW
@given(evenings(), st.data())
def test_any_command_at_any_moment_is_carried_out_or_refused_and_nothing_between(
    evening: Evening, data: st.DataObject
) -> None:
    for _ in range(data.draw(st.integers(1, 60))):
        if data.draw(st.booleans()):
            evening.do(data.draw(any_command))
        elif evening.session.state.hand is None:
            evening.do(table.StartHand())
        else:
            evening.do(data.draw(command_for(evening)))
    evening.check_log()

"""An event that the rules would not have made is found, whatever is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import pytest

from omaha_table.cards import parse_card, parse_cards
from omaha_table.hand import apply as apply_to_hand
from omaha_table.hand import post, start
from omaha_table.hand.audit import fault_in
from omaha_table.hand.events import (
    Acted,
    BoardDealt,
    CardDealt,
    HandEnded,
    HandEvent,
    HoleCardsOut,
    StreetClosed,
)
from omaha_table.hand.phases import Street
from omaha_table.session import Session
from omaha_table.session.language import parse
from omaha_table.session.script import run_line
from omaha_table.table import apply, decide
from tests.evenings import placed

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.hand.events import ActionKind
    from omaha_table.hand.state import HandState
    from omaha_table.table import TableState
    from omaha_table.table.events import TableEvent

SCRIPT = (
    "seat 1 A 100\nseat 2 B 100\nseat 3 C 9\nseat 4 D 100\nbutton 4\n"
    "deal\n3 call\n4 raise\n1 fold\n"
    "2 call\n3 call\nflop 7c 5h 2s\n2 check\n3 check\n4 bet\n2 call\n3 call\n"
    "turn Kd\ncheck around\n"
    "river As\ncheck around\nhigh 2\nlow 4\npush\n"
)


def hand_events() -> list[tuple[HandState, HandEvent]]:
    """Every event of the hand with the state it came to."""
    profile = placed("ca_omaha_hilo")
    session = Session(profile, profile.limits[0])
    found: list[tuple[HandState, HandEvent]] = []
    for line in SCRIPT.splitlines():
        before = session.state
        answers = list(run_line(session, 1, line))
        assert not [a for a in answers if a["type"] == "refused"], answers
        state = before
        for event in _events(before, line):
            if state.hand is not None and isinstance(event, get_args(HandEvent)):
                found.append((state.hand, event))
            state = apply(state, event)
    return found


def _events(before: TableState, line: str) -> list[TableEvent]:
    return [*decide(before, parse(line)).events]  # type: ignore[arg-type]


EVENTS = hand_events()


def test_what_the_rules_made_is_sound() -> None:
    assert len(EVENTS) > 25
    for state, event in EVENTS:
        assert fault_in(state, event) == "", event


@pytest.mark.parametrize(
    "forge",
    [
        lambda event: replace(event, to=event.to + 1),
        lambda event: replace(event, amount=event.amount + 1),
        lambda event: replace(event, all_in=not event.all_in),
        lambda event: replace(event, seat=event.seat + 1),
    ],
    ids=["to", "amount", "all_in", "seat"],
)
def test_a_changed_action_is_found(forge: Callable[[Acted], Acted]) -> None:
    for state, event in EVENTS:
        if isinstance(event, Acted):
            forged = forge(event)
            assert fault_in(state, forged), forged


def test_another_action_is_found() -> None:
    others: dict[ActionKind, ActionKind] = {
        "fold": "check", "check": "call", "call": "raise", "raise": "call", "bet": "check"
    }  # fmt: skip
    for state, event in EVENTS:
        if isinstance(event, Acted) and not (event.action == "fold" and state.price == 0):
            assert fault_in(state, replace(event, action=others[event.action])), event


def test_a_changed_end_or_street_is_found() -> None:
    for state, event in EVENTS:
        if isinstance(event, StreetClosed):
            assert fault_in(state, replace(event, pot=event.pot + 1))
            assert fault_in(state, replace(event, returned={2: 100}))
        if isinstance(event, HandEnded):
            seat = next(iter(event.awards))
            more = event.awards | {seat: event.awards[seat] + 100}
            assert fault_in(state, replace(event, awards=more))
            assert fault_in(state, replace(event, fee=event.fee + 100))
            assert fault_in(state, replace(event, kill=3))


def dealt(*lines: str) -> HandState:
    """A hand of three with blinds of 2 and 4, before anything but these lines."""
    profile = placed("ca_omaha_hilo")
    session = Session(profile, profile.limits[0])
    for line in ("seat 1 A 100", "seat 2 B 100", "seat 3 C 100", "button 3", "hand", *lines):
        assert all(answer["type"] != "refused" for answer in run_line(session, 1, line))
    assert session.state.hand is not None
    return session.state.hand


def test_a_blind_is_posted_once_and_in_its_turn() -> None:
    posted = dealt()
    [small, big] = post(posted)
    begun = start(posted.setup.profile, posted.setup.limit, posted.setup.started)
    assert fault_in(begun, big) == "nobody owed this post"
    assert fault_in(begun, small) == ""
    half = apply_to_hand(begun, small)
    assert fault_in(half, small) == "nobody owed this post"
    assert fault_in(half, big) == ""
    assert fault_in(posted, big) == "nobody owed this post"


def test_cards_come_after_the_blinds() -> None:
    posted = dealt()
    begun = start(posted.setup.profile, posted.setup.limit, posted.setup.started)
    for event in (HoleCardsOut(1), CardDealt(0, "hole", 1, None, 1)):
        assert fault_in(begun, event) == "not everything was posted"
        assert fault_in(posted, event) == ""


def test_a_card_goes_to_the_next_slot_and_face_down_it_has_no_name() -> None:
    state = dealt("card ??")
    assert fault_in(state, CardDealt(1, "hole", 2, None, 2)) == ""
    for forged in (
        CardDealt(2, "hole", 3, None, 2),
        CardDealt(1, "hole", 3, None, 2),
        CardDealt(1, "burn", 2, None, 2),
        CardDealt(1, "hole", 2, parse_card("As"), 2),
        CardDealt(1, "hole", 2, None, 9),
    ):
        assert fault_in(state, forged) == "a different card was due"
    assert (
        fault_in(dealt("deal"), CardDealt(12, "burn", None, None, 2)) == "a different card was due"
    )


def test_the_board_has_the_cards_that_the_shoe_turned() -> None:
    limped = ("deal", "3 call", "1 call", "2 check")
    state = dealt(*limped, "card ??", "card 7c", "card 5h")
    turned = parse_cards("7c 5h 2s")
    assert fault_in(state, BoardDealt(Street.FLOP, turned, state.entry + 1)) == ""
    other = BoardDealt(Street.FLOP, parse_cards("7c 6h 2s"), state.entry + 1)
    assert "has already turned" in fault_in(state, other)
    assert fault_in(dealt(*limped), BoardDealt(Street.TURN, parse_cards("2s"), 5))

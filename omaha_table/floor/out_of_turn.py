"""Rulings on action out of turn: it stands, or the seat is released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.spec import Effect, check, hand_of, no_hand_in_play, refused, why_not_in_hand
from omaha_table.hand import events as hand_events
from omaha_table.hand.phases import Phase

if TYPE_CHECKING:
    from omaha_table.floor.params import Before
    from omaha_table.hand import HandState, Refused
    from omaha_table.hand.events import ActionKind
    from omaha_table.table import TableState


def _waiting(hand: HandState) -> list[int]:
    """The seats that still wait for their turn."""
    if hand.phase is not Phase.BETTING:
        return []
    return [seat for seat in hand.able if seat != hand.actor]


def why_none_bound(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    return None if _waiting(hand) else refused(state, "wrong_phase", "nobody waits for a turn")


def why_not_waiting(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    out = why_not_in_hand(state, seat)
    if out is not None or seat in _waiting(hand_of(state)):
        return out
    return refused(state, "wrong_phase", f"seat {seat} is not waiting for its turn")


def why_not_done(state: TableState, action: ActionKind, before: Before) -> Refused | None:
    """Why a seat cannot have taken an action out of turn."""
    hand, seat = hand_of(state), before[0]
    facing = hand.seats[seat].bet < hand.price
    if (action in ("check", "bet") and facing) or (action in ("call", "raise") and not hand.price):
        return refused(
            state,
            "wrong_phase",
            f"seat {seat} could not {action}: there is {'a' if facing else 'no'} bet",
        )
    return None


def bind(state: TableState, seat: int, action: ActionKind) -> Effect:
    hand = hand_of(state)
    check(why_not_waiting(state, seat))
    check(why_not_done(state, action, (seat,)))
    return Effect(
        f"Seat {seat}'s {action} out of turn stands unless the bet changes before its turn.",
        [hand_events.ActionBound(seat, action, hand.price, hand.entry + 1)],
    )


def why_none_released(state: TableState) -> Refused | None:
    if state.hand is None:
        return no_hand_in_play(state)
    if state.hand.bound:
        return None
    return refused(state, "wrong_phase", "no seat is bound to an action")


def why_not_bound(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    if seat not in hand_of(state).bound:
        return refused(state, "wrong_phase", f"seat {seat} is not bound to an action")
    return None


def release(state: TableState, seat: int) -> Effect:
    hand = hand_of(state)
    check(why_not_bound(state, seat))
    return Effect(
        f"Seat {seat} has all options when its turn comes.",
        [hand_events.ActionReleased(seat, hand.entry + 1)],
    )

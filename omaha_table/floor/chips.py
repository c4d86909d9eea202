"""Rulings on stacks: what a seat can pay, and chips that go from seat to seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.floor.params import Range
from omaha_table.floor.spec import (
    Effect,
    check,
    hand_in_play,
    no_hand,
    nobody_there,
    refused,
    seated,
    tracked,
)
from omaha_table.money import Cents, format_dollars
from omaha_table.table import events
from omaha_table.table.decisions import MOST_BOUGHT

if TYPE_CHECKING:
    from omaha_table.floor.params import Before
    from omaha_table.hand import Refused
    from omaha_table.table import TableState

Way: TypeAlias = Literal["up", "down"]
SMALLEST = 1
"""The smallest amount: if anything can be moved, a cent can."""


def problem_with_paying(state: TableState, seat: int, amount: Cents) -> Refused | None:
    stack = tracked(state, seat)
    if not amount:
        return refused(state, "chips", "the amount must be more than $0")
    if stack is not None and stack < amount:
        return refused(state, "chips", f"seat {seat} has only {format_dollars(stack)}")
    hand = state.hand
    if hand is not None and stack == amount and seat in hand.contenders:
        return refused(
            state, "chips", f"seat {seat} is in the hand and must keep a chip until it ends"
        )
    return None


def why_no_transfer(state: TableState) -> Refused | None:
    if state.hand is not None:
        return hand_in_play(state)
    if any(why_not_from(state, seat) is None for seat in state.seats):
        return None
    return refused(state, "chips", "no seat has chips that can be moved")


def why_not_from(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    """Why no chips can go from a seat to any other."""
    if seat not in state.seats:
        return nobody_there(state, seat)
    pairs = [problem_with_pair(state, seat, to) for to in state.seats if to != seat]
    if not pairs:
        return refused(state, "no_such_seat", "nobody else is at the table")
    if None not in pairs:
        return pairs[0]
    return problem_with_paying(state, seat, SMALLEST)


def why_not_to(state: TableState, to: int, before: Before) -> Refused | None:
    """Why chips cannot go to a seat from the one that was named before it."""
    return nobody_there(state, to) or problem_with_pair(state, before[-1], to)


def behind(state: TableState, before: Before) -> Range | None:
    """What the seat that was named first among the last two has in front of it."""
    seat = before[-2]
    stack = tracked(state, seat)
    return None if stack is None else Range(f"Seat {seat} has {format_dollars(stack)}.", stack)


def transfer(state: TableState, seat: int, to: int, amount: Cents) -> Effect:
    no_hand(state)
    seated(state, seat)
    seated(state, to)
    check(problem_with_pair(state, seat, to))
    check(problem_with_paying(state, seat, amount))
    return Effect(
        f"{format_dollars(amount)} goes from seat {seat} to seat {to}.",
        [events.ChipsTransferred(None, seat, to, amount, adjusting=False)],
    )


def why_no_adjusting(state: TableState) -> Refused | None:
    if any(why_not_adjusted(state, seat) is None for seat in state.seats):
        return None
    return refused(state, "chips", "no seat has a stack that can be corrected")


def why_not_adjusted(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    """Why the stack of a seat cannot be corrected either way."""
    up = nobody_there(state, seat) or _problem_with_adjusting(state, seat, SMALLEST)
    return None if up is None or _problem_with_adjusting(state, seat, -SMALLEST) is None else up


def _problem_with_adjusting(state: TableState, seat: int, amount: Cents) -> Refused | None:
    """Chips behind can be added to or, if the amount is negative, taken from a stack."""
    if seat not in state.seats:
        return nobody_there(state, seat)
    if tracked(state, seat) is None:
        return refused(state, "chips", f"seat {seat}'s stack is not tracked: there is no count")
    if amount < 0:
        return problem_with_paying(state, seat, -amount)
    if not 0 < amount <= MOST_BOUGHT:
        return refused(
            state, "chips", f"an amount is more than $0 and at most {format_dollars(MOST_BOUGHT)}"
        )
    hand = state.hand
    if hand is not None and seat in hand.contenders and hand.seats[seat].all_in:
        return refused(
            state,
            "chips",
            f"seat {seat} is all in with the stack as it was counted: back up the all-in first",
        )
    return None


def adjustable(state: TableState, before: Before) -> Range | None:
    seat, way = before[-2:]
    stack = tracked(state, seat)
    if stack is None:
        return None
    most = stack if way == "down" else None
    return Range(f"Seat {seat} has {format_dollars(stack)}.", most)


def adjust(state: TableState, seat: int, way: Way, amount: Cents) -> Effect:
    signed = amount if way == "up" else -amount
    check(_problem_with_adjusting(state, seat, signed))
    before = tracked(state, seat) or 0
    # Counted together, so that a large sum in small parts takes two persons as well.
    whole = state.adjusted + amount
    return Effect(
        f"Seat {seat}'s stack goes {way} by {format_dollars(amount)}, from "
        f"{format_dollars(before)} to {format_dollars(before + signed)}. No other seat pays.",
        [events.StackAdjusted(seat, signed)],
        persons=2 if whole > state.profile.floor.two_persons_above else 1,
    )


def why_no_untracking(state: TableState) -> Refused | None:
    if state.hand is not None:
        return hand_in_play(state)
    if any(at.stack is not None for at in state.seats.values()):
        return None
    return refused(state, "chips", "no seat has a stack that is tracked")


def why_not_untracked(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    if seat not in state.seats:
        return nobody_there(state, seat)
    if state.seats[seat].stack is None:
        return refused(state, "chips", f"seat {seat}'s stack is not tracked")
    return None


def untrack(state: TableState, seat: int) -> Effect:
    no_hand(state)
    check(why_not_untracked(state, seat))
    stack = state.seats[seat].stack or 0
    # The dealer may count the chips down again, to any sum: it takes as many persons as adding it.
    whole = state.adjusted + stack
    return Effect(
        f"Seat {seat}'s chips are not tracked any more; the last count was "
        f"{format_dollars(stack)}. The dealer may count them down again.",
        [events.StackSet(seat, None, stack)],
        persons=2 if whole > state.profile.floor.two_persons_above else 1,
    )


def problem_with_pair(state: TableState, seat: int, to: int) -> Refused | None:
    both = [tracked(state, seat), tracked(state, to)]
    if seat == to:
        return refused(state, "no_such_seat", "name two different seats")
    if (both[0] is None) != (both[1] is None):
        return refused(
            state, "chips", "only one of the two stacks is tracked: the chips would not add up"
        )
    return None

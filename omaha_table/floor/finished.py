"""Rulings on hands that were pushed: chips that went wrong, are held or refunded."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from omaha_table.floor.chips import SMALLEST, problem_with_pair, problem_with_paying
from omaha_table.floor.params import Option, Range
from omaha_table.floor.spec import (
    Effect,
    check,
    nobody_there,
    refused,
    seated,
    tracked,
)
from omaha_table.money import Cents, format_dollars
from omaha_table.table import events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.floor.params import Before
    from omaha_table.hand import Refused
    from omaha_table.table import TableState
    from omaha_table.table.state import Result


def last_hand(state: TableState) -> int:
    """The number of the last finished hand; a hand that was called off does not count."""
    return state.results[-1].number if state.results else 0


def _result(state: TableState, number: int) -> Result:
    if not 1 <= number <= last_hand(state):
        raise refused(state, "no_such_hand", f"hand {number} has not been played", "floor")
    for result in state.results:
        if result.number == number:
            return result
    raise refused(
        state, "no_such_hand", f"hand {number} is too old to correct at the table", "floor"
    )


def _is_same_player(state: TableState, result: Result, seat: int) -> bool:
    """Whether the seat still has the player who was in the hand."""
    at = state.seats.get(seat)
    return at is not None and at.sitting == result.sittings.get(seat)


def _same_player(state: TableState, result: Result, seat: int) -> None:
    seated(state, seat)
    if not _is_same_player(state, result, seat):
        raise _new_player(state, result, seat)


def _new_player(state: TableState, result: Result, seat: int) -> Refused:
    return refused(
        state, "no_such_seat", f"seat {seat} has a new player since hand {result.number}"
    )


def substantial_action(state: TableState) -> bool:
    """Whether the current hand has gone so far that the hand before it is settled."""
    hand = state.hand
    if hand is None:
        return False
    return bool(hand.board) or hand.actions >= 3 or (hand.actions >= 2 and hand.chip_actions >= 1)


def why_no_amending(state: TableState) -> Refused | None:
    if not state.results:
        return no_hand_played(state)
    if any(_pairs_to_amend(state, result) for result in state.results):
        return None
    return refused(state, "no_such_seat", "no chips of the last hands can be moved")


def no_hand_played(state: TableState) -> Refused:
    return refused(state, "no_such_hand", "no hand has been played", "floor")


def _pairs_to_amend(state: TableState, result: Result) -> list[tuple[int, int]]:
    """The seats between which chips of a finished hand can be moved: from, to."""
    same = [seat for seat in result.invested if _is_same_player(state, result, seat)]
    return [
        (seat, to)
        for seat, to in permutations(same, 2)
        if _is_late(state, result.number)
        or (
            problem_with_pair(state, seat, to) is None
            and problem_with_paying(state, seat, SMALLEST) is None
        )
    ]


def hands_to_amend(state: TableState) -> Iterator[Option]:
    for result in reversed(state.results):
        if _pairs_to_amend(state, result):
            yield Option(str(result.number), told(result))


def told(result: Result) -> str:
    """A finished hand in a few words."""
    won = ", ".join(
        f"{format_dollars(cents)} to seat {seat}" for seat, cents in result.awards.items() if cents
    )
    fee = f"; fee {format_dollars(result.fee)}" if result.fee else ""
    return f"hand {result.number}: {won}{fee}"


def why_not_amended(state: TableState, seat: int, before: Before) -> Refused | None:
    """Why chips of a hand cannot go from this seat, or to it from the seat named before."""
    result = _result(state, before[0])
    if seat not in result.invested:
        return refused(
            state, "no_such_seat", f"seat {seat} was not dealt into hand {result.number}"
        )
    if not _is_same_player(state, result, seat):
        return nobody_there(state, seat) or _new_player(state, result, seat)
    pairs = _pairs_to_amend(state, result)
    ends = [(one, other) for one, other in pairs if len(before) == 1 or one == before[1]]
    if any(pair[len(before) - 1] == seat for pair in ends):
        return None
    if tracked(state, seat) is None:
        text = f"seat {seat}'s chips are not tracked: move them by hand; adjust corrects a stack"
        return refused(state, "chips", text)
    return refused(state, "chips", f"no chips can go {'from' if len(before) == 1 else 'to'} seat "
                   f"{seat}")  # fmt: skip


def _is_late(state: TableState, number: int) -> bool:
    """Whether a hand can no longer be amended."""
    return number < last_hand(state) or substantial_action(state)


def amend(state: TableState, number: int, seat: int, to: int, amount: Cents) -> Effect:
    result = _result(state, number)
    if seat not in result.invested or to not in result.invested:
        raise refused(state, "no_such_seat", f"both seats must have been dealt into hand {number}")
    if seat == to or not amount:
        raise refused(state, "chips", "name two different seats and an amount")
    _same_player(state, result, seat)
    _same_player(state, result, to)
    if _is_late(state, number):
        return Effect(
            f"It is too late to amend hand {number}: an adjusting entry of "
            f"{format_dollars(amount)} from seat {seat} to seat {to} is recorded, but no "
            "chips move.",
            [events.ChipsTransferred(number, seat, to, amount, adjusting=True)],
        )
    check(problem_with_pair(state, seat, to))
    check(problem_with_paying(state, seat, amount))
    return Effect(
        f"Hand {number} is amended: {format_dollars(amount)} goes from seat {seat} to seat {to}.",
        [events.ChipsTransferred(number, seat, to, amount, adjusting=False)],
    )


def why_no_impounding(state: TableState) -> Refused | None:
    if not state.results:
        return no_hand_played(state)
    if any(why_not_impounded(state, seat) is None for seat in state.results[-1].awards):
        return None
    return refused(state, "chips", "no winner of the last hand has chips to hold")


def why_not_impounded(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    result = state.results[-1]
    if not _is_same_player(state, result, seat):
        return nobody_there(state, seat) or _new_player(state, result, seat)
    if _held_of(state, result, seat) + SMALLEST > result.awards.get(seat, 0):
        return _won_only(state, result, seat)
    return problem_with_paying(state, seat, SMALLEST)


def _won_only(state: TableState, result: Result, seat: int) -> Refused:
    won = result.awards.get(seat, 0)
    return refused(
        state, "chips", f"seat {seat} won only {format_dollars(won)} in hand {result.number}"
    )


def won_last(state: TableState, before: Before) -> Range | None:
    result, seat = state.results[-1], before[0]
    most = result.awards.get(seat, 0) - _held_of(state, result, seat)
    stack = tracked(state, seat)
    return Range(
        f"Seat {seat} won {format_dollars(result.awards.get(seat, 0))} in hand {result.number}.",
        most if stack is None else min(most, stack),
        most if stack is None else min(most, stack),
    )


def _held_of(state: TableState, result: Result, seat: int) -> Cents:
    return state.impounded.get(result.number, {}).get(seat, 0)


def impound(state: TableState, seat: int, amount: Cents) -> Effect:
    number = last_hand(state)
    result = _result(state, number)
    _same_player(state, result, seat)
    if amount + _held_of(state, result, seat) > result.awards.get(seat, 0):
        raise _won_only(state, result, seat)
    check(problem_with_paying(state, seat, amount))
    return Effect(
        f"The floor holds {format_dollars(amount)} from hand {number} until it is settled.",
        [events.PotImpounded(number, seat, amount)],
    )


def why_no_releasing(state: TableState) -> Refused | None:
    if not state.impounded:
        return refused(state, "chips", "no chips are held")
    if any(True for _ in hands_held(state)):
        return None
    return refused(state, "chips", "no seat can be paid the chips that are held")


def hands_held(state: TableState) -> Iterator[Option]:
    """The hands from which chips are held that somebody can be paid."""
    for number, held in state.impounded.items():
        if any(why_not_paid(state, seat, (number,)) is None for seat in state.seats):
            yield Option(str(number), f"hand {number}: {told_held(held)}")


def told_held(held: dict[int, Cents]) -> str:
    return " and ".join(f"{format_dollars(cents)} from seat {seat}" for seat, cents in held.items())


def why_not_paid(state: TableState, seat: int, before: Before) -> Refused | None:
    return nobody_there(state, seat) or _problem_with_releasing(state, before[0], seat)


def held_from(state: TableState, before: Before) -> Range | None:
    held = sum(state.impounded.get(before[0], {}).values())
    return Range(f"{format_dollars(held)} is held from hand {before[0]}.", held, held)


def _problem_with_releasing(state: TableState, number: int, seat: int) -> Refused | None:
    """Tracked chips go only to a tracked stack, and untracked chips to an untracked one."""
    counted = tracked(state, seat) is not None
    for source in state.impounded.get(number, {}):
        if source in state.seats and (tracked(state, source) is not None) != counted:
            return refused(
                state, "chips", "only one of the two stacks is tracked: the chips would not add up"
            )
    return None


def release_impound(state: TableState, number: int, seat: int, amount: Cents) -> Effect:
    held = sum(state.impounded.get(number, {}).values())
    check(_problem_with_releasing(state, number, seat))
    if not 0 < amount <= held:
        raise refused(state, "chips", f"only {format_dollars(held)} from hand {number} is held")
    return Effect(
        f"Seat {seat} is paid {format_dollars(amount)} from hand {number}.",
        [events.ImpoundReleased(number, seat, amount)],
    )


def why_no_refund(state: TableState) -> Refused | None:
    if not state.seats:
        return refused(state, "no_such_seat", "nobody is at the table")
    if any(True for _ in hands_with_fee(state)):
        return None
    return refused(state, "chips", "no fee of the last hands is in this drop box", "boxes")


def hands_with_fee(state: TableState) -> Iterator[Option]:
    for result in reversed(state.results):
        if result.fee and state.box.has_drop_of(result):
            yield Option(str(result.number), told(result))


def fee_of(state: TableState, before: Before) -> Range | None:
    fee = _result(state, before[0]).fee
    return Range(f"The fee in hand {before[0]} was {format_dollars(fee)}.", fee, fee)


def return_fee(state: TableState, number: int, seat: int, amount: Cents) -> Effect:
    result = _result(state, number)
    seated(state, seat)
    if not state.box.has_drop_of(result):
        raise refused(
            state,
            "wrong_phase",
            "the drop box of that hand is closed: the cage pays the refund",
            "boxes",
        )
    if not 0 < amount <= result.fee:
        raise refused(
            state, "chips", f"the fee in hand {number} was only {format_dollars(result.fee)}"
        )
    return Effect(
        f"Seat {seat} gets back {format_dollars(amount)} of the fee of hand {number}.",
        [events.FeeReturned(number, seat, amount)],
    )

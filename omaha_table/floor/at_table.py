"""Rulings on the table: finished hands, chips, button, devices, closing.

As in `in_hand`, each ruling has a function that says whether it is possible now.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.floor.spec import Effect, check, hand_of, no_hand, refused, seated, tracked
from omaha_table.hand.phases import Phase
from omaha_table.money import Cents, format_dollars
from omaha_table.table import events

if TYPE_CHECKING:
    from omaha_table.hand import Refused
    from omaha_table.table import TableState
    from omaha_table.table.state import Result

CLOCK_SECONDS = 30
SMALLEST = 1
"""The smallest amount: if anything can be moved, a cent can."""
Device: TypeAlias = Literal["shuffler", "shoe"]


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


def _problem_with_paying(state: TableState, seat: int, amount: Cents) -> Refused | None:
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


def _is_same_player(state: TableState, result: Result, seat: int) -> bool:
    """Whether the seat still has the player who was in the hand."""
    at = state.seats.get(seat)
    return at is not None and at.sitting == result.sittings.get(seat)


def _same_player(state: TableState, result: Result, seat: int) -> None:
    seated(state, seat)
    if not _is_same_player(state, result, seat):
        raise refused(
            state, "no_such_seat", f"seat {seat} has a new player since hand {result.number}"
        )


def can_transfer(state: TableState) -> bool:
    return state.hand is None and any(
        _problem_with_pair(state, seat, to) is None
        and _problem_with_paying(state, seat, SMALLEST) is None
        for seat, to in permutations(state.seats, 2)
    )


def transfer(state: TableState, seat: int, to: int, amount: Cents) -> Effect:
    no_hand(state)
    seated(state, seat)
    seated(state, to)
    check(_problem_with_pair(state, seat, to))
    check(_problem_with_paying(state, seat, amount))
    return Effect(
        f"{format_dollars(amount)} goes from seat {seat} to seat {to}.",
        [events.ChipsTransferred(None, seat, to, amount, adjusting=False)],
    )


def _problem_with_pair(state: TableState, seat: int, to: int) -> Refused | None:
    both = [tracked(state, seat), tracked(state, to)]
    if seat == to:
        return refused(state, "no_such_seat", "name two different seats")
    if (both[0] is None) != (both[1] is None):
        return refused(
            state, "chips", "only one of the two stacks is tracked: the chips would not add up"
        )
    return None


def substantial_action(state: TableState) -> bool:
    """Whether the current hand has gone so far that the hand before it is settled."""
    hand = state.hand
    if hand is None:
        return False
    return bool(hand.board) or hand.actions >= 3 or (hand.actions >= 2 and hand.chip_actions >= 1)


def can_amend(state: TableState) -> bool:
    for result in state.results:
        same = [seat for seat in result.invested if _is_same_player(state, result, seat)]
        for seat, to in permutations(same, 2):
            if _is_late(state, result.number):
                return True
            if (
                _problem_with_pair(state, seat, to) is None
                and _problem_with_paying(state, seat, SMALLEST) is None
            ):
                return True
    return False


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
    check(_problem_with_pair(state, seat, to))
    check(_problem_with_paying(state, seat, amount))
    return Effect(
        f"Hand {number} is amended: {format_dollars(amount)} goes from seat {seat} to seat {to}.",
        [events.ChipsTransferred(number, seat, to, amount, adjusting=False)],
    )


def can_impound(state: TableState) -> bool:
    if not state.results:
        return False
    result = state.results[-1]
    return any(
        _is_same_player(state, result, seat)
        and _held_of(state, result, seat) + SMALLEST <= won
        and _problem_with_paying(state, seat, SMALLEST) is None
        for seat, won in result.awards.items()
    )


def _held_of(state: TableState, result: Result, seat: int) -> Cents:
    return state.impounded.get(result.number, {}).get(seat, 0)


def impound(state: TableState, seat: int, amount: Cents) -> Effect:
    number = last_hand(state)
    result = _result(state, number)
    _same_player(state, result, seat)
    if amount + _held_of(state, result, seat) > result.awards.get(seat, 0):
        raise refused(
            state,
            "chips",
            f"seat {seat} won only {format_dollars(result.awards.get(seat, 0))} in hand {number}",
        )
    check(_problem_with_paying(state, seat, amount))
    return Effect(
        f"The floor holds {format_dollars(amount)} from hand {number} until it is settled.",
        [events.PotImpounded(number, seat, amount)],
    )


def can_release_impound(state: TableState) -> bool:
    return any(
        _problem_with_releasing(state, number, seat) is None
        for number in state.impounded
        for seat in state.seats
    )


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


def can_return_fee(state: TableState) -> bool:
    return bool(state.seats) and any(
        result.fee and result.box == state.box.name for result in state.results
    )


def return_fee(state: TableState, number: int, seat: int, amount: Cents) -> Effect:
    result = _result(state, number)
    seated(state, seat)
    if result.box != state.box.name:
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


def can_move_button(state: TableState) -> bool:
    return state.hand is None and bool(state.present)


def move_button(state: TableState, seat: int) -> Effect:
    no_hand(state)
    if not seated(state, seat).present:
        raise refused(state, "no_such_seat", f"seat {seat} is away or has no chips")
    return Effect(
        f"Seat {seat} has the button in the next hand.", [events.ButtonPlaced(seat, "placed")]
    )


def can_waive_kill(state: TableState) -> bool:
    return state.hand is None and any(at.owes_kill for at in state.seats.values())


def waive_kill(state: TableState, seat: int) -> Effect:
    no_hand(state)
    if not seated(state, seat).owes_kill:
        raise refused(state, "wrong_phase", f"seat {seat} owes no kill", "kill.absent")
    return Effect(f"Seat {seat} no longer owes a kill.", [events.KillWaived(seat)])


def can_name_no_hand(state: TableState) -> bool:
    by_floor = state.profile.seats.no_hand_seat == "floor"
    return state.hand is None and by_floor and bool(state.seats)


def name_no_hand(state: TableState, seat: int) -> Effect:
    no_hand(state)
    seated(state, seat)
    if state.profile.seats.no_hand_seat != "floor":
        raise refused(
            state,
            "wrong_phase",
            "the rules of this game decide who gets no hand",
            "seats.no_hand_seat",
        )
    return Effect(
        f"Seat {seat} gets no hand next if there are too many players.",
        [events.NoHandSeatNamed(seat)],
    )


def can_take_out_device(state: TableState) -> bool:
    return not {"shuffler", "shoe"} <= state.devices_out


def take_out_device(state: TableState, device: Device) -> Effect:
    if device in state.devices_out:
        raise refused(state, "wrong_phase", f"the {device} is already out of use", "devices")
    return Effect(
        f"The {device} is out of use; the table continues by hand.", [events.DeviceTakenOut(device)]
    )


def can_restore_device(state: TableState) -> bool:
    return bool(state.devices_out)


def restore_device(state: TableState, device: Device) -> Effect:
    if device not in state.devices_out:
        raise refused(state, "wrong_phase", f"the {device} is in use", "devices")
    return Effect(f"The {device} is in use again.", [events.DeviceRestored(device)])


def can_readmit_deck(state: TableState) -> bool:
    return bool(state.decks_out)


def readmit_deck(state: TableState, back: str) -> Effect:
    if back not in state.decks_out:
        out = ", ".join(sorted(state.decks_out)) or "none"
        raise refused(
            state, "wrong_phase", f"that deck is not out of play; these are: {out}", "shuffle"
        )
    return Effect(
        f"The {back} deck may be shuffled and counted again.", [events.DeckReadmitted(back)]
    )


def can_call_clock(state: TableState) -> bool:
    hand = state.hand
    return hand is not None and hand.phase is Phase.BETTING and hand.actor is not None


def call_clock(state: TableState, seat: int) -> Effect:
    hand = hand_of(state)
    if hand.phase is not Phase.BETTING or hand.actor != seat:
        raise refused(state, "wrong_phase", f"the action is not on seat {seat}")
    return Effect(
        f"Seat {seat} has {CLOCK_SECONDS} seconds to act; then its hand is dead, or it checks.",
        [events.ClockCalled(seat, CLOCK_SECONDS)],
    )


def can_close(state: TableState) -> bool:
    return state.hand is None and not state.impounded


def close(state: TableState) -> Effect:
    no_hand(state)
    if state.impounded:
        held = ", ".join(map(str, state.impounded))
        raise refused(
            state,
            "wrong_phase",
            f"chips from hand {held} are still held: pay them out first",
            "closing",
        )
    return Effect("The table is closed; no more hands are dealt.", [events.TableClosed()])

"""Rulings on the table: finished hands, chips, button, devices, closing.

As for the hand: beside each ruling stands whether it fits the moment.
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
"""Of amounts: what can be moved at all can be moved as a cent."""
Device: TypeAlias = Literal["shuffler", "shoe"]


def last_hand(state: TableState) -> int:
    """The number of the last hand that was played to its end; one called off does not count."""
    return state.results[-1].number if state.results else 0


def _result(state: TableState, number: int) -> Result:
    if not 1 <= number <= last_hand(state):
        raise refused(state, "no_such_hand", f"hand {number} has not been played", "floor")
    for result in state.results:
        if result.number == number:
            return result
    raise refused(
        state, "no_such_hand", f"hand {number} is too long ago: the books hold it", "floor"
    )


def _problem_with_paying(state: TableState, seat: int, amount: Cents) -> Refused | None:
    stack = tracked(state, seat)
    if not amount:
        return refused(state, "chips", "an amount of $0 changes nothing")
    if stack is not None and stack < amount:
        return refused(
            state, "chips", f"seat {seat} has {format_dollars(stack)}: chips cannot appear"
        )
    hand = state.hand
    if hand is not None and stack == amount and seat in hand.contenders:
        return refused(
            state, "chips", f"seat {seat} is in a hand: it must keep a chip until its end"
        )
    return None


def _is_same_player(state: TableState, result: Result, seat: int) -> bool:
    """Whether the one who sits there now is the one who was in the hand."""
    at = state.seats.get(seat)
    return at is not None and at.sitting == result.sittings.get(seat)


def _same_player(state: TableState, result: Result, seat: int) -> None:
    seated(state, seat)
    if not _is_same_player(state, result, seat):
        raise refused(
            state, "no_such_seat", f"seat {seat} is another player than in hand {result.number}"
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
            state, "chips", "one stack is tracked and the other is not: chips would appear"
        )
    return None


def substantial_action(state: TableState) -> bool:
    """Whether the hand now played has come so far that the one before is settled."""
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
        raise refused(state, "no_such_seat", f"name seats that had a hand in hand {number}")
    if seat == to or not amount:
        raise refused(state, "chips", "name two different seats and an amount")
    _same_player(state, result, seat)
    _same_player(state, result, to)
    if _is_late(state, number):
        return Effect(
            f"Hand {number} can no longer be amended: an adjusting entry of "
            f"{format_dollars(amount)} from seat {seat} to seat {to} is made, no chips move.",
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
            f"seat {seat} won {format_dollars(result.awards.get(seat, 0))} in hand {number}",
        )
    check(_problem_with_paying(state, seat, amount))
    return Effect(
        f"{format_dollars(amount)} of hand {number} is held by the floor until it is cleared up.",
        [events.PotImpounded(number, seat, amount)],
    )


def can_release_impound(state: TableState) -> bool:
    return any(
        _problem_with_releasing(state, number, seat) is None
        for number in state.impounded
        for seat in state.seats
    )


def _problem_with_releasing(state: TableState, number: int, seat: int) -> Refused | None:
    """Chips that were counted go to a counted stack, and others to one that is not."""
    counted = tracked(state, seat) is not None
    for source in state.impounded.get(number, {}):
        if source in state.seats and (tracked(state, source) is not None) != counted:
            return refused(
                state, "chips", "one stack is tracked and the other is not: chips would appear"
            )
    return None


def release_impound(state: TableState, number: int, seat: int, amount: Cents) -> Effect:
    held = sum(state.impounded.get(number, {}).values())
    check(_problem_with_releasing(state, number, seat))
    if not 0 < amount <= held:
        raise refused(
            state, "chips", f"{format_dollars(held)} of hand {number} is held: no more can be paid"
        )
    return Effect(
        f"{format_dollars(amount)} of hand {number} is paid to seat {seat}.",
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
            state, "wrong_phase", "the box of that hand is closed: the cage pays", "boxes"
        )
    if not 0 < amount <= result.fee:
        raise refused(
            state, "chips", f"a fee of {format_dollars(result.fee)} was taken in hand {number}"
        )
    return Effect(
        f"{format_dollars(amount)} of the fee of hand {number} goes back to seat {seat}.",
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


def can_name_no_hand(state: TableState) -> bool:
    by_floor = state.profile.seats.no_hand_seat == "floor"
    return state.hand is None and by_floor and bool(state.seats)


def name_no_hand(state: TableState, seat: int) -> Effect:
    no_hand(state)
    seated(state, seat)
    if state.profile.seats.no_hand_seat != "floor":
        raise refused(
            state, "wrong_phase", "the profile says who gets no hand", "seats.no_hand_seat"
        )
    return Effect(
        f"Seat {seat} gets no hand next, if too many are ready.", [events.NoHandSeatNamed(seat)]
    )


def can_take_out_device(state: TableState) -> bool:
    return not {"shuffler", "shoe"} <= state.devices_out


def take_out_device(state: TableState, device: Device) -> Effect:
    if device in state.devices_out:
        raise refused(state, "wrong_phase", f"the {device} is out of use already", "devices")
    return Effect(
        f"The {device} is out of use; the table goes on by hand.", [events.DeviceTakenOut(device)]
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
        raise refused(state, "wrong_phase", f"that deck is not out of play; out: {out}", "shuffle")
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
        f"Seat {seat} has {CLOCK_SECONDS} seconds; then its hand is dead, or it checks.",
        [events.ClockCalled(seat, CLOCK_SECONDS)],
    )


def can_close(state: TableState) -> bool:
    return state.hand is None and not state.impounded


def close(state: TableState) -> Effect:
    no_hand(state)
    if state.impounded:
        held = ", ".join(map(str, state.impounded))
        raise refused(state, "wrong_phase", f"chips of hand {held} are still held", "closing")
    return Effect("The table is closed; no further hand is dealt.", [events.TableClosed()])

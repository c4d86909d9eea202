"""Rulings on the table: finished hands, chips, button, devices, closing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from omaha_table.floor.ruling import Decision, hand_of, no_hand, refused, seated, tracked
from omaha_table.hand.phases import Phase
from omaha_table.money import Cents, format_dollars
from omaha_table.table import events

if TYPE_CHECKING:
    from omaha_table.table import TableState
    from omaha_table.table.state import Result

CLOCK_SECONDS = 30


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


def _can_pay(state: TableState, seat: int, amount: Cents) -> None:
    stack = tracked(state, seat)
    if not amount:
        raise refused(state, "chips", "an amount of $0 changes nothing")
    if stack is not None and stack < amount:
        raise refused(
            state, "chips", f"seat {seat} has {format_dollars(stack)}: chips cannot appear"
        )
    hand = state.hand
    if hand is not None and stack == amount and seat in hand.contenders:
        raise refused(
            state, "chips", f"seat {seat} is in a hand: it must keep a chip until its end"
        )


def _same_player(state: TableState, result: Result, seat: int) -> None:
    """The one who sits there now is the one who was in the hand."""
    if seated(state, seat).sitting != result.sittings.get(seat):
        raise refused(
            state, "no_such_seat", f"seat {seat} is another player than in hand {result.number}"
        )


def transfer(state: TableState, seat: int, to: int, amount: Cents) -> Decision:
    no_hand(state)
    seated(state, seat)
    seated(state, to)
    _same(state, seat, to)
    _can_pay(state, seat, amount)
    return Decision(
        f"{format_dollars(amount)} goes from seat {seat} to seat {to}.",
        [events.ChipsTransferred(None, seat, to, amount, adjusting=False)],
    )


def _same(state: TableState, seat: int, to: int) -> None:
    both = [tracked(state, seat), tracked(state, to)]
    if seat == to:
        raise refused(state, "no_such_seat", "name two different seats")
    if (both[0] is None) != (both[1] is None):
        raise refused(
            state, "chips", "one stack is tracked and the other is not: chips would appear"
        )


def substantial_action(state: TableState) -> bool:
    """Whether the hand now played has come so far that the one before is settled."""
    hand = state.hand
    if hand is None:
        return False
    return bool(hand.board) or hand.actions >= 3 or (hand.actions >= 2 and hand.chip_actions >= 1)


def amend(state: TableState, number: int, seat: int, to: int, amount: Cents) -> Decision:
    result = _result(state, number)
    if seat not in result.invested or to not in result.invested:
        raise refused(state, "no_such_seat", f"name seats that had a hand in hand {number}")
    if seat == to or not amount:
        raise refused(state, "chips", "name two different seats and an amount")
    _same_player(state, result, seat)
    _same_player(state, result, to)
    late = number < last_hand(state) or substantial_action(state)
    if late:
        return Decision(
            f"Hand {number} can no longer be amended: an adjusting entry of "
            f"{format_dollars(amount)} from seat {seat} to seat {to} is made, no chips move.",
            [events.ChipsTransferred(number, seat, to, amount, adjusting=True)],
        )
    _same(state, seat, to)
    _can_pay(state, seat, amount)
    return Decision(
        f"Hand {number} is amended: {format_dollars(amount)} goes from seat {seat} to seat {to}.",
        [events.ChipsTransferred(number, seat, to, amount, adjusting=False)],
    )


def impound(state: TableState, seat: int, amount: Cents) -> Decision:
    number = last_hand(state)
    result = _result(state, number)
    held = state.impounded.get(number, {}).get(seat, 0)
    _same_player(state, result, seat)
    if amount + held > result.awards.get(seat, 0):
        raise refused(
            state,
            "chips",
            f"seat {seat} won {format_dollars(result.awards.get(seat, 0))} in hand {number}",
        )
    _can_pay(state, seat, amount)
    return Decision(
        f"{format_dollars(amount)} of hand {number} is held by the floor until it is cleared up.",
        [events.PotImpounded(number, seat, amount)],
    )


def release_impound(state: TableState, number: int, seat: int, amount: Cents) -> Decision:
    sources = state.impounded.get(number, {})
    held = sum(sources.values())
    counted = tracked(state, seat) is not None
    for source in sources:
        if (source in state.seats) and (tracked(state, source) is not None) != counted:
            raise refused(
                state, "chips", "one stack is tracked and the other is not: chips would appear"
            )
    if not 0 < amount <= held:
        raise refused(
            state, "chips", f"{format_dollars(held)} of hand {number} is held: no more can be paid"
        )
    return Decision(
        f"{format_dollars(amount)} of hand {number} is paid to seat {seat}.",
        [events.ImpoundReleased(number, seat, amount)],
    )


def return_fee(state: TableState, number: int, seat: int, amount: Cents) -> Decision:
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
    return Decision(
        f"{format_dollars(amount)} of the fee of hand {number} goes back to seat {seat}.",
        [events.FeeReturned(number, seat, amount)],
    )


def move_button(state: TableState, seat: int) -> Decision:
    no_hand(state)
    if not seated(state, seat).present:
        raise refused(state, "no_such_seat", f"seat {seat} is away or has no chips")
    return Decision(
        f"Seat {seat} has the button in the next hand.", [events.ButtonPlaced(seat, "placed")]
    )


def name_no_hand(state: TableState, seat: int) -> Decision:
    no_hand(state)
    seated(state, seat)
    if state.profile.seats.no_hand_seat != "floor":
        raise refused(
            state, "wrong_phase", "the profile says who gets no hand", "seats.no_hand_seat"
        )
    return Decision(
        f"Seat {seat} gets no hand next, if too many are ready.", [events.NoHandSeatNamed(seat)]
    )


def take_out_device(state: TableState, device: Literal["shuffler", "shoe"]) -> Decision:
    if device in state.devices_out:
        raise refused(state, "wrong_phase", f"the {device} is out of use already", "devices")
    return Decision(
        f"The {device} is out of use; the table goes on by hand.", [events.DeviceTakenOut(device)]
    )


def restore_device(state: TableState, device: Literal["shuffler", "shoe"]) -> Decision:
    if device not in state.devices_out:
        raise refused(state, "wrong_phase", f"the {device} is in use", "devices")
    return Decision(f"The {device} is in use again.", [events.DeviceRestored(device)])


def readmit_deck(state: TableState, back: str) -> Decision:
    if back not in state.decks_out:
        out = ", ".join(sorted(state.decks_out)) or "none"
        raise refused(state, "wrong_phase", f"that deck is not out of play; out: {out}", "shuffle")
    return Decision(
        f"The {back} deck may be shuffled and counted again.", [events.DeckReadmitted(back)]
    )


def call_clock(state: TableState, seat: int) -> Decision:
    hand = hand_of(state)
    if hand.phase is not Phase.BETTING or hand.actor != seat:
        raise refused(state, "wrong_phase", f"the action is not on seat {seat}")
    return Decision(
        f"Seat {seat} has {CLOCK_SECONDS} seconds; then its hand is dead, or it checks.",
        [events.ClockCalled(seat, CLOCK_SECONDS)],
    )


def close(state: TableState) -> Decision:
    no_hand(state)
    if state.impounded:
        held = ", ".join(map(str, state.impounded))
        raise refused(state, "wrong_phase", f"chips of hand {held} are still held", "closing")
    return Decision("The table is closed; no further hand is dealt.", [events.TableClosed()])

"""Turns what a player announced into an action with its amount, or says why it is not allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand.betting import Options, bet_range, options
from omaha_table.hand.events import Acted, ClockRanOut, FoldedOutOfTurn
from omaha_table.hand.state import HandState, refused
from omaha_table.money import format_dollars

if TYPE_CHECKING:
    from omaha_table.hand.commands import Act
    from omaha_table.hand.events import ActionKind
    from omaha_table.money import Cents


def resolve(state: HandState, command: Act) -> tuple[ActionKind, Cents, bool]:
    """The action a command means, the total in front after it, and whether it is all-in.

    Raises Refused with what is allowed instead.
    """
    may = options(state)
    hand = state.seats[may.seat]
    verb, amount = command.verb, command.amount
    if verb == "fold":
        return "fold", hand.bet, False
    # "Call" with nothing to call is a check; "check" facing a bet is refused, because the dealer
    # must hear whether it is a call or a fold.
    if verb == "check" or (verb == "call" and not may.to_call):
        if may.to_call:
            raise refused(state, "cannot_check", f"seat {may.seat} cannot check: {_price(may)}")
        return "check", hand.bet, False
    if verb == "call":
        to = hand.bet + may.to_call
        if amount is not None and amount != to:
            raise refused(state, "bet_size", f"a call is to {format_dollars(to)}")
        return "call", to, to == may.all_in
    if verb == "allin":
        return _resolve_all_in(state, may, amount)
    if verb == "bet" and state.price:
        raise refused(
            state,
            "cannot_bet",
            f"seat {may.seat} cannot bet: there is already a bet, {_price(may)}",
        )
    return _resolve_raise(state, may, amount)


def _resolve_raise(
    state: HandState, may: Options, amount: Cents | None
) -> tuple[ActionKind, Cents, bool]:
    kind: ActionKind = "raise" if state.price else "bet"
    if may.least is None:
        raise refused(state, may.barred or "bet_size", why_no_raise(state, may))
    if amount is None:
        # A limit raise has one size, so the word is enough. Elsewhere a missing amount must not
        # quietly become the least raise.
        if state.setup.stakes.structure != "limit":
            raise refused(state, "bet_size", f"say how much to {kind}: {_sizes(may)}")
        amount = may.least
    if amount < may.least or (may.most is not None and amount > may.most):
        raise refused(
            state,
            "bet_size",
            f"seat {may.seat} cannot {kind} to {format_dollars(amount)}: {_sizes(may)}",
        )
    return kind, amount, amount == may.all_in


def _resolve_all_in(
    state: HandState, may: Options, amount: Cents | None
) -> tuple[ActionKind, Cents, bool]:
    hand = state.seats[may.seat]
    if amount is None:
        amount = may.all_in
    if amount is None:
        raise refused(
            state, "bet_size", f"seat {may.seat}'s stack is not tracked: say what it is all in for"
        )
    # The stack is tracked, so another amount means that somebody has miscounted. Find out now: side
    # pots depend on it.
    if may.all_in is not None and amount != may.all_in:
        raise refused(
            state,
            "bet_size",
            f"seat {may.seat} is all in for {format_dollars(may.all_in)} on this street, "
            f"not {format_dollars(amount)}",
        )
    if amount <= hand.bet:
        raise refused(
            state,
            "bet_size",
            f"an all-in is the seat's total on this street: more than {format_dollars(hand.bet)}",
        )
    # Up to the price it is a call, however it was announced, and it reopens nothing.
    if amount <= state.price:
        return "call", amount, True
    if may.least is None:
        raise refused(state, may.barred or "bet_size", why_no_raise(state, may))
    # The size of a bet is limited for the last chips too: in limit, spread and pot limit a deep
    # stack cannot go all in at once.
    most = bet_range(state, hand)[1]
    if most is not None and amount > most:
        raise refused(
            state,
            "bet_size",
            f"all in for {format_dollars(amount)} is more than may be bet: {_sizes(may)}",
        )
    return ("raise" if state.price else "bet"), amount, True


def check_bound(state: HandState, seat: int, action: ActionKind) -> None:
    """An action out of turn stands unless a bet or raise has changed the price (TDA rule 53)."""
    bound = state.bound.get(seat)
    if bound is None or bound[1] != state.price or bound[0] == action:
        return
    raise refused(
        state,
        "bound",
        f"the floor has ruled that seat {seat}'s {bound[0]} out of turn stands",
        rule="order_of_action",
    )


def time_is_up(state: HandState, at: int) -> tuple[ClockRanOut, Acted]:
    """What the clock does to the seat it was called on; raises Refused while there is time left."""
    clock, entry = state.clock, state.entry + 1
    if clock is None or clock.seat != state.actor:
        raise refused(state, "wrong_phase", "no clock is running", rule="clock")
    left = clock.left(at)
    if left:
        seconds = "1 second" if left == 1 else f"{left} seconds"
        raise refused(state, "wrong_phase", f"seat {clock.seat} has {seconds} left", rule="clock")
    action: ActionKind = "fold" if options(state).to_call else "check"
    check_bound(state, clock.seat, action)
    lies = state.seats[clock.seat].bet
    acted = Acted(clock.seat, action, 0, lies, all_in=False, entry=entry)
    return ClockRanOut(clock.seat, at, entry), acted


def fold_out_of_turn(state: HandState, seat: int) -> FoldedOutOfTurn:
    """The fold of a seat that was not to act yet; raises Refused."""
    problem = why_no_early_fold(state, seat)
    if problem:
        known = seat in state.setup.dealt
        raise refused(
            state, "wrong_phase" if known else "no_such_seat", problem, rule="order_of_action"
        )
    check_bound(state, seat, "fold")
    return FoldedOutOfTurn(seat, state.entry + 1)


def why_no_early_fold(state: HandState, seat: int) -> str:
    """Why a seat cannot fold out of turn; empty: it can."""
    if seat not in state.setup.dealt:
        return f"seat {seat} has no hand"
    if state.seats[seat].folded:
        return f"seat {seat} has already folded"
    if seat == state.actor:
        return f"it is seat {seat}'s turn: 'fold'"
    if state.seats[seat].all_in:
        # It has no action left to take early. Cards that are in the muck are for the floor.
        return f"seat {seat} is all in and cannot fold: ask the floor if its hand is dead"
    return ""


def _price(may: Options) -> str:
    return f"{format_dollars(may.to_call)} to call" if may.to_call else "nothing to call"


def _sizes(may: Options) -> str:
    if may.least is None:
        return "fold or call"
    if may.most is None:
        return f"at least {format_dollars(may.least)}"
    if may.least == may.most:
        return f"it must be {format_dollars(may.least)}"
    return f"from {format_dollars(may.least)} to {format_dollars(may.most)}"


def why_no_raise(state: HandState, may: Options) -> str:
    """Why a seat that can act cannot bet or raise, and what it can do."""
    seat, allowed = may.seat, f"seat {may.seat} may {'call or fold' if may.to_call else 'check'}"
    match may.barred:
        case "raise_cap":
            cap = state.setup.profile.betting.max_raises
            return f"the street is capped at a bet and {cap} raises: {allowed}"
        case "not_reopened":
            return f"the all-in was too small to reopen the betting: {allowed}"
        case "nobody_to_call":
            return f"nobody is left who could call a raise: {allowed}"
    return f"seat {seat} does not have enough to raise: {allowed} or go all in"

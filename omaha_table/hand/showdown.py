"""Who has a claim on which pot, who has won it, and what the hand comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.evaluate import read_hands
from omaha_table.hand.events import HandEnded
from omaha_table.hand.phases import Street
from omaha_table.hand.pots import take_drop
from omaha_table.hand.split import Award, split_pot, total_awards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_table.hand.events import Side
    from omaha_table.hand.pots import Pot
    from omaha_table.hand.state import HandState
    from omaha_table.money import Cents


def showdown_order(state: HandState) -> list[int]:
    """The contenders in the order in which they should show."""
    contenders = state.contenders
    if state.setup.profile.showdown.first == "first_actor":
        first = state.opener
    else:
        first = state.aggressor
    if first not in contenders:
        return contenders
    at = contenders.index(first)
    return contenders[at:] + contenders[:at]


def low_possible(state: HandState) -> bool:
    """Whether the game has a low and the board allows one."""
    low_ranks = {card.rank for card in state.board if card.rank <= 8 or card.rank == 14}
    return state.setup.profile.splits and len(low_ranks) >= 3


def claims(state: HandState, pot: Pot) -> list[int]:
    """The seats that still claim a pot; when all have given up, the last to do so."""
    live = [seat for seat in pot.eligible if seat not in state.mucked]
    if live:
        return live
    return [next(seat for seat in reversed(state.mucked) if seat in pot.eligible)]


def assign_read(
    state: HandState, side: Side, seats: tuple[int, ...]
) -> dict[int, tuple[int, ...]] | None:
    """The pots a dealer's reading settles, added to those already read; None if none.

    It goes to the pots that are not read yet and that one of the seats can win, and if there
    is none to those already read: so pots may be named from the main pot up, or the last
    side pot first.
    """
    known = state.read_high if side == "high" else state.read_low
    pots = state.pots()
    if not seats:
        return known | dict.fromkeys(range(len(pots)), ())
    able = {
        number: winners
        for number, pot in enumerate(pots)
        if (winners := tuple(seat for seat in seats if seat in claims(state, pot)))
    }
    if not able:
        return None
    fresh = {number: winners for number, winners in able.items() if number not in known}
    return known | (fresh or able)


def read_tabled(state: HandState) -> tuple[dict[int, int], dict[int, int]]:
    """The high and low values of the tabled hands; no lows where the game has none."""
    if not state.tabled or len(state.board) != 5:
        return {}, {}
    seats = list(state.tabled)
    highs, lows = read_hands(
        [card.code for card in state.board],
        [[card.code for card in cards] for cards in state.tabled.values()],
    )
    return (
        dict(zip(seats, highs, strict=True)),
        dict(zip(seats, lows, strict=True)) if state.setup.profile.splits else {},
    )


def unread(state: HandState) -> list[int]:
    """The seats that must still table or muck before the pots can be pushed."""
    silent = [
        seat
        for seat in showdown_order(state)
        if seat not in state.tabled and seat not in state.mucked
    ]
    if not silent or len(state.contenders) == 1:
        return []
    if not (state.mucked or state.read_high or state.read_low):
        return silent
    waiting: set[int] = set()
    lows_open = low_possible(state)
    for number, pot in enumerate(state.pots()):
        live = claims(state, pot)
        read = number in state.read_high and (not lows_open or number in state.read_low)
        if len(live) > 1 and not read:
            waiting.update(live)
    return [seat for seat in silent if seat in waiting]


def winners(state: HandState, number: int, pot: Pot) -> tuple[list[int], list[int], bool]:
    """The seats that win a pot's high and low, and whether the dealer named them."""
    live = claims(state, pot)
    if len(live) == 1:
        return live, [], False
    if number in state.read_high:
        low = state.read_low.get(number, ()) if low_possible(state) else ()
        return list(state.read_high[number]), list(low), True
    highs, lows = read_tabled(state)
    return _best(live, highs), _best(live, lows), False


def _best(seats: list[int], values: Mapping[int, int]) -> list[int]:
    best = max((values.get(seat, 0) for seat in seats), default=0)
    return [seat for seat in seats if best and values.get(seat, 0) == best]


def end_hand(state: HandState, entry: int) -> HandEnded:
    """The awards and everything else the hand comes to. Every claim must have been read."""
    setup = state.setup
    gross = state.pots()
    due = setup.limit.bracket(len(setup.dealt)) if state.fee_due else None
    drop = take_drop(
        gross,
        due.fee if due else 0,
        due.jackpot if due else 0,
        setup.profile.fee.short_pot,
    )
    awarded = []
    dealer_read = False
    for number, pot in enumerate(drop.pots):
        high, low, by_dealer = winners(state, number, pot)
        dealer_read |= by_dealer
        shares = split_pot(pot.amount, high, low, setup.button, setup.profile.odd_chip)
        awarded.append(Award(pot.amount, pot.eligible, *shares))
    awards = total_awards(awarded)
    stacks = {
        seat: (state.seats[seat].stack if seat in state.seats else stack) or 0
        for seat, stack in setup.started.stacks.items()
        if stack is not None
    }
    return HandEnded(
        outcome="uncontested" if len(state.contenders) == 1 else "showdown",
        board=state.board,
        pots=tuple(awarded),
        fee=drop.fee,
        jackpot=drop.jackpot,
        waived=drop.waived,
        returned=dict(sorted(state.returned.items())),
        invested={
            seat: state.seats[seat].put_in + state.seats[seat].dead for seat in sorted(state.seats)
        },
        awards=awards,
        stacks={seat: stacks[seat] + awards.get(seat, 0) for seat in sorted(stacks)},
        button=setup.button,
        kill=_kill(state, awards, sum(pot.amount for pot in gross), drop.fee + drop.jackpot),
        dealer_read=dealer_read,
        entry=entry,
    )


def _kill(state: HandState, awards: dict[int, Cents], gross: Cents, dropped: Cents) -> int | None:
    """Who kills the next hand: one seat that won everything of a pot that is large enough."""
    kill = state.setup.limit.kill
    if kill is None or kill.threshold is None or len(awards) != 1:
        return None
    size = gross if kill.basis == "gross" else gross - dropped
    return next(iter(awards)) if size >= kill.threshold else None


def fee_is_due(state: HandState, street: Street) -> bool:
    trigger = Street.FLOP if state.setup.profile.fee.trigger == "flop" else Street.TURN
    return street is trigger

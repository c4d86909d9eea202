"""Betting: whose turn it is, what that seat may do, and what an action does to the street.

Limit, spread, pot limit and no limit share one account of a street:

- `price` is what a seat must have in front of it to stay.
- `full` is the last full bet or raise. A fixed-limit raise is one bet above `full`, not above
  `price`: an all-in for less than half a bet more is completed, not raised, and several short
  all-ins that add up count as one raise.
- `increment` is the least raise where bets are not fixed.

A seat that has acted may raise again only if the price has since grown by enough: in limit by half
a bet (house rules; profile setting `betting.short_all_in_reopens`), elsewhere by a full raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from omaha_table.hand.frozen import replace
from omaha_table.hand.phases import Street
from omaha_table.hand.pots import uncalled
from omaha_table.hand.state import HandState, SeatHand

if TYPE_CHECKING:
    from omaha_table.hand.events import Acted, ActionKind
    from omaha_table.money import Cents


class Options(NamedTuple):
    """What the seat whose turn it is may do. Amounts are totals in front of it on this street."""

    seat: int
    to_call: Cents
    """What a call adds; 0 is a check."""
    least: Cents | None
    """The least bet or raise; None: it may not bet or raise."""
    most: Cents | None
    """The greatest; None with a `least`: no limit but the chips."""
    all_in: Cents | None
    """All its chips, if known."""
    barred: str
    """Why it may not raise: a refusal code, or empty."""


def next_to_act(
    order: tuple[int, ...], seats: dict[int, SeatHand], price: Cents, after: int | None
) -> int | None:
    """The next seat that still has to act on this street, or None: the street is over.

    Looks clockwise from the left of a seat, or of the button on None.
    """
    start = 0 if after is None else order.index(after) + 1
    live = able = all_in_for = alone_for = 0
    waiting: int | None = None
    for seat in order[start:] + order[:start]:
        hand = seats[seat]
        if hand.folded:
            continue
        live += 1
        if hand.all_in:
            # Passed over, since it has nothing to act with. A seat that is left alone must still
            # match it.
            all_in_for = max(all_in_for, hand.bet)
            continue
        able += 1
        alone_for = hand.bet
        # The big blind matches the price before it has acted: `acted_at` keeps its option to raise.
        if waiting is None and (hand.acted_at is None or hand.bet < price):
            waiting = seat
        if waiting is not None and able > 1:
            return waiting
    # A seat alone against all-in seats acts only if it has not matched them: nobody could answer a
    # bet. Compared with their bets, not with `price`, which may be a blind that was posted short.
    if live == 1 or (able == 1 and alone_for >= all_in_for):
        return None
    return waiting


def first_to_act(state: HandState) -> int | None:
    """Before the flop from the left of the big blind, later from the left of the button."""
    # The same in a kill hand: the killer acts in turn, wherever it sits.
    after = state.setup.started.big_blind if state.street is Street.PREFLOP else None
    return next_to_act(state.setup.dealt, state.seats, state.price, after)


def options(state: HandState) -> Options:
    """What the seat whose turn it is may do."""
    seat = state.actor
    if seat is None:
        raise ValueError("nobody is to act")
    hand = state.seats[seat]
    all_in = None if hand.stack is None else hand.bet + hand.stack
    to_call = max(state.price - hand.bet, 0)
    if hand.stack is not None:
        to_call = min(to_call, hand.stack)
    barred = _barred(state, seat)
    if barred or (all_in is not None and all_in <= state.price):
        return Options(seat, to_call, None, None, all_in, barred)
    least, most = bet_range(state, hand)
    if all_in is not None:
        most = all_in if most is None else min(most, all_in)
        # Table stakes: less than the least raise may be bet if it is all in. Whether that reopens
        # the betting is another question (`_reopened`).
        least = min(least, all_in)
    return Options(seat, to_call, least, most, all_in, "")


def _barred(state: HandState, seat: int) -> str:
    others = (hand for other, hand in state.seats.items() if other != seat)
    # A raise that nobody can call would go straight back when the street closes.
    if all(hand.folded or hand.all_in for hand in others):
        return "nobody_to_call"
    if not _reopened(state, state.seats[seat]):
        return "not_reopened"
    # The filed rules cap the raises of every structure, not of limit alone; 0 is no cap.
    cap = state.setup.profile.betting.max_raises
    if cap and state.raises >= cap and not state.uncapped:
        return "raise_cap"
    return ""


def _reopened(state: HandState, hand: SeatHand) -> bool:
    if hand.acted_at is None:
        return True
    # Measured for each seat from the price at which it acted: short all-ins that add up to enough
    # reopen the betting to one seat and not to another.
    grown = state.price - hand.acted_at
    if state.setup.stakes.structure == "limit":
        return _counts_as_full(state, grown)
    return grown >= state.increment


def _counts_as_full(state: HandState, grown: Cents) -> bool:
    """Whether a fixed-limit bet has grown by enough to count as a bet or raise."""
    bet = state.setup.stakes.bet(state.street)
    half = state.setup.profile.betting.short_all_in_reopens == "half_bet"
    # Doubled, not halved: half of an odd number of cents would be rounded.
    return grown >= bet or (half and 2 * grown >= bet)


def bet_range(state: HandState, hand: SeatHand) -> tuple[Cents, Cents | None]:
    """The least and the greatest bet or raise, whatever the seat has."""
    stakes = state.setup.stakes
    bet = stakes.bet(state.street)
    if stakes.structure == "limit":
        return state.full + bet, state.full + bet
    least = state.price + state.increment
    if stakes.structure == "spread":
        # `big_bet` is the top of the spread. It limits each raise, not the total.
        return least, state.price + (stakes.big_bet or bet)
    if stakes.structure == "pot_limit":
        # In a very small pot the least raise may be more than the pot, and is allowed all the same.
        return least, max(least, pot_limit(state, hand))
    return least, None


def pot_limit(state: HandState, hand: SeatHand) -> Cents:
    """The largest total in front of a seat: the price, and the pot as it would be after the call.

    Before the flop a short or missing blind counts as if it were posted in full (TDA rule 54).
    """
    pot = state.pot_total
    if state.street is Street.PREFLOP:
        stakes, started = state.setup.stakes, state.setup.started
        pot += _short(state, started.small_blind, stakes.small_blind)
        pot += _short(state, started.big_blind, stakes.big_blind)
    return state.price + pot + max(state.price - hand.bet, 0)


def _short(state: HandState, seat: int | None, blind: Cents) -> Cents:
    """What is missing of a blind because nobody was there to post it or had less."""
    if seat is None:
        return blind
    started = state.setup.started
    stack = state.short.get(seat, started.stacks[seat])
    # The ante is posted first and may have taken what the blind needed.
    ante = sum(post.amount for post in started.posts if (post.seat, post.kind) == (seat, "ante"))
    return 0 if stack is None else max(blind - max(stack - ante, 0), 0)


def after_action(state: HandState, event: Acted) -> HandState:
    """The street after an action: bets, price, raises, and whose turn it is next."""
    old = state.seats[event.seat]
    price = max(state.price, event.to)
    hand = SeatHand(
        stack=None if old.stack is None else old.stack - event.amount,
        bet=event.to,
        put_in=old.put_in + event.amount,
        dead=old.dead,
        folded=event.action == "fold",
        all_in=event.all_in,
        # Its own raise included: only what others add after it can reopen the betting to it.
        acted_at=price,
    )
    full, increment, raises = state.full, state.increment, state.raises
    # For a showdown that the first bettor begins, or the first who checked if nobody bet. All of
    # them are kept, because the first may fold.
    initiators = state.initiators
    if event.action == "check":
        initiators = (*initiators, event.seat)
    if event.to > state.price:
        initiators = (event.seat,) if state.aggressor is None else (*initiators, event.seat)
        # In limit from the last full bet, so that short all-ins add up; elsewhere from the price
        # that was raised.
        grown = event.to - (full if state.setup.stakes.structure == "limit" else state.price)
        if state.setup.stakes.structure == "limit":
            counts = _counts_as_full(state, grown)
        else:
            counts = grown >= increment
            # A short all-in does not make the next raise cheaper.
            increment = max(increment, grown)
        if counts:
            # The opening bet is not a raise. Before the flop the blind is the opening bet.
            raises += 1 if full else 0
            full = event.to
    seats = state.seats | {event.seat: hand}
    return replace(
        state,
        seats=seats,
        price=price,
        full=full,
        increment=increment,
        raises=raises,
        uncapped=state.uncapped
        or ((hand.folded or hand.all_in) and becomes_heads_up(state, seats, raises)),
        aggressor=event.seat if event.to > state.price else state.aggressor,
        opener=event.seat if state.opener is None else state.opener,
        initiators=initiators,
        actions=state.actions + 1,
        chip_actions=state.chip_actions + (event.amount > 0),
        actor=next_to_act(state.setup.dealt, seats, price, event.seat),
        bound=state.bound and _unbound(state, event),
    )


def _unbound(state: HandState, event: Acted) -> dict[int, tuple[ActionKind, Cents]]:
    """An action out of turn binds the seat's next turn, and no other."""
    return {seat: what for seat, what in state.bound.items() if seat != event.seat}


def becomes_heads_up(state: HandState, seats: dict[int, SeatHand], raises: int) -> bool:
    """Whether two seats that can still bet are left before the cap was reached."""
    betting = state.setup.profile.betting
    # All-in seats do not count as players here. Once the street is capped, a later fold does not
    # lift the cap (Robert's Rules; profile setting `betting.heads_up_uncapped`).
    return (
        raises < betting.max_raises
        and betting.heads_up_uncapped == "before_cap"
        and sum([not (hand.folded or hand.all_in) for hand in seats.values()]) <= 2
    )


def open_street(state: HandState, street: Street) -> HandState:
    """A new street; closing the last one has taken its bets in and cleared who has acted."""
    fresh = replace(
        state,
        street=street,
        price=0,
        full=0,
        increment=state.setup.stakes.bet(street),
        raises=0,
        aggressor=None,
        opener=None,
        initiators=(),
        burned=False,
        turned=(),
        bound={},
    )
    return replace(fresh, uncapped=starts_uncapped(fresh), actor=first_to_act(fresh))


def starts_uncapped(state: HandState) -> bool:
    """Whether only two seats can bet as the street begins, where the profile lifts the cap then."""
    return state.setup.profile.betting.heads_up_uncapped != "never" and len(state.able) <= 2


def misdeal_window_open(state: HandState) -> bool:
    """Whether an error in the deal still makes a misdeal, by the profile's reading.

    Robert's Rules shut it when two seats have acted; the tournament book at substantial action:
    two actions of which one put chips in, or any three. Blinds do not count.
    """
    if state.board or state.turned:
        return False
    if state.setup.profile.misdeal.window == "rrop_two_acted":
        return state.actions < 2
    return state.actions < 2 or (state.actions < 3 and not state.chip_actions)


def to_return(state: HandState) -> dict[int, Cents]:
    """The uncalled part of a bet, when a street closes."""
    seats = state.seats
    folded = [seat for seat, hand in seats.items() if hand.folded]
    return uncalled({seat: hand.put_in for seat, hand in seats.items()}, folded)

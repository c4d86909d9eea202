"""Who has a claim on which pot, who has won it, and what the hand comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from omaha_table.cards import ACE, KING
from omaha_table.evaluate import read_hands
from omaha_table.hand.events import HandEnded
from omaha_table.hand.fees import not_taken
from omaha_table.hand.frozen import replace
from omaha_table.hand.phases import Street
from omaha_table.hand.pots import Drop, take_drop
from omaha_table.hand.split import Award, split_pot, total_awards
from omaha_table.hand.state import refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_table.hand.events import Side
    from omaha_table.hand.pots import Pot
    from omaha_table.hand.state import HandState
    from omaha_table.money import Cents


def showdown_order(state: HandState) -> list[int]:
    """The contenders in the order in which they should show."""
    # A suggestion: hands count in whatever order they are tabled.
    contenders = state.contenders
    first: int | None
    match state.setup.profile.showdown.first:
        case "first_bettor":
            first = next((seat for seat in state.initiators if seat in contenders), None)
        case "first_actor":
            first = state.opener
        case "last_aggressor":
            first = state.aggressor
    if first not in contenders:
        return contenders
    at = contenders.index(first)
    return contenders[at:] + contenders[:at]


def low_possible(state: HandState) -> bool:
    """Whether the game has a low and the board allows one."""
    profile = state.setup.profile
    highest = profile.game.low_qualifier or KING
    # A hand supplies two cards, so the board needs three different ranks that qualify.
    low_ranks = {card.rank for card in state.board if card.rank <= highest or card.rank == ACE}
    return profile.splits and len(low_ranks) >= 3


def claims(state: HandState, pot: Pot) -> list[int]:
    """The seats that still claim a pot; when all have given up, the last to do so."""
    live = [seat for seat in pot.eligible if seat not in state.mucked]
    if live:
        return live
    # Somebody must be pushed the pot; the last to muck had no opponent left.
    return [next(seat for seat in reversed(state.mucked) if seat in pot.eligible)]


def can_win(state: HandState, side: Side, number: int) -> list[int]:
    """The seats that may still win a side of a pot, by what was read of the side pots above it.

    Everybody in a side pot is in the pots below it too, so whoever lost it has lost those.
    """
    read = state.read_high if side == "high" else state.read_low
    pots = state.pots()
    lost = {
        seat
        for above in range(number + 1, len(pots))
        if above in read
        for seat in claims(state, pots[above])
        if seat not in read[above]
    }
    return [seat for seat in claims(state, pots[number]) if seat not in lost]


def require_winners(state: HandState, side: Side, seats: tuple[int, ...], number: int) -> None:
    """Refuses winners that a pot cannot have."""
    pots = state.pots()
    if not 0 <= number < len(pots):
        raise refused(state, "no_such_pot", f"there is no side pot {number}")
    live, able = claims(state, pots[number]), can_win(state, side, number)
    for seat in seats:
        if seat not in live:
            raise refused(state, "no_such_seat", f"seat {seat} has no part in that pot")
        if seat not in able:
            lost = f"seat {seat} has lost a side pot to a hand that is in this pot too"
            raise refused(state, "cards_speak", lost)


def _assign_one(
    state: HandState, side: Side, seats: tuple[int, ...], pot: int
) -> dict[int, tuple[int, ...]] | None:
    """The reading of one pot, which also settles those below it without another live hand."""
    known = state.read_high if side == "high" else state.read_low
    pots = state.pots()
    live = claims(state, pots[pot])
    alike = [at for at in range(pot) if set(claims(state, pots[at])) <= set(live)]
    settled = [at for at in (*alike, pot) if cards_allow(state, side, pots[at], seats)]
    return known | dict.fromkeys(settled, seats) if pot in settled else None


def assign_read(
    state: HandState, side: Side, seats: tuple[int, ...], pot: int | None = None
) -> dict[int, tuple[int, ...]] | None:
    """The pots a dealer's reading settles, added to those already read; None if none.

    A reading that names its pot settles that one. One that names none goes to the pots that are
    not read yet, that one of the seats can win and where no tabled cards say otherwise; if there is
    none, to such pots that are read already. So pots may be named from the main pot up, or the last
    side pot first.
    """
    if pot is not None:
        return _assign_one(state, side, seats, pot)
    known = state.read_high if side == "high" else state.read_low
    able: dict[int, tuple[int, ...]] = {}
    for number, claimed in enumerate(state.pots()):
        winners = tuple(seat for seat in seats if seat in claims(state, claimed))
        if (winners or not seats) and cards_allow(state, side, claimed, winners):
            able[number] = winners
    fresh = {number: winners for number, winners in able.items() if number not in known}
    return known | (fresh or able) if able else None


def cards_allow(state: HandState, side: Side, pot: Pot, winners: tuple[int, ...]) -> bool:
    """Whether tabled cards leave room for these winners of a side of a pot. Cards speak."""
    live = claims(state, pot)
    if len(live) > 1 and all(seat in state.tabled for seat in live):
        return False
    values = read_tabled(state)[0 if side == "high" else 1]
    named = [values[seat] for seat in winners if seat in values]
    others = [values[seat] for seat in live if seat in values and seat not in winners]
    if not winners:
        return not any(others)
    # Tabled winners must tie with each other and beat every other tabled hand. For hands that are
    # still face down the dealer's word stands.
    return not named or (0 < min(named) == max(named) > max(others, default=0))


def drop_readings(state: HandState) -> HandState:
    """Without the dealer's readings that the tabled cards contradict."""
    if not (state.read_high or state.read_low):
        return state
    pots = state.pots()

    def kept(side: Side, read: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        return {
            number: winners
            for number, winners in read.items()
            if cards_allow(state, side, pots[number], winners)
        }

    return replace(
        state, read_high=kept("high", state.read_high), read_low=kept("low", state.read_low)
    )


def read_tabled(state: HandState) -> tuple[dict[int, int], dict[int, int]]:
    """The high and low values of the tabled hands; no lows where the game has none."""
    if not state.tabled or len(state.board) != 5:
        return {}, {}
    seats = list(state.tabled)
    highs, lows = read_hands(
        [card.code for card in state.board],
        [[card.code for card in cards] for cards in state.tabled.values()],
        state.setup.profile.game.low_qualifier,
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
    # Every claim on the main pot is open, and all contenders are in it.
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
        # Left alone, a seat takes both halves, whether or not a low is possible.
        return live, [], False
    if number in state.read_high and not all(seat in state.tabled for seat in live):
        low = state.read_low.get(number, ()) if low_possible(state) else ()
        return list(state.read_high[number]), list(low), True
    highs, lows = read_tabled(state)
    return _best(live, highs), _best(live, lows), False


def _best(seats: list[int], values: Mapping[int, int]) -> list[int]:
    best = max((values.get(seat, 0) for seat in seats), default=0)
    return [seat for seat in seats if best and values.get(seat, 0) == best]


def state_drop(state: HandState) -> Drop:
    """The pots after the fee and the jackpot that are due."""
    setup = state.setup
    if setup.profile.fee.by == "player":
        return Drop(state.pots(), 0, 0, not_taken(state))
    owed = state.fee_due and not state.fee_waived
    due = setup.limit.bracket(len(setup.dealt)) if owed else None
    return take_drop(
        state.pots(),
        due.fee if due else 0,
        due.jackpot if due else 0,
        setup.profile.fee.short_pot,
        setup.profile.fee.taken_from,
    )


def end_hand(state: HandState, entry: int) -> HandEnded:
    """The awards and everything else the hand comes to. Every claim must have been read."""
    setup = state.setup
    drop = state_drop(state)
    awarded = []
    dealer_read = False
    for number, pot in enumerate(drop.pots):
        # Each pot by itself: the low of the main pot may have no part in a side pot.
        high, low, by_dealer = winners(state, number, pot)
        dealer_read |= by_dealer
        shares = split_pot(pot.amount, high, low, setup.button, setup.profile.odd_chip)
        awarded.append(Award(pot.amount, pot.eligible, *shares))
    return _ended(state, drop, awarded, dealer_read=dealer_read, by_ruling=False, entry=entry)


def _ended(
    state: HandState,
    drop: Drop,
    awarded: list[Award],
    *,
    dealer_read: bool,
    by_ruling: bool,
    entry: int,
) -> HandEnded:
    setup = state.setup
    awards = total_awards(awarded)
    stacks = {
        seat: hand.stack + awards.get(seat, 0)
        for seat, hand in sorted(state.seats.items())
        if hand.stack is not None
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
        stacks=stacks,
        button=setup.button,
        kill=_kill(state, awards, drop),
        dealer_read=dealer_read,
        by_ruling=by_ruling,
        entry=entry,
        drop_from=drop.taken_from,
    )


def call_off(state: HandState, outcome: Literal["misdeal", "void"], entry: int) -> HandEnded:
    """Everything goes back to the seats as if the hand had not been dealt, fees too."""
    setup, paid = state.setup, state.paid
    stacks = {
        seat: hand.stack + hand.put_in + hand.dead + paid.get(seat, 0)
        for seat, hand in sorted(state.seats.items())
        if hand.stack is not None
    }
    put_in = {
        seat: hand.put_in + hand.dead + state.returned.get(seat, 0) + paid.get(seat, 0)
        for seat, hand in sorted(state.seats.items())
    }
    return HandEnded(
        outcome=outcome,
        board=state.board,
        pots=(),
        fee=0,
        jackpot=0,
        waived=0,
        returned={seat: cents for seat, cents in put_in.items() if cents},
        invested=dict.fromkeys(put_in, 0),
        awards={},
        stacks=stacks,
        button=setup.button,
        # A hand that is called off changes nothing about the kill.
        kill=setup.started.killer,
        dealer_read=False,
        by_ruling=True,
        entry=entry,
    )


def award_by_ruling(state: HandState, awards: dict[int, Cents], entry: int) -> HandEnded:
    """The hand as it would be pushed, but with awards that the floor has set, pot by pot.

    Each pot is paid as far as the awards reach to the seats that they name, in order.
    """
    drop = state_drop(state)
    left = dict(awards)
    pots = []
    for pot in drop.pots:
        shares: dict[int, Cents] = {}
        missing = pot.amount
        # First the seats that could win this pot; the floor may also pay others.
        for seat in sorted(left, key=lambda seat: seat not in pot.eligible):
            part = min(left[seat], missing)
            if part:
                shares[seat] = part
                left[seat] -= part
                missing -= part
        pots.append(Award(pot.amount, tuple(sorted({*pot.eligible, *shares})), shares, {}))
    return _ended(state, drop, pots, dealer_read=False, by_ruling=True, entry=entry)


def _kill(state: HandState, awards: dict[int, Cents], drop: Drop) -> int | None:
    """Who kills the next hand: one seat that won everything of a pot that is large enough."""
    kill = state.setup.limit.kill
    # One seat must have won every chip of every pot; two tied highs without a low are a split.
    least = None if kill is None else kill.least_pot(state.setup.stakes.small_bet)
    if kill is None or least is None or len(awards) != 1:
        return None
    size = sum(pot.amount for pot in drop.pots)
    if kill.basis == "gross":
        size += drop.fee + drop.jackpot
    return next(iter(awards)) if size >= least else None


def fee_is_due(state: HandState, street: Street) -> bool:
    """Whether this street makes the fee due: no flop, no drop (profile setting `fee.trigger`)."""
    fee = state.setup.profile.fee
    trigger = Street.FLOP if fee.trigger == "flop" else Street.TURN
    return street is trigger and fee.by == "pot"

"""Folds events into the state of a hand, one at a time.

The running table, recovery, review and verification all come through `apply`, so that a hand read
back is the hand that was dealt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.hand.betting import (
    after_action,
    becomes_heads_up,
    first_to_act,
    next_to_act,
    open_street,
    starts_uncapped,
)
from omaha_table.hand.events import (
    DEALER_SETTLES,
    Acted,
    ActionBound,
    ActionReleased,
    BackedUp,
    BoardCorrected,
    BoardDealt,
    Burned,
    CardDealt,
    ClockRanOut,
    DealerRead,
    FeeDue,
    FeePaid,
    FeeWaived,
    FoldedOutOfTurn,
    HandDeclared,
    HandEnded,
    HoleCardsOut,
    Irregularity,
    Mucked,
    Posted,
    PostedShort,
    PotCorrected,
    RemedyOrdered,
    Settled,
    StreetClosed,
    Tabled,
    Undone,
)
from omaha_table.hand.frozen import replace
from omaha_table.hand.opening import post
from omaha_table.hand.phases import Move, Phase, Street, follow
from omaha_table.hand.showdown import assign_read, drop_readings, unread
from omaha_table.hand.state import SeatHand

if TYPE_CHECKING:
    from omaha_table.hand.events import HandEvent
    from omaha_table.hand.state import HandState
    from omaha_table.money import Cents


def apply(state: HandState, event: HandEvent, seq: int = 0) -> HandState:
    """The state after an event, which the log holds under a sequence number."""
    if isinstance(event, Undone):
        if state.before is None or not state.undoable:
            raise ValueError(f"entry {event.undone} cannot be taken back")
        # The whole state from before the entry comes back. Inverting its events could forget
        # something.
        restored = _restored(state, state.before)
        # A clock goes on only if it was somebody else's entry that is taken back.
        clock = state.clock if restored.actor == state.actor else None
        return replace(restored, entry=event.entry, clock=clock)
    if isinstance(event, BackedUp):
        restored = _restored(state, state_after(state, event.to))
        return replace(restored, entry=event.entry, clock=None)
    after = _fold(state, event)
    if after.clock is not None and after.actor != after.clock.seat:
        after = replace(after, clock=None)
    # What followed by itself (a fee, the close of a street) belongs to the entry and goes with it.
    if event.entry == state.entry:
        return replace(after, standing_seqs=(*state.standing_seqs, seq))
    past_cards = type(event) in (Burned, BoardDealt)
    return replace(
        after,
        entry=event.entry,
        standing=event.entry,
        standing_seqs=(seq,),
        # A keyed board can be taken back, but not the action on the street before it as well.
        before=replace(state, undoable=False) if past_cards and state.undoable else state,
        undoable=type(event) in _UNDOABLE,
    )


_UNDOABLE: Final = frozenset(
    (
        *(PostedShort, HoleCardsOut, Acted, ClockRanOut, FoldedOutOfTurn, Tabled, Mucked),
        *(DealerRead, Burned, BoardDealt, FeePaid),
    )
)
"""What the dealer may take back. A keyed board can be corrected until somebody acts; past it,
past a card from the shoe and past a ruling there is no way back for the dealer."""


def adjust_stack(state: HandState, seat: int, amount: Cents) -> HandState:
    """Chips that a ruling gives to a seat or takes from it; an undo in the hand leaves them so."""
    hand = state.seats[seat]
    if hand.stack is None:
        return state
    return replace(
        state,
        seats=state.seats | {seat: hand._replace(stack=hand.stack + amount)},
        adjusted=state.adjusted | {seat: state.adjusted.get(seat, 0) + amount},
    )


def _restored(state: HandState, earlier: HandState) -> HandState:
    """An earlier state, with the chips that came and went from outside since then."""
    for seat, amount in state.adjusted.items():
        since = amount - earlier.adjusted.get(seat, 0)
        if since:
            earlier = adjust_stack(earlier, seat, since)
    # These decide whether a ruling takes two supervisors, so going back must not reset them.
    return replace(earlier, past_flop=state.past_flop, corrected=state.corrected)


def state_after(state: HandState, entry: int) -> HandState:
    """The hand as it stood after an earlier entry that has not been taken back."""
    found: HandState | None = state
    while found is not None and found.standing != entry:
        found = found.before
    if found is None:
        raise ValueError(f"there is no entry {entry} to go back to")
    return found


def _fold(state: HandState, event: HandEvent) -> HandState:
    """What an event does to the hand, apart from the count of entries."""
    match event:  # cards and actions first: most events are these
        case CardDealt():
            return _card(state, event)
        case Acted():
            return after_action(state, event)
        case ClockRanOut():
            return state
        case FoldedOutOfTurn():
            return _fold_out_of_turn(state, event)
        case Posted():
            return _post(state, event)
        case PostedShort():
            return _post_short(state, event)
        case HoleCardsOut():
            return _open_betting(
                replace(state, cards_out=state.hole_slots, ahead=frozenset(), by_hand=True)
            )
        case StreetClosed():
            return _close_street(state, event)
        case Burned():
            return replace(state, burned=True, cards_out=state.cards_out + 1, by_hand=True)
        case BoardDealt():
            return _turn_board(state, event)
        case FeeDue():
            return replace(state, fee_due=True)
        case FeePaid():
            return _pay_fee(state, event)
        case Tabled():
            tabled = replace(state, tabled=state.tabled | {event.seat: event.cards})
            return _claim(drop_readings(tabled))
        case Mucked():
            return _claim(replace(state, mucked=(*state.mucked, event.seat)))
        case DealerRead():
            return _claim(_read(state, event))
        case Irregularity():
            # Trouble for the floor must not be replaced by a smaller one that the dealer can
            # dismiss.
            waits_for_floor = state.trouble is not None and state.trouble not in DEALER_SETTLES
            if waits_for_floor:
                return state
            return replace(
                state, trouble=event.kind, trouble_seat=event.seat, missing=event.unrecorded
            )
        case Settled():
            return replace(state, trouble=None, trouble_seat=None, missing=0)
        case HandEnded():
            move = Move.RULED if event.by_ruling else Move.PUSHED
            return replace(state, phase=follow(state.phase, move), result=event)
        case _:
            return _fold_ruling(state, event)


def _fold_ruling(state: HandState, event: HandEvent) -> HandState:
    """What the floor has ordered."""
    match event:
        case HandDeclared():
            return _declare(state, event)
        case PotCorrected():
            hand = state.seats[event.seat]
            stack = None if hand.stack is None else hand.stack - event.amount
            # As dead money: it matches no bet, so the correction changes no price and nobody's
            # turn.
            hand = hand._replace(stack=stack, dead=hand.dead + event.amount)
            return replace(
                state,
                seats=state.seats | {event.seat: hand},
                corrected=state.corrected + abs(event.amount),
            )
        case BoardCorrected():
            board = (*state.board[: event.place], event.card, *state.board[event.place + 1 :])
            return replace(state, board=board)
        case RemedyOrdered():
            return replace(
                state,
                no_burn=state.no_burn.union(event.no_burn),
                trouble=None,
                trouble_seat=None,
                missing=0,
                exposed=state.exposed or event.kind == "exposed_card",
            )
        case ActionBound():
            return replace(state, bound=state.bound | {event.seat: (event.action, event.price)})
        case ActionReleased():
            bound = {seat: what for seat, what in state.bound.items() if seat != event.seat}
            return replace(state, bound=bound)
        case FeeWaived():
            return replace(state, fee_waived=True)
        case _:
            raise TypeError(f"{type(event).__name__} does not belong in a running hand")


def _declare(state: HandState, event: HandDeclared) -> HandState:
    """A hand is dead or lives again; winners that the dealer has named must be named again."""
    hand = state.seats[event.seat]._replace(folded=event.dead)
    if not event.dead:
        hand = hand._replace(acted_at=None)
    after = replace(state, seats=state.seats | {event.seat: hand}, read_high={}, read_low={})
    if event.returned:
        after = _return_bet(after, event.seat, event.returned)
    if state.phase is Phase.BOARD and len(after.contenders) == 1:
        return replace(after, phase=follow(state.phase, Move.ONE_LEFT))
    if state.phase is not Phase.BETTING:
        return _claim(after) if state.phase in (Phase.SHOWDOWN, Phase.PUSH) else after
    heads_up = event.dead and becomes_heads_up(after, after.seats, after.raises)
    return replace(
        after, actor=_actor_without(after, event.seat), uncapped=after.uncapped or heads_up
    )


def _actor_without(state: HandState, seat: int) -> int | None:
    """Whose turn it is when the hand of a seat has died, or lives again."""
    dealt, actor = state.setup.dealt, state.actor
    if actor is None or actor == seat:
        return next_to_act(dealt, state.seats, state.price, seat)
    # Another seat's turn stays, unless nothing is left for it to answer.
    return None if next_to_act(dealt, state.seats, state.price, None) is None else actor


def _fold_out_of_turn(state: HandState, event: FoldedOutOfTurn) -> HandState:
    """The hand is dead at once. It does not count as an action in turn (TDA rule 36)."""
    folded = state.seats[event.seat]._replace(folded=True)
    after = replace(
        state,
        seats=state.seats | {event.seat: folded},
        # It has seen the board: a ruling must not take the street back as if nobody had acted.
        opener=event.seat if state.opener is None else state.opener,
        bound={seat: what for seat, what in state.bound.items() if seat != event.seat},
    )
    if state.phase is Phase.BOARD:
        alone = len(after.contenders) == 1
        return replace(after, phase=follow(state.phase, Move.ONE_LEFT)) if alone else after
    heads_up = becomes_heads_up(after, after.seats, after.raises)
    return replace(
        after, actor=_actor_without(after, event.seat), uncapped=after.uncapped or heads_up
    )


def _return_bet(state: HandState, seat: int, back: Cents) -> HandState:
    """The bet that nobody has called goes back; the street stands as before it."""
    hand = state.seats[seat]
    hand = hand._replace(
        stack=None if hand.stack is None else hand.stack + back,
        put_in=hand.put_in - back,
        bet=max(hand.bet - back, 0),
        all_in=False,
    )
    seats = state.seats | {seat: hand}
    opening = state.setup.stakes.opening if state.street is Street.PREFLOP else 0
    price = max(opening, *[at.bet for at in seats.values()])
    full, increment = price, max(opening, state.setup.stakes.bet(state.street))
    raises, earlier = max(state.raises - 1, 0), state.before
    initiators = state.initiators
    # The least raise and the number of raises are those from before the bet; the street's own
    # history knows them.
    while earlier is not None and earlier.price > price:
        earlier = earlier.before
    if earlier is not None and earlier.street is state.street:
        full, increment, raises = earlier.full, earlier.increment, earlier.raises
        initiators = earlier.initiators
    return replace(
        state,
        seats=seats,
        price=price,
        full=full,
        increment=increment,
        raises=raises,
        initiators=initiators,
        returned=state.returned | {seat: state.returned.get(seat, 0) + back},
    )


def _post(state: HandState, event: Posted) -> HandState:
    hand = state.seats[event.seat]
    stack = None if hand.stack is None else hand.stack - event.amount
    # An ante that one seat posts for all is nobody's bet. As a bet it would make a side pot.
    for_all = event.kind == "ante" and state.setup.limit.ante_by == "big_blind"
    # So is the kill of a player who is away: nobody sits behind it to be matched.
    away = event.seat not in state.setup.dealt
    if event.kind == "dead" or for_all or away:
        all_in = event.all_in and not away
        hand = hand._replace(stack=stack, dead=hand.dead + event.amount, all_in=all_in)
    else:
        # A seat's own ante counts for side pots, but is no part of the bet in front of it.
        live = 0 if event.kind == "ante" else event.amount
        hand = hand._replace(
            stack=stack,
            bet=hand.bet + live,
            put_in=hand.put_in + event.amount,
            all_in=event.all_in,
        )
    return replace(state, seats=state.seats | {event.seat: hand})


def _pay_fee(state: HandState, event: FeePaid) -> HandState:
    hand = state.seats[event.seat]
    stack = None if hand.stack is None else hand.stack - event.amount
    return replace(
        state,
        seats=state.seats | {event.seat: hand._replace(stack=stack)},
        paid=state.paid | {event.seat: event.amount},
    )


def _post_short(state: HandState, event: PostedShort) -> HandState:
    """What a seat has posted is counted again, from all that it had: ante first, then blinds."""
    again = replace(
        state,
        short=state.short | {event.seat: event.amount},
        seats=state.seats
        | {event.seat: SeatHand(None, folded=event.seat not in state.setup.dealt)},
    )
    mine = [posted for posted in post(again) if posted.seat == event.seat]
    for posted in mine:
        again = _post(again, posted)
    return again


def _card(state: HandState, event: CardDealt) -> HandState:
    out, ahead = _filled(state, event.slot)
    burn = event.kind == "burn"
    face_up = () if burn or event.card is None else (event.card,)
    after = replace(
        state,
        cards_out=out,
        ahead=ahead,
        missing=max(state.missing - 1, 0),
        burned=state.burned or burn,
        turned=state.turned + face_up,
    )
    return after if burn or face_up or out != state.hole_slots else _open_betting(after)


def _filled(state: HandState, slot: int) -> tuple[int, frozenset[int]]:
    """How many slots are out and which beyond a gap, with one more filled.

    Hole cards may come in any order from a reader that knows places. A board card fills all before
    it: a burn that was waived, or not read, leaves its slot empty.
    """
    if slot >= state.hole_slots:
        return max(state.cards_out, slot + 1), state.ahead
    if slot == state.cards_out and not state.ahead:
        return slot + 1, state.ahead
    ahead, out = state.ahead | {slot}, state.cards_out
    while out in ahead:
        ahead, out = ahead - {out}, out + 1
    return out, ahead


def _open_betting(state: HandState) -> HandState:
    return replace(
        state,
        phase=follow(state.phase, Move.HOLE_CARDS_OUT),
        uncapped=starts_uncapped(state),
        actor=first_to_act(state),
    )


def _close_street(state: HandState, event: StreetClosed) -> HandState:
    seats = {}
    for seat, hand in state.seats.items():
        back = event.returned.get(seat, 0)
        seats[seat] = SeatHand(
            stack=None if hand.stack is None else hand.stack + back,
            put_in=hand.put_in - back,
            dead=hand.dead,
            folded=hand.folded,
            # With chips returned the seat has something to bet again.
            all_in=hand.all_in and not back,
        )
    if len(state.contenders) == 1:
        move = Move.ONE_LEFT
    elif event.street is Street.RIVER:
        move = Move.RIVER_CLOSED
    else:
        move = Move.STREET_CLOSED
    return replace(
        state,
        phase=follow(state.phase, move),
        seats=seats,
        actor=None,
        price=0,
        full=0,
        returned=state.returned
        | {seat: state.returned.get(seat, 0) + back for seat, back in event.returned.items()},
    )


def _turn_board(state: HandState, event: BoardDealt) -> HandState:
    turned = replace(
        state,
        phase=follow(state.phase, Move.BOARD_TURNED),
        past_flop=True,
        by_hand=state.by_hand or state.turned != event.cards,
        board=state.board + event.cards,
        # By hand the slots are not filled one by one: burn and three, burn and one, burn and one.
        cards_out=state.hole_slots + (4, 6, 8)[event.street - 1],
    )
    return open_street(turned, event.street)


def _read(state: HandState, event: DealerRead) -> HandState:
    read = assign_read(state, event.side, event.seats, event.pot) or {}
    if event.side == "high":
        return replace(state, read_high=read)
    return replace(state, read_low=read)


def _claim(state: HandState) -> HandState:
    """After a claim was tabled, given up or read: are the winners known?"""
    done = not unread(state)
    return replace(state, phase=follow(state.phase, Move.READ if done else Move.UNREAD))

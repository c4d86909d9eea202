"""Rulings that put the last bet, the pot or a board card right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from omaha_table.floor.params import Option, Range
from omaha_table.floor.spec import (
    Effect,
    check,
    hand_of,
    in_the_hand,
    no_hand_in_play,
    refused,
    why_not_in_hand,
)
from omaha_table.hand import apply, decide
from omaha_table.hand import events as hand_events
from omaha_table.hand.betting import options
from omaha_table.hand.commands import Act
from omaha_table.hand.face_up import where_face_up
from omaha_table.money import Cents, format_dollars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.cards import Card
    from omaha_table.floor.params import Before
    from omaha_table.hand import HandState, Refused
    from omaha_table.table import TableState

Direction: TypeAlias = Literal["add", "back"]


def _before_last_action(hand: HandState) -> HandState | None:
    """The hand before its last entry, if that was one seat's action and can be taken back."""
    before = hand.before
    single = before is not None and hand.actions - before.actions == 1
    return before if single and hand.undoable else None


def why_no_bet(state: TableState) -> Refused | None:
    if state.hand is None:
        return no_hand_in_play(state)
    if _is_correctable(state.hand):
        return None
    return refused(state, "wrong_phase", "the last entry was not a bet or call")


def why_not_last(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    before = _before_last_action(hand_of(state))
    if before is None or before.actor != seat:
        return refused(
            state,
            "wrong_phase",
            f"seat {seat}'s bet was not the last action: back up the action first",
        )
    return None


def price_before(state: TableState, before: Before) -> Range | None:
    """What the corrected action faced, and what its seat had."""
    then = _before_last_action(hand_of(state))
    if then is None:
        return None
    at = then.seats[before[0]]
    price = f"A call is {format_dollars(then.price)}" if then.price else "Nobody had bet"
    if at.stack is None:
        return Range(f"{price}.", None)
    most = at.bet + at.stack
    return Range(f"{price}; all in is {format_dollars(most)}.", most)


def _is_correctable(hand: HandState) -> bool:
    """Whether the last action can be corrected to a call, a raise or another all-in."""
    before = _before_last_action(hand)
    if before is None or before.actor is None:
        return False
    seat, may = before.actor, options(before)
    if hand.seats[seat].all_in:
        return True
    could = []
    if before.seats[seat].bet + may.to_call == before.price:
        could.append("call" if may.to_call else "check")
    if may.least is not None:
        could.append("raise" if before.price else "bet")
    bound = before.bound.get(seat)
    held = bound is not None and bound[1] == before.price
    return any(not held or (bound is not None and bound[0] == action) for action in could)


def correct_bet(state: TableState, seat: int, amount: Cents) -> Effect:
    hand = hand_of(state)
    check(why_not_last(state, seat))
    before = _before_last_action(hand)
    assert before is not None
    verb: Literal["allin", "call", "raise"] = "call" if amount == before.price else "raise"
    if hand.seats[seat].all_in:
        verb = "allin"
    elif amount < before.price:
        raise refused(
            state,
            "bet_size",
            f"a call is {format_dollars(before.price)}: only an all-in can be less",
        )
    back = hand_events.BackedUp(before.standing, hand.entry + 1)
    restored = apply(hand, back)
    return Effect(
        f"Seat {seat}'s action is corrected to {format_dollars(amount)} on this street.",
        [back, *decide(restored, Act(verb, amount)).events],
    )


def why_not_in_pot(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    return why_not_in_hand(state, seat)


def movable(state: TableState, before: Before) -> Range | None:
    """How much can go between a seat and the pot."""
    hand = hand_of(state)
    seat, way = before
    at, main = hand.seats[seat], hand.pots()[0].amount if hand.pots() else 0
    if way == "back":
        most = min(at.put_in + at.dead, main)
        put_in = format_dollars(at.put_in + at.dead)
        return Range(f"Seat {seat} has put in {put_in}; the pot has {format_dollars(main)}.", most)
    if at.stack is None:
        return None
    return Range(f"Seat {seat} has {format_dollars(at.stack)} and must keep a chip.", at.stack - 1)


def correct_pot(state: TableState, seat: int, way: Direction, amount: Cents) -> Effect:
    hand = hand_of(state)
    in_the_hand(state, hand, seat)
    at = hand.seats[seat]
    if way == "add" and at.stack is not None and at.stack <= amount:
        raise refused(
            state, "chips", f"seat {seat} has only {format_dollars(at.stack)} and must keep a chip"
        )
    main = hand.pots()[0].amount if hand.pots() else 0
    if way == "back" and amount > at.put_in + at.dead:
        raise refused(
            state,
            "chips",
            f"seat {seat} has put in only {format_dollars(at.put_in + at.dead)}",
        )
    if way == "back" and amount > main:
        raise refused(
            state,
            "chips",
            f"the main pot has only {format_dollars(main)}: back up the action instead",
        )
    signed = amount if way == "add" else -amount
    limit = state.profile.floor.two_persons_above
    return Effect(
        f"{format_dollars(amount)} {'goes from' if way == 'add' else 'goes back to'} seat {seat}"
        f"{' into the pot' if way == 'add' else ''}.",
        [hand_events.PotCorrected(seat, signed, hand.entry + 1)],
        persons=2 if hand.corrected + amount > limit else 1,
    )


def why_no_board(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    if not hand.board:
        return refused(state, "card_count", "no card is on the board")
    return _a_hand_is_tabled(state) if hand.tabled else None


def _a_hand_is_tabled(state: TableState) -> Refused:
    return refused(state, "wrong_phase", "back up the action first: a hand is tabled")


_PLACES: Final = ("first flop card", "second flop card", "third flop card", "turn", "river")


def board_places(state: TableState) -> Iterator[Option]:
    """Each place of the board, with the card that lies there."""
    for number, (card, place) in enumerate(zip(hand_of(state).board, _PLACES, strict=False), 1):
        yield Option(str(number), f"{card}  {place}")


def correct_board(state: TableState, place: int, card: Card) -> Effect:
    hand = hand_of(state)
    if not 1 <= place <= len(hand.board):
        raise refused(state, "card_count", f"the board has only {len(hand.board)} cards")
    if hand.tabled:
        raise _a_hand_is_tabled(state)
    where = where_face_up(hand, card)
    if where:
        raise refused(state, "duplicate_card", where)
    return Effect(
        f"Card {place} of the board is the {card}, not the {hand.board[place - 1]}.",
        [hand_events.BoardCorrected(place - 1, card, hand.entry + 1)],
    )

"""Rulings on the hand in play.

Each ruling has a function that says whether it is possible now. If that depends on a seat, both
use the same `_problem_with_…` function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.floor.spec import (
    Effect,
    check,
    hand_of,
    in_the_hand,
    pots_total,
    refused,
)
from omaha_table.hand import apply, decide, misdeal_window_open
from omaha_table.hand import events as hand_events
from omaha_table.hand.betting import options
from omaha_table.hand.commands import Act
from omaha_table.hand.decisions import with_consequences
from omaha_table.hand.phases import Phase
from omaha_table.hand.pots import uncalled
from omaha_table.hand.showdown import award_by_ruling, call_off
from omaha_table.money import Cents, format_dollars
from omaha_table.table import events as table_events

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand import HandState, Refused
    from omaha_table.hand.events import ActionKind
    from omaha_table.table import TableState


Direction: TypeAlias = Literal["add", "back"]


def in_a_hand(state: TableState) -> bool:
    return state.hand is not None


def can_misdeal(state: TableState) -> bool:
    return state.hand is not None and misdeal_window_open(state.hand)


def misdeal(state: TableState) -> Effect:
    hand = hand_of(state)
    if not misdeal_window_open(hand):
        raise refused(
            state,
            "misdeal_window",
            "it is too late for a misdeal: play on, or void the hand",
        )
    return Effect(
        "Misdeal: all bets go back, and the hand is redealt with the same button, blinds, "
        "kill and players.",
        [call_off(hand, "misdeal", hand.entry + 1)],
    )


def void(state: TableState) -> Effect:
    hand = hand_of(state)
    return Effect(
        "The hand is void: all bets and the fee go back, and it is redealt from the same button.",
        [call_off(hand, "void", hand.entry + 1)],
        persons=2 if hand.past_flop else 1,
    )


def fouled(state: TableState) -> Effect:
    called_off = void(state)
    deck = hand_of(state).setup.started.deck
    return Effect(
        "The deck is fouled: the hand is void, all bets go back, and the floor keeps the deck.",
        [*called_off.events, table_events.DeckReported("bad", None, deck)],
        called_off.persons,
    )


def can_declare_dead(state: TableState) -> bool:
    hand = state.hand
    return hand is not None and any(
        _problem_with_declaring(state, hand, seat, dead=True) is None for seat in hand.setup.dealt
    )


def can_declare_live(state: TableState) -> bool:
    hand = state.hand
    return hand is not None and any(
        _problem_with_declaring(state, hand, seat, dead=False) is None for seat in hand.setup.dealt
    )


def declare_dead(state: TableState, seat: int) -> Effect:
    return _declare(state, seat, dead=True)


def declare_live(state: TableState, seat: int) -> Effect:
    return _declare(state, seat, dead=False)


def _problem_with_declaring(
    state: TableState, hand: HandState, seat: int, *, dead: bool
) -> Refused | None:
    if hand.phase in (Phase.DEAL, Phase.PUSH):
        return refused(
            state,
            "wrong_phase",
            "possible only during betting and showdown: back up the action first",
        )
    if seat in hand.mucked or hand.seats[seat].folded is dead:
        return refused(
            state, "no_such_seat", f"seat {seat}'s hand is already {'dead' if dead else 'live'}"
        )
    if dead and seat in hand.tabled:
        return refused(
            state, "cards_speak", "a tabled hand cannot be declared dead: award the pots instead"
        )
    if dead and len(hand.contenders) == 1:
        return refused(state, "no_such_seat", f"seat {seat} has the last live hand")
    if not dead and _behind(hand, seat):
        return refused(
            state, "wrong_phase", f"seat {seat} has not called the bet: back up to its fold instead"
        )
    return None


def _declare(state: TableState, seat: int, *, dead: bool) -> Effect:
    hand = hand_of(state)
    in_the_hand(state, hand, seat)
    check(_problem_with_declaring(state, hand, seat, dead=dead))
    back = _uncalled_bet(hand, seat) if dead else 0
    event = hand_events.HandDeclared(seat, dead, back, hand.entry + 1)
    if not dead:
        effect = f"Seat {seat}'s hand is live again and acts in turn."
    elif back:
        effect = f"Seat {seat}'s hand is dead; its uncalled {format_dollars(back)} goes back."
    else:
        effect = f"Seat {seat}'s hand is dead; its chips stay in the pot."
    return Effect(effect, with_consequences(hand, [event]).events)


def _behind(hand: HandState, seat: int) -> bool:
    """Whether a seat owes a call from an earlier street, which it cannot make now."""
    most = max(hand.seats[other].put_in - hand.seats[other].bet for other in hand.contenders)
    return hand.seats[seat].put_in - hand.seats[seat].bet < most and not hand.seats[seat].all_in


def _uncalled_bet(hand: HandState, seat: int) -> Cents:
    """The last bet or raise, if this seat made it and nobody called it. Blinds stay in."""
    if hand.phase is not Phase.BETTING or hand.aggressor != seat:
        return 0
    return uncalled({other: at.put_in for other, at in hand.seats.items()}).get(seat, 0)


def can_back_up(state: TableState) -> bool:
    return state.hand is not None and state.hand.before is not None


def back_up(state: TableState, count: int) -> Effect:
    hand = hand_of(state)
    target: HandState | None = hand
    for _ in range(count):
        target = target.before if target is not None else None
    if target is None or not count:
        most = entries(hand)
        raise refused(
            state,
            "wrong_phase",
            f"only the last {f'{most} entries' if most > 1 else 'entry'} can be taken back",
        )
    return Effect(
        f"The last {count} {'entry is' if count == 1 else 'entries are'} taken back: "
        f"{_where(target)}.",
        [hand_events.BackedUp(target.standing, hand.entry + 1)],
    )


def entries(hand: HandState) -> int:
    """How many entries can be taken back."""
    count = 0
    while hand.before is not None:
        hand = hand.before
        count += 1
    return count


def _where(hand: HandState) -> str:
    if hand.phase is Phase.BETTING:
        return f"{hand.street.word}, action on seat {hand.actor}"
    return f"{hand.street.word}, {hand.phase}"


def _before_last_action(hand: HandState) -> HandState | None:
    """The hand before its last entry, if that was one seat's action and can be taken back."""
    before = hand.before
    single = before is not None and hand.actions - before.actions == 1
    return before if single and hand.undoable else None


def can_correct_bet(state: TableState) -> bool:
    """Whether the last action can be corrected to a call, a raise or another all-in."""
    before = None if state.hand is None else _before_last_action(state.hand)
    if state.hand is None or before is None or before.actor is None:
        return False
    seat, may = before.actor, options(before)
    if state.hand.seats[seat].all_in:
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
    before = _before_last_action(hand)
    if before is None or before.actor != seat:
        raise refused(
            state,
            "wrong_phase",
            f"seat {seat}'s bet was not the last action: back up the action first",
        )
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


def can_correct_board(state: TableState) -> bool:
    hand = state.hand
    return hand is not None and bool(hand.board) and not hand.tabled


def correct_board(state: TableState, place: int, card: Card) -> Effect:
    hand = hand_of(state)
    if not 1 <= place <= len(hand.board):
        raise refused(state, "card_count", f"the board has only {len(hand.board)} cards")
    if hand.tabled:
        raise refused(state, "wrong_phase", "a hand has been tabled: back up the action first")
    if card in hand.board:
        raise refused(state, "duplicate_card", f"the {card} is already on the board")
    return Effect(
        f"Card {place} of the board is the {card}, not the {hand.board[place - 1]}.",
        [hand_events.BoardCorrected(place - 1, card, hand.entry + 1)],
    )


def _waiting(hand: HandState) -> list[int]:
    """The seats that still wait for their turn."""
    if hand.phase is not Phase.BETTING:
        return []
    return [seat for seat in hand.able if seat != hand.actor]


def can_bind(state: TableState) -> bool:
    return state.hand is not None and bool(_waiting(state.hand))


def bind(state: TableState, seat: int, action: ActionKind) -> Effect:
    hand = hand_of(state)
    in_the_hand(state, hand, seat)
    if seat not in _waiting(hand):
        raise refused(state, "wrong_phase", f"seat {seat} is not waiting for its turn")
    facing = hand.seats[seat].bet < hand.price
    if (action in ("check", "bet") and facing) or (action in ("call", "raise") and not hand.price):
        raise refused(
            state,
            "wrong_phase",
            f"seat {seat} could not {action}: there is {'a' if facing else 'no'} bet",
        )
    return Effect(
        f"Seat {seat}'s {action} out of turn stands unless the bet changes before its turn.",
        [hand_events.ActionBound(seat, action, hand.price, hand.entry + 1)],
    )


def can_release(state: TableState) -> bool:
    return state.hand is not None and bool(state.hand.bound)


def release(state: TableState, seat: int) -> Effect:
    hand = hand_of(state)
    if seat not in hand.bound:
        raise refused(state, "wrong_phase", f"seat {seat} is not bound to an action")
    return Effect(
        f"Seat {seat} has all options when its turn comes.",
        [hand_events.ActionReleased(seat, hand.entry + 1)],
    )


def can_award(state: TableState) -> bool:
    return state.hand is not None and state.hand.phase in (Phase.SHOWDOWN, Phase.PUSH)


def award(state: TableState, awards: dict[int, Cents]) -> Effect:
    hand = hand_of(state)
    if not can_award(state):
        raise refused(state, "wrong_phase", "pots can be awarded only when the betting is over")
    for seat in awards:
        in_the_hand(state, hand, seat)
    pot = pots_total(hand)
    if sum(awards.values()) != pot:
        raise refused(
            state,
            "chips",
            f"the awards add up to {format_dollars(sum(awards.values()))}, "
            f"but the pots hold {format_dollars(pot)}",
        )
    paid = ", ".join(f"{format_dollars(cents)} to seat {seat}" for seat, cents in awards.items())
    return Effect(
        f"The pots are pushed as ruled: {paid}.", [award_by_ruling(hand, awards, hand.entry + 1)]
    )


def can_waive(state: TableState) -> bool:
    return state.hand is not None and not state.hand.fee_waived


def waive(state: TableState) -> Effect:
    hand = hand_of(state)
    if hand.fee_waived:
        raise refused(state, "wrong_phase", "the fee of this hand is already waived")
    return Effect(
        "No fee or jackpot is taken from this hand.",
        [hand_events.FeeWaived(hand.entry + 1)],
    )

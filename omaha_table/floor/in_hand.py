"""Rulings on the hand in play.

Each ruling has a function that says why it is not possible now, before anything is chosen, and one
for each seat where that depends on the seat. The effects use the same functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.floor.params import Option, Range
from omaha_table.floor.spec import (
    Effect,
    check,
    hand_of,
    in_the_hand,
    no_hand_in_play,
    pots_total,
    refused,
    why_not_in_hand,
)
from omaha_table.hand import events as hand_events
from omaha_table.hand import misdeal_window_open
from omaha_table.hand.decisions import with_consequences
from omaha_table.hand.phases import Phase
from omaha_table.hand.pots import uncalled
from omaha_table.hand.showdown import award_by_ruling, call_off
from omaha_table.money import Cents, format_dollars
from omaha_table.table import events as table_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.floor.params import Before
    from omaha_table.hand import HandState, Refused
    from omaha_table.table import TableState


def why_no_hand(state: TableState) -> Refused | None:
    return no_hand_in_play(state) if state.hand is None else None


def why_no_misdeal(state: TableState) -> Refused | None:
    if state.hand is None:
        return no_hand_in_play(state)
    if misdeal_window_open(state.hand):
        return None
    return refused(state, "misdeal_window", "too late for a misdeal: play on or void it")


def misdeal(state: TableState) -> Effect:
    hand = hand_of(state)
    check(why_no_misdeal(state))
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


def why_none_dead(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    if hand.phase in _FIXED:
        return _only_in_betting(state)
    if any(why_not_dead(state, seat) is None for seat in hand.setup.dealt):
        return None
    return refused(state, "no_such_seat", "no hand can be declared dead")


def why_none_live(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    if hand.phase in _FIXED:
        return _only_in_betting(state)
    if any(why_not_live(state, seat) is None for seat in hand.setup.dealt):
        return None
    return refused(state, "no_such_seat", "no dead hand can be live again")


def why_not_dead(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    out = why_not_in_hand(state, seat)
    return out or _problem_with_declaring(state, hand_of(state), seat, dead=True)


def why_not_live(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    out = why_not_in_hand(state, seat)
    return out or _problem_with_declaring(state, hand_of(state), seat, dead=False)


_FIXED: Final = (Phase.DEAL, Phase.PUSH)
"""Phases in which no hand is declared dead or live."""


def _only_in_betting(state: TableState) -> Refused:
    return refused(state, "wrong_phase", "only in betting and showdown: back up first")


def declare_dead(state: TableState, seat: int) -> Effect:
    return _declare(state, seat, dead=True)


def declare_live(state: TableState, seat: int) -> Effect:
    return _declare(state, seat, dead=False)


def _problem_with_declaring(
    state: TableState, hand: HandState, seat: int, *, dead: bool
) -> Refused | None:
    if hand.phase in _FIXED:
        return _only_in_betting(state)
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


def why_no_backing_up(state: TableState) -> Refused | None:
    if state.hand is None:
        return no_hand_in_play(state)
    if state.hand.before is not None:
        return None
    return refused(state, "wrong_phase", "nothing in this hand can be taken back")


def entries_back(state: TableState) -> Iterator[Option]:
    """How far back the hand can go, entry by entry, and where it stands then."""
    now, count = state.hand, 0
    while now is not None and now.before is not None:
        count += 1
        yield Option(str(count), f"back to {_where(now.before)}", entry=now.standing_seqs)
        now = now.before


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


def why_no_award(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    if hand.phase in (Phase.SHOWDOWN, Phase.PUSH):
        return None
    return refused(state, "wrong_phase", "pots are awarded when the betting is over")


def why_not_awarded(state: TableState, seat: int, before: Before) -> Refused | None:
    if seat in before[::2]:
        return refused(state, "no_such_seat", f"seat {seat} has its award already")
    return why_not_in_hand(state, seat)


def left_to_award(state: TableState, before: Before) -> Range | None:
    pot = pots_total(hand_of(state))
    left = pot - sum(before[1::2])
    return Range(f"{format_dollars(left)} of {format_dollars(pot)} is left to award.", left, left)


def award(state: TableState, awards: dict[int, Cents]) -> Effect:
    hand = hand_of(state)
    check(why_no_award(state))
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


def why_no_waiving(state: TableState) -> Refused | None:
    if state.hand is None:
        return no_hand_in_play(state)
    if not state.hand.fee_waived:
        return None
    return refused(state, "wrong_phase", "the fee of this hand is already waived")


def waive(state: TableState) -> Effect:
    hand = hand_of(state)
    check(why_no_waiving(state))
    return Effect(
        "No fee or jackpot is taken from this hand.",
        [hand_events.FeeWaived(hand.entry + 1)],
    )

"""Situations that a dealer should have met before they happen at a live table.

Each is set up for the profile and the limit that are practiced: the deck is searched for, and the
stacks are worked out by dealing the beginning of the hand once in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from omaha_table.cards import ACE, DECK
from omaha_table.demo.evidence import (
    finished_and_went_on,
    keyed_all_in_and_knew_the_raise,
    ordered_the_remedy,
    read_right,
    recorded_out_of_turn,
)
from omaha_table.demo.players import Intent, least_of
from omaha_table.evaluate import read_hands
from omaha_table.hand.commands import Act
from omaha_table.hand.phases import Street
from omaha_table.table.commands import Draw, PlaceButton

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from omaha_table.cards import Card
    from omaha_table.demo.evidence import Evidence
    from omaha_table.hand import HandState, Step
    from omaha_table.hand.state import Setup
    from omaha_table.money import Cents
    from omaha_table.rules import Limit, Profile
    from omaha_table.session import Session

_TRIES: Final = 50_000
"""Decks that are looked at for one that fits; the rarest situation needs some hundreds."""


class Stack(NamedTuple):
    """A seat by its place in the order of the deal, and what it has."""

    place: int
    cents: Cents


@dataclass(frozen=True, slots=True)
class Situation:
    name: str
    told: str
    judge: Callable[[Evidence], str]
    """Why it was not handled; empty: it was."""
    misfit: Callable[[Profile, Limit], str] = lambda _profile, _limit: ""
    """Why it cannot happen in a game; empty: it can."""
    plan: Callable[[HandState, Step], Intent | None] = lambda _hand, _step: None
    """What the seat that is asked does in this hand; None: what it likes."""
    wanted: Callable[[Setup, Deck], bool] | None = None
    """Whether a deck makes the situation."""
    short: Callable[[Session], Stack] | None = None
    """A short stack, from a table that stands before the first action."""
    asks_for_raise: Callable[[HandState], bool] = lambda _hand: False
    """Whether the dealer is asked if the seat to act may raise."""
    fault: Literal["", "jam", "exposed", "fold"] = ""
    """Of the machines, of the pitch, or of a player who folds out of turn."""
    least_hands: int = 1
    """How many hands it takes."""

    def deck(self, setup: Setup, rng: random.Random) -> tuple[Card, ...] | None:
        """A deck for the hand; None: any."""
        if self.wanted is None:
            return None
        for _ in range(_TRIES):
            cards = tuple(rng.sample(DECK, len(DECK)))
            if self.wanted(setup, Deck(cards, setup)):
                return cards
        raise LookupError(f"no deck makes the situation {self.name!r} in this game")


STAYERS: Final = 3
"""How many players see the showdown of a situation about reading: the first in the deal."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What a deck would come to between the players who stay."""

    cards: tuple[Card, ...]
    setup: Setup

    @property
    def stay(self) -> tuple[int, ...]:
        return self.setup.dealt[:STAYERS]

    def held(self, seat: int) -> list[Card]:
        slots = enumerate(self.setup.slots)
        return [self.cards[at] for at, slot in slots if slot.kind == "hole" and slot.seat == seat]

    def board(self) -> list[Card]:
        slots = enumerate(self.setup.slots)
        return [self.cards[at] for at, slot in slots if slot.kind in ("flop", "turn", "river")]

    def values(self, board_cards: int = 5) -> tuple[list[int], list[int]]:
        return read_hands(
            [card.code for card in self.board()[:board_cards]],
            [[card.code for card in self.held(seat)] for seat in self.stay],
            self.setup.profile.game.low_qualifier,
        )


def _best(values: Sequence[int]) -> list[int]:
    """The places of the best value; none where nobody has one."""
    best = max(values)
    return [place for place, value in enumerate(values) if best and value == best]


# What fits a game


def _needs_low(profile: Profile, limit: Limit) -> str:
    return "" if profile.splits else "it needs a high/low game"


def _needs_machine(profile: Profile, limit: Limit) -> str:
    return "" if "machine" in profile.shuffle.allowed else "its rules have no shuffling machine"


# What the players do


def _see_it_out(hand: HandState, step: Step) -> Intent | None:
    """Three players go to the showdown with one bet on the flop and one on the turn."""
    words = {choice.word for choice in step.choices}
    if step.what == "show":
        return Intent("show")
    if step.seat not in hand.setup.dealt[:STAYERS]:
        return Intent("check" if "check" in words else "fold")
    if "bet" in words and step.seat == hand.setup.dealt[1] and hand.street is not Street.RIVER:
        return least_of(step, "bet")
    return Intent("call" if "call" in words else "check")


def _raise_and_short_all_in(hand: HandState, step: Step) -> Intent | None:
    """The first to act raises, the next but one calls all in for a little more."""
    words = {choice.word for choice in step.choices}
    opener, short = hand.setup.dealt[2], hand.setup.dealt[4]
    if step.what == "show":
        return Intent("show")
    if hand.street is Street.PREFLOP:
        if step.seat == opener and "raise" in words and not hand.raises:
            return least_of(step, "raise")
        if step.seat == short:
            return Intent("allin")
        if step.seat not in (opener, *hand.setup.dealt[1:4]):
            return Intent("fold")
    return Intent("call" if "call" in words else "check")


def _after_a_short_all_in(hand: HandState) -> bool:
    """For the next seat, which has not acted, and for the opener, who has."""
    dealt = hand.setup.dealt
    if hand.street is not Street.PREFLOP or not hand.seats[dealt[4]].all_in:
        return False
    return hand.actor in (dealt[5 % len(dealt)], dealt[2])


# Which decks


def _quarters(setup: Setup, deck: Deck) -> bool:
    """Two have the same low, and one of them has the high."""
    highs, lows = deck.values()
    high, low = _best(highs), _best(lows)
    return len(low) == 2 and len(high) == 1 and high[0] in low


def _counterfeits(setup: Setup, deck: Deck) -> bool:
    """The river pairs a card of the best low, and another player has the best low now."""
    _, before = deck.values(4)
    _, after = deck.values()
    led, leads = _best(before), _best(after)
    if len(led) != 1 or len(leads) != 1 or led == leads:
        return False
    river = deck.board()[4].rank
    held = [card.rank for card in deck.held(deck.stay[led[0]])]
    return (river <= 8 or river == ACE) and river in held


def _side_pot(setup: Setup, deck: Deck) -> bool:
    """The short stack, which is the first, has the best high; the side pot has one winner."""
    highs, lows = deck.values()
    return _best(highs) == [0] and len(_best(highs[1:])) == 1 and len(_best(lows)) < 2


# Which stacks


def _less_than_a_raise(session: Session) -> Stack:
    """A little more than the first raise: not enough to raise again."""
    hand = session.state.hand
    assert hand is not None
    step = session.step
    raised = least_of(step, "raise")
    done = session.do(Act("raise", raised.amount))
    assert done.refusal is None, done.refusal
    hand = session.state.hand
    assert hand is not None
    unit, bet = hand.setup.profile.odd_chip.unit, hand.setup.stakes.bet(Street.PREFLOP)
    return Stack(4, hand.price + max(bet // 4 // unit * unit, unit))


def _half_a_bet_more(session: Session) -> Stack:
    """The first in the deal can pay the blind, and half of the bet on the flop."""
    hand = session.state.hand
    assert hand is not None
    unit, bet = hand.setup.profile.odd_chip.unit, hand.setup.stakes.bet(Street.FLOP)
    return Stack(0, hand.price + max(bet // 2 // unit * unit, unit))


SITUATIONS: Final = (
    Situation(
        "quartering",
        "Two players tie for the low, and one of them has the high. Read who wins and what each "
        "gets before the console says it.",
        read_right,
        misfit=_needs_low,
        plan=_see_it_out,
        wanted=_quarters,
    ),
    Situation(
        "counterfeit",
        "The river pairs a card of the best low. Read the low again.",
        read_right,
        misfit=_needs_low,
        plan=_see_it_out,
        wanted=_counterfeits,
    ),
    Situation(
        "side pot",
        "A player is all in on the flop. Read each pot by itself.",
        read_right,
        plan=_see_it_out,
        wanted=_side_pot,
        short=_half_a_bet_more,
    ),
    Situation(
        "short all-in",
        "A player goes all in for less than a full raise. Key the all-in, and say who may raise.",
        keyed_all_in_and_knew_the_raise,
        plan=_raise_and_short_all_in,
        short=_less_than_a_raise,
        asks_for_raise=_after_a_short_all_in,
    ),
    Situation(
        "out of turn",
        "A player throws the hand away before its turn. Record that first; then go on with the "
        "seat whose turn it is.",
        recorded_out_of_turn,
        fault="fold",
    ),
    Situation(
        "exposed card",
        "A hole card is exposed in the pitch. Have it put right before the flop. The floor's PIN "
        "here is 4711.",
        ordered_the_remedy,
        fault="exposed",
    ),
    Situation(
        "jam",
        "The shuffler jams while a hand is on. Finish the hand, then get the next deck ready. The "
        "floor's PIN here is 4711.",
        finished_and_went_on,
        misfit=_needs_machine,
        fault="jam",
        least_hands=2,
    ),
)


def situation(name: str) -> Situation | None:
    return next((given for given in SITUATIONS if given.name == name), None)


# The table for it


def open_game(session: Session) -> None:
    """The first button, so that the last seat has it and the first is the small blind."""
    last = max(session.state.seats)
    if session.state.profile.button.initial == "placed":
        session.do(PlaceButton(last))
        return
    lowest = iter(DECK)
    for seat in sorted(session.state.seats):
        session.do(Draw(seat, DECK[-1] if seat == last else next(lowest)))

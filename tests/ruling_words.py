"""Random words for a ruling, from its spec: what a supervisor might say at the table as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.cards import DECK
from omaha_table.floor.params import (
    Choice,
    DeckColor,
    FaceUpCard,
    LimitId,
    LimitOfRules,
    Money,
    Number,
    Payments,
    RulesId,
    Seat,
)
from omaha_table.floor.spec import pots_total

if TYPE_CHECKING:
    import random

    from omaha_table.floor.params import Param
    from omaha_table.floor.spec import Ruling
    from omaha_table.table import TableState

AMOUNTS = (1, 50, 100, 200, 250, 500, 2000)


def random_words(ruling: Ruling, state: TableState, rng: random.Random) -> tuple[str, ...]:
    return tuple(word for param in ruling.params for word in _words(param, state, rng))


def _words(param: Param[Any], state: TableState, rng: random.Random) -> list[str]:
    match param:
        case Seat():
            return [str(rng.randint(1, state.profile.seats.max))]
        case Number(usage="HAND"):
            return [str(max(1, state.hands - rng.randint(0, 2)))]
        case Number():
            return [str(rng.randint(0, 6))]
        case Money():
            return [dollars(rng.choice(_amounts(state)))]
        case Choice():
            return [rng.choice(list(param.values))]
        case FaceUpCard():
            return [rng.choice(DECK).text]
        case DeckColor():
            return [rng.choice(sorted(state.decks_out) or ["red"])]
        case RulesId():
            return [rng.choice([one.id for one in state.offered] or ["none"])]
        case LimitId():
            return [rng.choice([limit.id for limit in state.profile.limits])]
        case LimitOfRules():
            return []
        case Payments():
            return _payments(state, rng)
    raise AssertionError(f"words for {param}?")


def _amounts(state: TableState) -> list[int]:
    """Amounts that mean something now: bets and prices, what was won and taken."""
    amounts = [*AMOUNTS, *(result.fee for result in state.results)]
    for hand in (state.hand, None if state.hand is None else state.hand.before):
        if hand is not None:
            amounts += [hand.price, hand.price + hand.setup.stakes.bet(hand.street)]
            amounts += [at.bet for at in hand.seats.values()]
            amounts += [at.bet + at.stack for at in hand.seats.values() if at.stack]
    return amounts


def _payments(state: TableState, rng: random.Random) -> list[str]:
    """All of the pots to one or two seats of the hand."""
    if state.hand is None:
        return [str(rng.randint(1, state.profile.seats.max)), "1"]
    total = pots_total(state.hand)
    seats = rng.sample(state.hand.setup.dealt, 2)
    first = rng.choice([total, total // 2])
    words = [str(seats[0]), dollars(first)]
    return words if first == total else [*words, str(seats[1]), dollars(total - first)]


def dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"

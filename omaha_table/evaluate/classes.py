"""The 7,462 different high hands and the lows, in order.

The value of a high hand is its rank in this order: 1 is the worst (7-5-4-3-2), 7462 a royal flush.
A low is 1 (8-7-6-5-4) to 56 (5-4-3-2-A); 0 means no low. Where a low may be higher than an eight,
it is 57 (K-Q-J-T-9) to 1343 (5-4-3-2-A): apart, so that a low of the usual game fits into a byte.
The higher value wins in all of them, so finding the winner is a comparison of integers, and a
hand's class can be looked up from its value.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final


class Category(IntEnum):
    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


@dataclass(frozen=True, slots=True)
class HighClass:
    """A class of equal high hands: the category, then the deciding ranks, strongest first.

    A straight has only its top card; the top card of a wheel is the five.
    """

    category: Category
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HighTables:
    classes: tuple[HighClass | None, ...]
    """Indexed by value; entry 0 is None."""
    by_ranks: dict[int, int]
    """Values of unsuited hands, by the sum of their rank codes."""
    by_suited_mask: list[int]
    """Values of suited hands, by the 13-bit mask of their ranks."""


_STRAIGHTS: Final = {frozenset(range(top - 4, top + 1)): top for top in range(6, 15)} | {
    frozenset((14, 2, 3, 4, 5)): 5
}
_BY_SHAPE: Final = {
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.TRIPS,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.QUADS,
}

LOWS: Final[tuple[tuple[int, ...], ...]] = (
    (),
    *sorted(tuple(sorted(low, reverse=True)) for low in combinations(range(1, 9), 5))[::-1],
)
"""The lows by value, each from its highest card down, the ace as 1; entry 0: no low."""


@cache
def wide_lows() -> tuple[tuple[int, ...], ...]:
    """All lows of five different ranks, the worst first, each from its highest card down."""
    return tuple(sorted((low[::-1] for low in combinations(range(1, 14), 5)), reverse=True))


def low_ranks(value: int) -> tuple[int, ...]:
    """The ranks of a low from its highest card down, the ace as 1; of no low none."""
    return LOWS[value] if value < len(LOWS) else wide_lows()[value - len(LOWS)]


def classify(ranks: tuple[int, ...], *, suited: bool) -> HighClass:
    """The class of five cards with these ranks."""
    top = _STRAIGHTS.get(frozenset(ranks))
    if top is not None:
        return HighClass(Category.STRAIGHT_FLUSH if suited else Category.STRAIGHT, (top,))
    if suited:
        return HighClass(Category.FLUSH, tuple(sorted(ranks, reverse=True)))
    counted = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = tuple(count for count, _ in counted)
    return HighClass(_BY_SHAPE[shape], tuple(rank for _, rank in counted))


@cache
def high_tables() -> HighTables:
    """Built on first use, which takes a few hundredths of a second."""
    unsuited = {
        ranks: classify(ranks, suited=False)
        for ranks in combinations_with_replacement(range(2, 15), 5)
        if ranks[0] != ranks[4]
    }
    suited = {ranks: classify(ranks, suited=True) for ranks in combinations(range(2, 15), 5)}
    ordered = sorted({*unsuited.values(), *suited.values()}, key=lambda c: (c.category, c.ranks))
    value = {high_class: place for place, high_class in enumerate(ordered, start=1)}
    by_suited_mask = [0] * (1 << 13)
    for ranks, high_class in suited.items():
        by_suited_mask[sum(1 << rank - 2 for rank in ranks)] = value[high_class]
    return HighTables(
        classes=(None, *ordered),
        by_ranks={
            sum(1 << 3 * (rank - 2) for rank in ranks): value[high_class]
            for ranks, high_class in unsuited.items()
        },
        by_suited_mask=by_suited_mask,
    )


def high_class(value: int) -> HighClass:
    found = high_tables().classes[value]
    if found is None:
        raise ValueError("0 is not the value of a hand")
    return found

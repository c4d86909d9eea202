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
from itertools import combinations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


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


_UP: Final = range(2, 15)
"""The ranks, the worst first; the ace is 14."""
_STRAIGHTS: Final = {5: (14, 5, 4, 3, 2)} | {
    top: tuple(range(top, top - 5, -1)) for top in range(6, 15)
}
"""The ranks of each straight, by its top card, the worst first."""

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


def _unpaired() -> list[tuple[int, ...]]:
    """Five different ranks that make no straight, each from its highest card down."""
    straights = {*_STRAIGHTS.values()}
    downward = list(combinations(reversed(_UP), 5))
    return [ranks for ranks in reversed(downward) if ranks not in straights]


def _kickers(count: int, *beside: int) -> Iterator[tuple[int, ...]]:
    """So many other ranks, each choice from its highest card down, the worst choice first."""
    others = [rank for rank in reversed(_UP) if rank not in beside]
    return reversed(list(combinations(others, count)))


def _hands() -> Iterator[tuple[Category, tuple[int, ...], tuple[int, ...]]]:
    """Every class of hands, the worst first: category, deciding ranks, and the five ranks."""
    for ranks in _unpaired():
        yield Category.HIGH_CARD, ranks, ranks
    for pair in _UP:
        for rest in _kickers(3, pair):
            yield Category.PAIR, (pair, *rest), (pair, pair, *rest)
    for high in _UP:
        for low in range(2, high):
            for rest in _kickers(1, high, low):
                yield Category.TWO_PAIR, (high, low, *rest), (high, high, low, low, *rest)
    for trips in _UP:
        for rest in _kickers(2, trips):
            yield Category.TRIPS, (trips, *rest), (trips, trips, trips, *rest)
    for top, ranks in _STRAIGHTS.items():
        yield Category.STRAIGHT, (top,), ranks
    for ranks in _unpaired():
        yield Category.FLUSH, ranks, ranks
    for trips in _UP:
        for rest in _kickers(1, trips):
            yield Category.FULL_HOUSE, (trips, *rest), (trips, trips, trips, *rest, *rest)
    for quads in _UP:
        for rest in _kickers(1, quads):
            yield Category.QUADS, (quads, *rest), (quads, quads, quads, quads, *rest)
    for top, ranks in _STRAIGHTS.items():
        yield Category.STRAIGHT_FLUSH, (top,), ranks


_SUITED: Final = (Category.FLUSH, Category.STRAIGHT_FLUSH)


@cache
def high_tables() -> HighTables:
    """Built on first use, which takes a hundredth of a second."""
    classes: list[HighClass | None] = [None]
    by_ranks: dict[int, int] = {}
    by_suited_mask = [0] * (1 << 13)
    for value, (category, deciding, ranks) in enumerate(_hands(), start=1):
        classes.append(HighClass(category, deciding))
        if category in _SUITED:
            by_suited_mask[sum([1 << rank - 2 for rank in ranks])] = value
        else:
            by_ranks[sum([1 << 3 * (rank - 2) for rank in ranks])] = value
    return HighTables(tuple(classes), by_ranks, by_suited_mask)


def high_class(value: int) -> HighClass:
    found = high_tables().classes[value]
    if found is None:
        raise ValueError("0 is not the value of a hand")
    return found

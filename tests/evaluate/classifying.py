"""The class of five cards, found by counting ranks: a judge of the tables of `evaluate`."""

from __future__ import annotations

from typing import Final

from omaha_table.evaluate.classes import Category, HighClass

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

"""Names a hand as a dealer announces it, and finds the five cards that make it."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

from omaha_table.cards import RANK_FIELDS, RANKS
from omaha_table.evaluate.classes import Category, high_class, high_tables, low_ranks
from omaha_table.evaluate.reader import best_of_pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.cards import Card

_NAMES: Final = "two three four five six seven eight nine ten jack queen king ace".split()
_SUITED: Final = (Category.FLUSH, Category.STRAIGHT_FLUSH)


def _name(rank: int) -> str:
    return _NAMES[rank - 2]


def _plural(rank: int) -> str:
    return "sixes" if rank == 6 else f"{_name(rank)}s"


def _kickers(ranks: tuple[int, ...]) -> str:
    return f"{'-'.join(map(_name, ranks))} kicker{'s' if len(ranks) > 1 else ''}"


@cache
def describe_high(value: int) -> str:
    """'Full house, nines full of aces' for the value of a high hand."""
    hand = high_class(value)
    first, *rest = hand.ranks
    match hand.category:
        case Category.STRAIGHT_FLUSH if first == 14:
            return "Royal flush"
        case Category.STRAIGHT_FLUSH:
            return f"Straight flush, {_name(first)} high"
        case Category.QUADS:
            return f"Four of a kind, {_plural(first)}, {_kickers((rest[0],))}"
        case Category.FULL_HOUSE:
            return f"Full house, {_plural(first)} full of {_plural(rest[0])}"
        case Category.FLUSH:
            return f"Flush, {'-'.join(map(_name, hand.ranks))}"
        case Category.STRAIGHT:
            return f"Straight, {_name(first)} high"
        case Category.TRIPS:
            return f"Three of a kind, {_plural(first)}, {_kickers(tuple(rest))}"
        case Category.TWO_PAIR:
            return f"Two pair, {_plural(first)} and {_plural(rest[0])}, {_kickers((rest[1],))}"
        case Category.PAIR:
            return f"Pair of {_plural(first)}, {_kickers(tuple(rest))}"
        case Category.HIGH_CARD:
            return f"High card, {'-'.join(map(_name, hand.ranks))}"


@cache
def brief_high(value: int) -> str:
    """'TRIPS K' for the value of a high hand, where space is short."""
    hand = high_class(value)
    ranks = "".join(RANKS[rank - 2] for rank in hand.ranks)
    match hand.category:
        case Category.STRAIGHT_FLUSH:
            return f"STRFL {ranks[0]}"
        case Category.QUADS:
            return f"QUADS {ranks[0]}"
        case Category.FULL_HOUSE:
            return f"FULL {ranks[:2]}"
        case Category.FLUSH:
            return f"FLUSH {ranks[0]}"
        case Category.STRAIGHT:
            return f"STR {ranks[0]}"
        case Category.TRIPS:
            return f"TRIPS {ranks[0]}"
        case Category.TWO_PAIR:
            return f"2PR {ranks[:2]}"
        case Category.PAIR:
            return f"PAIR {ranks[0]}"
        case Category.HIGH_CARD:
            return f"HIGH {ranks[0]}"


@cache
def brief_low(value: int) -> str:
    """'8752A' for the value of a low."""
    return "".join(map(_low_letter, low_ranks(value)))


@cache
def describe_low(value: int) -> str:
    """'7-6-3-2-A' for the value of a low."""
    if not value:
        return "No low"
    return "-".join(map(_low_letter, low_ranks(value)))


def _low_letter(rank: int) -> str:
    return "A" if rank == 1 else RANKS[rank - 2]


def high_cards(value: int, board: Sequence[Card], hole: Sequence[Card]) -> tuple[Card, ...]:
    """Two hole cards and three board cards that make this high; strongest first."""
    hand = high_class(value)
    if hand.category in _SUITED:
        five = _suited_five(value, board, hole)
    else:
        five = _unsuited_five(value, board, hole)
    return _in_order(five, hand.ranks)


def _unsuited_five(value: int, board: Sequence[Card], hole: Sequence[Card]) -> tuple[Card, ...]:
    values = high_tables().by_ranks
    board_ranks = sum([card.code for card in board]) & RANK_FIELDS
    for two in combinations(hole, 2):
        pair = two[0].code + two[1].code & RANK_FIELDS
        if best_of_pair(board_ranks, pair) == value:
            for three in combinations(board, 3):
                triple = three[0].code + three[1].code + three[2].code & RANK_FIELDS
                if values.get(pair + triple) == value:
                    return three + two
    raise ValueError("these cards do not make this hand")


def _suited_five(value: int, board: Sequence[Card], hole: Sequence[Card]) -> tuple[Card, ...]:
    values = high_tables().by_suited_mask
    for suit in range(4):
        suited_board = [card for card in board if card.suit == suit]
        suited_hole = [card for card in hole if card.suit == suit]
        for two in combinations(suited_hole, 2):
            for three in combinations(suited_board, 3):
                if values[sum([1 << card.rank - 2 for card in three + two])] == value:
                    return three + two
    raise ValueError("these cards do not make this hand")


def low_cards(value: int, board: Sequence[Card], hole: Sequence[Card]) -> tuple[Card, ...]:
    """Two hole cards and three board cards that make this low; highest first."""
    wanted = low_ranks(value)
    ranks = set(wanted)
    board_by_rank = {_low_rank(card): card for card in reversed(board) if _low_rank(card) in ranks}
    hole_by_rank = {_low_rank(card): card for card in reversed(hole) if _low_rank(card) in ranks}
    for two in combinations(hole_by_rank, 2):
        three = ranks.difference(two)
        if len(three) == 3 and three <= board_by_rank.keys():
            return tuple(
                hole_by_rank[rank] if rank in two else board_by_rank[rank] for rank in wanted
            )
    raise ValueError("these cards do not make this low")


def _low_rank(card: Card) -> int:
    return 1 if card.rank == 14 else card.rank


def _in_order(cards: tuple[Card, ...], deciding: tuple[int, ...]) -> tuple[Card, ...]:
    """Sorts by the deciding ranks; a straight from the top, the ace of a wheel last."""
    if len(deciding) == 1:
        wheel = deciding[0] == 5
        return tuple(sorted(cards, key=lambda c: _low_rank(c) if wheel else c.rank, reverse=True))
    return tuple(sorted(cards, key=lambda card: deciding.index(card.rank)))

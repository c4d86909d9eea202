"""Evaluates Omaha hands: the best high and the best low of two hole and three board cards.

Everything is a lookup in tables that are filled as hands are evaluated:

- the ranks of a board give a row of 91 values, one per pair of hole ranks: the best high that the
  pair makes with any three board cards;
- the ranks of a hand give the positions in that row of all its pairs, and its low ranks;
- a flush needs three of a suit on the board, so suits are checked only then;
- the best low is one lookup by the low ranks of board and hand.

A game whose lows need not be eight or better is rare: its lows are worked out hand by hand.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.cards import DECK, RANK_FIELDS, SUIT_SHIFTS
from omaha_table.evaluate.classes import LOWS, high_tables, wide_lows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_THREE_OF_A_SUIT: Final = sum(1 << shift for shift in SUIT_SHIFTS)
_SUIT_FULL: Final = sum(4 << shift for shift in SUIT_SHIFTS)
_SUITED_BIT: Final = {
    shift: {card.code: 1 << card.rank - 2 for card in DECK if card.code >> shift & 1}
    for shift in SUIT_SHIFTS
}
_RANK_PAIRS: Final = tuple(
    (1 << 3 * first) + (1 << 3 * second)
    for first, second in combinations_with_replacement(range(13), 2)
)
_PLACE: Final = {pair: place for place, pair in enumerate(_RANK_PAIRS)}


class _BoardTable(NamedTuple):
    highs: list[int]
    lows: bytes | None
    """Best low by the hand's low ranks; None if the board allows no low."""


class _HoleTable(NamedTuple):
    pairs: Callable[[list[int]], tuple[int, ...]]
    low_ranks: int


def _ranks(key: int) -> list[int]:
    """The rank codes in a key, each as often as it occurs."""
    return [1 << field for field in range(0, 39, 3) for _ in range(key >> field & 7)]


def _low_ranks(key: int) -> int:
    """The ranks ace to eight in a key as eight bits, the ace lowest."""
    return sum(1 << low for low in range(8) if key >> 3 * (low - 1 if low else 12) & 7)


@cache
def _triple_row(triple: int) -> list[int]:
    value = high_tables().by_ranks.get
    return [value(triple + pair, 0) for pair in _RANK_PAIRS]


@cache
def low_row(board: int) -> bytes:
    """Best low by the hand's low ranks, for the low ranks of a board.

    For any three board ranks, the two lowest other ranks of the hand are best.
    """
    value = {sum(1 << rank - 1 for rank in low): place for place, low in enumerate(LOWS) if low}
    triples = [sum(bits) for bits in combinations(_bits(board), 3)]
    row = bytearray(256)
    for hand in range(256):
        for triple in triples:
            rest = hand & ~triple
            lowest = rest & -rest
            rest ^= lowest
            next_lowest = rest & -rest
            if next_lowest:
                row[hand] = max(row[hand], value[triple | lowest | next_lowest])
    return bytes(row)


def _bits(mask: int) -> list[int]:
    return [1 << bit for bit in range(13) if mask >> bit & 1]


class _Boards(dict[int, _BoardTable]):
    def __missing__(self, key: int) -> _BoardTable:
        triples = {sum(triple) for triple in combinations(_ranks(key), 3)}
        rows = [_triple_row(triple) for triple in triples]
        low = _low_ranks(key)
        table = _BoardTable(
            highs=list(map(max, *rows)) if len(rows) > 1 else rows[0],
            lows=low_row(low) if low.bit_count() >= 3 else None,
        )
        self[key] = table
        return table


class _Holes(dict[int, _HoleTable]):
    def __missing__(self, key: int) -> _HoleTable:
        places = sorted({_PLACE[sum(pair)] for pair in combinations(_ranks(key), 2)})
        # One position is repeated, because an itemgetter with one item returns no tuple.
        table = _HoleTable(itemgetter(*places, places[0]), _low_ranks(key))
        self[key] = table
        return table


_boards: Final = _Boards()
_holes: Final = _Holes()


def read_hands(
    board: Sequence[int], hands: Sequence[Sequence[int]], qualifier: int = 8
) -> tuple[list[int], list[int]]:
    """The high and the low value of every hand: the higher value wins, low 0 means no low.

    Board and hands are card codes: five board cards, four or five hole cards per hand, all
    different. The caller must make sure of that; nothing is checked here. `qualifier` is the
    highest card that a low may have: 7, 8 or 9, or 0 for any.
    """
    board_key = sum(board)
    board_highs, board_lows = _boards[board_key & RANK_FIELDS]
    keys = [sum(hand) for hand in hands]
    holes = [_holes[key & RANK_FIELDS] for key in keys]
    highs = [max(pairs(board_highs)) for pairs, _ in holes]
    suited = (board_key + _THREE_OF_A_SUIT) & _SUIT_FULL
    if suited:
        _read_flushes(suited.bit_length() - 3, board, hands, keys, highs)
    if qualifier != 8:
        return highs, _other_lows(board_key, keys, qualifier)
    if board_lows is None:
        return highs, [0] * len(highs)
    return highs, [board_lows[low_ranks] for _, low_ranks in holes]


_SEVEN_LOW: Final = next(value for value, low in enumerate(LOWS) if low and low[0] == 7)
"""The worst low that is seven or better."""


def _other_lows(board_key: int, keys: list[int], qualifier: int) -> list[int]:
    """The lows of a game that does not qualify with an eight."""
    if qualifier == 7:
        row = _boards[board_key & RANK_FIELDS].lows
        lows = [0 if row is None else row[_holes[key & RANK_FIELDS].low_ranks] for key in keys]
        return [low if low >= _SEVEN_LOW else 0 for low in lows]
    allowed = (1 << (qualifier or 13)) - 1
    board = _rank_mask(board_key & RANK_FIELDS) & allowed
    triples = _triples(board)
    return [_wide_low(triples, _rank_mask(key & RANK_FIELDS) & allowed) for key in keys]


@cache
def _rank_mask(key: int) -> int:
    """All ranks in a key as thirteen bits, the ace lowest."""
    return sum(1 << low for low in range(13) if key >> 3 * (low - 1 if low else 12) & 7)


@cache
def _triples(board: int) -> tuple[int, ...]:
    return tuple(sum(bits) for bits in combinations(_bits(board), 3))


@cache
def _wide_values() -> dict[int, int]:
    first = len(LOWS)
    return {
        sum(1 << rank - 1 for rank in low): value for value, low in enumerate(wide_lows(), first)
    }


def _wide_low(triples: tuple[int, ...], hand: int) -> int:
    """With three board ranks chosen, the two lowest other ranks of the hand are best; of two lows
    the better one has the smaller mask."""
    best = 0
    for triple in triples:
        rest = hand & ~triple
        lowest = rest & -rest
        rest ^= lowest
        five = triple | lowest | rest & -rest
        if rest and (not best or five < best):
            best = five
    return _wide_values()[best] if best else 0


def best_of_pair(board_ranks: int, pair_ranks: int) -> int:
    """The best high, without flushes, of one pair of hole cards with three of the board."""
    return _boards[board_ranks].highs[_PLACE[pair_ranks]]


def _read_flushes(
    shift: int,
    board: Sequence[int],
    hands: Sequence[Sequence[int]],
    keys: list[int],
    highs: list[int],
) -> None:
    bit = _SUITED_BIT[shift]
    value = high_tables().by_suited_mask
    suited_board = [bit[code] for code in board if code in bit]
    triples = [a | b | c for a, b, c in combinations(suited_board, 3)]
    for place, key in enumerate(keys):
        if key >> shift & 6:
            suited = [bit[code] for code in hands[place] if code in bit]
            best = max([value[t | a | b] for a, b in combinations(suited, 2) for t in triples])
            if best > highs[place]:
                highs[place] = best

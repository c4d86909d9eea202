"""Random deals read by this project and by two others, for the tests and for `scripts/deals`."""

from __future__ import annotations

import random
import warnings
from itertools import combinations
from typing import TYPE_CHECKING

from phevaluator import evaluate_omaha_cards
from pokerkit import Card as PokerKitCard
from pokerkit import OmahaEightOrBetterLowHand

from omaha_table.cards import DECK, Card
from omaha_table.evaluate import read_hands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

THEIRS = {card: next(iter(PokerKitCard.parse(card.text))) for card in DECK}


def peer_high(board: Sequence[Card], hole: Sequence[Card]) -> int:
    """phevaluator's rank, 1 the best; five hole cards as the best of their five fours."""
    table = [card.text for card in board]
    return min(
        evaluate_omaha_cards(*table, *[card.text for card in four])
        for four in combinations(hole, 4)
    )


def peer_low(board: Sequence[Card], hole: Sequence[Card]) -> int | None:
    """PokerKit's place of the low, higher is better; None is no low."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        low = OmahaEightOrBetterLowHand.from_game_or_none(
            [THEIRS[card] for card in hole], [THEIRS[card] for card in board]
        )
    return None if low is None else low.entry.index


def deals(count: int, hole_cards: int, seed: int) -> Iterator[tuple[list[Card], list[Card]]]:
    """Boards with one hand each."""
    rng = random.Random(seed)
    for _ in range(count):
        cards = rng.sample(DECK, 5 + hole_cards)
        yield cards[:5], cards[5:]


def compare(count: int, hole_cards: int, seed: int) -> tuple[int, int]:
    """Reads the deals with all three; returns how many different highs and lows were seen.

    Equal here must be equal there, and better here better there, over all deals together.
    """
    highs: dict[int, int] = {}
    lows: dict[int, int | None] = {}
    for board, hole in deals(count, hole_cards, seed):
        [high], [low] = read_hands([c.code for c in board], [[c.code for c in hole]])
        theirs = peer_high(board, hole)
        assert highs.setdefault(high, theirs) == theirs, (board, hole)
        their_low = peer_low(board, hole)
        assert lows.setdefault(low, their_low) == their_low, (board, hole)
        assert (their_low is None) == (low == 0), (board, hole)
    ordered = [highs[value] for value in sorted(highs, reverse=True)]
    assert ordered == sorted(set(ordered))
    ordered_lows = [lows[value] or -1 for value in sorted(lows) if value]
    assert ordered_lows in (sorted(set(ordered_lows)), sorted(set(ordered_lows), reverse=True))
    return len(highs), len(lows) - 1

"""The campaign of `scripts/deals`: random deals read by this project and by two others.

The tests run a short form of the same. It stops at the first difference.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections import Counter
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
HIGHS = 7462
LOWS: list[tuple[int, ...]] = sorted(
    (low[::-1] for low in combinations(range(1, 9), 5)), reverse=True
)
"""Every eight-or-better low from its highest card down, the worst first."""
LAST = {
    10: "straight flush",
    166: "quads",
    322: "full house",
    1599: "flush",
    1609: "straight",
    2467: "trips",
    3325: "two pair",
    6185: "pair",
    7462: "high card",
}
"""phevaluator's last rank of each category: 1 is a royal flush."""
SHORT = (DECK, DECK[:24], DECK[-24:], DECK[::4] + DECK[1::4])
"""Decks that are short of cards make straight flushes, quads and paired lows common."""


def peer_high(board: Sequence[Card], hole: Sequence[Card]) -> int:
    """phevaluator's rank, 1 the best; five hole cards as the best of their five fours."""
    table = [card.text for card in board]
    best: int = min(
        evaluate_omaha_cards(*table, *[card.text for card in four])
        for four in combinations(hole, 4)
    )
    return best


def peer_low(board: Sequence[Card], hole: Sequence[Card]) -> int:
    """The place of PokerKit's low among all lows, 56 the best; 0 is no low."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        low = OmahaEightOrBetterLowHand.from_game_or_none(
            [THEIRS[card] for card in hole], [THEIRS[card] for card in board]
        )
    if low is None:
        return 0
    ranks = sorted(("A23456789TJQK".index(card.rank) + 1 for card in low.cards), reverse=True)
    return LOWS.index(tuple(ranks)) + 1


def random_deals(
    count: int, hole_cards: int, seed: int
) -> Iterator[tuple[list[Card], list[list[Card]]]]:
    """Boards with three hands each, half of them from whole decks; no hand is the first always."""
    rng = random.Random(seed)
    for number in range(count):
        deck = SHORT[0] if number % 2 else rng.choice(SHORT)
        cards = rng.sample(deck, 5 + 3 * hole_cards)
        hands = [cards[at : at + hole_cards] for at in range(5, len(cards), hole_cards)]
        yield cards[:5], hands


def compare(count: int, hole_cards: int, seed: int) -> Counter[str]:
    """Reads the deals with all three; returns how many hands of which kind they had.

    Both count highs from best to worst and know 7,462 of them, so a value is compared and not
    only an order; a low is known by the five cards that PokerKit names.
    """
    seen: Counter[str] = Counter()
    for board, hands in random_deals(count, hole_cards, seed):
        read = read_hands([c.code for c in board], [[c.code for c in hole] for hole in hands])
        for hole, high, low in zip(hands, *read, strict=True):
            dealt = " ".join(map(str, (*board, "/", *hole)))
            theirs = peer_high(board, hole)
            assert high == HIGHS + 1 - theirs, f"high {high} of {dealt}, phevaluator {theirs}"
            their_low = peer_low(board, hole)
            assert low == their_low, f"low {low} of {dealt}, PokerKit {their_low}"
            seen["hands"] += 1
            seen[next(name for last, name in LAST.items() if theirs <= last)] += 1
            seen["low" if low else "no low"] += 1
    return seen


def check_seen(seen: Counter[str]) -> None:
    """A campaign that has not met every kind of hand has shown nothing of it."""
    for name in (*LAST.values(), "low", "no low"):
        assert seen[name], f"no {name} in {seen['hands']} hands"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", type=int, nargs="?", default=30_000, help="of 4 and of 5 cards")
    deals = parser.parse_args().deals
    for hole_cards in (4, 5):
        start = time.monotonic()
        seen: Counter[str] = Counter()
        done = 0
        while done < deals:
            part = min(1_000, deals - done)
            seen += compare(part, hole_cards, seed=1_000_000 * hole_cards + done)
            done += part
            print(
                f"\r{hole_cards} hole cards: {done:,} of {deals:,} deals", end="", file=sys.stderr
            )
        print(file=sys.stderr)
        kinds = ", ".join(f"{name} {count:,}" for name, count in seen.most_common())
        print(
            f"{deals:,} deals of {hole_cards} hole cards: highs as phevaluator values them, lows "
            f"as PokerKit does; {kinds}; {time.monotonic() - start:.0f} s"
        )
        check_seen(seen)
    return 0


if __name__ == "__main__":
    sys.exit(main())

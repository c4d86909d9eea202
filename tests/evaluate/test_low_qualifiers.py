"""Lows that need a seven, a nine or nothing at all, read beside a search through every two and
three."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.cards import DECK, Card, parse_cards
from omaha_table.evaluate import describe_low, low_cards, read_hands
from omaha_table.evaluate.classes import LOWS, low_ranks, wide_lows
from omaha_table.evaluate.words import brief_low

QUALIFIERS = (7, 8, 9, 0)


def read_low(board: tuple[Card, ...], hole: tuple[Card, ...], qualifier: int) -> int:
    _, [low] = read_hands([c.code for c in board], [[c.code for c in hole]], qualifier)
    return low


def search(board: tuple[Card, ...], hole: tuple[Card, ...], qualifier: int) -> tuple[int, ...]:
    """Five different ranks, none above the qualifier, ace low; the lower from the top wins."""
    made = []
    for two in combinations(hole, 2):
        for three in combinations(board, 3):
            ranks = {1 if card.rank == 14 else card.rank for card in two + three}
            if len(ranks) == 5 and max(ranks) <= (qualifier or 13):
                made.append(tuple(sorted(ranks, reverse=True)))
    return min(made, default=())


@st.composite
def deals(draw: st.DrawFn) -> tuple[tuple[Card, ...], list[tuple[Card, ...]]]:
    hole = draw(st.sampled_from([4, 5]))
    cards = draw(st.permutations(DECK))
    return tuple(cards[:5]), [tuple(cards[at : at + hole]) for at in (5, 10, 15)]


@given(deals(), st.sampled_from(QUALIFIERS))
def test_the_low_is_the_best_of_every_two_and_three(
    deal: tuple[tuple[Card, ...], list[tuple[Card, ...]]], qualifier: int
) -> None:
    board, hands = deal
    _, values = read_hands(
        [c.code for c in board], [[c.code for c in hole] for hole in hands], qualifier
    )
    lows = [search(board, hole, qualifier) for hole in hands]
    assert [low_ranks(value) for value in values] == lows
    for value, low, hole in zip(values, lows, hands, strict=True):
        for other, beaten in zip(values, lows, strict=True):
            assert (value > other) == (bool(low) and (not beaten or low < beaten))
        if value:
            five = low_cards(value, board, hole)
            assert [sum(card in part for card in five) for part in (hole, board)] == [2, 3]
            assert tuple(1 if card.rank == 14 else card.rank for card in five) == low


@pytest.mark.parametrize(
    ("board", "hole", "lows"),
    [
        # The board has three ranks of seven or lower, and the hand adds an eight or does not.
        ("7c 5h 2s Kd Qs", "Ah 8d Kc Ks", ("No low", "8-7-5-2-A", "8-7-5-2-A", "8-7-5-2-A")),
        ("7c 5h 2s Kd Qs", "Ah 3d Kc Ks", ("7-5-3-2-A",) * 4),
        # Two low ranks and a nine on the board.
        ("9c 5h 2s Kd Qs", "Ah 3d Kc Ks", ("No low", "No low", "9-5-3-2-A", "9-5-3-2-A")),
        # Only faces and tens: the lowest five of any height.
        ("Kd Qs Jh Tc 9d", "Ah 2d 3c 4s", ("No low", "No low", "No low", "J-T-9-2-A")),
        # Two ranks on the board: whatever the hand has, a pair is no low.
        ("Kd Ks Kh Qc Qd", "Ah 2d 3c 4s", ("No low",) * 4),
        ("9d 8s 7h 7c 7d", "9h 8c 7s Kh", ("No low", "No low", "No low", "No low")),
        ("9d 8s 7h 7c 7d", "9h 8c 6s Kh", ("No low", "No low", "No low", "K-9-8-7-6")),
    ],
)
def test_what_qualifies_is_up_to_the_game(board: str, hole: str, lows: tuple[str, ...]) -> None:
    values = [read_low(parse_cards(board), parse_cards(hole), game) for game in QUALIFIERS]
    assert tuple(map(describe_low, values)) == lows


def test_there_are_1287_lows_without_a_qualifier() -> None:
    every = [low_ranks(value) for value in range(len(LOWS), len(LOWS) + 1287)]
    assert every == list(wide_lows())
    assert (every[0], every[-1]) == ((13, 12, 11, 10, 9), (5, 4, 3, 2, 1))
    assert every == sorted(every, reverse=True)
    assert len({describe_low(value) for value in range(len(LOWS), len(LOWS) + 1287)}) == 1287


def test_a_low_is_said_and_written_by_its_ranks() -> None:
    low = read_low(parse_cards("Kd Qs Jh Tc 9d"), parse_cards("Ah 2d 3c 4s"), 0)
    assert (describe_low(low), brief_low(low)) == ("J-T-9-2-A", "JT92A")

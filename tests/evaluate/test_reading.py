from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.cards import DECK, Card, parse_cards
from omaha_table.evaluate import (
    Category,
    describe_high,
    describe_low,
    high_cards,
    high_class,
    low_cards,
    read_hands,
)
from omaha_table.evaluate.classes import LOWS, high_tables
from omaha_table.evaluate.reader import low_row
from tests.evaluate.classifying import classify
from tests.worked_examples import READS, Read

CATEGORIES = {
    "high card": Category.HIGH_CARD,
    "pair": Category.PAIR,
    "two pair": Category.TWO_PAIR,
    "trips": Category.TRIPS,
    "straight": Category.STRAIGHT,
    "flush": Category.FLUSH,
    "full house": Category.FULL_HOUSE,
    "quads": Category.QUADS,
    "straight flush": Category.STRAIGHT_FLUSH,
}


def read_one(board: tuple[Card, ...], hole: tuple[Card, ...]) -> tuple[int, int]:
    [high], [low] = read_hands([c.code for c in board], [[c.code for c in hole]])
    return high, low


def brute_force(board: tuple[Card, ...], hole: tuple[Card, ...]) -> tuple[object, object]:
    """The best high class and the best low over every two and three, without any table."""
    fives = [two + three for two in combinations(hole, 2) for three in combinations(board, 3)]
    high = max(
        (
            classify(tuple(c.rank for c in five), suited=len({c.suit for c in five}) == 1)
            for five in fives
        ),
        key=lambda made: (made.category, made.ranks),
    )
    lows = [
        tuple(sorted({1 if c.rank == 14 else c.rank for c in five}, reverse=True)) for five in fives
    ]
    return high, min((low for low in lows if len(low) == 5 and low[0] <= 8), default=())


def test_every_hand_has_the_value_of_its_class() -> None:
    ranks = range(2, 15)
    fives = [five for five in combinations_with_replacement(ranks, 5) if five[0] != five[4]]
    unsuited = {five: classify(five, suited=False) for five in fives}
    suited = {five: classify(five, suited=True) for five in combinations(ranks, 5)}
    order = sorted({*unsuited.values(), *suited.values()}, key=lambda c: (c.category, c.ranks))
    tables = high_tables()
    assert tables.classes == (None, *order)
    value = {made: place for place, made in enumerate(order, start=1)}
    assert tables.by_ranks == {
        sum(1 << 3 * (rank - 2) for rank in five): value[made] for five, made in unsuited.items()
    }
    masks = {sum(1 << rank - 2 for rank in five): value[made] for five, made in suited.items()}
    assert {mask: one for mask, one in enumerate(tables.by_suited_mask) if one} == masks


@pytest.mark.parametrize("example", READS, ids=lambda example: example.hole)
def test_worked_readings(example: Read) -> None:
    high, low = read_one(parse_cards(example.board), parse_cards(example.hole))
    found = high_class(high)
    assert (found.category, found.ranks) == (CATEGORIES[example.category], example.ranks)
    assert (LOWS[low] or None) == example.low


def test_there_are_7462_highs_and_56_lows() -> None:
    assert len(high_tables().classes) == 7462 + 1
    assert len(LOWS) == 56 + 1
    assert LOWS[56] == (5, 4, 3, 2, 1)
    assert LOWS[1] == (8, 7, 6, 5, 4)


def test_the_low_table_equals_brute_force_for_every_board_and_hand() -> None:
    value = {low: place for place, low in enumerate(LOWS)}
    ranks = range(1, 9)
    for size in range(9):
        for board in combinations(ranks, size):
            row = low_row(sum(1 << rank - 1 for rank in board))
            triples = list(combinations(board, 3))
            for hand_mask in range(256):
                hand = [rank for rank in ranks if hand_mask >> rank - 1 & 1]
                if len(hand) > 5:
                    continue
                lows = [
                    tuple(sorted({*two, *three}, reverse=True))
                    for two in combinations(hand, 2)
                    for three in triples
                    if not set(two) & set(three)
                ]
                assert row[hand_mask] == value[min(lows, default=())]


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    hole_cards = draw(st.sampled_from([4, 5]))
    # A short deck makes straight flushes, quads and paired lows common.
    deck = draw(st.sampled_from([DECK, DECK[:24], DECK[-24:], DECK[::4] + DECK[1::4]]))
    cards = draw(st.permutations(deck))
    return tuple(cards[:5]), tuple(cards[5 : 5 + hole_cards])


@given(tables())
def test_a_reading_is_the_best_of_every_two_and_three(
    table: tuple[tuple[Card, ...], tuple[Card, ...]],
) -> None:
    board, hole = table
    high, low = read_one(board, hole)
    assert (high_class(high), LOWS[low]) == brute_force(board, hole)


@given(tables())
def test_the_cards_named_are_two_and_three_and_make_the_hand(
    table: tuple[tuple[Card, ...], tuple[Card, ...]],
) -> None:
    board, hole = table
    high, low = read_one(board, hole)
    named: list[tuple[tuple[Card, ...], object]] = [
        (high_cards(high, board, hole), high_class(high))
    ]
    if low:
        named.append((low_cards(low, board, hole), LOWS[low]))
    for five, wanted in named:
        two = tuple(card for card in five if card in hole)
        three = tuple(card for card in five if card in board)
        assert (len(two), len(three), len(set(five))) == (2, 3, 5)
        assert wanted in brute_force(three, two)


@pytest.mark.parametrize(
    ("board", "hole", "text", "cards"),
    [
        ("As Kd Jc 2h 3s", "Ah Kc Th 9d", "Two pair, aces and kings, jack kicker", None),
        ("9h 9c 9d 9s Kd", "As Ac 2d 3d", "Full house, nines full of aces", "9h 9c 9d As Ac"),
        ("Ts Js Qs 2h 3d", "As Ks 2c 2d", "Royal flush", "As Ks Qs Js Ts"),
        ("3h 4h 5h 9c Kd", "Ah 2h 6h 7c Qs", "Straight flush, six high", "6h 5h 4h 3h 2h"),
        ("2h 3c 4d Kc Qh", "As 5d Kd Kh", "Straight, five high", "5d 4d 3c 2h As"),
        ("5h 5c 5d Ks 2s", "5s As Kd Qc", "Four of a kind, fives, ace kicker", None),
        ("6h 6c Kd 9s 2s", "6s As Qd Jc", "Three of a kind, sixes, ace-king kickers", None),
        ("Ts Js Qs Ks 2h", "As 9s 2c 2d", "Flush, ace-king-queen-jack-nine", "As Ks Qs Js 9s"),
        ("Kh 7c 4d 2s Jh", "6s 5h Kd Qd", "Pair of kings, queen-jack-seven kickers", None),
        ("Kh 7c 4d 2s Jh", "As 3d Qc Td", "High card, ace-king-queen-jack-seven", None),
    ],
)
def test_the_words_a_dealer_would_say(board: str, hole: str, text: str, cards: str | None) -> None:
    high, _ = read_one(parse_cards(board), parse_cards(hole))
    assert describe_high(high) == text
    if cards is not None:
        five = high_cards(high, parse_cards(board), parse_cards(hole))
        assert sorted(map(str, five)) == sorted(cards.split())
        assert [card.rank for card in five] == [card.rank for card in parse_cards(cards)]


def test_a_low_is_said_from_the_top_with_the_ace_last() -> None:
    board, hole = parse_cards("8h 8c 7d 6s 2s"), parse_cards("As 3d Qh Qc")
    _, low = read_one(board, hole)
    assert describe_low(low) == "7-6-3-2-A"
    assert [str(card) for card in low_cards(low, board, hole)] == ["7d", "6s", "3d", "2s", "As"]
    assert describe_low(0) == "No low"


def test_every_high_has_words_of_its_own() -> None:
    texts = {describe_high(value) for value in range(1, 7463)}
    assert len(texts) == 7462

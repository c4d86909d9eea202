"""The short form of `scripts/deals`, and readers with a planted bug that it must find."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.evaluate import read_hands, reader
from omaha_table.evaluate.classes import LOWS, high_tables
from scripts.campaigns import deals
from scripts.campaigns.deals import LAST, check_seen, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("hole_cards", [4, 5])
def test_random_deals_are_read_as_two_other_libraries_read_them(hole_cards: int) -> None:
    seen = compare(600, hole_cards, seed=20261116 + hole_cards)
    assert seen["hands"] == 1_800
    check_seen(seen)


def test_deals_without_a_kind_of_hand_have_not_shown_it() -> None:
    seen = Counter(dict.fromkeys(LAST.values(), 1) | {"hands": 9, "low": 3, "no low": 6})
    check_seen(seen)
    del seen["straight flush"]
    with pytest.raises(AssertionError, match="no straight flush in 9 hands"):
        check_seen(seen)


@pytest.fixture
def fresh_reader(monkeypatch: Patch) -> Iterator[Patch]:
    """A reader that remembers no reading, before a test and after it."""
    caches: list[Callable[[], None]] = [
        reader._boards.clear,
        reader._holes.clear,
        reader._triple_row.cache_clear,
        reader.low_row.cache_clear,
    ]
    for clear in caches:
        clear()
    yield monkeypatch
    monkeypatch.undo()
    for clear in caches:
        clear()


def _ranks_key(*ranks: int) -> int:
    return sum(1 << 3 * (rank - 2) for rank in ranks)


def _wheel_is_no_straight(patch: Patch) -> None:
    tables = high_tables()
    by_ranks = tables.by_ranks | {
        _ranks_key(14, 5, 4, 3, 2): tables.by_ranks[_ranks_key(14, 6, 4, 3, 2)] - 1
    }
    patch.setattr(reader, "high_tables", lambda: replace(tables, by_ranks=by_ranks))


def _straight_round_the_ace(patch: Patch) -> None:
    tables = high_tables()
    by_ranks = tables.by_ranks | {
        _ranks_key(3, 2, 14, 13, 12): tables.by_ranks[_ranks_key(14, 5, 4, 3, 2)]
    }
    patch.setattr(reader, "high_tables", lambda: replace(tables, by_ranks=by_ranks))


def _nine_is_low(patch: Patch) -> None:
    right = reader._low_ranks
    nine = _ranks_key(9)
    patch.setattr(reader, "_low_ranks", lambda key: right(key) | (1 << 7 if key & 7 * nine else 0))


def _low_by_its_highest_card_alone(patch: Patch) -> None:
    right = reader.low_row
    by_top = {value: max(v for v, low in enumerate(LOWS) if low and low[0] == made[0])
              for value, made in enumerate(LOWS) if made} | {0: 0}  # fmt: skip
    patch.setattr(reader, "low_row", lambda board: bytes(by_top[v] for v in right(board)))


def _flush_with_one_hole_card(patch: Patch) -> None:
    right = reader._read_flushes

    def wrong(shift: int, board: Any, hands: Any, keys: Any, highs: list[int]) -> None:
        right(shift, board, hands, keys, highs)
        bit, value = reader._SUITED_BIT[shift], high_tables().by_suited_mask
        on_board = [bit[code] for code in board if code in bit]
        for place, hand in enumerate(hands):
            for one in (bit[code] for code in hand if code in bit):
                for four in combinations(on_board, 4):
                    highs[place] = max(highs[place], value[sum(four) | one])

    patch.setattr(reader, "_read_flushes", wrong)


def _flushes_not_read(patch: Patch) -> None:
    patch.setattr(reader, "_read_flushes", lambda *_: None)


def _hands_in_another_order(patch: Patch) -> None:
    right = read_hands

    def wrong(board: Any, hands: Any) -> tuple[list[int], list[int]]:
        highs, lows = right(board, hands)
        return highs, lows[::-1]

    patch.setattr(deals, "read_hands", wrong)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (_wheel_is_no_straight, "high .* phevaluator"),
        (_straight_round_the_ace, "high .* phevaluator"),
        (_flush_with_one_hole_card, "high .* phevaluator"),
        (_flushes_not_read, "high .* phevaluator"),
        (_nine_is_low, "low .* PokerKit"),
        (_low_by_its_highest_card_alone, "low .* PokerKit"),
        (_hands_in_another_order, "low .* PokerKit"),
    ],
)
def test_a_planted_bug_is_found(
    fresh_reader: Patch, plant: Callable[[Patch], None], found: str
) -> None:
    plant(fresh_reader)
    with pytest.raises(AssertionError, match=found):
        compare(600, 4, seed=20261120)

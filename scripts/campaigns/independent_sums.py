"""Sums and searches of the review's index, worked out again in Python from the same made-up hands.

Nothing of the index is used to work them out: a hand is a plain object, a filter a function.
"""

from __future__ import annotations

import time
from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeVar

from omaha_table.review.index.drop import Drop, total
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.incidents import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from omaha_table.review.index.projection import Projection
    from omaha_table.review.index.sums import Statistics, Sums
    from scripts.campaigns.synthetic_index import Hand

Key = TypeVar("Key")


def _local_day(hand: Hand) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(hand.started_us / 1e6))


FITS: Final[dict[str, Callable[[Hand], bool]]] = {
    "": lambda hand: True,
    "pot>=200": lambda hand: hand.pot >= 200_00,
    "pot<20": lambda hand: hand.pot < 20_00,
    "fee=0": lambda hand: hand.fee == 0,
    "fee>0": lambda hand: hand.fee > 0,
    "seats<6": lambda hand: len(hand.seats) < 6,
    "seconds>240": lambda hand: hand.ended_us - hand.started_us > 240_000_000,
    "#118": lambda hand: hand.number == 118,
    "hand>=200": lambda hand: hand.number >= 200,
    "dealer:d007,D008": lambda hand: hand.dealer in ("D007", "D008"),
    "table:T7": lambda hand: hand.table == "t7",
    "shift:day": lambda hand: hand.shift == "day",
    "day:2025-01-01": lambda hand: hand.day == "2025-01-01",
    "2025-01-01": lambda hand: _local_day(hand) == "2025-01-01",
    "..2025-01-01": lambda hand: _local_day(hand) <= "2025-01-01",
    "2025-01-02..": lambda hand: _local_day(hand) >= "2025-01-02",
    "seat:6": lambda hand: 6 in hand.seats,
    "won:4,5": lambda hand: hand.won in (4, 5),
    "player:PLAYER0118": lambda hand: "player0118" in hand.names,
    "flag:any": lambda hand: bool(hand.flags - {"kill"}),
    "flag:override,undo": lambda hand: bool(hand.flags & {"override", "undo"}),
    "flag:kill": lambda hand: "kill" in hand.flags,
    "ruling:refund": lambda hand: hand.ruling == "refund",
    '"ruled at the table"': lambda hand: bool(hand.ruling),
    "table:t7 #118": lambda hand: (hand.table, hand.number) == ("t7", 118),
    "flag:kill pot>=100 shift:swing": lambda hand: (
        "kill" in hand.flags and hand.pot >= 100_00 and hand.shift == "swing"
    ),
    "seats<5 won:2 flag:kill": lambda hand: (
        len(hand.seats) < 5 and hand.won == 2 and "kill" in hand.flags
    ),
}
"""Every word of the filter language, and what it means."""


def check(index: Projection, made: list[Hand]) -> None:
    """Everything that a page of the review shows of these hands; raises AssertionError."""
    _check_boxes(index, made)
    for text, fits in FITS.items():
        _check_filter(index, text, [hand for hand in made if fits(hand)])


def _check_boxes(index: Projection, made: list[Hand]) -> None:
    boxes: defaultdict[tuple[str, str], list[Hand]] = defaultdict(list)
    for hand in made:
        boxes[hand.file, hand.shift].append(hand)
    assert index.count_boxes() == len(boxes)
    shown = index.box_page(0, len(boxes))
    latest = [max(hand.started_us for hand in boxes[key.file, key.shift]) for key, _ in shown]
    assert latest == sorted(latest, reverse=True)
    for place, (key, sums) in enumerate(shown):
        _agree(sums, total(boxes[key.file, key.shift]), f"box {key}")
        assert index.box_sums(key) == sums
        assert index.place_of_box(key) == place


def _check_filter(index: Projection, text: str, fitting: list[Hand]) -> None:
    given = parse_filter(text)
    index.search_all(given)
    found = index.found(given)
    assert (found.total, found.is_all, found.is_searching) == (len(fitting), True, False), text
    listed = index.page(given, 0, found.total)
    times = [row["started_us"] for row in listed]
    assert times == sorted(times, reverse=True), text
    assert sorted((row["file"], row["seq"]) for row in listed) == sorted(
        (hand.file, hand.seq) for hand in fitting
    ), text
    for place in range(0, len(listed), 997):
        row = listed[place]
        assert index.place_of_hand(given, row["file"], row["seq"]) == place, text
        assert [again["id"] for again in index.page(given, place, 3)] == [
            one["id"] for one in listed[place : place + 3]
        ], text
    lines = sum(len(hand.flags & KINDS.keys()) for hand in fitting)
    assert index.count_incidents(given) == lines, text
    asked = index.statistics(given)
    asked.wait()
    assert asked.is_all, text
    _check_statistics(asked.result, fitting, text)


def _check_statistics(found: Statistics, hands: list[Hand], text: str) -> None:
    drop = total(hands)
    _agree(found.total, drop, text)
    assert abs(found.hours - drop.hours) < 1e-6, text
    by_dealer = _apart(hands, lambda hand: hand.dealer)
    assert {name for name, _ in found.by_dealer} == by_dealer.keys(), text
    for name, sums in found.by_dealer:
        _agree(sums, by_dealer[name], f"{text}, dealer {name}")
    by_hour = _apart(hands, _hour)
    days: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
    for hand in hands:
        days[_hour(hand)].add((hand.file, hand.day))
    assert {hour for hour, _ in found.by_hour} == by_hour.keys(), text
    for hour, sums in found.by_hour:
        _agree(sums, by_hour[hour], f"{text}, hour {hour}")
        assert sums.days == len(days[hour]), text


def _hour(hand: Hand) -> int:
    return datetime.fromtimestamp(hand.started_us / 1e6).hour


def _apart(hands: Iterable[Hand], by: Callable[[Hand], Key]) -> dict[Key, Drop]:
    drops: defaultdict[Key, Drop] = defaultdict(Drop)
    for hand in hands:
        drops[by(hand)].add(hand)
    return drops


def _agree(sums: Sums, drop: Drop, what: str) -> None:
    mine = (
        sums.hands, sums.no_flop, sums.called_off, sums.fees, sums.jackpots, sums.waived,
        sums.refunded, sums.pots,
    )  # fmt: skip
    theirs = (
        drop.hands, drop.no_flop, drop.called_off, drop.fees, drop.jackpots, drop.waived,
        drop.refunded, drop.pots,
    )  # fmt: skip
    assert mine == theirs, (what, mine, theirs)
    assert abs(sums.seconds - drop.seconds) < 1e-6 * max(drop.seconds, 1), what

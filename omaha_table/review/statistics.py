"""How the hands went: pace, pots, dealers, as numbers and as plots."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.table_view import Key
from omaha_table.money import format_dollars
from omaha_table.review.drop import Drop
from omaha_table.review.filter_line import FilterLine
from omaha_table.review.views import Chart, ChartsView

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.review.front import ReviewFront

_KEYS: Final = (Key("/", "FILTER"), Key(".", "BACK", strong=True))
_DAY_BEGINS: Final = 6


class Statistics:
    """Of the hands that the filter lets through."""

    def __init__(self, front: ReviewFront) -> None:
        self._front = front
        self.refreshed()

    def keys(self) -> dict[str, Callable[[], None]]:
        front = self._front
        return {"/": lambda: setattr(front, "asking", FilterLine(front)), ".": front.leave}

    def refreshed(self) -> None:
        self._all = Drop()
        self._hours: defaultdict[int, Drop] = defaultdict(Drop)
        self._days: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
        self._dealers: defaultdict[str, Drop] = defaultdict(Drop)
        for hand in self._front.projection.taken(self._front.filter):
            hour = time.localtime(hand.started_us / 1e6).tm_hour
            self._hours[hour].add(hand)
            self._days[hour].add((hand.file, hand.day))
            self._all.add(hand)
            self._dealers[hand.dealer or "nobody"].add(hand)

    def remember(self) -> None:
        pass

    def tick(self) -> bool:
        return False

    def view(self, rows: int) -> ChartsView:
        drop, front = self._all, self._front
        an_hour = drop.hands_an_hour
        facts = (
            ("Hands", f"{drop.hands:,}"),
            ("Hands an hour", f"{an_hour:.1f}"),
            ("Seconds a hand", f"{drop.pace:.0f}"),
            ("Mean pot", format_dollars(drop.mean_pot)),
            ("Pots an hour", format_dollars(round(an_hour * drop.mean_pot / 100) * 100)),
            ("Without a flop", f"{drop.no_flop:,} ({drop.no_flop_share:.0%})"),
            ("Fees", format_dollars(drop.fees)),
            ("Jackpot", format_dollars(drop.jackpots)),
            ("Called off", f"{drop.called_off:,}"),
        )
        hours = sorted(self._hours, key=lambda hour: (hour - _DAY_BEGINS) % 24)
        names = sorted(self._dealers, key=lambda name: -self._dealers[name].hands)
        return ChartsView(
            front.bar("STATISTICS", "", _KEYS,
                      f"FILTER  {front.filter_text or 'none: all hands'}"),
            facts,
            (
                Chart("Hands by the hour", tuple(self._count(hour) for hour in hours)),
                Chart("Mean pot by the hour, $", tuple(
                    _point(hour, self._hours[hour].mean_pot / 100) for hour in hours)),
                Chart("Without a flop by the hour, %", tuple(
                    _point(hour, self._hours[hour].no_flop_share * 100) for hour in hours)),
                Chart("Dealers: seconds a hand", tuple(
                    (name, self._dealers[name].pace,
                     f"{self._dealers[name].pace:.0f} s, {self._dealers[name].hands:,} hands")
                    for name in names), sideways=True),
            ),
        )  # fmt: skip

    def _count(self, hour: int) -> tuple[str, float, str]:
        """The hands of one table that began in an hour of the day, on the mean of its days."""
        days = len(self._days[hour]) or 1
        return _point(hour, self._hours[hour].hands / days)


def _point(hour: int, value: float) -> tuple[str, float, str]:
    return f"{hour:02}", value, f"{value:.0f}"

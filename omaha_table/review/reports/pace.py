"""How a shift went: what happened in it, how long pushes took, and charts of the hands.

The charts are drawn from the hands that the sums count, so that they add up to the report's own
figures: hands that were called off are in neither.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.hand.events import BackedUp, StreetClosed, Undone
from omaha_table.hand.phases import Street
from omaha_table.journal.events import ClockStepped, Recovered
from omaha_table.review.reports.page import Bars, Curve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.journal.events import Event
    from omaha_table.review.index.hands import Played

CALLED_OFF: Final = ("misdeal", "void")
_MOST_HOURS: Final = 24
"""With more, the hands are shown by the day."""
_CLASS_SECONDS: Final = 30
_LAST_CLASS: Final = 8
"""Hands from four minutes on are one bar."""


@dataclass(frozen=True, slots=True)
class Happened:
    """How often things happened in some hands, and in and between them."""

    misdeals: int
    voids: int
    kills: int
    undos: int
    restarts: int
    clock_changes: int


def what_happened(hands: list[Played], around: Iterable[Event]) -> Happened:
    kinds = Counter(type(event) for event in around)
    return Happened(
        misdeals=sum(hand.outcome == "misdeal" for hand in hands),
        voids=sum(hand.outcome == "void" for hand in hands),
        kills=sum(hand.started.is_kill for hand in hands),
        undos=sum(isinstance(m.event, Undone | BackedUp) for h in hands for m in h.moments),
        restarts=kinds[Recovered],
        clock_changes=kinds[ClockStepped],
    )


def seconds_to_push(hands: Iterable[Played]) -> list[float]:
    """From the end of the last betting round to the push."""
    found = []
    for hand in hands:
        closed = [
            moment.at_us
            for moment in hand.standing
            if isinstance(moment.event, StreetClosed) and moment.event.street is Street.RIVER
        ]
        if closed:
            found.append(max(hand.ended_us - closed[-1], 0) / 1e6)
    return found


def charts(hands: Iterable[Played]) -> tuple[Bars, Curve, Bars]:
    counted = [hand for hand in hands if hand.outcome and hand.outcome not in CALLED_OFF]
    return _over_time(counted), _fees(counted), _lengths(counted)


def _over_time(hands: list[Played]) -> Bars:
    hours = Counter(time.localtime(hand.started_us / 1e6)[:4] for hand in hands)
    if len(hours) > _MOST_HOURS:
        days = Counter(hand.day for hand in hands)
        return Bars("Hands by day", tuple((day, float(days[day])) for day in sorted(days)))
    return Bars(
        "Hands by hour", tuple((f"{hour[3]:02}:00", float(hours[hour])) for hour in sorted(hours))
    )


def _fees(hands: list[Played]) -> Curve:
    total, points = 0, []
    for hand in sorted(hands, key=lambda hand: hand.ended_us):
        if hand.fee:
            total += hand.fee
            points.append((hand.ended_us, total / 100))
    return Curve("Fees taken, in dollars", tuple(points))


def _lengths(hands: list[Played]) -> Bars:
    found = Counter(min(int(hand.seconds // _CLASS_SECONDS), _LAST_CLASS) for hand in hands)
    bars = []
    for number in range(max(found, default=-1) + 1):
        first = number * _CLASS_SECONDS
        label = f"{first}+" if number == _LAST_CLASS else f"{first}-{first + _CLASS_SECONDS}"
        bars.append((label, float(found[number])))
    return Bars("Hands by length in seconds", tuple(bars))

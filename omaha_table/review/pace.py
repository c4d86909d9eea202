"""How a shift went: hands by the hour, how long they took, what was taken back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from omaha_table.hand.events import BackedUp, StreetClosed, Undone
from omaha_table.hand.phases import Street
from omaha_table.journal.events import ClockStepped, Recovered
from omaha_table.review.page import Section, clock

if TYPE_CHECKING:
    from omaha_table.journal.events import Event
    from omaha_table.review.hands import Played


def counts(kept: list[Played], around: list[Event]) -> Counter[str]:
    """How often things happened in some hands, and in and between them."""
    made: Counter[str] = Counter()
    for hand in kept:
        made["kill"] += hand.started.is_kill
        made["undo"] += sum(isinstance(m.event, Undone | BackedUp) for m in hand.moments)
    for event in around:
        made["recovered"] += isinstance(event, Recovered)
        made["clock"] += isinstance(event, ClockStepped)
    return made


def seconds_to_push(kept: list[Played]) -> list[float]:
    """From the end of the last betting round to the push."""
    found = []
    for hand in kept:
        closed = [
            moment.at_us
            for moment in hand.standing
            if isinstance(moment.event, StreetClosed) and moment.event.street is Street.RIVER
        ]
        if closed:
            found.append(max(hand.ended_us - closed[-1], 0) / 1e6)
    return found


def plots(kept: list[Played]) -> list[Section]:
    hours: Counter[str] = Counter()
    minutes: Counter[int] = Counter()
    taken: list[tuple[int, float]] = []
    total = 0
    for hand in kept:
        hours[clock(hand.started_us)[:13]] += 1
        minutes[min(int(hand.seconds // 30), 8)] += 1
    for hand in sorted(kept, key=lambda hand: hand.ended_us):
        if hand.fee:
            total += hand.fee
            taken.append((hand.ended_us, total / 100))
    by_hour = tuple((f"{hour[11:]}:00", float(count)) for hour, count in sorted(hours.items()))
    lengths = tuple(
        (f"{30 * n}-{30 * n + 30}" if n < 8 else "240+", float(minutes[n]))
        for n in range(max(minutes, default=-1) + 1)
    )
    return [
        Section("Hands by the hour", (), by_hour),
        Section("Fees taken, in dollars", (), line=tuple(taken)),
        Section("Seconds a hand", (), lengths),
    ]

"""Interleaved timing: every contender runs in every round, and the medians are compared."""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Figure:
    """The median time of one unit of work, and how much longer that is than ours."""

    name: str
    micros: float
    times_ours: float
    note: str = ""


@dataclass(frozen=True)
class Contender:
    name: str
    work: Callable[[int], None]
    """Does this many units of work."""
    note: str = ""


def measure(contenders: list[Contender], rounds: int, seconds: float) -> list[Figure]:
    """Times each contender in each round; the first one is ours."""
    counts = [_how_many(contender, seconds) for contender in contenders]
    times: list[list[float]] = [[] for _ in contenders]
    for _ in range(rounds):
        for place, contender in enumerate(contenders):
            gc.collect()
            start = time.perf_counter()
            contender.work(counts[place])
            times[place].append((time.perf_counter() - start) / counts[place])
    medians = [statistics.median(row) for row in times]
    return [
        Figure(contender.name, median * 1e6, median / medians[0], contender.note)
        for contender, median in zip(contenders, medians, strict=True)
    ]


def _how_many(contender: Contender, seconds: float) -> int:
    """How many units fit in the time, from a warm-up that also fills every lookup table."""
    count = 1
    while True:
        start = time.perf_counter()
        contender.work(count)
        spent = time.perf_counter() - start
        if spent > seconds / 4:
            return max(1, round(count * seconds / spent))
        count *= 2

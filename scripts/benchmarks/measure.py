"""Interleaved timing: every contender runs in every round, and the medians are compared."""

from __future__ import annotations

import gc
import os
import resource
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

Clock: TypeAlias = Literal["CPU", "wall", ""]


@dataclass(frozen=True)
class Figure:
    """The median time of one unit of work, and how much longer that is than ours."""

    name: str
    micros: float
    times_ours: float
    note: str = ""
    clock: Clock = "wall"
    """What the time is of: the processors' work, or the clock on the wall; empty: no time."""
    others: float = 0.0
    """How many processors other programs kept busy meanwhile."""


@dataclass(frozen=True)
class Contender:
    name: str
    work: Callable[[int], None]
    """Does this many units of work."""
    note: str = ""


def measure(contenders: list[Contender], rounds: int, seconds: float) -> list[Figure]:
    """CPU time of each contender in each round, its subprocesses included; the first is ours."""
    counts = [_how_many(contender, seconds) for contender in contenders]
    times: list[list[float]] = [[] for _ in contenders]
    for _ in range(rounds):
        for place, contender in enumerate(contenders):
            gc.collect()
            start = cpu()
            contender.work(counts[place])
            times[place].append((cpu() - start) / counts[place])
    medians = [statistics.median(row) for row in times]
    return [
        Figure(contender.name, median * 1e6, median / medians[0], contender.note, "CPU")
        for contender, median in zip(contenders, medians, strict=True)
    ]


def cpu() -> float:
    """CPU seconds of this process, and of its subprocesses that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def _how_many(contender: Contender, seconds: float) -> int:
    """How many units fit in the time, from a warm-up that also fills every lookup table."""
    count = 1
    while True:
        start = cpu()
        contender.work(count)
        spent = cpu() - start
        if spent > seconds / 4:
            return max(1, round(count * seconds / spent))
        count *= 2


class Others:
    """Watches how many processors other programs keep busy while a benchmark runs."""

    def __init__(self) -> None:
        self.busy = 0.0

    def __enter__(self) -> Self:
        self._began = (time.monotonic(), _busy(), cpu())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        at, busy, mine = self._began
        seconds = time.monotonic() - at
        self.busy = max(0.0, (_busy() - busy) - (cpu() - mine)) / seconds


def _busy() -> float:
    """Seconds in which the processors of this machine were not idle, added up."""
    line = Path("/proc/stat").read_text(encoding="utf-8").partition("\n")[0]
    # Of the tenth on, guests are counted in the first two already.
    ticks = [int(number) for number in line.split()[1:9]]
    idle, waiting = ticks[3], ticks[4]
    return (sum(ticks) - idle - waiting) / os.sysconf("SC_CLK_TCK")

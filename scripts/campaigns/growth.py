"""How the cost of a log grows: with events per hand, hands per day, days, tables. `scripts/growth`.

All figures are CPU time, medians of interleaved rounds. The exponent of a row is the slope of its
cost against its size, both as logarithms: 1 is proportional, and n log n comes out as 1.1 or less
over the sizes that are measured here.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

from omaha_table.floor.files import demo_staff
from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import verify
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.rules import load_profile
from omaha_table.session import Session
from scripts.campaigns.simulated import Days, simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SEATS: Final = (2, 4, 6, 8, 9)
HANDS: Final = (125, 250, 500, 1000, 2000)
DAYS: Final = (5, 10, 20, 40)
TABLES: Final = (2, 4, 8, 16)
ROOM_TABLES: Final = 60
CHAIN_ROOMS: Final = 100
HANDS_A_DAY: Final = 800
"""Of one table that deals around the clock."""


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    unit: str
    sizes: tuple[float, ...]
    costs: tuple[float, ...]
    """CPU seconds, one for each size."""

    @property
    def exponent(self) -> float:
        """The slope of a straight line through all points, both axes as logarithms."""
        x, y = [math.log(size) for size in self.sizes], [math.log(cost) for cost in self.costs]
        mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
        over = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
        return over / sum((a - mean_x) ** 2 for a in x)


def grown(rounds: int) -> list[Row]:
    """Every row; the sizes of a row take turns."""
    of_seats = [_files(Days(150, seats=seats)) for seats in SEATS]
    events = tuple(_events(files) / 150 for files in of_seats)
    of_hands = [_files(Days(hands)) for hands in HANDS]
    of_days = [_files(Days(20, days=days)) for days in DAYS]
    of_tables = [
        [path for table in range(1, tables + 1) for path in _files(Days(50, table=f"t{table}"))]
        for tables in TABLES
    ]
    hands, days, tables = (tuple(map(float, one)) for one in (HANDS, DAYS, TABLES))
    return [
        _row("verify", "events in a hand", events, of_seats, _verify, rounds),
        _row("index for the review", "events in a hand", events, of_seats, _index, rounds),
        _row("verify", "hands in a day", hands, of_hands, _verify, rounds),
        _row("index for the review", "hands in a day", hands, of_hands, _index, rounds),
        _row("open the table again", "hands in a day", hands, of_hands, _reopen, rounds),
        _row("verify", "days of 20 hands", days, of_days, _verify, rounds),
        _row("index for the review", "days of 20 hands", days, of_days, _index, rounds),
        _row("look for what is new", "days of 20 hands", days, of_days, _look, rounds),
        _row("verify", "tables with 50 hands", tables, of_tables, _verify, rounds),
        _row("index for the review", "tables with 50 hands", tables, of_tables, _index, rounds),
        _row("a page of the list", "tables with 50 hands", tables, of_tables, _page, rounds),
    ]


def _files(days: Days) -> list[Path]:
    return day_files(simulated(days))


def _events(files: Sequence[Path]) -> int:
    total = 0
    for path in files:
        with Reader(path) as reader:
            total += reader.count()
    return total


def _row(
    what: str,
    unit: str,
    sizes: Sequence[float],
    logs: Sequence[list[Path]],
    work: Callable[[list[Path]], float],
    rounds: int,
) -> Row:
    times: list[list[float]] = [[] for _ in logs]
    for _ in range(rounds):
        for place, files in enumerate(logs):
            times[place].append(work(files))
    return Row(what, unit, tuple(sizes), tuple(map(median, times)))


def _verify(files: list[Path]) -> float:
    began = time.process_time()
    assert verify(files).sound
    return time.process_time() - began


def _index(files: list[Path]) -> float:
    with closing(Projection()) as projection:
        began = time.process_time()
        assert projection.refresh(files) == []
        return time.process_time() - began


def _look(files: list[Path]) -> float:
    with closing(Projection()) as projection:
        projection.refresh(files)
        began = time.process_time()
        projection.refresh(files)
        return time.process_time() - began


def _page(files: list[Path]) -> float:
    """The newest page of the list of hands, a hundred times."""
    with closing(Projection()) as projection:
        projection.refresh(files)
        began = time.process_time()
        for _ in range(100):
            projection.page(parse_filter(""), 0, 40)
        return (time.process_time() - began) / 100


def _reopen(files: list[Path]) -> float:
    """The day after a closed one begins from the last seal, whatever came before it."""
    profile = load_profile("ca_omaha_hilo")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "data"
        shutil.copytree(files[0].parent, folder)
        began = time.process_time()
        Session.on_journal(folder, "t1", profile, profile.limits[0], demo_staff()).close()
        return time.process_time() - began


def table(rows: Sequence[Row]) -> list[str]:
    lines = ["| work | against | sizes | cost, ms of CPU | grows as |", "|---|---|--:|--:|--:|"]
    for row in rows:
        sizes = " · ".join(f"{size:,.0f}" for size in row.sizes)
        costs = " · ".join(_short(cost * 1000) for cost in row.costs)
        lines.append(f"| {row.what} | {row.unit} | {sizes} | {costs} | n^{row.exponent:.2f} |")
    return lines


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}" if number >= 1 else f"{number:.2f}"


def estimates(rows: Sequence[Row]) -> list[str]:
    """For a room and for a chain, from the largest logs measured."""
    [verified] = [row for row in rows if (row.what, row.unit) == ("verify", "hands in a day")]
    [indexed] = [row for row in rows if row.what.startswith("index") and "hands" in row.unit
                 and "day" in row.unit and "days" not in row.unit]  # fmt: skip
    per_verify, per_index = (row.costs[-1] / row.sizes[-1] for row in (verified, indexed))
    largest = _files(Days(HANDS[-1]))
    size = sum(path.stat().st_size for path in largest) / HANDS[-1]
    events = _events(largest) / HANDS[-1]
    lines = [
        f"A hand has {events:.0f} events and {size / 1024:.0f} KiB; a table deals "
        f"{HANDS_A_DAY} hands a day around the clock.",
        "",
        "| a day of | hands | log | verify, one core | verify, eight cores | index, one core |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, tables in (
        ("one table", 1),
        (f"a room of {ROOM_TABLES} tables", ROOM_TABLES),
        (f"a chain of {CHAIN_ROOMS} rooms", ROOM_TABLES * CHAIN_ROOMS),
    ):
        hands = tables * HANDS_A_DAY
        check = hands * per_verify
        lines.append(
            f"| {name} | {hands:,} | {_bytes(hands * size)} | {_time(check)} | {_time(check / 8)} "
            f"| {_time(hands * per_index)} |"
        )
    return lines


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    began = os.getloadavg()[0]
    rows = grown(given.rounds)
    print("\n".join([*table(rows), "", *estimates(rows)]))
    worst = max(rows, key=lambda row: row.exponent)
    print(
        f"\nMedians of {given.rounds} rounds; load {began:.1f} to {os.getloadavg()[0]:.1f}. "
        f"The worst: {worst.what} against {worst.unit}, n^{worst.exponent:.2f}."
    )


if __name__ == "__main__":
    main()

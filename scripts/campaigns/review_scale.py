"""Times what every key of the review asks of an index of a million and of ten million hands.

Each question is asked as a screen asks it. A search that goes on beside the screen is timed twice:
until the key has its answer, and until everything is found. Memory is the peak of a process that
asks nothing but this question. Then the keys are pressed on the real screens (`review_keys`).
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection
from scripts.campaigns.review_keys import walk
from scripts.campaigns.synthetic_index import build

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS: Final = 40
"""Of a tall screen."""
TIMES: Final = 25
ALL: Final = parse_filter("")
FILTERS: Final = (
    "pot>=200", "pot>=5", "pot>=1500", "fee=0", "seats<6", "seconds>240", "#118", "hand>500",
    "dealer:D114", "table:t7", "shift:swing", "day:2025-01-09", "2025-01-09", "2025-01-05..",
    "seat:4", "won:4", "player:player0118", "flag:any", "flag:override", "flag:kill",
    "ruling:refund", '"ruled"', '"player0118"', "table:t7 #118", "pot>=1500 dealer:D7",
    "flag:override shift:swing pot>=100", "player:player0118 won:4", "seats<5 flag:not_dealt",
)  # fmt: skip
"""Every word of the language, rare and common, and words together."""


@dataclass(frozen=True, slots=True)
class Timed:
    page: str
    key: str
    p50: float
    p95: float
    worst: float
    """Milliseconds."""
    complete: float
    """Seconds until a search beside the screen was done; 0: it was at once."""
    megabytes: float
    found: str


Question = tuple[str, str, "Callable[[Projection, random.Random], object]"]


def questions() -> list[Question]:
    """Page, key, and what the screen asks."""

    def at(share: float) -> Callable[[Projection, random.Random], object]:
        def asked(index: Projection, rng: random.Random) -> object:
            total = index.found(ALL).total
            offset = min(int(share * total), total - ROWS) + rng.randrange(ROWS)
            return index.page(ALL, max(offset, 0), ROWS)

        return asked

    def chosen(index: Projection, rng: random.Random) -> object:
        total = index.found(ALL).total
        [row] = index.page(ALL, rng.randrange(total), 1)
        assert index.place_of_hand(ALL, row["file"], row["seq"]) is not None
        return index.hand(row["id"])

    def boxes(share: float) -> Callable[[Projection, random.Random], object]:
        return lambda index, rng: index.box_page(
            int(share * max(index.count_boxes() - ROWS, 0)), ROWS
        )

    def box(index: Projection, rng: random.Random) -> object:
        [(key, sums)] = index.box_page(rng.randrange(index.count_boxes()), 1)
        hands = index.in_box(key)
        assert sum(hand.outcome not in ("misdeal", "void") for hand in hands) == sums.hands
        return index.place_of_box(key)

    def queue(share: float, *, by_time: bool) -> Callable[[Projection, random.Random], object]:
        def asked(index: Projection, rng: random.Random) -> object:
            offset = int(share * max(index.count_incidents(ALL) - ROWS, 0))
            return index.incidents(ALL, offset, ROWS, by_time=by_time)

        return asked

    def look(index: Projection, rng: random.Random) -> object:
        return index.version(), index.claimed_twice(), index.tables(), index.faults()

    return [
        ("list", "open, newest page", at(0)),
        ("list", "page in the middle", at(0.5)),
        ("list", "end, oldest page", at(1)),
        ("list", "a hand and its place", chosen),
        ("list", "every 2 s: what is new", look),
        ("list", "offer dealers and days", lambda index, _: (index.dealers(), index.days())),
        ("boxes", "open, newest page", boxes(0)),
        ("boxes", "end, oldest page", boxes(1)),
        ("box", "open, its hands and sums", box),
        ("queue", "open by kind", queue(0, by_time=False)),
        ("queue", "end by kind", queue(1, by_time=False)),
        ("queue", "open by time", queue(0, by_time=True)),
        ("queue", "unseen only", lambda index, _: (
            index.found_incidents(ALL, unseen=True),
            index.incidents(ALL, 0, ROWS, by_time=False, unseen=True))),
    ]  # fmt: skip


def ask(path: Path, which: int) -> Timed:
    page, key, question = questions()[which]
    rng = random.Random(which)
    with closing(Projection(path)) as index:
        spent = []
        complete = 0.0
        for _ in range(TIMES):
            begun = time.perf_counter()
            question(index, rng)
            spent.append(time.perf_counter() - begun)
            if page == "queue" and not complete:
                complete = _finished(index, begun)
        return _timed(page, key, spent, complete)


def _finished(index: Projection, begun: float) -> float:
    while index.found_incidents(ALL).is_searching:
        time.sleep(0.001)
    return time.perf_counter() - begun


def search(path: Path, text: str) -> Timed:
    """A filter: its first page, then pages of what was found meanwhile, then until it is done."""
    given, rng = parse_filter(text), random.Random(1)
    with closing(Projection(path)) as index:
        spent, complete, begun = [], 0.0, time.perf_counter()
        while True:
            asked = time.perf_counter()
            found = index.found(given)
            index.page(given, rng.randrange(max(found.total - ROWS, 1)), ROWS)
            spent.append(time.perf_counter() - asked)
            if not found.is_searching and len(spent) >= TIMES:
                break
            if found.is_searching:
                time.sleep(0.05)
                complete = time.perf_counter() - begun
        more = "" if found.is_all else "more than "
        return _timed("filter", text, spent, complete, f"{more}{found.total:,}")


def statistics(path: Path, text: str) -> Timed:
    given = parse_filter(text)
    with closing(Projection(path)) as index:
        begun = time.perf_counter()
        asked = index.statistics(given)
        spent = [time.perf_counter() - begun]
        asked.wait()
        complete = time.perf_counter() - begun
        for _ in range(TIMES):
            begun = time.perf_counter()
            asked = index.statistics(given)
            spent.append(time.perf_counter() - begun)
        assert asked.is_all
        return _timed("statistics", text or "all", spent, complete, f"{asked.result.total.hands:,}")


def queue_of(path: Path, text: str) -> Timed:
    given = parse_filter(text)
    with closing(Projection(path)) as index:
        spent, begun = [], time.perf_counter()
        complete = 0.0
        for _ in range(TIMES):
            asked = time.perf_counter()
            index.incidents(given, 0, ROWS, by_time=False)
            found = index.found_incidents(given, unseen=True)
            spent.append(time.perf_counter() - asked)
            while not complete and index.found_incidents(given).is_searching:
                time.sleep(0.002)
            complete = complete or time.perf_counter() - begun
        return _timed("queue", text, spent, complete, f"{found.total:,}")


def _timed(page: str, key: str, spent: list[float], complete: float, found: str = "") -> Timed:
    ordered = sorted(one * 1000 for one in spent)
    return Timed(
        page, key, ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1],
        complete, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, found,
    )  # fmt: skip


def measure(path: Path) -> list[Timed]:
    """Each in a process of its own, so that none is helped or burdened by the one before."""
    jobs: list[Callable[[], Timed]] = [
        *(partial(ask, path, which) for which in range(len(questions()))),
        *(partial(search, path, text) for text in FILTERS),
        *(partial(queue_of, path, text) for text in ("flag:override", "pot>=5", "table:t7")),
        *(partial(statistics, path, text)
          for text in ("", "table:t7", "2025-01-09", "dealer:D114", "flag:override", "pot>=5")),
    ]  # fmt: skip
    found = []
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for job in jobs:
            found.append(pool.apply(_call, (job,)))
            print(_line(found[-1]), flush=True)
    return found


def _call(job: Callable[[], Timed]) -> Timed:
    return job()


HEADER: Final = """\
| page | key or filter | p50 ms | p95 ms | worst ms | all after s | peak MB | found |
|---|---|---:|---:|---:|---:|---:|---:|"""


def _line(one: Timed) -> str:
    after = f"{one.complete:.2f}" if one.complete >= 0.005 else ""
    return (
        f"| {one.page} | `{one.key}` | {one.p50:.1f} | {one.p95:.1f} | {one.worst:.1f} | {after} "
        f"| {one.megabytes:.0f} | {one.found} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="an index that is made once and used again")
    parser.add_argument("--keys", action="store_true", help="only the keys, on the real screens")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = given.keep or Path(name) / "index.db"
        if not path.exists():
            begun = time.perf_counter()
            build(path, given.hands, given.seed)
            size = path.stat().st_size / 1e9
            print(f"{given.hands:,} hands in {time.perf_counter() - begun:.0f} s, {size:.1f} GB")
        if not given.keys:
            print(HEADER)
            found = measure(path)
            slow = max(found, key=lambda one: one.worst)
            print(f"The slowest answer: {slow.worst:.0f} ms ({slow.page}: {slow.key}).\n")
        print(walk(path, Path(name)).text)


if __name__ == "__main__":
    main()

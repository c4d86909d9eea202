"""The review database: building it from a journal, and a page of a million hands."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
from pathlib import Path
from statistics import median

import journal
from measure import Figure

from omaha_table.review.counts import Counts
from omaha_table.review.filters import parse_filter
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.paint import paint
from omaha_table.review.projection import HAND, Projection


def projecting(hands: int = 200) -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        journal._play(Path(name), hands)
        projection = Projection()
        start = time.perf_counter()
        projection.refresh(Path(name).glob("*.journal"))
        spent = time.perf_counter() - start
        assert projection.count() == hands
        projection.close()
        start = time.perf_counter()
        [path] = Path(name).glob("*.journal")
        bare = sqlite3.connect(path)
        bare.execute("SELECT * FROM event").fetchall()
        bare.close()
        plain = time.perf_counter() - start
    per = spent / hands * 1e6
    note = f"{hands / spent:,.0f} hands/s"
    return [Figure("projection, one hand", per, 1.0, note),
            Figure("plain SELECT, one hand", plain / hands * 1e6, plain / spent)]  # fmt: skip


def paging(hands: int = 1_000_000) -> list[Figure]:
    """A filtered page and a painted screen from this many generated hands."""
    rng = random.Random(5)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "review.db"
        projection = Projection(path)
        rows = (
            ("f", "t7", "2026-11-14", n, n * 100_000_000, 90.0, f"D{n % 40}", "swing", 8,
             rng.randrange(100_000), 500, 0, "4", "", n, n + 30, "log", "B7", "J7", 1, 0,
             n * 100_000_000 + 90_000_000, 0, "showdown", 1, 0, "f", "2026-11-14", "log")
            for n in range(hands)
        )  # fmt: skip
        names = ", ".join(f'"{name}"' for name in HAND)
        projection._connection.executemany(
            f"INSERT INTO hand({names}) VALUES({', '.join('?' * len(HAND))})", rows
        )
        projection._connection.commit()
        given = parse_filter("pot>=990 dealer:D7")
        query = (
            "SELECT * FROM hand WHERE hand.pot >= ? AND hand.dealer COLLATE NOCASE IN (?) "
            "ORDER BY started_us DESC, id DESC LIMIT 20 OFFSET 0"
        )
        ours, bare = [], []
        plain = projection._connection
        for _ in range(15):
            start = time.perf_counter()
            projection.page(given, 0, 20)
            middle = time.perf_counter()
            plain.execute(query, (99000, "D7")).fetchall()
            ours.append(middle - start)
            bare.append(time.perf_counter() - middle)
        front = ReviewFront(projection, Notes(Path(name) / "n"), Counts(Path(name) / "c"))
        painted = []
        for key in ("2", "3", "1", "7", "3"):
            front.press(key)
            start = time.perf_counter()
            paint(front, 120, 40)
            painted.append(time.perf_counter() - start)
        projection.close()
    base = median(bare) * 1e6
    return [
        Figure("a page by filter", median(ours) * 1e6, median(ours) * 1e6 / base, "× bare query"),
        Figure("the bare query", base, 1.0, f"{hands:,} hands"),
        Figure("a screen painted", median(painted) * 1e6, max(painted) * 1e3, "worst, in ms"),
    ]

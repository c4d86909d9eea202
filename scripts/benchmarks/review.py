"""The review's index: building it from a journal. What is asked of it: `scripts/review_scale`."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from pathlib import Path

import journal
from measure import Figure

from omaha_table.review.index.projection import Projection


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

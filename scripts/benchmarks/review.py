"""The review's index: built from journals. What is asked of it: `scripts/review_scale`."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from measure import Contender, Figure, measure

from omaha_table.journal.days import day_files
from omaha_table.review.index.projection import Projection
from scripts.campaigns.simulated import Days, simulated

if TYPE_CHECKING:
    from pathlib import Path


def projecting(rounds: int) -> list[Figure]:
    files = day_files(simulated(Days()))
    hands = 1000

    def project(count: int) -> None:
        for _ in range(count):
            projection = Projection()
            projection.refresh(files)
            assert projection.count() == hands
            projection.close()

    contenders = [
        Contender("an index of 1,000 hands", project),
        Contender("plain SELECT of the same", lambda count: _select(files, count)),
    ]
    found = measure(contenders, rounds, 0.1)
    per = found[0].micros / hands
    note = f"{1e6 / per:,.0f} hands/s; to reach: 3,000"
    return [
        Figure("a hand in the index", per, 1.0, note, "CPU"),
        Figure("plain SELECT of a hand", found[1].micros / hands, found[1].times_ours, "", "CPU"),
    ]


def _select(files: list[Path], count: int) -> None:
    for _ in range(count):
        for path in files:
            bare = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
            bare.execute("SELECT * FROM event").fetchall()
            bare.close()

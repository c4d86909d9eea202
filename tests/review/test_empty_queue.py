"""A queue of anomalies with nothing in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.review.anomalies import Anomalies
from omaha_table.review.counts import Counts
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.projection import Projection

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_is_marked_opened_or_noted_where_nothing_is_unusual(tmp_path: Path) -> None:
    projection = Projection()
    front = ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"))
    queue = Anomalies(front)
    assert queue.view(20).empty == "Nothing unusual."
    for key in ("*", "5", "+"):
        queue.keys()[key]()
    assert front.asking is None
    assert not (tmp_path / "notes").exists()
    projection.close()

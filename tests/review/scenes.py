"""The scenes of the review: the keys that lead to each, and a review of one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.review.counts import Counts
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.projection import Projection
from tests.review.swing import AT

if TYPE_CHECKING:
    from pathlib import Path

COUNT = ("4", "+", *"105", "enter", "enter", "1", "2")
SCENES = {
    "list": "2 2 5 . 2",
    "list_tagged_and_noted": "2 * + 1",
    "filter_offers": "/ 1",
    "filter_by_dealer": "/ 4",
    "filter_with_an_error": "/ p o t greater_than_sign f l a enter",
    "filter_that_fits_nothing": "/ 2 9 9 9 9 enter .",
    "replay": "/ 7 1 9 enter . 5 3 6 6",
    "replay_of_a_refusal": "- 2 2 2 2 2 2 2 5",
    "replay_of_a_ruling": "- 5",
    "replay_with_a_note": "5 +",
    "anomalies": "- * * 2",
    "anomalies_unseen_by_time": "- * * / 0 2",
    "anomalies_between_hands": "- 2 2 5",
    "boxes": "4",
    "box_counted_with_a_slip": "4 + 8 4 x enter",
    "box_counted_by_one": "4 + 1 0 5 enter enter 1 1",
    "box_brackets": " ".join((*COUNT, "5")),
    "box_downs": " ".join((*COUNT, "5", "6")),
    "box_hands": " ".join((*COUNT, "5", "6", "6", "6")),
    "box_explained": " ".join((*COUNT, "5", "4")),
    "statistics": "0",
}
"""The keys that lead there from the list."""


def review(folder: Path, kept: Path) -> ReviewFront:
    projection = Projection()
    projection.refresh(folder.glob("*.journal"))
    return ReviewFront(
        projection,
        Notes(kept / "notes"),
        Counts(kept / "counts"),
        verdict="√ chain of 966 events verified",
        staff=["F1 Fern Hill", "S1 Sam Vale"],
        wall=lambda: AT + 4 * 3600,
    )

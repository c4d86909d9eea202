"""Every room of the review at three sizes, as text; OMAHA_DRAW=1 writes the scenes anew."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.counts import Counts
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.paint import paint
from omaha_table.review.projection import Projection
from tests.review.swing import AT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.console.canvas import Canvas

SIZES = ((80, 24), (100, 30), (120, 40))
FOLDER = Path(__file__).parent / "snapshots"
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


@pytest.fixture
def front(swing: Path, tmp_path: Path) -> Iterator[ReviewFront]:
    made = review(swing, tmp_path)
    yield made
    made.projection.close()


def drawn(canvas: Canvas) -> str:
    # Keys are made anew for every journal, and every hash is over one.
    return re.sub(r"hash [0-9a-f]{32}", f"hash {'0' * 32}", canvas.text())


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_looks_as_it_did_when_it_was_looked_at(name: str, front: ReviewFront) -> None:
    for key in SCENES[name].split():
        front.press(key)
    text = "\n".join(f"{w}x{h}\n{drawn(paint(front, w, h))}\n" for w, h in SIZES)
    path = FOLDER / f"{name}.txt"
    if os.environ.get("OMAHA_DRAW"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert text == path.read_text()


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_clipped_and_every_key_is_shown(name: str, front: ReviewFront) -> None:
    for key in SCENES[name].split():
        front.press(key)
    for width, height in (*SIZES, (81, 25), (99, 29), (119, 41), (140, 50), (200, 60)):
        canvas = paint(front, width, height)
        assert canvas.clipped == []
        bar = getattr(front.view(10), "bar", None)
        for key in bar.keys if bar is not None else ():
            assert f" {key.cap}  {key.label}" in canvas.text(), key


@pytest.mark.parametrize("size", [(10, 3), (60, 18), (79, 24), (80, 23), (1, 1)])
def test_a_window_that_is_too_small_says_so(size: tuple[int, int], front: ReviewFront) -> None:
    assert "MAKE" in paint(front, *size).text() or size[0] < 10

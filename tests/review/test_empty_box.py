"""A box with nothing in it is counted like any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.box import Box
from omaha_table.review.counts import Counts
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.projection import Projection
from tests.review.nights import Night

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("jackpot_box", "asked"), [("none", []), ("J1", ["0", "enter"])])
def test_a_box_may_be_counted_as_empty(tmp_path: Path, jackpot_box: str, asked: list[str]) -> None:
    night = Night(tmp_path / "data", "ca_big_o")
    night.say(f"shift day B1 {jackpot_box}")
    night.seat(3, 10_000)
    night.play(1)
    projection = Projection()
    projection.refresh([night.close()])
    counts = tmp_path / "counts"
    staff = ["F1 Fern Hill", "S1 Sam Vale"]
    front = ReviewFront(projection, Notes(tmp_path / "notes"), Counts(counts), staff=staff)
    for key in ("4", "+", "0", "enter", *asked, "1", "2", "5", "5"):
        front.press(key)
    # A sum is no hand that could be opened.
    assert isinstance(front.room, Box)
    projection.close()
    kept = json.loads(counts.read_text(encoding="utf-8"))
    assert (kept["counted"], kept["jackpot"]) == (0, 0 if asked else None)


def test_no_count_is_asked_for_of_a_box_that_is_not_there(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_big_o").seat(3)
    night.say("shift swing B12 none")
    night.play(1).close()
    projection = Projection()
    projection.refresh(sorted(tmp_path.glob("*.journal")))
    front = ReviewFront(projection, Notes(tmp_path / "n"), Counts(tmp_path / "c"))
    for key in ("4", "+", "5", "enter"):
        front.press(key)
    assert front.asking is not None
    assert "WHO COUNTED" in front.asking.shown

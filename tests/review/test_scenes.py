"""Every room of the review at three sizes, as text; OMAHA_DRAW=1 writes the scenes anew."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.paint import paint
from tests.review.scenes import SCENES, review

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.dealer.screen.canvas import Canvas
    from omaha_table.review.front import ReviewFront

SIZES = ((80, 24), (100, 30), (120, 40))
FOLDER = Path(__file__).parent / "snapshots"


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
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


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

"""Every scene at three sizes, as text; `OMAHA_DRAW=1 pytest tests/console` writes them again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omaha_table.dealer.screen.drawing import draw
from tests.console.scenes import SCENES

SIZES = ((80, 24), (100, 30), (120, 40))
FOLDER = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_looks_as_it_did_when_it_was_looked_at(name: str) -> None:
    view = SCENES[name]().console.view()
    drawn = "\n".join(
        f"{width}x{height}\n{draw(view, width, height).text()}\n" for width, height in SIZES
    )
    path = FOLDER / f"{name}.txt"
    if os.environ.get("OMAHA_DRAW"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_clipped_and_texts_keep_to_their_room(name: str) -> None:
    view = SCENES[name]().console.view()
    for width, height in (*SIZES, (81, 25), (99, 29), (119, 41), (140, 50), (200, 60)):
        canvas = draw(view, width, height)
        assert canvas.clipped == []
        for line in canvas.text().splitlines():
            assert len(line) <= width
    prompt = view.prompt
    if prompt.page is not None:
        over = prompt.page.over_table
        assert len(prompt.page.lines) <= 10
        assert max(map(len, (*prompt.page.lines, prompt.page.title))) <= (75 if over else 68)
    assert len(prompt.title) <= 17
    assert len(prompt.detail) <= 78
    assert len([key for key in prompt.keys if key.label]) <= 6


@pytest.mark.parametrize("size", [(10, 3), (60, 18), (79, 24), (80, 23), (1, 1)])
def test_a_window_that_is_too_small_says_so(size: tuple[int, int]) -> None:
    text = draw(SCENES["flop"]().console.view(), *size).text()
    assert "MAKE" in text or size[0] < 10

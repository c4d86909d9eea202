"""Every page of the review at three sizes, as text; OMAHA_DRAW=1 draws the scenes again."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.screen.textual_private import shown_styles
from omaha_table.review.index.replay import Frame, frames
from omaha_table.review.screens.dialogs import Dialog
from omaha_table.review.screens.hands import Hands
from omaha_table.review.screens.page import Page
from omaha_table.review.screens.replay import TablePicture
from tests.review.driving import Driver
from tests.review.scenes import SCENES, desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.color import Color

SIZES = ((80, 24), (100, 30), (140, 45))
FOLDER = Path(__file__).parent / "snapshots"
READABLE = 3.0
"""The least contrast between letters and what they stand on (WCAG for large or bold text)."""


@pytest.fixture(params=SCENES)
def scene(
    request: pytest.FixtureRequest, swing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Driver]:
    def unhashed(path: Path, first: int) -> list[Frame]:
        # Every journal has keys of its own, and every hash is over one.
        return [replace(frame, hash=f"{0:064}") for frame in frames(path, first)]

    monkeypatch.setattr("omaha_table.review.screens.replay.frames", unhashed)
    with Driver(desk(swing, tmp_path), SIZES[0]) as review:
        review.press(*SCENES[request.param])
        review.name = request.param
        if isinstance(review.app.page, Hands):
            review.wait_for(lambda: bool(review.words("#steps")))
        yield review


def drawn(review: Driver) -> str:
    return "\n".join(line.rstrip() for line in review.text.splitlines())


def test_a_scene_looks_as_it_did_when_it_was_looked_at(scene: Driver) -> None:
    parts = []
    for width, height in SIZES:
        scene.resize(width, height)
        if isinstance(scene.app.page, Hands):
            # They are read a moment after the hand is chosen, and again for another size.
            scene.wait_for(lambda: bool(scene.words("#steps")))
        parts.append(f"{width}x{height}\n{drawn(scene)}\n")
        check_keys(scene)
        check_contrast(scene, "dark")
    scene.app.action_theme()
    scene.resize(*SIZES[0])
    check_contrast(scene, "light")
    text, path = "\n".join(parts), FOLDER / f"{scene.name}.txt"
    if os.environ.get("OMAHA_DRAW"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def check_keys(review: Driver) -> None:
    """The footer names its keys whole."""
    page = review.app.screen
    if isinstance(page, Page) and not page.query("HelpPanel"):
        footer = review.text.splitlines()[-1]
        for action in page.ACTIONS:
            assert not action.shown or f"{action.cap} {action.label}" in footer, action.id


def check_contrast(review: Driver, theme: str) -> None:
    screen = review.app.screen
    if screen.query(TablePicture) or not isinstance(screen, Page | Dialog):
        return  # the dealer's colors, which tests/console looks after, or Textual's own screen
    for text, style in shown_styles(review.app):
        if re.search(r"\w", text) and style.color is not None and style.bgcolor is not None:
            dark, light = sorted(map(luminance, (style.color, style.bgcolor)))
            assert (light + 0.05) / (dark + 0.05) > READABLE, (theme, text, style)


def luminance(color: Color) -> float:
    """As WCAG 2 defines it."""
    parts = [value / 255 for value in color.get_truecolor()]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_a_window_that_is_too_small_says_so(swing: Path, tmp_path: Path) -> None:
    with Driver(desk(swing, tmp_path), (79, 24)) as review:
        for size in ((79, 24), (80, 23), (30, 5)):
            review.resize(*size)
            assert "MAKE THE WINDOW" in review.text
        review.resize(80, 24)
        assert "MAKE THE WINDOW" not in review.text


@pytest.mark.parametrize("key", ["-", "4", "0"])
def test_a_page_that_is_seen_again_has_the_new_size_and_theme(
    swing: Path, tmp_path: Path, key: str
) -> None:
    """It is kept when it is left; a window may change and a hand be tagged meanwhile."""

    def seen(kept: Path, *before: str) -> tuple[str, set[Color | None]]:
        with Driver(desk(swing, kept), SIZES[2]) as review:
            review.press(*before)
            review.resize(*SIZES[0])
            review.press("f2", key)
            return review.text, {style.bgcolor for _, style in shown_styles(review.app)}

    assert seen(tmp_path / "again", key, ".") == seen(tmp_path / "new")

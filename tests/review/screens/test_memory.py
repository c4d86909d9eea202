"""A review is open for a whole shift: what was looked at is let go."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from textual._styles_cache import StylesCache
from textual.dom import DOMNode

from tests.review.driving import Driver
from tests.review.scenes import desk

if TYPE_CHECKING:
    from pathlib import Path


def kept() -> int:
    """How many parts of pages there are, and how many pieces of what they painted."""
    gc.collect()
    return sum(isinstance(one, DOMNode | StylesCache) for one in gc.get_objects())


@pytest.mark.parametrize(
    "keys",
    [("-", "escape"), ("0", "f2", "escape"), ("/", "escape"), ("4", "5", "6", ".", "."),
     ("5", "6", "2", ".")],
    ids=" ".join,
)  # fmt: skip
def test_pages_that_were_left_are_not_kept(
    swing: Path, tmp_path: Path, keys: tuple[str, ...]
) -> None:
    with Driver(desk(swing, tmp_path), (80, 24)) as review:
        # The first time, some of Textual's widgets are made that stay.
        review.press(*keys, *keys)
        before = kept()
        for _ in range(5):
            review.press(*keys)
        # The least page has twenty parts; the last ones may still be on their way out.
        review.wait_for(lambda: kept() < before + 20, 30.0)

"""Hands found by a filter line, under a clock that is set."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from omaha_table.journal.writer import Clock
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection

if TYPE_CHECKING:
    from pathlib import Path


class Wall:
    """A clock that stands until it is moved."""

    def __init__(self, *at: int) -> None:
        self.at = datetime(*at).timestamp()  # type: ignore[arg-type]

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.at, lambda: self.at)


def projected(*journals: Path) -> Projection:
    projection = Projection()
    assert projection.refresh(journals) == []
    return projection


def found(projection: Projection, text: str) -> list[int]:
    return [row["number"] for row in projection.page(parse_filter(text), 0, 100)]

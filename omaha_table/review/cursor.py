"""A place in a long list, moved by the pad as by a compass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Cursor:
    total: int = 0
    at: int = 0
    rows: int = 10
    """How many lines are seen."""

    def go(self, by: int) -> None:
        self.at = max(0, min(self.at + by, self.total - 1))

    def resize(self, total: int) -> None:
        self.total = total
        self.go(0)

    @property
    def first(self) -> int:
        """The first line that is seen."""
        return max(0, min(self.at - self.rows // 2, self.total - self.rows))

    def keys(self) -> dict[str, Callable[[], None]]:
        return {
            "8": lambda: self.go(-1),
            "2": lambda: self.go(1),
            "9": lambda: self.go(-self.rows),
            "3": lambda: self.go(self.rows),
            "7": lambda: self.go(-self.total),
            "1": lambda: self.go(self.total),
        }

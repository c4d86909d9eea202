"""What a report is made of, before it is Markdown, HTML or JSON."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with rows under it; the first row names the columns."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[tuple[str, float], ...] = ()
    """A plot: a label and a value each."""
    line: tuple[tuple[int, float], ...] = ()
    """A plot of what grows with time: microseconds since 1970, and a value."""
    log: bool = False
    """Many short rows, which may stand in columns beside each other."""
    narrow: bool = False
    """May stand beside another."""
    strong: frozenset[int] = frozenset()
    """Rows that stand out, by their place in `rows`."""


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    """The same in whole cents, for programs."""
    key: tuple[str, ...] = ()
    """The facts that somebody looks for first."""
    warning: str = ""
    """What whoever reads it must know first."""
    one_page: bool = False
    signatures: tuple[str, ...] = ()
    """Who is to sign a print."""


def clock(at_us: int) -> str:
    """Wall-clock time for the tape."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at_us / 1e6))

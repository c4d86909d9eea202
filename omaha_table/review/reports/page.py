"""What a report is made of: values without markup. Markdown, HTML and JSON are made from it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from omaha_table.cards import Card

Cell: TypeAlias = "str | tuple[Card, ...]"
"""A text, or face-up cards, which a page draws."""


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: Literal["text", "number", "time", "hash"] = "text"
    """Numbers are set to the right, one below the other; a time stays on one line."""


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[Cell, ...]
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    value: Cell
    strong: bool = False
    """Among those that a reader looks for first."""


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    narrow: bool = False
    """May stand beside another."""
    note: str = ""
    """What the reader must know about the figures."""
    empty: str = "None."
    """What stands there instead of no rows."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A chart: a label and a value for each bar."""

    title: str
    bars: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A chart of an amount that grows: microseconds since 1970, and the amount so far."""

    title: str
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a timeline, in the parts it is drawn from."""

    at: str
    words: str
    event: int
    """Its number in the journal."""
    cards: tuple[Card, ...] = ()
    strong: bool = False
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Timeline:
    """Many short lines, which may stand in columns beside each other."""

    title: str
    entries: tuple[Entry, ...]


Section: TypeAlias = Table | Bars | Curve | Timeline


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    """The same in whole cents, for programs."""
    warnings: tuple[str, ...] = ()
    """What must be known before anything else is read."""
    one_page: bool = False
    signatures: tuple[str, ...] = ()
    """Who is to sign a print."""


def texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name) for name in names)


def numbers(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "number") for name in names)


def times(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "time") for name in names)


def rows(*lines: tuple[Cell, ...]) -> tuple[Row, ...]:
    return tuple(map(Row, lines))


def clock(at_us: int) -> str:
    """Local time to the second, to find the moment on a camera recording."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at_us / 1e6))

"""What the review screen shows, frozen; painted elsewhere. Only lines that are seen are in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.dealer.table_view import TableView

if TYPE_CHECKING:
    from omaha_table.dealer.table_view import Key


Level: TypeAlias = Literal["none", "info", "warn", "refused"]


@dataclass(frozen=True, slots=True)
class Bar:
    """The rows at the edges that every view has."""

    title: str
    about: str
    """After the title: how much there is."""
    said: str
    """The answer to the last key, or how the journals stand."""
    keys: tuple[Key, ...]
    line: str = ""
    """The second row: the filter, what is asked for, what is being typed."""
    typing: bool = False
    level: Level = "none"
    """How loud it is said: a warning stands, a refusal goes with the next key."""


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    table: str
    day: str
    time: str
    pot: str
    winners: str
    note: str
    odd: bool


@dataclass(frozen=True, slots=True)
class ListView:
    """The hands, and beside them what there is to say of the chosen one."""

    bar: Bar
    lines: tuple[Line, ...]
    first: int
    chosen: int
    total: int
    detail: tuple[str, ...]
    steps: tuple[str, ...]
    tables: bool
    """Whether there is more than one table, so that each line names its own."""

    @property
    def said(self) -> str:
        return self.bar.said


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    width: int
    """0: the room that is left."""
    right: bool = False
    narrow: int | None = None
    """In a narrow window only so many letters, the last ones."""


@dataclass(frozen=True, slots=True)
class Cells:
    """One line of a sheet."""

    cells: tuple[str, ...]
    dim: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class SheetView:
    """Lines in columns, and under them what there is to say of the chosen one."""

    bar: Bar
    columns: tuple[Column, ...]
    lines: tuple[Cells, ...]
    first: int
    chosen: int
    empty: str
    """What is said where there is no line."""
    foot: tuple[str, ...]
    foot_rows: int


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    points: tuple[tuple[str, float, str], ...]
    """A label, a value, and how the value is written."""
    sideways: bool = False
    """Bars to the right instead of columns: for names."""


@dataclass(frozen=True, slots=True)
class ChartsView:
    bar: Bar
    facts: tuple[tuple[str, str], ...]
    charts: tuple[Chart, ...]


View: TypeAlias = TableView | ListView | SheetView | ChartsView

"""How the parts of a report are put on a page: what stands side by side, and how closely the list
of a one-page report is set. Pure; the templates draw what it decides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from omaha_table.review.reports.drawing import Drawing, drawing_of
from omaha_table.review.reports.page import Bars, Curve, Table, Timeline

if TYPE_CHECKING:
    from omaha_table.review.reports.page import Cell, Fact, Report

Density: TypeAlias = Literal["", "few", "some", "many", "full"]
"""How closely a one-page report is set; empty: like every other."""

_PAGE_POINTS: Final = 700
"""From the top to the bottom of what can be printed on Letter, the lower of the two papers."""
_DENSITIES: Final[tuple[tuple[Density, int, float, int], ...]] = (
    ("", 3, 11.5, 26),
    ("few", 3, 9.9, 26),
    ("some", 4, 8.3, 20),
    ("many", 5, 6.7, 19),
    ("full", 5, 5.6, 23),
)
"""Columns of the list, points per line, letters per line."""
_FACT_LETTERS: Final = 40
_WIDE_COLUMNS: Final = 4
"""A table with more columns has its rows one below the other on a phone."""


@dataclass(frozen=True, slots=True)
class Charts:
    """Charts that stand side by side."""

    drawings: tuple[Drawing, ...]
    kind: Literal["charts"] = "charts"


@dataclass(frozen=True, slots=True)
class Grid:
    table: Table
    stacked: bool
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True, slots=True)
class Listing:
    timeline: Timeline
    kind: Literal["listing"] = "listing"


Block: TypeAlias = Charts | Grid | Listing


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    warnings: tuple[str, ...]
    strong_facts: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    remarks: tuple[Fact, ...]
    """Facts of more than a few words: each on a line of its own."""
    blocks: tuple[Block, ...]
    signatures: tuple[str, ...]
    density: Density = ""


def page_of(report: Report) -> Page:
    return Page(
        report.title,
        report.warnings,
        tuple(fact for fact in report.facts if fact.strong),
        tuple(f for f in report.facts if not f.strong and not _is_remark(f)),
        tuple(f for f in report.facts if not f.strong and _is_remark(f)),
        _blocks(report),
        report.signatures,
        density_of(report) if report.one_page else "",
    )


def _is_remark(fact: Fact) -> bool:
    return _letters(fact.value) > _FACT_LETTERS


def _blocks(report: Report) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for section in report.sections:
        if isinstance(section, Bars | Curve):
            last = blocks[-1] if blocks else None
            drawing = drawing_of(section)
            if isinstance(last, Charts):
                blocks[-1] = Charts((*last.drawings, drawing))
            else:
                blocks.append(Charts((drawing,)))
        elif isinstance(section, Timeline):
            blocks.append(Listing(section))
        else:
            blocks.append(Grid(section, len(section.columns) > _WIDE_COLUMNS))
    return tuple(blocks)


def density_of(report: Report) -> Density:
    """The largest type with which everything stays on one page."""
    entries = [entry for s in report.sections if isinstance(s, Timeline) for entry in s.entries]
    lengths = [len(e.words) + 3 * len(e.cards) + 11 * e.taken_back for e in entries]
    for density, columns, points, letters in _DENSITIES:
        lines = sum(1 + (length > letters) for length in lengths) + columns
        if columns * (_points_left(report, close=bool(density)) // points) >= lines:
            return density
    return _DENSITIES[-1][0]


def _points_left(report: Report, *, close: bool) -> int:
    """Points of a page that are left for the list, when all else is set closely or not."""
    across, fact, title, row = (6, 24, 19, 11) if close else (4, 28, 26, 14)
    remarks = sum(map(_is_remark, report.facts))
    facts = fact * math.ceil((len(report.facts) - remarks) / across) + row * remarks
    left = _PAGE_POINTS - 34 - facts - title
    beside = 0
    for section in report.sections:
        if isinstance(section, Table):
            names = tuple(column.name for column in section.columns)
            widths = [sum(map(_letters, cells)) for cells in (names, *_cells(section))]
            tall = title + row * sum(1 + (wide > 100) for wide in widths)
            left -= max(tall - beside, 0)
            beside = tall if close and section.narrow and max(widths) <= 60 else 0
    return left


def _cells(table: Table) -> list[tuple[Cell, ...]]:
    return [row.cells for row in table.rows]


def _letters(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else 3 * len(cell)

"""The parts of a report by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.review.reports.page import Table

if TYPE_CHECKING:
    from omaha_table.review.reports.page import Cell, Report


def cells_of(report: Report, title: str) -> list[tuple[Cell, ...]]:
    """The rows of the table with a title."""
    [table] = [s for s in report.sections if isinstance(s, Table) and s.title == title]
    return [row.cells for row in table.rows]


def facts_of(report: Report) -> dict[str, Cell]:
    return {fact.name: fact.value for fact in report.facts}

"""A report as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.cards import format_cards
from omaha_table.review.reports.page import Bars, Curve, Table, Timeline
from omaha_table.text import as_markdown_text, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.review.reports.page import Cell, Report


def as_markdown(report: Report) -> str:
    lines = [f"# {as_markdown_text(report.title)}", ""]
    for warning in report.warnings:
        lines += [f"**{as_markdown_text(warning)}**", ""]
    lines += [f"- {as_markdown_text(fact.name)}: **{_cell(fact.value)}**" for fact in report.facts]
    for section in report.sections:
        lines += ["", f"## {as_markdown_text(section.title)}", ""]
        match section:
            case Table():
                lines += _table(section)
            case Timeline():
                lines += _timeline(section)
            case Bars():
                lines += _bars(section)
            case Curve():
                end = section.points[-1][1] if section.points else 0.0
                lines.append(f"    {end:,.2f} at the end")
    return "\n".join(lines) + "\n"


def _table(table: Table) -> Iterator[str]:
    if table.note:
        yield from (as_markdown_text(table.note), "")
    names = [column.name for column in table.columns]
    yield _row(*map(as_markdown_text, names))
    yield _row(*("---:" if column.kind == "number" else "---" for column in table.columns))
    for row in table.rows:
        yield _row(*map(_cell, row.cells))
    if not table.rows:
        yield _row("none", *[""] * (len(names) - 1))


def _timeline(timeline: Timeline) -> Iterator[str]:
    yield from (_row("Time", "What", "Event"), _row("---", "---", "---:"))
    for entry in timeline.entries:
        words = " ".join(filter(None, (entry.words, format_cards(entry.cards))))
        gone = " (taken back)" if entry.taken_back else ""
        yield _row(as_markdown_text(entry.at), as_markdown_text(words) + gone, str(entry.event))


def _bars(chart: Bars) -> Iterator[str]:
    most = max((value for _, value in chart.bars), default=0.0) or 1.0
    for label, value in chart.bars:
        # In a block of code, where nothing is markup and no escape would be read.
        yield f"    {visible(label):<8} {'█' * round(40 * value / most)} {value:g}"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(cell: Cell) -> str:
    return as_markdown_text(cell) if isinstance(cell, str) else format_cards(cell)

"""A report for people: Markdown, and one HTML page that prints and needs nothing from anywhere."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from omaha_table.review.page import Report, Section

_STYLE: Final = """
body{font:14px/1.35 system-ui,sans-serif;margin:24px auto;max-width:860px;color:#111}
h1{font-size:20px;margin:0 0 8px}h2{font-size:15px;margin:16px 0 4px}
table{border-collapse:collapse;width:100%;font-size:12px}
th,td{border-bottom:1px solid #ccc;padding:2px 6px;text-align:left;vertical-align:top}
th{background:#eee}dl{display:grid;grid-template-columns:repeat(4,auto 1fr);gap:2px 10px;margin:0}
dt{color:#555}dd{margin:0;font-weight:600}svg text{font:10px system-ui,sans-serif}
@media print{body{margin:0;max-width:none}@page{size:A4;margin:12mm}tr{break-inside:avoid}
 td,th{padding:1px 4px;font-size:10px}}
@media(max-width:600px){dl{grid-template-columns:auto 1fr}}
"""


def as_markdown(report: Report) -> str:
    lines = [f"# {report.title}", ""]
    lines += [f"- {name}: **{value}**" for name, value in report.facts]
    for section in report.sections:
        lines += ["", f"## {section.title}", ""]
        if section.rows:
            head, *rows = section.rows
            lines += [_md_row(head), _md_row(("---",) * len(head)), *map(_md_row, rows)]
            if not rows:
                lines.append(_md_row(("none", *[""] * (len(head) - 1))))
        most = max((value for _, value in section.bars), default=0.0) or 1.0
        for label, value in section.bars:
            lines.append(f"    {label:<8} {'█' * round(40 * value / most)} {value:g}")
    return "\n".join(lines) + "\n"


def _md_row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def as_html(report: Report) -> str:
    facts = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in report.facts
    )
    sections = "".join(map(_html_section, report.sections))
    title = html.escape(report.title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1><dl>{facts}</dl>{sections}"
        "</body></html>\n"
    )


def _html_section(section: Section) -> str:
    made = f"<h2>{html.escape(section.title)}</h2>"
    if section.rows:
        head, *rows = section.rows
        made += "<table><tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
        made += "</tr>"
        for row in rows or [("none", *[""] * (len(head) - 1))]:
            made += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        made += "</table>"
    return made + (_plot(section.bars) if section.bars else "")


def _plot(bars: tuple[tuple[str, float], ...]) -> str:
    """Bars with their values written on them: readable without colour, and in print."""
    most = max(value for _, value in bars) or 1.0
    wide, tall, step = max(30 * len(bars), 60), 90, 30
    drawn = []
    for at, (label, value) in enumerate(bars):
        high = round(60 * value / most, 1)
        x, y = at * step + 4, 72 - high
        drawn.append(
            f'<rect x="{x}" y="{y}" width="22" height="{high}" fill="#555"/>'
            f'<text x="{x + 11}" y="{y - 3}" text-anchor="middle">{value:g}</text>'
            f'<text x="{x + 11}" y="84" text-anchor="middle">{html.escape(label[:5])}</text>'
        )
    return (
        f'<svg role="img" width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(drawn)}</svg>'
    )


def as_json(report: Report) -> str:
    return json.dumps({"title": report.title, **report.data}, indent=2) + "\n"

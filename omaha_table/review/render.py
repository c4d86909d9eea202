"""A report for people: Markdown, and one HTML page that prints and needs nothing from anywhere."""

from __future__ import annotations

import html
import json
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omaha_table.review.draw import bar_plot, line_plot
from omaha_table.review.style import STYLE
from omaha_table.text import as_markdown_text, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.review.page import Report, Section

_NUMBER: Final = re.compile(r"[-+]?\$?[\d,]+(?:\.\d+)?%?|-|not tracked|")
_CARDS: Final = re.compile(r"[2-9TJQKA][cdhs](?: [2-9TJQKA][cdhs])*")
_TURNED: Final = re.compile(
    r"((?:FLOP|TURN|RIVER|seat \d+ tables|draw seat \d+) )(.*?)((?: \(.*)?)"
)
"""What is said when cards are turned up: words, the cards, words."""
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_TEXTS: Final = ("Seat", "Hand", "Hands dealt", "Event", "By")
"""Columns of numbers that nobody adds up."""
_SHEET: Final = 700
"""Points from the top to the bottom of what can be printed on Letter, the lower of the two."""
_SIZES: Final = (
    ("", 3, 11.5, 26),
    ("few", 3, 9.9, 26),
    ("some", 4, 8.3, 20),
    ("many", 5, 6.7, 19),
    ("full", 5, 5.6, 23),
)
"""How closely a list is set: its columns, points a line, letters in a line. With the first all is
set as in other reports."""


def as_markdown(report: Report) -> str:
    report = _written(report, as_markdown_text)
    lines = [f"# {report.title}", ""]
    if report.warning:
        lines += [f"**{report.warning}**", ""]
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
            # In a block of code, where nothing is markup and no escape would be read.
            lines.append(f"    {label:<8} {'█' * round(40 * value / most)} {value:g}")
        if section.line:
            lines.append(f"    {section.line[-1][1]:,.2f} at the end")
    return "\n".join(lines) + "\n"


def _md_row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def _written(report: Report, write: Callable[[str], str]) -> Report:
    """A report with every text as it must be written; the labels of plots only made visible."""
    sections = tuple(
        replace(
            section,
            title=write(section.title),
            rows=tuple(tuple(map(write, row)) for row in section.rows),
            bars=tuple((visible(label), value) for label, value in section.bars),
        )
        for section in report.sections
    )
    return replace(
        report,
        title=write(report.title),
        facts=tuple((write(name), write(value)) for name, value in report.facts),
        sections=sections,
        warning=write(report.warning),
        signatures=tuple(map(write, report.signatures)),
    )


def as_html(report: Report) -> str:
    report = _written(report, visible)
    title = html.escape(report.title)
    size = _size(report) if report.one_page else ""
    keys = [fact for fact in report.facts if fact[0] in report.key]
    facts = [fact for fact in report.facts if fact[0] not in report.key]
    lists = f"{_facts(keys, 'keys') if keys else ''}{_facts(facts, 'facts')}"
    warning = f"<p class=warning>{html.escape(report.warning)}</p>\n" if report.warning else ""
    signed = "".join(f"<p>{html.escape(name)}</p>" for name in report.signatures)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<style>{STYLE}</style></head>\n<body{' class=sheet' if size else ''}>"
        f"<h1>{title}</h1>\n{warning}{lists}{''.join(_sections(report, size))}"
        f"{f'<div class=signed>{signed}</div>' if signed else ''}</body></html>\n"
    )


def _facts(facts: list[tuple[str, str]], name: str) -> str:
    made = "".join(
        f"<div><dt>{html.escape(what)}</dt><dd>{_cell(what, value)}</dd></div>"
        for what, value in facts
    )
    return f"<dl class={name}>{made}</dl>\n"


def _sections(report: Report, size: str) -> Iterator[str]:
    """Plots that follow each other stand side by side."""
    plots: list[str] = []
    for section in report.sections:
        if section.bars or section.line:
            drawn = bar_plot(section.bars) if section.bars else line_plot(section.line)
            plots.append(f"<figure><h2>{html.escape(section.title)}</h2>{drawn}</figure>")
            continue
        if plots:
            yield f"<div class=plots>{''.join(plots)}</div>\n"
            plots = []
        if section.rows:
            made = _log(section, size) if section.log else _table(section)
            beside = " class=narrow" if section.narrow else ""
            yield f"<section{beside}><h2>{html.escape(section.title)}</h2>{made}</section>\n"
    if plots:
        yield f"<div class=plots>{''.join(plots)}</div>\n"


def _table(section: Section) -> str:
    head, *rows = section.rows
    if not rows:
        return "<p class=none>None.</p>"
    numeric = [
        name not in _TEXTS
        and all(_NUMBER.fullmatch(row[at]) for row in rows)
        and any(re.search(r"\d", row[at]) for row in rows)
        for at, name in enumerate(head)
    ]
    right = [" class=n" if yes else "" for yes in numeric]
    made = "".join(f"<th{at}>{html.escape(cell)}" for at, cell in zip(right, head, strict=True))
    made = f"<table><thead><tr>{made}</thead>\n<tbody>"
    for number, row in enumerate(rows, start=1):
        named = zip(right, head, row, strict=True)
        cells = "".join(f"<td{at}>{_cell(name, cell)}" for at, name, cell in named)
        made += f"<tr{' class=strong' if number in section.strong else ''}>{cells}\n"
    return f"{made}</tbody></table>"


def _cell(name: str, text: str) -> str:
    if re.fullmatch(r"[0-9a-f]{64}", text):
        return f"<code>{text}</code>"
    return _suits(text) if name in ("Cards", "Board") else html.escape(text)


def _size(report: Report) -> str:
    """The largest type with which everything stays on one page; empty for the usual one."""
    lists = [section for section in report.sections if section.log]
    said = [what for section in lists for _, what, _ in section.rows]
    for name, columns, points, letters in _SIZES:
        lines = sum(1 + (len(what) > letters) for what in said) + columns
        if columns * (_free(report, close=bool(name)) // points) >= lines:
            return name
    return _SIZES[-1][0]


def _free(report: Report, *, close: bool) -> int:
    """Points that are left on a page for the list, when all else is set closely or not."""
    across, fact, title, row = (6, 24, 19, 11) if close else (4, 28, 26, 14)
    free = _SHEET - 34 - fact * math.ceil(len(report.facts) / across) - title
    beside = 0
    for section in report.sections:
        if not section.log:
            widths = [sum(map(len, cells)) for cells in section.rows]
            tall = title + row * sum(1 + (wide > 100) for wide in widths)
            free -= max(tall - beside, 0)
            beside = tall if close and section.narrow and max(widths) <= 60 else 0
    return free


def _log(section: Section, size: str) -> str:
    """Time, what, and the event's number, in columns."""
    _, *rows = section.rows
    made = ""
    for number, (at, what, event) in enumerate(rows, start=1):
        strong = " class=strong" if number in section.strong else ""
        gone = what.endswith("(taken back)")
        turned = _TURNED.fullmatch(what)
        said = html.escape(what)
        if turned is not None:
            said = f"{turned[1]}{_suits(turned[2])}{html.escape(turned[3])}"
        said = f"<s>{said}</s>" if gone else said
        number_, time_ = html.escape(event), html.escape(at)
        made += f"<li{strong}><time>{time_}</time><span>{said}</span><i>{number_}</i>\n"
    return f'<ol class="log {size}">{made}</ol>'


def _suits(text: str) -> str:
    """Cards as they look; hearts and diamonds in red where there is color."""
    if _CARDS.fullmatch(text) is None:
        return html.escape(text)
    cards = "".join(
        f"<b{' class=red' if card[1] in 'dh' else ''}>{card[0]}{_SUITS[card[1]]}</b>"
        for card in text.split()
    )
    return f"<span class=cards>{cards}</span>"


def as_json(report: Report) -> str:
    return json.dumps({"title": report.title, **report.data}, indent=2) + "\n"

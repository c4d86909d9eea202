"""Reports for people and programs: Markdown, JSON, and an HTML page that prints and loads nothing.

The templates escape every value. A program that serves pages of its own extends `page.html` and
uses the macros in `parts.html`; `environment` finds both.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from omaha_table.review.reports.layout import page_of
from omaha_table.review.reports.markdown import as_markdown
from omaha_table.text import visible

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.review.reports.page import Report

_SUIT_SIGNS: Final = "♣♦♥♠"
_RED: Final = (1, 2)


def as_html(report: Report) -> str:
    return environment().get_template("report.html").render(page=page_of(report))


def as_json(report: Report) -> str:
    return json.dumps({"title": report.title, **report.data}, indent=2) + "\n"


@cache
def environment() -> Environment:
    """Templates in which every value is escaped, made visible, and must be there."""
    made = Environment(
        loader=PackageLoader("omaha_table.review.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["face"] = _face
    made.tests["red"] = _is_red
    return made


def _shown(value: Any) -> Any:
    """A text as it may be shown; what a macro has made is escaped already."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def _face(card: Card) -> str:
    """'A♠'."""
    return card.text[0] + _SUIT_SIGNS[card.suit]


def _is_red(card: Card) -> bool:
    return card.suit in _RED


__all__ = ["as_html", "as_json", "as_markdown", "environment"]

"""A day of the whole room in figures, and the search over all its hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from starlette.routing import Route

from omaha_table.review.index.filters import FilterError, parse_filter
from omaha_table.review.reports.wording import flags_text, ruling_title
from omaha_table.room.page.rendering import page
from omaha_table.room.page.tiles import natural
from omaha_table.room.page.visits import visit_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from omaha_table.room.page.office import Office

PAGE: Final = 50
MOST_INCIDENTS: Final = 60
_LONGEST: Final = 300
"""Letters of a filter."""


class Days:
    def __init__(self, office: Office) -> None:
        self._office = office

    def routes(self) -> list[Route]:
        return [
            Route("/day", self.day, methods=["GET"]),
            Route("/search", self.search, methods=["GET"]),
        ]

    def day(self, request: Request) -> Response:
        days = self._office.days()
        asked = request.query_params.get("day", "")
        day = asked if asked in days else (days[0] if days else "")
        with self._office.index() as index:
            figures = index.day_figures(day)
            given = parse_filter(f"day:{day}" if day else "")
            incidents = [
                dict(row) for row in index.incidents(given, 0, MOST_INCIDENTS, by_time=True)
            ]
        return page(
            "day.html", visit_of(request), day=day, days=days[:31], total=figures.total,
            tables=sorted(figures.tables, key=lambda one: natural(one.table)),
            hours=figures.hours, incidents=incidents, reading=self._office.reading,
            rulings=[(ruling_title(name), name, count) for name, count in figures.rulings],
            kinds=[(flags_text([kind]), kind, count) for kind, count in figures.incidents],
        )  # fmt: skip

    def search(self, request: Request) -> Response:
        """The review's filter language, over all tables."""
        asked = request.query_params.get("q", "")[:_LONGEST]
        number = request.query_params.get("page", "1")
        at = int(number) if number.isdecimal() and 0 < len(number) < 6 else 1
        wrong, found, hands = "", None, []
        try:
            given = parse_filter(asked)
        except FilterError as error:
            wrong = str(error)
        else:
            with self._office.index() as index:
                hands = [dict(row) for row in index.page(given, (at - 1) * PAGE, PAGE)]
                found = index.found(given)
        more = found is not None and found.total > at * PAGE
        return page(
            "search.html", visit_of(request), asked=asked, wrong=wrong, found=found, hands=hands,
            at=at, first=(at - 1) * PAGE + 1,
            later=f"/search?{urlencode({'q': asked, 'page': at + 1})}" if more else "",
            earlier=f"/search?{urlencode({'q': asked, 'page': at - 1})}" if at > 1 else "",
            reading=self._office.reading,
        )  # fmt: skip

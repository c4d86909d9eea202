"""The count sheet of a shift: what is printed, signed and kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.routing import Route

from omaha_table.review.reports.layout import page_of
from omaha_table.review.reports.page import Fact
from omaha_table.review.reports.sheets import count_sheet
from omaha_table.room.page.notices import notice
from omaha_table.room.page.rendering import page
from omaha_table.room.page.visits import visit_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from omaha_table.review.reports.page import Report
    from omaha_table.room.page.office import Office
    from omaha_table.room.page.visits import Visit


class Sheets:
    def __init__(self, office: Office, establishment: str) -> None:
        self._office, self._establishment = office, establishment

    def routes(self) -> list[Route]:
        return [Route("/sheet", self.show, methods=["GET"])]

    def show(self, request: Request) -> Response:
        visit = visit_of(request)
        day, shift = (request.query_params.get(name, "") for name in ("day", "shift"))
        ledger = self._office.refreshed()
        boxes = [box for box in self._office.opened_on(day) if box.key.shift == shift]
        if not boxes:
            return notice(visit, 404, "No box was opened for that shift.", "/boxes")
        for box in boxes:
            self._office.settle(box)
        drops = {box.key: self._office.state_of(box).sums for box in boxes}
        with self._office.writing:
            made = count_sheet(ledger, self._establishment, shift, day, boxes, drops)
        if ledger.fault:
            made = replace(made, warnings=(*made.warnings, ledger.fault))
        return show_report(visit, with_standing(made, self._office), f"/boxes?day={day}")


def with_standing(report: Report, office: Office) -> Report:
    """The report with what the witness says of the logs it was made from."""
    trusted, said = office.store.standing()
    if trusted:
        return replace(report, facts=(*report.facts, Fact("Log", said)))
    return replace(report, warnings=(f"Do not rely on this: {said}", *report.warnings))


def show_report(visit: Visit, report: Report, back: str) -> Response:
    """A report as a page of its own, which prints as the report's file would."""
    return page("sheet.html", visit, page=page_of(report), back=back)

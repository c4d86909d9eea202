"""Who supervises which tables since when: taken with a PIN, kept in the office journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from starlette.routing import Route

from omaha_table.journal.faults import JournalFault
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import SectionTaken
from omaha_table.review.index.ledger import not_recorded
from omaha_table.room.page.forms import new_number, once, signature
from omaha_table.room.page.rendering import page
from omaha_table.room.page.tiles import natural
from omaha_table.room.page.visits import visit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from omaha_table.office.state import Section
    from omaha_table.room.page.live import Live
    from omaha_table.room.page.office import Office
    from omaha_table.room.page.signing import Signers
    from omaha_table.room.page.visits import Visit

TABLE = "table-"
"""How the name of a table's box to tick begins."""
MOST_LINES = 30


class Line(NamedTuple):
    """What somebody took or gave up, and when."""

    at_us: int
    event: SectionTaken


class Sections:
    def __init__(
        self, office: Office, signers: Signers, live: Live, changed: Callable[[], object]
    ) -> None:
        """`changed`: the tiles show sections too."""
        self._office, self._signers, self._live = office, signers, live
        self._changed = changed

    def routes(self) -> list[Route]:
        return [
            Route("/sections", self.show, methods=["GET"]),
            Route("/sections", self.take, methods=["POST"]),
        ]

    def show(self, request: Request) -> Response:
        return self._show(visit_of(request))

    def _show(self, visit: Visit, said: str = "", status: int = 200) -> Response:
        ledger = self._office.refreshed()
        with self._office.writing:
            sections, others = ledger.records.sections, ledger.records.others
        lines = [Line(one.at_us, one.event) for one in others
                 if isinstance(one.event, SectionTaken)]  # fmt: skip
        tables = sorted((now.name for now in self._live.tables), key=natural)
        return page(
            "sections.html", visit, status, sections=sections, lines=lines[-MOST_LINES:][::-1],
            of=section_of(sections), tables=tables, said=said, form=new_number(),
            prefix=TABLE, fault=ledger.fault, may=visit.may_supervise,
        )  # fmt: skip

    def take(self, request: Request) -> Response:
        visit = visit_of(request)

        def recorded() -> str:
            tables = [
                name.removeprefix(TABLE)
                for name, value in visit.form.items()
                if name.startswith(TABLE) and value == "yes"
            ]
            section = visit.form.get("section", "").strip()
            [by] = self._signers.sign_all("section", [signature(visit)])
            event = SectionTaken(section, tuple(sorted(tables, key=natural)), by)
            self._office.ledger.record(event, by)
            self._changed()
            return "/sections"

        try:
            with self._office.writing:
                return once(visit, recorded)
        except OfficeRefused as refused:
            return self._show(visit, f"{refused.message} Nothing was recorded.", 409)
        except JournalFault as fault:
            return self._show(visit, not_recorded(fault), 503)


def section_of(sections: Mapping[str, Section]) -> dict[str, str]:
    """The section of each table that is in one."""
    return {table: name for name, one in sections.items() for table in one.tables}

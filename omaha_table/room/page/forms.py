"""Forms that record something: sent once, and of a page that still shows what is so."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from omaha_table.money import MoneyError, parse_dollars
from omaha_table.office.decisions import OfficeRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response

    from omaha_table.money import Cents
    from omaha_table.room.page.visits import Visit

MOST_DONE = 50
"""Of one session; older forms are of pages that nobody has any more."""


def new_number() -> str:
    """Of a form that is drawn now."""
    return secrets.token_urlsafe(12)


def once(visit: Visit, record: Callable[[], str]) -> Response:
    """Does what a form asks for, unless this very form was sent before; then shows the page that
    came of it. The caller holds a lock, so that a double click waits for itself."""
    session, number = visit.session, visit.form.get("form", "")
    assert session is not None
    if not number:
        raise OfficeRefused("stale", "This page is out of date. Load it again.")
    if number not in session.done:
        then = record()
        while len(session.done) >= MOST_DONE:
            del session.done[next(iter(session.done))]
        session.done[number] = then
    return RedirectResponse(session.done[number], 303)


def amount(visit: Visit, name: str, what: str) -> Cents:
    """Raises OfficeRefused."""
    try:
        return parse_dollars(visit.form.get(name, ""))
    except MoneyError as error:
        raise OfficeRefused("bad_amount", f"{what}: {error}") from None


def signature(visit: Visit, which: str = "") -> tuple[str, str]:
    """A staff number and a PIN, as they were typed."""
    return visit.form.get(f"number{which}", "").strip(), visit.form.get(f"pin{which}", "")

"""The page put together: views behind the gate, the live tables, and what happens when it fails."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

import structlog
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from omaha_table.journal.faults import Away, JournalFault
from omaha_table.review.index.ledger import not_recorded
from omaha_table.room.database import RoomError
from omaha_table.room.page.boxes import Boxes
from omaha_table.room.page.days import Days
from omaha_table.room.page.front import Front
from omaha_table.room.page.gate import Gate
from omaha_table.room.page.live import Live
from omaha_table.room.page.notices import notice
from omaha_table.room.page.office import Office
from omaha_table.room.page.rendering import assets
from omaha_table.room.page.sections import Sections, section_of
from omaha_table.room.page.sessions import Sessions
from omaha_table.room.page.settings import check_settings
from omaha_table.room.page.sheet import Sheets
from omaha_table.room.page.signing import Signers
from omaha_table.room.page.signing_in import SigningIn
from omaha_table.room.page.stream import Stream
from omaha_table.room.page.table_page import Tables
from omaha_table.room.page.visits import visit_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from omaha_table.room.page.settings import Settings

log = structlog.get_logger(__name__)
_STATIC = {"cache-control": "public, max-age=31536000, immutable"}


class Made(NamedTuple):
    app: ASGIApp
    let_go: Callable[[], None]
    """Ends what never ends by itself, before the server does."""


def make_app(settings: Settings) -> Made:
    """Raises CannotServeError, StaffError, OSError, FileError or JournalFault."""
    check_settings(settings)
    signers = Signers(settings.folder)
    sessions = Sessions(settings.idle_seconds)
    live = Live(settings.database)
    office = Office(settings)
    stream = Stream(live, lambda: section_of(office.ledger.records.sections))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await stream.start()
        live.start()
        office.start()
        try:
            yield
        finally:
            live.stop()
            await stream.stop()
            office.close()

    front = Front(stream, sessions, signers.is_on_staff)
    parts = (
        SigningIn(sessions, signers, is_secure=settings.is_secure),
        front,
        Tables(live, stream, office, front.signed_in),
        Boxes(office, signers),
        Sheets(office, settings.establishment),
        Sections(office, signers, live, stream.note),
        Days(office),
    )
    app = Starlette(
        routes=[
            *(route for part in parts for route in part.routes()),
            Route("/static/{name}", _asset, methods=["GET"]),
        ],
        exception_handlers={
            404: _not_found,
            405: _not_found,
            RoomError: _room_away,
            Away: _room_away,
            JournalFault: _fault,
            Exception: _failed,
        },
        lifespan=lifespan,
    )
    gate = Gate(
        app, sessions=sessions, is_on_staff=signers.is_on_staff, is_secure=settings.is_secure
    )
    return Made(gate, stream.let_go)


def _asset(request: Request) -> Response:
    found = assets().get(request.path_params["name"])
    if found is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    content, kind = found
    return Response(content, media_type=kind, headers=_STATIC)


def _not_found(request: Request, _: Exception) -> Response:
    return notice(visit_of(request), 404, "There is no such page.")


def _room_away(request: Request, error: Exception) -> Response:
    said = error.message if isinstance(error, Away) else str(error)
    return notice(visit_of(request), 503, said, more="Nothing was lost. Try again.")


def _fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, JournalFault)
    return notice(visit_of(request), 503, not_recorded(error))


def _failed(request: Request, error: Exception) -> Response:
    log.error("page failed", path=request.url.path, error=type(error).__name__)
    said = "The page has failed. Look whether something was recorded before you do it again."
    return notice(visit_of(request), 500, said)

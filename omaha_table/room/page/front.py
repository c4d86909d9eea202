"""The tiles: the page, the wall screen, and the stream that keeps both up to date."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from omaha_table.room.page.rendering import page
from omaha_table.room.page.tiles import open_seats
from omaha_table.room.page.visits import visit_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from omaha_table.room.page.sessions import Session, Sessions
    from omaha_table.room.page.stream import Stream


class Front:
    def __init__(
        self, stream: Stream, sessions: Sessions, is_on_staff: Callable[[Session], bool]
    ) -> None:
        self._stream, self._sessions, self._is_on_staff = stream, sessions, is_on_staff

    def routes(self) -> list[Route]:
        return [
            Route("/", partial(self.tiles, is_wall=False), methods=["GET"]),
            Route("/wall", partial(self.tiles, is_wall=True), methods=["GET"]),
            Route("/events", self.events, methods=["GET"]),
            Route("/here", self.here, methods=["POST"]),
        ]

    def tiles(self, request: Request, *, is_wall: bool) -> Response:
        tiles = self._stream.tiles()
        return page(
            "tiles.html", visit_of(request), tiles=tiles, open_seats=open_seats(tiles),
            sections=sorted({tile.section for tile in tiles} - {""}), is_wall=is_wall,
            now=round(time.time(), 3),
        )  # fmt: skip

    async def events(self, request: Request) -> Response:
        return StreamingResponse(
            self._stream.view(self.signed_in(request)), media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},
        )  # fmt: skip

    def signed_in(self, request: Request) -> Callable[[], bool]:
        """Whether whoever asks for a stream still is, for as long as it goes on."""
        name = visit_of(request).cookie

        def is_signed_in() -> bool:
            session = self._sessions.find(name, is_use=False)
            return session is not None and self._is_on_staff(session)

        return is_signed_in

    def here(self, request: Request) -> Response:
        """Somebody touched the page: the session goes on."""
        assert visit_of(request).session is not None
        return Response(status_code=204)

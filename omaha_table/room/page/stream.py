"""Tiles to browsers as they change: drawn once, and sent to all who look.

What changes within a few hundredths of a second is one message. A browser that cannot keep up is
let go: it asks again, and gets everything as it is then.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Final

from omaha_table.room.page.felt import felt_of
from omaha_table.room.page.rendering import render
from omaha_table.room.page.tiles import open_seats, tile_of, tiles_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from omaha_table.room.page.folding import TableNow
    from omaha_table.room.page.live import Live
    from omaha_table.room.page.tiles import OpenSeats, Tile

GATHER_SECONDS: Final = 0.06
BEAT_SECONDS: Final = 5.0
"""So that a page whose connection died knows it, and says so after three of them."""
_MOST_WAITING: Final = 100
MOST_VIEWERS: Final = 200


class Stream:
    def __init__(self, live: Live, sections: Callable[[], Mapping[str, str]]) -> None:
        self._live, self._sections = live, sections
        self._viewers: dict[asyncio.Queue[bytes | None], str] = {}
        """Who looks, and at which table; empty: at all of them."""
        self._sent: dict[str, Tile] = {}
        """Each tile as it was sent last."""
        self._felts: dict[str, tuple[object, Tile | None]] = {}
        self._seats: list[OpenSeats] = []
        self._away_said = live.away_since
        """What was sent last of the room; whoever came before it was reached was told so."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_due = False
        self._ticker: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._live.changed = self.note
        self._ticker = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        if self._ticker is not None:
            self._ticker.cancel()
        self.let_go()

    def let_go(self) -> None:
        """Ends all streams; each page asks again."""
        for viewer in list(self._viewers):
            self._end(viewer)

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    def note(self, names: frozenset[str] = frozenset()) -> None:
        """Something has changed; from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._gather)

    def _gather(self) -> None:
        if not self._is_due and self._loop is not None:
            self._is_due = True
            self._loop.call_later(GATHER_SECONDS, self._flush)

    async def _tick(self) -> None:
        """A table falls silent without an event, so all are looked at every few seconds."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self._flush()
            self._send(_message("beat", {"now": round(time.time(), 3)}))

    def _flush(self) -> None:
        self._is_due = False
        tiles = self.tiles()
        seats = open_seats(tiles)
        changed = []
        for tile in tiles:
            if self._sent.get(tile.name) != tile:
                self._sent[tile.name] = tile
                changed.append({"id": tile.name, "html": render("tile.html", tile=tile)})
        given: dict[str, object] = {"order": [tile.name for tile in tiles], "tiles": changed}
        if seats != self._seats:
            self._seats = seats
            given["seats"] = render("open_seats.html", open_seats=seats)
        if changed or "seats" in given:
            self._send(_message("tiles", given), "")
        self._send_felts()
        self._send_state()

    def _send_state(self) -> None:
        if self._live.away_since != self._away_said:
            self._away_said = self._live.away_since
            self._send(self._state())

    def _state(self) -> bytes:
        away = self._live.away_since
        return _message("room", {"away": round(away), "said": self._live.problem if away else ""})

    def tiles(self) -> list[Tile]:
        return tiles_of(self._live.tables, time.time(), self._sections())

    def _send(self, message: bytes, table: str | None = None) -> None:
        """To all, or to those who look at one table, or at all tables."""
        for viewer, looks_at in list(self._viewers.items()):
            if table is not None and looks_at != table:
                continue
            try:
                viewer.put_nowait(message)
            except asyncio.QueueFull:
                self._end(viewer)

    def _end(self, viewer: asyncio.Queue[bytes | None]) -> None:
        self._viewers.pop(viewer, None)
        while not viewer.empty():
            viewer.get_nowait()
        viewer.put_nowait(None)

    async def view(self, is_signed_in: Callable[[], bool], table: str = "") -> AsyncIterator[bytes]:
        """What one browser gets of a table or of all, until it leaves or is signed out."""
        viewer: asyncio.Queue[bytes | None] = asyncio.Queue(_MOST_WAITING)
        if len(self._viewers) >= MOST_VIEWERS:
            yield _message("full", {})
            return
        self._viewers[viewer] = table
        checked = time.monotonic()
        try:
            yield b"retry: 2000\n\n" + self._state() + self._first(table)
            while True:
                message = await viewer.get()
                if message is None:
                    return
                if time.monotonic() - checked >= BEAT_SECONDS:
                    checked = time.monotonic()
                    if not await asyncio.to_thread(is_signed_in):
                        yield _message("signed_out", {})
                        return
                yield message
        finally:
            self._viewers.pop(viewer, None)

    def _first(self, table: str) -> bytes:
        if not table:
            return self._everything()
        now = self._live.table(table)
        return b"" if now is None else _message("felt", {"html": self.felt(now)})

    def felt(self, now: TableNow) -> str:
        tile = tile_of(now, time.time(), self.section(now.name))
        return render("felt.html", felt=felt_of(now), tile=tile, recent=now.recent[::-1])

    def section(self, name: str) -> str:
        return self._sections().get(name, "")

    def _send_felts(self) -> None:
        """To those who look at one table, if it is not as it was."""
        for name in set(self._viewers.values()) - {""}:
            now = self._live.table(name)
            if now is not None and self._felts.get(name) != (now.state, self._sent.get(name)):
                self._felts[name] = now.state, self._sent.get(name)
                self._send(_message("felt", {"html": self.felt(now)}), name)

    def _everything(self) -> bytes:
        tiles = self.tiles()
        return _message("tiles", {
            "all": True,
            "now": round(time.time(), 3),
            "order": [tile.name for tile in tiles],
            "tiles": [{"id": t.name, "html": render("tile.html", tile=t)} for t in tiles],
            "seats": render("open_seats.html", open_seats=open_seats(tiles)),
        })  # fmt: skip


def _message(kind: str, data: dict[str, object]) -> bytes:
    # JSON has no line breaks of its own, so that one line is one message whatever a name holds.
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n".encode()

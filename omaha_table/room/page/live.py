"""All tables as they are now: a thread that listens to the room and folds what comes in.

It has a connection of its own, opens no transaction, and tables never wait for it. When the room
goes away it says so, and begins again from the room once it is back.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

import psycopg
import structlog

from omaha_table.room.database import RoomError, RoomRefused, check_version, connect, room_error
from omaha_table.room.page.folding import TableNow, fold_from_start, fold_on
from omaha_table.room.page.sources import sources
from omaha_table.room.rows import RoomRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.room.database import Connection
    from omaha_table.room.page.sources import Source

LOOK_AGAIN_SECONDS: Final = 5.0
"""Everything is looked at this often, in case a notice was lost."""
_WAIT: Final = (0.5, 5.0)

log = structlog.get_logger(__name__)


class Live:
    def __init__(
        self, database: str, changed: Callable[[frozenset[str]], object] = lambda names: None
    ) -> None:
        """`changed` is called in the thread, with the names of tables that are not as they were."""
        self._database, self.changed = database, changed
        self._tables: dict[str, TableNow] = {}
        self._stopped, self._first = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="room page", daemon=True)
        self.away_since = time.time()
        """Since when the room does not answer; 0: it does."""
        self.problem = "The room was not reached yet."

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def wait(self, seconds: float) -> bool:
        """Until the room was read once, or so long."""
        return self._first.wait(seconds)

    @property
    def tables(self) -> list[TableNow]:
        return list(self._tables.values())

    def table(self, name: str) -> TableNow | None:
        return self._tables.get(name)

    def _run(self) -> None:
        wait = _WAIT[0]
        while not self._stopped.is_set():
            try:
                with closing(connect(self._database)) as room:
                    check_version(room)
                    room.execute("LISTEN room")
                    self._begin(room)
                    wait = _WAIT[0]
                    self._follow(room)
                    return
            except (RoomError, psycopg.Error) as error:
                self._away(str(error if isinstance(error, RoomError) else room_error(error)))
                if isinstance(error, RoomRefused):
                    wait = _WAIT[1]
            except Exception:
                log.exception("room page")
                self._away("The page has failed to read the room; its log says why.")
            self._stopped.wait(wait)
            wait = min(wait * 2, _WAIT[1])

    def _away(self, problem: str) -> None:
        if not self.away_since:
            self.away_since = time.time()
        self.problem = problem
        self.changed(frozenset())

    def _begin(self, room: Connection) -> None:
        found = {source.name: fold_from_start(room, source) for source in sources(room)}
        self._tables = found
        self.away_since, self.problem = 0.0, ""
        self._first.set()
        self.changed(frozenset(found))

    def _follow(self, room: Connection) -> None:
        looked = time.monotonic()
        while not self._stopped.is_set():
            try:
                names = {one.payload for one in room.notifies(timeout=0.25, stop_after=1)}
                if names:
                    # What came meanwhile is one look, not one each.
                    names |= {one.payload for one in room.notifies(timeout=0)}
            except psycopg.Error as error:
                raise room_error(error) from None
            if time.monotonic() - looked > LOOK_AGAIN_SECONDS:
                looked = time.monotonic()
                self._look(room, None)
            elif names:
                self._look(room, sorted(names))

    def _look(self, room: Connection, names: list[str] | None) -> None:
        changed = set()
        for source in sources(room, names):
            before = self._tables.get(source.name)
            if before is not None and before.source == source:
                continue
            after = self._after(room, before, source)
            # A new dictionary each time: others read it without a lock.
            self._tables = {**self._tables, source.name: after}
            changed.add(source.name)
        if changed:
            self.changed(frozenset(changed))

    def _after(self, room: Connection, before: TableNow | None, source: Source) -> TableNow:
        if before is None or before.state is None or before.source.journal != source.journal:
            return fold_from_start(room, source)
        rows = list(RoomRows(room, source.journal).since(before.state.seq))
        return fold_on(before, source, [row for row in rows if row.seq <= source.seq])

"""Connections with a reader's rights, lent to whoever reads: a review reads in several threads."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from omaha_table.journal.faults import Away
from omaha_table.room.database import RoomError, RoomRefused, check_version, connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.room.bundle import Bundle
    from omaha_table.room.database import Connection

_QUIET_SECONDS: Final = 10.0
"""After a failure, how long nobody but the patient asks again: a screen must not wait each time."""
_MOST_IDLE: Final = 4


class ReaderLink:
    """Raises Away where the room does not answer or refuses; `connect` says why at the start."""

    def __init__(self, bundle: Bundle) -> None:
        """Raises RoomRefused for a bundle that is no reader's."""
        if bundle.kind != "reader":
            raise RoomRefused(
                f"This is the bundle of the {bundle.kind} {bundle.name}, which reads nothing in "
                "the room. Make a reader's bundle: omaha-table room enroll --reader NAME."
            )
        self.witness_key = bundle.witness_key
        self.name = f"{bundle.host} {bundle.port} {bundle.database}"
        self._url = bundle.url
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._quiet_until = 0.0
        self._why = ""

    def connect(self) -> None:
        """The first connection; raises RoomError."""
        self._give_back(self._connected())

    def borrow(self, *, patient: bool = False) -> Connection:
        """A connection for one thread until it is given back. Raises Away.

        `patient`: asks the room also soon after a failure.
        """
        with self._lock:
            if self._idle:
                return self._idle.pop()
            quiet = time.monotonic() < self._quiet_until
        if quiet and not patient:
            raise Away(self._why)
        try:
            return self._connected()
        except RoomError as error:
            raise self.away(error) from None

    def give_back(self, connection: Connection) -> None:
        self._give_back(connection)

    @contextmanager
    def lent(self, *, patient: bool = False) -> Iterator[Connection]:
        """A connection for the length of a block; what the room does not answer raises Away."""
        connection = self.borrow(patient=patient)
        try:
            yield connection
        except RoomError as error:
            raise self.away(error) from None
        finally:
            self._give_back(connection)

    def away(self, error: RoomError) -> Away:
        """Notes that the room did not answer."""
        with self._lock:
            self._quiet_until = time.monotonic() + _QUIET_SECONDS
            self._why = str(error)
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        return Away(str(error))

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _connected(self) -> Connection:
        # A server that hangs in a statement must not hold a screen for ever.
        made = connect(self._url, options="-c statement_timeout=60s")
        try:
            check_version(made)
        except RoomError:
            made.close()
            raise
        with self._lock:
            self._quiet_until = 0.0
        return made

    def _give_back(self, connection: Connection) -> None:
        with self._lock:
            if not connection.closed and len(self._idle) < _MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

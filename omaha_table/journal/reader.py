"""Reads a journal. Every SELECT on the log is in this file."""

from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from omaha_table.journal.chain import Row, well_typed
from omaha_table.journal.codec import event_in
from omaha_table.journal.diary import read_refusals
from omaha_table.journal.events import Record
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.schema import (
    COLUMNS,
    ERRORS,
    SEAL,
    STREET_SEAL,
    check_format,
    fault_of,
    is_full,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from omaha_table.journal.diary import Refusal


LOCK_WAIT_SECONDS: Final = 2.0
"""How long a reader waits for a lock.

The writer locks the whole file for a moment when it opens it and when it closes the day. Without
the wait, a reader that arrives just then would report a sound journal as busy.
"""


COPIES: Final = 40
"""How often a journal that is being written is copied until nothing came between."""


_ROW: Final[Callable[[tuple[Any, ...]], Row]] = functools.partial(tuple.__new__, Row)
"""A row as SQLite gave it, which has all its columns: `Row._make` would count them for each row."""


def record_of(row: Row) -> Record:
    """The record in a row; raises RecordError."""
    return Record(row.seq, row.hand, event_in(row.kind, row.body))


class JournalRows:
    """The rows of a journal, over a connection that the caller opens and closes.

    Raises JournalFault if the file cannot be read.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def since(self, seq: int = 0, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The rows after `seq` in order, read a few at a time; of some kinds, or all."""
        among = f" AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
        query = f"SELECT {COLUMNS} FROM event WHERE seq > ?{among} ORDER BY seq"
        try:
            yield from map(_ROW, self._connection.execute(query, (seq, *kinds)))
        except ERRORS as error:
            raise fault_of(error) from None

    def get(self, seq: int) -> Row | None:
        return self._one("WHERE seq = ?", seq)

    def last(self) -> Row | None:
        return self._one("ORDER BY seq DESC LIMIT 1")

    def last_seal(self, before: int | None = None) -> Row | None:
        """The latest seal, or the latest one before an event."""
        if before is None:
            return self._one(f"WHERE kind = '{SEAL}' ORDER BY seq DESC LIMIT 1")
        return self._one(f"WHERE kind = '{SEAL}' AND seq < ? ORDER BY seq DESC LIMIT 1", before)

    def next_seal(self, after: int) -> Row | None:
        """The first seal after an event."""
        return self._one(f"WHERE kind = '{SEAL}' AND seq > ? ORDER BY seq LIMIT 1", after)

    def signed_before(self, seq: int) -> Row | None:
        """The latest seal before an event, of a hand or of a street."""
        return self._one(
            f"WHERE kind IN ('{SEAL}', '{STREET_SEAL}') AND seq < ? ORDER BY seq DESC LIMIT 1", seq
        )

    def count(self) -> int:
        """The number of the last row, even if the rest of it is damaged; 0: no rows."""
        try:
            [last] = self._connection.execute("SELECT max(seq) FROM event").fetchone()
        except ERRORS as error:
            raise fault_of(error) from None
        return last if isinstance(last, int) else 0

    def resume_points(self) -> dict[str, str]:
        """For each device the token of the last event that was recorded from it."""
        try:
            return dict(self._connection.execute("SELECT device, place FROM place"))
        except (*ERRORS, ValueError, TypeError) as error:
            raise fault_of(error) from None

    def refusals(self, first: int = 0, last: int = 1 << 62) -> list[Refusal]:
        """What was refused after a range of events; from the refusal log, which is not sealed."""
        return read_refusals(self._connection, first, last)

    def _one(self, which: str, *values: int) -> Row | None:
        try:
            query = f"SELECT {COLUMNS} FROM event {which}"
            found = self._connection.execute(query, values).fetchone()
        except ERRORS as error:
            raise fault_of(error) from None
        if found is None:
            return None
        row = Row._make(found)
        if not well_typed(row):
            raise Tampered(f"Event {row.seq} was changed or damaged.")
        return row


class Reader(JournalRows):
    """A journal file opened read-only; raises Tampered if it is not a journal."""

    def __init__(self, path: Path) -> None:
        super().__init__(_open(path))

    def hold(self) -> None:
        """All later reads see the file as it is now, whatever the table adds to it."""
        self._connection.execute("BEGIN")

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _open(path: Path) -> sqlite3.Connection:
    """A read-only connection; raises Tampered if the file is not a journal."""
    if path.is_dir():
        raise Tampered(f"{path.name} is a folder, not a journal.")
    if not path.exists() or not path.stat().st_size:
        raise Tampered(f"{path.name} is missing or empty.")
    try:
        # Quoted: a "?" or "#" in the name of a folder would end the path.
        uri = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, timeout=LOCK_WAIT_SECONDS)
    except ERRORS as error:
        raise fault_of(error) from None
    try:
        # The first statement that really reads. Only now does SQLite notice a half-done write after
        # a kill, which it cannot undo through a read-only connection.
        connection.execute("PRAGMA schema_version").fetchone()
    except ERRORS as error:
        connection.close()
        name = getattr(error, "sqlite_errorname", "")
        # A member of the reviewers' group cannot create the files that SQLite wants beside a
        # journal while nobody writes it; on a read-only disk or a full one nobody can.
        closed = name.startswith("SQLITE_CANTOPEN") and os.access(path, os.R_OK)
        if not closed and not is_full(error) and not name.startswith("SQLITE_READONLY"):
            raise fault_of(error) from None
        connection = _copy_to_read(path)
    try:
        check_format(connection)
    except JournalFault:
        connection.close()
        raise
    return connection


def _signature(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_size, about.st_mtime_ns


class _Copy(sqlite3.Connection):
    """A connection to a copy that is deleted on close."""

    folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        super().close()
        if self.folder is not None:
            self.folder.cleanup()


def _copy_to_read(path: Path) -> sqlite3.Connection:
    """A connection to a copy, in which SQLite may undo a write that a kill left half done.

    The file itself stays untouched: it may be evidence, and it may be on a read-only medium.
    """
    folder = tempfile.TemporaryDirectory()
    sources = [path.with_name(path.name + end) for end in ("", "-wal", "-journal")]
    try:
        for _ in range(COPIES):
            before = [_signature(source) for source in sources]
            for source in sources:
                if source.exists():
                    shutil.copyfile(source, f"{folder.name}/{source.name}")
                else:
                    Path(folder.name, source.name).unlink(missing_ok=True)
            if [_signature(source) for source in sources] == before:
                break
            # Somebody wrote meanwhile: the parts of this copy may not belong together.
            time.sleep(0.05)
        connection = sqlite3.connect(f"{folder.name}/{path.name}", timeout=0, factory=_Copy)
    except (OSError, sqlite3.Error):
        folder.cleanup()
        raise Tampered(f"{path.name} cannot be read.") from None
    connection.folder = folder
    return connection

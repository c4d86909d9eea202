"""One journal file: SQLite in WAL mode with full synchronisation, append only."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from typing import TYPE_CHECKING, Final

from omaha_table.journal.chain import Row, well_typed
from omaha_table.journal.diary import Refusal, write_refusal
from omaha_table.journal.faults import Busy, Full, JournalFault, Tampered, Uncertain
from omaha_table.journal.keys import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

APPLICATION_ID: Final = 0x6F6D6168
FORMAT: Final = 1
SEAL: Final = "journal_sealed"

_SCHEMA: Final = f"""
CREATE TABLE event(
  seq INTEGER PRIMARY KEY, hand INTEGER, at_us INTEGER NOT NULL, mono_us INTEGER NOT NULL,
  kind TEXT NOT NULL, actor TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE place(device TEXT PRIMARY KEY, place TEXT NOT NULL) STRICT;
CREATE INDEX seals ON event(seq) WHERE kind = '{SEAL}';
CREATE TRIGGER no_update BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON event
  BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
"""
_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""Of a damaged file even the message may be damaged."""
_COLUMNS: Final = "seq, hand, at_us, mono_us, kind, actor, body, hash"


class Store:
    """The one writer of a file; after a failed commit it takes nothing more."""

    def __init__(self, path: Path) -> None:
        self._fenced, self._path = False, path
        try:
            if not path.exists():
                _create(path)
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        except _ERRORS as error:
            raise _fault(error) from None
        except OSError as error:
            raise Full(f"The journal cannot be made: {error.strerror}.") from None
        try:
            self._set_up()
        except _ERRORS as error:
            self._connection.close()
            raise _fault(error) from None
        except JournalFault:
            self._connection.close()
            raise

    def _set_up(self) -> None:
        run = self._connection.execute
        check_format(self._connection)
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA wal_autocheckpoint = 0")
        run("PRAGMA journal_size_limit = 1048576")
        run("PRAGMA trusted_schema = OFF")
        run("PRAGMA cell_size_check = ON")

    def append(self, rows: Sequence[Row], place: tuple[str, str] | None = None) -> None:
        """Writes rows in one transaction; they are on disk when this returns.

        `place` is how far a device has been heard; it is kept with the rows or not at all.
        """
        if self._fenced:
            raise Uncertain("The journal has failed before and takes nothing more.")
        run = self._connection.execute
        try:
            run("BEGIN IMMEDIATE")
            self._connection.executemany(
                f"INSERT INTO event({_COLUMNS}) VALUES(?,?,?,?,?,?,?,?)",
                [
                    (r.seq, r.hand, r.at_us, r.mono_us, r.kind, r.actor, r.body, r.hash)
                    for r in rows
                ],
            )
            if place is not None:
                run("INSERT OR REPLACE INTO place(device, place) VALUES(?, ?)", place)
        except _ERRORS as error:
            self._fenced = True
            fault = _fault(error)
            if isinstance(fault, Busy | Full) and self._roll_back():
                self._fenced = False
            raise fault from None
        try:
            run("COMMIT")
        except sqlite3.Error as error:
            self._fenced = True
            if _no_room(error):
                raise _fault(error) from None
            raise Uncertain("The journal could not confirm its last write.") from None

    def jot(self, refusal: Refusal, since: int) -> None:
        """Notes a refusal in the diary if that can be done; no event waits for it or fails."""
        if self._fenced:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            write_refusal(self._connection, refusal, since)
            self._connection.execute("COMMIT")
        except _ERRORS:
            self._fenced = not self._roll_back()

    def _roll_back(self) -> bool:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return False
        return True

    def reopen(self) -> None:
        """Another connection, which shows what is really there; nothing is tried on the old one."""
        self._connection.close()
        try:
            self._connection = sqlite3.connect(self._path, timeout=0, isolation_level=None)
            self._set_up()
        except _ERRORS as error:
            self._fenced = True
            raise _fault(error) from None
        self._fenced = False

    def fence(self) -> None:
        """Nothing more is taken: what was written last must be read back first."""
        self._fenced = True

    def fold_wal(self) -> None:
        """Moves everything into the main file, so that damage to the WAL cannot drop it."""
        try:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except _ERRORS as error:
            # Without room the WAL keeps what it has, as durable as before.
            self._fenced = not _no_room(error)
            raise _fault(error) from None

    def place(self, device: str) -> str:
        """How far a device has been heard; empty: not at all."""
        try:
            found = self._connection.execute(
                "SELECT place FROM place WHERE device = ?", (device,)
            ).fetchone()
        except _ERRORS as error:
            raise _fault(error) from None
        return "" if found is None else str(found[0])

    def last(self) -> Row | None:
        return self._one(f"SELECT {_COLUMNS} FROM event ORDER BY seq DESC LIMIT 1")

    def last_seal(self) -> Row | None:
        return self._one(
            f"SELECT {_COLUMNS} FROM event WHERE kind = '{SEAL}' ORDER BY seq DESC LIMIT 1"
        )

    def get(self, seq: int) -> Row | None:
        return self._one(f"SELECT {_COLUMNS} FROM event WHERE seq = {int(seq)}")

    def since(self, seq: int) -> Iterator[Row]:
        """The rows after one, in order."""
        return read_rows(self._connection, seq)

    def _one(self, query: str) -> Row | None:
        try:
            found = self._connection.execute(query).fetchone()
        except _ERRORS as error:
            raise _fault(error) from None
        if found is None:
            return None
        row = Row._make(found)
        if not well_typed(row):
            raise Tampered(f"Event {row.seq} is not what was written.")
        return row

    def make_read_only(self) -> None:
        """Leaves WAL mode, so that the file can be read from any medium."""
        try:
            self._connection.execute("PRAGMA journal_mode = DELETE")
        except _ERRORS as error:
            raise _fault(error) from None

    def close(self) -> None:
        self._connection.close()


def _create(path: Path) -> None:
    """Makes a new file whole before it has its name: a kill half-way leaves no broken journal."""
    unfinished = path.with_name(f".{path.name}.new")
    unfinished.unlink(missing_ok=True)
    connection = sqlite3.connect(unfinished, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(f"BEGIN;{_SCHEMA}COMMIT;")
    finally:
        connection.close()
    unfinished.replace(path)
    sync_folder(path.parent)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that can change nothing; raises Tampered for what is not a journal."""
    if not path.exists() or not path.stat().st_size:
        raise Tampered(f"{path.name} is empty or not there.")
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0)
    except _ERRORS as error:
        raise _fault(error) from None
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except _ERRORS as error:
        connection.close()
        if not getattr(error, "sqlite_errorname", "").startswith("SQLITE_READONLY"):
            raise _fault(error) from None
        connection = _copy_to_read(path)
    try:
        check_format(connection)
    except JournalFault:
        connection.close()
        raise
    return connection


class _Copy(sqlite3.Connection):
    """A connection to a copy that goes when it is closed."""

    folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        super().close()
        if self.folder is not None:
            self.folder.cleanup()


def _copy_to_read(path: Path) -> sqlite3.Connection:
    """A kill can leave a write half done, which SQLite takes back before it reads; in a copy, so
    that the file itself stays as it was found."""
    folder = tempfile.TemporaryDirectory()
    try:
        for end in ("", "-wal", "-journal"):
            source = path.with_name(path.name + end)
            if source.exists():
                shutil.copyfile(source, f"{folder.name}/{source.name}")
        connection = sqlite3.connect(f"{folder.name}/{path.name}", timeout=0, factory=_Copy)
    except (OSError, sqlite3.Error):
        folder.cleanup()
        raise Tampered(f"{path.name} cannot be read.") from None
    connection.folder = folder
    return connection


def check_format(connection: sqlite3.Connection) -> None:
    try:
        [application] = connection.execute("PRAGMA application_id").fetchone()
        [version] = connection.execute("PRAGMA user_version").fetchone()
    except _ERRORS as error:
        raise _fault(error) from None
    if application != APPLICATION_ID:
        raise Tampered("This file is not a journal of omaha-table.")
    if version > FORMAT:
        raise Tampered(f"This journal was written by a newer version (format {version}).")


def read_rows(connection: sqlite3.Connection, after: int = 0) -> Iterator[Row]:
    """The rows in order, a few at a time; raises Tampered where the file cannot be read."""
    try:
        cursor = connection.execute(
            f"SELECT {_COLUMNS} FROM event WHERE seq > ? ORDER BY seq", (after,)
        )
        yield from map(Row._make, cursor)
    except _ERRORS as error:
        raise _fault(error) from None


def _no_room(error: Exception) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_FULL")


def _fault(error: Exception) -> JournalFault:
    name = getattr(error, "sqlite_errorname", "")
    if not name or name == "SQLITE_ERROR":
        # A text that is none, or a schema that is not ours any more.
        return Tampered("The journal file is damaged.")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Busy("The journal is being written by somebody else.")
    if _no_room(error):
        return Full("The disk is full: the journal took nothing.")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH")):
        return Tampered("The journal file is damaged.")
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return Full("The journal cannot be written: the folder is read-only.")
    return Uncertain(f"The journal failed ({name or type(error).__name__}).")

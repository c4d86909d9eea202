"""One journal file: SQLite in WAL mode with full synchronization, append only.

Why SQLite and why these settings: docs/decisions/0002.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from typing import TYPE_CHECKING, Final

from omaha_table.files import create_private, give_to_group, make_read_only
from omaha_table.journal.diary import Refusal, write_refusal
from omaha_table.journal.faults import Busy, Full, Gone, JournalFault, Uncertain, unwritten
from omaha_table.journal.keys import sync_folder
from omaha_table.journal.reader import JournalRows
from omaha_table.journal.schema import (
    COLUMNS,
    ERRORS,
    GONE,
    SCHEMA,
    check_format,
    fault_of,
    is_full,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omaha_table.journal.chain import Row


READER_WAIT_MS: Final = 250
"""How long closing a day waits for a reader; a dealer is waiting too."""


class Store:
    """The only writer of a file; after a failed commit it accepts no more writes."""

    def __init__(self, path: Path, group: int | None = None) -> None:
        self._fenced, self._path = False, path
        self._wal_path = path.with_name(f"{path.name}-wal")
        self._file: int | None = None
        """The journal itself, open and locked as long as this object."""
        self._wal: tuple[int, int] | None = None
        try:
            if not path.exists():
                _create(path, group)
            # Do not wait for a lock: a second writer is a fault to report, not a short delay.
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        except ERRORS as error:
            raise fault_of(error) from None
        except OSError as error:
            raise unwritten(error) from None
        try:
            self._file = _lock(path)
            self._set_up()
            self._wal = _identity(self._wal_path)
        except ERRORS as error:
            self.close()
            raise fault_of(error) from None
        except BaseException:
            self.close()
            raise

    def _set_up(self) -> None:
        run = self._connection.execute
        check_format(self._connection)
        run("PRAGMA journal_mode = WAL")
        # Measured with simulated power cuts: with NORMAL, acknowledged events get lost
        # (docs/decisions/0002).
        run("PRAGMA synchronous = FULL")
        # The WAL is folded only at a seal, so that no key press in a hand waits for it.
        run("PRAGMA wal_autocheckpoint = 0")
        run("PRAGMA journal_size_limit = 1048576")
        # The file may have been edited: do not trust its schema, and report damaged pages.
        run("PRAGMA trusted_schema = OFF")
        run("PRAGMA cell_size_check = ON")

    def append(self, rows: Sequence[Row], resume_points: Sequence[tuple[str, str]] = ()) -> None:
        """Writes rows in one transaction; they are on disk when this returns.

        `resume_points` are devices, each with the token to resume after these rows; they are stored
        with the rows in the same transaction.
        """
        self._check_file()
        if self._fenced:
            raise Uncertain("An earlier write failed, so the journal accepts no more entries.")
        run = self._connection.execute
        try:
            run("BEGIN IMMEDIATE")
            self._connection.executemany(
                f"INSERT INTO event({COLUMNS}) VALUES(?,?,?,?,?,?,?,?)",
                [
                    (r.seq, r.hand, r.at_us, r.mono_us, r.kind, r.actor, r.body, r.hash)
                    for r in rows
                ],
            )
            for resume_point in resume_points:
                run("INSERT OR REPLACE INTO place(device, place) VALUES(?, ?)", resume_point)
        except ERRORS as error:
            # Nothing was committed. After a clean rollback a retry is safe; otherwise the state of
            # the connection is unknown.
            self._fenced = True
            fault = fault_of(error)
            if isinstance(fault, Busy | Full) and self._roll_back():
                self._fenced = False
            raise fault from None
        try:
            run("COMMIT")
        except sqlite3.Error as error:
            # A failed COMMIT may still have reached the disk. A retry on this connection could
            # write the rows twice or hide that they are there: reopen the file and look.
            self._fenced = True
            if is_full(error):
                raise fault_of(error) from None
            raise Uncertain("The journal could not confirm its last write.") from None
        # Again, before anybody is told that it is recorded.
        self._check_file()

    def _check_file(self) -> None:
        """Raises Gone if the file that is written is not the one that will be found."""
        assert self._file is not None
        here = os.fstat(self._file)
        wal = _identity(self._wal_path)
        if self._wal is None:
            self._wal = wal
        if _identity(self._path) != (here.st_dev, here.st_ino) or wal != self._wal:
            self._fenced = True
            raise Gone(GONE)

    def log_refusal(self, refusal: Refusal, since: int) -> None:
        """Adds to the refusal log if possible; a failure here never stops an event."""
        if self._fenced:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            write_refusal(self._connection, refusal, since)
            self._connection.execute("COMMIT")
        except ERRORS:
            self._fenced = not self._roll_back()

    def _roll_back(self) -> bool:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return False
        return True

    def reopen(self) -> None:
        """Opens a new connection, which shows what is on the disk; the old one is never reused."""
        self._connection.close()
        self._wal = None
        self._check_file()
        try:
            self._connection = sqlite3.connect(self._path, timeout=0, isolation_level=None)
            self._set_up()
        except ERRORS as error:
            self._fenced = True
            raise fault_of(error) from None
        self._fenced = False

    def fence(self) -> None:
        """Accepts no more writes until the last one has been read back."""
        self._fenced = True

    def fold_wal(self) -> None:
        """Moves everything into the main file.

        A damaged WAL loses the committed events after the damage, and the chain of the events
        before it is still valid: nobody would notice.
        """
        try:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except ERRORS as error:
            # On a full disk the WAL keeps its rows, as durable as before.
            self._fenced = not is_full(error)
            raise fault_of(error) from None

    @property
    def rows(self) -> JournalRows:
        """The rows so far, through the writer's own connection."""
        return JournalRows(self._connection)

    def leave_wal(self) -> bool:
        """Leaves WAL mode, in which SQLite cannot read a file from a read-only medium.

        Whether it could: SQLite refuses while anybody reads the file.
        """
        try:
            self._connection.execute(f"PRAGMA busy_timeout = {READER_WAIT_MS}")
            [mode] = self._connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        except ERRORS as error:
            fault = fault_of(error)
            if isinstance(fault, Busy):
                return False
            raise fault from None
        return bool(mode == "delete")

    def close(self) -> None:
        self._connection.close()
        # After the connection: closing any descriptor of a file gives up SQLite's locks on it.
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _lock(path: Path) -> int:
    """Opens and locks the file: without its lock file, a second console must not get in."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise Busy("Another program is writing this journal.") from None
    except OSError:
        pass  # a file system without such locks: the lock file and SQLite's own are left
    return descriptor


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file is at a path; None: none is."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def finish_closed(path: Path, group: int | None = None) -> None:
    """Makes the file of a closed day read-only, if a reader was in the way when it was closed."""
    with contextlib.suppress(JournalFault, OSError):
        if not path.with_suffix(".receipt").exists() or not path.stat().st_mode & 0o222:
            return
        # Only what closing left: any other file of a closed day is not written on again.
        if _is_in_wal_mode(path):
            store = Store(path)
            try:
                if not store.leave_wal():
                    return
            finally:
                store.close()
        make_read_only(path, group)


def _is_in_wal_mode(path: Path) -> bool:
    """Whether the file's header says so; a connection that asked would change the file."""
    with path.open("rb") as file:
        return file.read(20)[18:] == b"\x02\x02"


def _create(path: Path, group: int | None) -> None:
    """Creates the file under another name first: a kill half-way leaves no broken journal."""
    unfinished = path.with_name(f".{path.name}.new")
    unfinished.unlink(missing_ok=True)
    # SQLite gives what it creates beside a file (-wal, -shm, -journal) the rights of the file.
    create_private(unfinished)
    connection = sqlite3.connect(unfinished, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(f"BEGIN;{SCHEMA}COMMIT;")
    finally:
        connection.close()
    give_to_group(unfinished, group)
    unfinished.replace(path)
    sync_folder(path.parent)

"""The tables of a journal file, and the journal fault for each SQLite error."""

from __future__ import annotations

import functools
import sqlite3
from contextlib import closing
from typing import Final

from omaha_table.journal.diary import REFUSALS
from omaha_table.journal.faults import (
    Busy,
    Full,
    Gone,
    JournalFault,
    Tampered,
    Uncertain,
    Unwritable,
)

APPLICATION_ID: Final = 0x6F6D6168
FORMAT: Final = 1
SEAL: Final = "journal_sealed"
STREET_SEAL: Final = "street_sealed"

SCHEMA: Final = f"""
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
MOST_BYTES: Final = 1 << 24
"""Of one value or row; a seal of a full table has a few thousand."""
ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""In a damaged file even SQLite's error message may not be UTF-8."""
GONE: Final = "The journal file was deleted, moved or replaced while it was in use."
COLUMNS: Final = "seq, hand, at_us, mono_us, kind, actor, body, hash"


def check_format(connection: sqlite3.Connection) -> None:
    """Raises Tampered for a file that is not a journal of this program, before a row is read."""
    # A value of a gigabyte, or a view that never ends, would otherwise stop whoever reads.
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    try:
        [application] = connection.execute("PRAGMA application_id").fetchone()
        [version] = connection.execute("PRAGMA user_version").fetchone()
        found = connection.execute(_OBJECTS).fetchmany(len(known_objects()) + 1)
    except ERRORS as error:
        raise fault_of(error) from None
    if application != APPLICATION_ID:
        raise Tampered("This file is not an omaha-table journal.")
    if version > FORMAT:
        raise Tampered(f"This journal was written by a newer version (format {version}).")
    # No event depends on the refusal log; `read_refusals` checks it for itself.
    foreign = [name for kind, name, sql in found if (kind, name, sql) not in known_objects()]
    if any(name != "refusal" for name in foreign) or "event" not in {name for _, name, _ in found}:
        raise Tampered("The tables of this file are not those of a journal.")


_OBJECTS: Final = "SELECT type, name, sql FROM sqlite_schema"


@functools.cache
def known_objects() -> frozenset[tuple[str, str, str | None]]:
    """What may be in a journal: a view, or a table made in another way, is not read."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(SCHEMA)
        empty.execute(REFUSALS)
        return frozenset(empty.execute(_OBJECTS))


def is_full(error: Exception) -> bool:
    # Without room for the index of the WAL, which is made at opening, SQLite names it otherwise.
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith("SQLITE_FULL") or name == "SQLITE_IOERR_SHMSIZE"


def fault_of(error: Exception) -> JournalFault:
    name = getattr(error, "sqlite_errorname", "")
    if not name or name == "SQLITE_ERROR":
        # Text that is not UTF-8, or a changed schema.
        return Tampered("The journal file is damaged.")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Busy("Another program is writing this journal.")
    if is_full(error):
        return Full("The disk is full: nothing was recorded.")
    if name == "SQLITE_TOOBIG":
        return Tampered("The journal is damaged: a value in it is too large.")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH")):
        return Tampered("The journal file is damaged.")
    if name == "SQLITE_READONLY_DBMOVED":
        return Gone(GONE)
    if name.startswith("SQLITE_READONLY"):
        return Unwritable("The journal cannot be written: its disk or file is read-only.")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return Unwritable("The journal cannot be opened: this user may not, or a folder is gone.")
    if name.startswith("SQLITE_IOERR"):
        return Uncertain(f"The disk reported an error while the journal was in use ({name}).")
    return Uncertain(f"The journal failed ({name or type(error).__name__}).")

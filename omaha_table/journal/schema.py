"""The tables of a journal file, and the journal fault for each SQLite error."""

from __future__ import annotations

import sqlite3
from typing import Final

from omaha_table.journal.faults import Busy, Full, JournalFault, Tampered, Uncertain

APPLICATION_ID: Final = 0x6F6D6168
FORMAT: Final = 1
SEAL: Final = "journal_sealed"

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
ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""In a damaged file even SQLite's error message may not be UTF-8."""
COLUMNS: Final = "seq, hand, at_us, mono_us, kind, actor, body, hash"


def check_format(connection: sqlite3.Connection) -> None:
    try:
        [application] = connection.execute("PRAGMA application_id").fetchone()
        [version] = connection.execute("PRAGMA user_version").fetchone()
    except ERRORS as error:
        raise fault_of(error) from None
    if application != APPLICATION_ID:
        raise Tampered("This file is not an omaha-table journal.")
    if version > FORMAT:
        raise Tampered(f"This journal was written by a newer version (format {version}).")


def is_full(error: Exception) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_FULL")


def fault_of(error: Exception) -> JournalFault:
    name = getattr(error, "sqlite_errorname", "")
    if not name or name == "SQLITE_ERROR":
        # Text that is not UTF-8, or a changed schema.
        return Tampered("The journal file is damaged.")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Busy("Another program is writing this journal.")
    if is_full(error):
        return Full("The disk is full: nothing was recorded.")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH")):
        return Tampered("The journal file is damaged.")
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return Full("The journal cannot be written: its folder is read-only.")
    return Uncertain(f"The journal failed ({name or type(error).__name__}).")

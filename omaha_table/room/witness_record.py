"""What a witness has signed, in a file of its own: on disk before a signature goes out."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.files import create_private
from omaha_table.room.rows import JournalName

if TYPE_CHECKING:
    from pathlib import Path


class WitnessError(Exception):
    """Why the witness cannot work: its key or its record."""


class Checkpoint(NamedTuple):
    """A seal that was verified, and all that is needed to go on after it: no earlier row is read
    again. What the room shows of these rows later must have these hashes."""

    seal: int
    seal_hash: bytes
    first_hash: bytes
    """Of the row that opens the day."""
    rules: int
    rules_hash: bytes
    """The event that set the rules."""
    closed: bool
    """The day was closed before the seal."""


class Signed(NamedTuple):
    """The last that was signed of a journal."""

    seq: int
    head: bytes
    next_key: str
    """Which makes the journal's next seal, or the first of the day after."""


_RECORD: Final = """
CREATE TABLE IF NOT EXISTS pinned(source TEXT PRIMARY KEY, first_key TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS signed(
  source TEXT NOT NULL, day TEXT NOT NULL, generation INTEGER NOT NULL,
  seq INTEGER NOT NULL, head BLOB NOT NULL, next_key TEXT NOT NULL,
  PRIMARY KEY (source, day, generation)) STRICT;
CREATE TABLE IF NOT EXISTS checkpoint(
  source TEXT NOT NULL, day TEXT NOT NULL, generation INTEGER NOT NULL,
  seal INTEGER NOT NULL, seal_hash BLOB NOT NULL, first_hash BLOB NOT NULL,
  rules INTEGER NOT NULL, rules_hash BLOB NOT NULL, closed INTEGER NOT NULL,
  PRIMARY KEY (source, day, generation)) STRICT;
CREATE TRIGGER IF NOT EXISTS never_back BEFORE UPDATE ON signed
  WHEN new.seq <= old.seq BEGIN SELECT RAISE(ABORT, 'a witness never goes back'); END;
CREATE TRIGGER IF NOT EXISTS never_gone BEFORE DELETE ON signed
  BEGIN SELECT RAISE(ABORT, 'a witness forgets nothing'); END;
"""


class WitnessRecord:
    """What this witness has signed, in a file of its own; one process at a time."""

    def __init__(self, path: Path) -> None:
        try:
            if not path.exists():
                create_private(path)
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
            run = self._connection.execute
            run("PRAGMA locking_mode = EXCLUSIVE")
            run("PRAGMA journal_mode = WAL")
            run("PRAGMA synchronous = FULL")
            self._connection.executescript(_RECORD)
        except (OSError, sqlite3.Error):
            raise WitnessError(
                f"The record {path} cannot be opened: it is damaged, or another witness uses it."
            ) from None

    def of(self, name: JournalName) -> Signed | None:
        found = self._connection.execute(
            "SELECT seq, head, next_key FROM signed "
            "WHERE source = ? AND day = ? AND generation = ?",
            name,
        ).fetchone()
        return None if found is None else Signed(*found)

    def before(self, name: JournalName) -> tuple[JournalName, Signed] | None:
        """The journal of the day before, with what was signed of it."""
        found = self._connection.execute(
            "SELECT day, generation, seq, head, next_key FROM signed WHERE source = ? AND day < ? "
            "ORDER BY day DESC, generation DESC LIMIT 1",
            (name.source, name.day),
        ).fetchone()
        if found is None:
            return None
        return JournalName(name.source, found[0], found[1]), Signed(*found[2:])

    def checkpoint(self, name: JournalName) -> Checkpoint | None:
        """Where a restart goes on in a journal."""
        found = self._connection.execute(
            "SELECT seal, seal_hash, first_hash, rules, rules_hash, closed FROM checkpoint "
            "WHERE source = ? AND day = ? AND generation = ?",
            name,
        ).fetchone()
        if found is None:
            return None
        seal, seal_hash, first_hash, rules, rules_hash, closed = found
        return Checkpoint(seal, seal_hash, first_hash, rules, rules_hash, bool(closed))

    def pin(self, source: str, first_key: str) -> bool:
        """Pins the key with which a source's history begins; whether it is the pinned one."""
        self._connection.execute("INSERT OR IGNORE INTO pinned VALUES (?, ?)", (source, first_key))
        [pinned] = self._connection.execute(
            "SELECT first_key FROM pinned WHERE source = ?", (source,)
        ).fetchone()
        return bool(pinned == first_key)

    def add(self, name: JournalName, signed: Signed, checkpoint: Checkpoint | None) -> None:
        """Both or neither, on disk when this returns; raises sqlite3.Error rather than go back."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        try:
            run(
                "INSERT INTO signed VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (source, day, generation) DO UPDATE SET seq = excluded.seq, "
                "head = excluded.head, next_key = excluded.next_key",
                (*name, *signed),
            )
            if checkpoint is not None:
                run(
                    "INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*name, *checkpoint),
                )
            run("COMMIT")
        except BaseException:
            run("ROLLBACK")
            raise

    def close(self) -> None:
        self._connection.close()

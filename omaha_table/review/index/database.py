"""The index's database file: its tables, and opening it whatever state it is in.

One process writes at a time; any number read meanwhile (WAL).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import time
from typing import TYPE_CHECKING, Final

from omaha_table.files import open_private
from omaha_table.review.index.totals import COLUMNS, TRIGGERS, totals_schema

if TYPE_CHECKING:
    from pathlib import Path

VERSION: Final = 9
TABLES: Final = f"""
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE source(id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, log TEXT NOT NULL,
  "table" TEXT NOT NULL, day TEXT NOT NULL, hands INTEGER NOT NULL, state TEXT NOT NULL,
  fault TEXT NOT NULL, place TEXT NOT NULL);
CREATE TABLE box(id INTEGER PRIMARY KEY, file TEXT NOT NULL, "table" TEXT NOT NULL,
  day TEXT NOT NULL, log TEXT NOT NULL, shift TEXT NOT NULL, box TEXT NOT NULL,
  jackpot_box TEXT NOT NULL, {COLUMNS}kept INTEGER NOT NULL, last_us INTEGER NOT NULL);
CREATE UNIQUE INDEX one_box ON box(file, shift, box, jackpot_box);
CREATE TABLE hand(
  id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, box INTEGER NOT NULL,
  number INTEGER NOT NULL, started_us INTEGER NOT NULL, ended_us INTEGER NOT NULL,
  flop_us INTEGER NOT NULL, hour INTEGER NOT NULL, seconds REAL NOT NULL, dealer TEXT NOT NULL,
  down INTEGER NOT NULL, dealt INTEGER NOT NULL, seats INTEGER NOT NULL, won INTEGER NOT NULL,
  pot INTEGER NOT NULL, fee INTEGER NOT NULL, jackpot INTEGER NOT NULL, waived INTEGER NOT NULL,
  refunded INTEGER NOT NULL, outcome TEXT NOT NULL, flop INTEGER NOT NULL, winners TEXT NOT NULL,
  flags TEXT NOT NULL, seq INTEGER NOT NULL, last_seq INTEGER NOT NULL);
CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE seat(player INTEGER NOT NULL, hand INTEGER NOT NULL,
  PRIMARY KEY(player, hand)) WITHOUT ROWID;
CREATE TABLE flag(flag TEXT NOT NULL, hand INTEGER NOT NULL, PRIMARY KEY(flag, hand)) WITHOUT ROWID;
CREATE TABLE ruling(name TEXT NOT NULL, hand INTEGER NOT NULL,
  PRIMARY KEY(name, hand)) WITHOUT ROWID;
CREATE TABLE incident(
  id INTEGER PRIMARY KEY, source INTEGER NOT NULL, file TEXT NOT NULL, "table" TEXT NOT NULL,
  day TEXT NOT NULL, log TEXT NOT NULL, hand INTEGER, number INTEGER, first_seq INTEGER,
  seq INTEGER NOT NULL, jot INTEGER NOT NULL, at_us INTEGER NOT NULL, kind TEXT NOT NULL,
  rank INTEGER NOT NULL, says TEXT NOT NULL, more TEXT NOT NULL, key TEXT NOT NULL);
CREATE TABLE period(period INTEGER PRIMARY KEY, hands INTEGER NOT NULL,
  changes INTEGER NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(said, content='');
{totals_schema()}
"""
INDEXES: Final = """
CREATE UNIQUE INDEX one_hand ON hand(source, seq);
CREATE INDEX by_number ON hand(number, source);
CREATE INDEX by_time ON hand(started_us);
CREATE INDEX by_pot ON hand(pot);
CREATE INDEX by_seconds ON hand(seconds);
CREATE INDEX by_dealer ON hand(dealer COLLATE NOCASE, started_us);
CREATE INDEX by_box ON hand(box, started_us);
CREATE INDEX flagged ON hand(started_us) WHERE flags NOT IN ('', 'kill');
CREATE INDEX flag_of_hand ON flag(hand);
CREATE INDEX ruling_of_hand ON ruling(hand);
CREATE INDEX latest_box ON box(last_us DESC, id DESC);
CREATE INDEX box_of_shift ON box(shift COLLATE NOCASE);
CREATE INDEX source_of_table ON source("table" COLLATE NOCASE);
CREATE INDEX total_of_hours ON hour_total(source);
CREATE INDEX total_of_dealers ON dealer_total(source);
CREATE UNIQUE INDEX one_incident ON incident(source, seq, kind, jot, says);
CREATE INDEX incidents_by_kind ON incident(rank, at_us DESC, id DESC);
CREATE INDEX incidents_by_time ON incident(at_us DESC, id DESC);
CREATE INDEX incidents_of_hand ON incident(hand);
CREATE INDEX incident_by_key ON incident(key);
"""


_MAKING: Final = 3.0
"""Seconds that making an index takes at most."""


def _zone() -> str:
    """The hours in the sums are local: elsewhere they are worked out again."""
    return f"{time.tzname} {time.timezone} {time.altzone}"


def connect(path: Path) -> sqlite3.Connection:
    """A connection that may be handed to a thread; one thread uses it at a time."""
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    # Everything here can be made again: after a power cut the file may be, after a kill it is good.
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -16000")
    return connection


class WriteLock:
    """Who brings the index up to date: one process, until it ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f"{path.name}-lock")
        self._descriptor: int | None = None

    def take(self) -> bool:
        if self._descriptor is not None:
            return True
        descriptor = open_private(self._path, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def drop(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def prepare(path: Path, lock: WriteLock, *, fresh: bool = False) -> None:
    """Makes the database; again where it is of another version, broken, or to be `fresh`.

    Raises OSError or sqlite3.Error. Without the lock it can only be taken as it is.
    """
    mine = lock.take()
    until = time.monotonic() + _MAKING
    while not mine and not _is_made(path) and time.monotonic() < until:
        time.sleep(0.02)
        mine = lock.take()
    if mine and fresh:
        _discard(path)
    for _ in range(2):
        os.close(open_private(path, os.O_RDWR | os.O_CREAT))
        with contextlib.closing(sqlite3.connect(path, timeout=10)) as connection:
            try:
                [version] = connection.execute("PRAGMA user_version").fetchone()
                if version == 0 and mine:
                    connection.execute("PRAGMA journal_mode = WAL")
                    _make(connection)
                    return
                if version == VERSION and _zone_of(connection) == _zone():
                    return
            except sqlite3.OperationalError:
                if not mine:
                    raise
            except sqlite3.DatabaseError:
                pass
        if not mine:
            break
        _discard(path)
    raise sqlite3.OperationalError("another program has an index of another version open")


def _is_made(path: Path) -> bool:
    """Another program that has the lock may be about to make it."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=10)) as connection:
            [version] = connection.execute("PRAGMA user_version").fetchone()
            return bool(version)
    except sqlite3.DatabaseError:
        return False


def _zone_of(connection: sqlite3.Connection) -> str:
    found = connection.execute("SELECT value FROM setting WHERE name = 'zone'").fetchone()
    return "" if found is None else str(found[0])


def _make(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in statements(TABLES, INDEXES, TRIGGERS):
            connection.execute(statement)
        connection.execute("INSERT INTO setting VALUES('zone', ?)", (_zone(),))
        connection.execute(f"PRAGMA user_version = {VERSION}")


def statements(*scripts: str) -> list[str]:
    """A script's statements one by one: executescript would commit before the first."""
    found, begun = [], ""
    for line in "\n".join(scripts).splitlines(keepends=True):
        begun += line
        if begun.strip() and sqlite3.complete_statement(begun):
            found.append(begun)
            begun = ""
    return found


def _discard(path: Path) -> None:
    """Deletes an index with what SQLite keeps beside it."""
    for end in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(OSError):
            path.with_name(f"{path.name}{end}").unlink()

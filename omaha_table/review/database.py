"""The projection's database file: its tables, and opening it whatever state it is in."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING, Final

from omaha_table.files import open_private

if TYPE_CHECKING:
    from pathlib import Path

VERSION: Final = 5
_SCHEMA: Final = f"""
CREATE TABLE source(file TEXT PRIMARY KEY, hands INTEGER NOT NULL, state TEXT NOT NULL,
  fault TEXT NOT NULL, "table" TEXT NOT NULL, day TEXT NOT NULL, place TEXT NOT NULL);
CREATE TABLE hand(
  id INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT NOT NULL, "table" TEXT NOT NULL,
  day TEXT NOT NULL, number INTEGER NOT NULL, started_us INTEGER NOT NULL, seconds REAL NOT NULL,
  dealer TEXT NOT NULL, shift TEXT NOT NULL, dealt INTEGER NOT NULL, pot INTEGER NOT NULL,
  fee INTEGER NOT NULL, jackpot INTEGER NOT NULL, winners TEXT NOT NULL, flags TEXT NOT NULL,
  seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, log TEXT NOT NULL, box TEXT NOT NULL,
  jackpot_box TEXT NOT NULL, down INTEGER NOT NULL, flop_us INTEGER NOT NULL,
  ended_us INTEGER NOT NULL, waived INTEGER NOT NULL, outcome TEXT NOT NULL,
  flop INTEGER NOT NULL, refunded INTEGER NOT NULL, box_file TEXT NOT NULL,
  box_day TEXT NOT NULL, box_log TEXT NOT NULL);
CREATE UNIQUE INDEX one ON hand(file, seq);
CREATE INDEX by_time ON hand(started_us);
CREATE INDEX by_pot ON hand(pot);
CREATE INDEX by_dealer ON hand(dealer COLLATE NOCASE);
CREATE TABLE seat(hand INTEGER NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL,
  put_in INTEGER NOT NULL, won INTEGER NOT NULL);
CREATE INDEX seats ON seat(hand);
CREATE INDEX by_seat ON seat(seat, hand);
CREATE TABLE flag(hand INTEGER NOT NULL, flag TEXT NOT NULL);
CREATE INDEX by_flag ON flag(flag, hand);
CREATE TABLE incident(
  id INTEGER PRIMARY KEY, file TEXT NOT NULL, "table" TEXT NOT NULL, day TEXT NOT NULL,
  log TEXT NOT NULL, hand INTEGER, number INTEGER, first_seq INTEGER, seq INTEGER NOT NULL,
  jot INTEGER NOT NULL, at_us INTEGER NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL,
  says TEXT NOT NULL, more TEXT NOT NULL, key TEXT NOT NULL);
CREATE UNIQUE INDEX one_incident ON incident(file, seq, kind, jot, says);
CREATE INDEX incidents_by_kind ON incident(rank, at_us DESC, id DESC);
CREATE INDEX incidents_by_time ON incident(at_us);
CREATE VIRTUAL TABLE words USING fts5(said, content='');
PRAGMA user_version = {VERSION};
"""


def open_database(path: Path | None) -> sqlite3.Connection:
    """The database of a path, made again where it is of another version or broken; in memory where
    another reviewer has it."""
    if path is None:
        return _made(sqlite3.connect(":memory:"))
    for _ in range(2):
        try:
            # Nobody else in this program has it open, so closing this drops no lock.
            os.close(open_private(path, os.O_RDWR | os.O_CREAT))
            connection = sqlite3.connect(path, timeout=0)
        except (OSError, sqlite3.Error):
            break
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            [version] = connection.execute("PRAGMA user_version").fetchone()
            if version in (0, VERSION):
                connection.execute("BEGIN EXCLUSIVE")
                connection.execute("COMMIT")
                return _made(connection) if version == 0 else connection
        except sqlite3.OperationalError:
            connection.close()
            break
        except sqlite3.DatabaseError:
            pass
        connection.close()
        with contextlib.suppress(OSError):
            path.unlink()
    return _made(sqlite3.connect(":memory:"))


def _made(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.executescript(_SCHEMA)
    return connection

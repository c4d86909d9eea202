"""What was refused, for the reviewer: a diary in the journal's file, not sealed.

No event depends on it, no hash is over it, and it may be missing, cut or forged without any
other row being the worse for it. Whoever shows it says so.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

MOST: Final = 200
"""Refusals kept from one seal to the next, so that a stuck key cannot fill a disk."""
_LONGEST: Final = 400

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS refusal(
  id INTEGER PRIMARY KEY, after_seq INTEGER NOT NULL, at_us INTEGER NOT NULL, hand INTEGER,
  code TEXT NOT NULL, message TEXT NOT NULL, rule TEXT NOT NULL, source TEXT NOT NULL) STRICT
"""
_COLUMNS: Final = "after_seq, at_us, hand, code, message, rule, source"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was refused, and after which event; the command itself is not kept."""

    after_seq: int
    at_us: int
    hand: int | None
    """The hand that was being played."""
    code: str
    message: str
    rule: str
    source: str
    id: int = 0
    """Its number in the diary."""


def write_refusal(connection: sqlite3.Connection, refusal: Refusal, since: int) -> None:
    """Adds a refusal inside a transaction, unless there are enough since an event."""
    connection.execute(_TABLE)
    [kept] = connection.execute(
        "SELECT count(*) FROM refusal WHERE after_seq >= ?", (since,)
    ).fetchone()
    if kept >= MOST:
        return
    said = (refusal.code, refusal.message, refusal.rule, refusal.source)
    connection.execute(
        f"INSERT INTO refusal({_COLUMNS}) VALUES(?,?,?,?,?,?,?)",
        (refusal.after_seq, refusal.at_us, refusal.hand, *(text[:_LONGEST] for text in said)),
    )


def read_refusals(
    connection: sqlite3.Connection, first: int = 0, last: int = 1 << 62
) -> list[Refusal]:
    """The refusals after some events, in order; none where the diary is missing or damaged."""
    try:
        rows = connection.execute(
            f"SELECT {_COLUMNS}, id FROM refusal WHERE after_seq BETWEEN ? AND ? "
            "ORDER BY after_seq, id",
            (first, last),
        ).fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        return []
    return [Refusal(*row) for row in rows if _well_typed(row)]


def _well_typed(row: tuple[object, ...]) -> bool:
    after, at, hand, *said, number = row
    return (
        isinstance(after, int)
        and isinstance(at, int)
        and isinstance(hand, int | None)
        and isinstance(number, int)
        and all(isinstance(text, str) for text in said)
    )

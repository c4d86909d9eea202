"""The refusal log: what was refused, for the reviewer. In the journal's file, but not sealed.

No event depends on it and no hash covers it. It may be missing, cut or forged without harm to any
other row, so every screen and report marks its content as not sealed.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

MAX_REFUSALS: Final = 200
"""Refusals kept between two seals, so that a stuck key cannot fill the disk."""
_MAX_TEXT: Final = 400

REFUSALS: Final = """
CREATE TABLE IF NOT EXISTS refusal(
  id INTEGER PRIMARY KEY, after_seq INTEGER NOT NULL, at_us INTEGER NOT NULL, hand INTEGER,
  code TEXT NOT NULL, message TEXT NOT NULL, rule TEXT NOT NULL, source TEXT NOT NULL) STRICT
"""
_COLUMNS: Final = "after_seq, at_us, hand, code, message, rule, source"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal and the event it came after; the command itself is not kept."""

    after_seq: int
    at_us: int
    hand: int | None
    """The hand in play."""
    code: str
    message: str
    rule: str
    source: str
    id: int = 0
    """Its row in the refusal log."""


def write_refusal(connection: sqlite3.Connection, refusal: Refusal, since: int) -> None:
    """Adds a refusal inside a transaction, unless there are too many since an event."""
    connection.execute(REFUSALS)
    [kept] = connection.execute(
        "SELECT count(*) FROM refusal WHERE after_seq >= ?", (since,)
    ).fetchone()
    if kept >= MAX_REFUSALS:
        return
    texts = (refusal.code, refusal.message, refusal.rule, refusal.source)
    connection.execute(
        f"INSERT INTO refusal({_COLUMNS}) VALUES(?,?,?,?,?,?,?)",
        (refusal.after_seq, refusal.at_us, refusal.hand, *(text[:_MAX_TEXT] for text in texts)),
    )


def read_refusals(
    connection: sqlite3.Connection, first: int = 0, last: int = 1 << 62
) -> list[Refusal]:
    """The refusals after a range of events, in order; none if the log is missing or damaged."""
    try:
        # A view of this name could be endless.
        [kind] = connection.execute(
            "SELECT type FROM sqlite_schema WHERE name = 'refusal'"
        ).fetchone() or ("",)
        if kind != "table":
            return []
        rows = connection.execute(
            f"SELECT {_COLUMNS}, id FROM refusal WHERE after_seq BETWEEN ? AND ? "
            "ORDER BY after_seq, id",
            (first, last),
        ).fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        return []
    return [Refusal(*row) for row in rows if _well_typed(row)]


def _well_typed(row: tuple[object, ...]) -> bool:
    after, at, hand, *texts, number = row
    return (
        isinstance(after, int)
        and isinstance(at, int)
        and isinstance(hand, int | None)
        and isinstance(number, int)
        and all(isinstance(text, str) for text in texts)
    )

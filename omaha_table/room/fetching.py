"""Journals written again from what the room has: for a table whose disk is gone, or as evidence."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final, LiteralString

import psycopg

from omaha_table.journal.cosignatures import Cosignature, is_genuine
from omaha_table.journal.days import date_of
from omaha_table.journal.rebuilding import rebuild
from omaha_table.room.database import RoomRefused, room_error
from omaha_table.room.listing import HeldRows, Listed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.room.link import ReaderLink

_HISTORIES: Final[LiteralString] = """
SELECT j.source, s.kind, j.day, j.generation, j.seq, j.head, j.previous,
  (extract(epoch FROM j.moved_at) * 1000000)::bigint, j.replaced_by IS NOT NULL,
  (extract(epoch FROM s.enrolled_at) * 1000000)::bigint
FROM room.journal j JOIN room.source s ON s.name = j.source
WHERE j.source = %s ORDER BY j.day, j.generation
"""
_COSIGNED: Final[LiteralString] = """
SELECT source, day, generation, seq, encode(head, 'hex'), at_us, key, signature
FROM room.cosignature WHERE (source, day, generation) = (%s, %s, %s) ORDER BY seq DESC
"""


def histories(link: ReaderLink, source: str, day: str, generation: int | None) -> list[Listed]:
    """The newest history of each day of a source, or of one day; or the history with a number.

    Raises RoomRefused if there is none.
    """
    with link.lent() as room:
        try:
            rows = room.execute(_HISTORIES, (source,)).fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None
    every = [Listed(*row) for row in rows]
    chosen = [one for one in every if day in ("", one.day, date_of(one.day))]
    if generation is not None:
        chosen = [one for one in chosen if one.generation == generation]
    if not chosen:
        days = ", ".join(dict.fromkeys(one.day for one in every))
        which = " ".join(filter(None, (source, day)))
        history = "" if generation is None else f", history {generation}"
        raise RoomRefused(
            f"The room has nothing of {which}{history}. "
            + (f"It has {days}." if days else "'omaha-table room status' lists its tables.")
        )
    return list({one.day: one for one in chosen}.values())


def fetch(link: ReaderLink, listed: list[Listed], folder: Path) -> Iterator[tuple[Path, int]]:
    """Writes these journals into a folder: the path of each, and how many events it has.

    Raises JournalFault or Away.
    """
    for one in listed:
        path = folder / one.path.name
        with closing(HeldRows(link, one)) as rows:
            yield path, rebuild(path, rows.since(), rows.refusals(), _cosignature(link, one))


def _cosignature(link: ReaderLink, listed: Listed) -> Cosignature | None:
    """The newest one by the witness that the bundle names; without a name, by any."""
    with link.lent() as room:
        try:
            found = room.execute(_COSIGNED, listed.history).fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None
    given = [Cosignature(*row) for row in found]
    return next((one for one in given if is_genuine(one, link.witness_key or one.key)), None)

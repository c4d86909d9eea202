"""What the room has of journals, asked by a table of its own or by a reader of any."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, LiteralString

import psycopg

from omaha_table.journal.anchors import RoomCopy
from omaha_table.journal.cosignatures import Cosignature, is_genuine
from omaha_table.room.database import check_version, connect, room_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from omaha_table.room.bundle import Bundle
    from omaha_table.room.database import Connection


def copies(
    bundle: Bundle, sources: Iterable[str], offices: Mapping[str, bytes] | None = None
) -> dict[str, RoomCopy]:
    """What the room has, by the names of the journals; of these tables, and of office journals by
    the hash of their first event. Raises RoomError.

    A table's or an office's own bundle shows what the room has of that one.
    """
    with closing(connect(bundle.url)) as room:
        check_version(room)
        try:
            if bundle.kind == "reader":
                found = _of_all(room, bundle.witness_key, list(sources))
                for name, first in (offices or {}).items():
                    found |= _of_office(room, bundle.witness_key, name, first)
                return found
            return _of_own(room, bundle)
        except psycopg.Error as error:
            raise room_error(error) from None


def cosigned(room: Connection, source: str, day: str) -> Cosignature | None:
    """The newest cosignature of the asking source's journal; whoever made it."""
    try:
        found = room.execute("SELECT * FROM room.cosigned(%s)", (day,)).fetchone()
    except psycopg.Error as error:
        raise room_error(error) from None
    if found is None:
        return None
    generation, seq, head, at_us, key, signature = found
    return Cosignature(source, day, generation, seq, bytes(head).hex(), at_us, key, signature)


def _of_own(room: Connection, bundle: Bundle) -> dict[str, RoomCopy]:
    found = {}
    for day, seq, head in room.execute("SELECT day, seq, head FROM room.heads()").fetchall():
        given = cosigned(room, bundle.name, day)
        found[_journal(bundle.name, day)] = _copy(seq, head, given, bundle.witness_key)
    return found


_CURRENT: Final[LiteralString] = (
    "SELECT j.source, j.day, j.generation, j.seq, j.head, c.seq, c.head, c.at_us, c.signature "
    "FROM room.journal j LEFT JOIN room.cosignature c ON (c.source, c.day, c.generation, c.key)"
    " = (j.source, j.day, j.generation, %s) WHERE j.replaced_by IS NULL "
)


def _of_all(room: Connection, key: str, sources: list[str]) -> dict[str, RoomCopy]:
    rows = room.execute(f"{_CURRENT} AND j.source = ANY(%s)", (key, sources)).fetchall()
    return _copies(rows, key)


def _of_office(room: Connection, key: str, name: str, first: bytes) -> dict[str, RoomCopy]:
    """Of the office whose journal begins with this event: files of all offices have one name."""
    rows = room.execute(
        f"{_CURRENT} AND j.day = %s AND EXISTS (SELECT FROM room.event e WHERE e.day = j.day "
        "AND e.source = j.source AND e.generation = j.generation AND e.seq = 1 AND e.hash = %s)",
        (key, name, first),
    ).fetchall()
    return _copies(rows, key)


def _copies(rows: list[tuple[Any, ...]], key: str) -> dict[str, RoomCopy]:
    found = {}
    for source, day, generation, seq, head, at, signed_head, at_us, signature in rows:
        given = None
        if at is not None:
            hexed = bytes(signed_head).hex()
            given = Cosignature(source, day, generation, at, hexed, at_us, key, signature)
        found[_journal(source, day)] = _copy(seq, head, given, key)
    return found


def _copy(seq: int, head: bytes, given: Cosignature | None, key: str) -> RoomCopy:
    if given is None or not is_genuine(given, key):
        return RoomCopy(seq, bytes(head).hex())
    return RoomCopy(seq, bytes(head).hex(), given.seq, given.head)


def _journal(source: str, day: str) -> str:
    """The name of a journal's file, without its ending."""
    return day if day.startswith("office-") else f"{source}-{day}"

"""The rows of a journal in the room, read as those of a file are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import psycopg

from omaha_table.journal.chain import Row
from omaha_table.journal.diary import Refusal
from omaha_table.journal.schema import SEAL, STREET_SEAL
from omaha_table.room.database import room_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_table.room.database import Connection

_COLUMNS: Final = "seq, hand, at_us, mono_us, kind, actor, body, hash"
_PAGE: Final = 2000


class JournalName(NamedTuple):
    """One history of a source's day."""

    source: str
    day: str
    generation: int


class RoomRows:
    """The rows of one journal; raises RoomError."""

    def __init__(self, room: Connection, name: JournalName) -> None:
        self._room, self._name = room, name

    def since(self, seq: int = 0, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The rows after `seq` in order, a page at a time: no transaction stays open."""
        which, values = ("kind = ANY(%s) AND ", [list(kinds)]) if kinds else ("", [])
        while True:
            page = self._rows(f"{which}seq > %s ORDER BY seq LIMIT %s", *values, seq, _PAGE)
            yield from page
            if len(page) < _PAGE:
                return
            seq = page[-1].seq

    def get(self, seq: int) -> Row | None:
        return self._one("seq = %s", seq)

    def last(self) -> Row | None:
        return self._one("seq > 0 ORDER BY seq DESC LIMIT 1")

    def last_seal(self, before: int | None = None) -> Row | None:
        """The latest seal of a hand, or the latest one before an event."""
        last = (1 << 62) if before is None else before
        return self._one("kind = %s AND seq < %s ORDER BY seq DESC LIMIT 1", SEAL, last)

    def signed_before(self, seq: int) -> Row | None:
        """The latest seal before an event, of a hand or of a street."""
        return self._one(
            "kind IN (%s, %s) AND seq < %s ORDER BY seq DESC LIMIT 1", SEAL, STREET_SEAL, seq
        )

    def refusals(self, first: int = 0, last: int = 1 << 62) -> list[Refusal]:
        """What was refused at the table after a range of events; no hash covers it."""
        query = (
            "SELECT after_seq, at_us, hand, code, message, rule, from_document, id "
            "FROM room.refusal WHERE source = %s AND day = %s AND after_seq BETWEEN %s AND %s "
            "ORDER BY id"
        )
        values = (self._name.source, self._name.day, first, last)
        try:
            found = self._room.execute(query.encode(), values).fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None
        return [Refusal(*row) for row in found]

    def _one(self, which: str, *values: object) -> Row | None:
        found = self._rows(which, *values)
        return found[0] if found else None

    def _rows(self, which: str, *values: object) -> list[Row]:
        query = (
            f"SELECT {_COLUMNS} FROM room.event "
            f"WHERE source = %s AND day = %s AND generation = %s AND {which}"
        )
        try:
            found = self._room.execute(query.encode(), (*self._name, *values)).fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None
        return [Row._make((*row[:-1], bytes(row[-1]))) for row in found]

"""The rows of a journal in the room, read as those of a file are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, LiteralString, NamedTuple

import psycopg
from psycopg import sql

from omaha_table.journal.chain import Row
from omaha_table.journal.diary import Refusal
from omaha_table.journal.schema import SEAL, STREET_SEAL
from omaha_table.room.database import room_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_table.room.database import Connection

_COLUMNS: Final[LiteralString] = "seq, hand, at_us, mono_us, kind, actor, body, hash"
PAGE: Final = 2000
_NO_END: Final = 1 << 62


class JournalName(NamedTuple):
    """One history of a source's day."""

    source: str
    day: str
    generation: int


class RoomRows:
    """The rows of one journal, up to an event; raises RoomError."""

    def __init__(self, room: Connection, name: JournalName, end: int = _NO_END) -> None:
        self._room, self._name, self._end = room, name, end

    def since(self, seq: int = 0, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The rows after `seq` in order, a page at a time: no transaction stays open."""
        while True:
            page = self._page(seq, kinds)
            yield from page
            if len(page) < PAGE:
                return
            seq = page[-1].seq

    def _page(self, after: int, kinds: Sequence[str] = ()) -> list[Row]:
        if not kinds:
            return self._rows(sql.SQL("seq > %s ORDER BY seq LIMIT %s"), after, PAGE)
        # Written out, not as values: an index of some kinds is only used for those.
        names = sql.SQL(", ").join(map(sql.Literal, kinds))
        which = sql.SQL("seq > %s AND kind IN ({}) ORDER BY seq LIMIT %s").format(names)
        return self._rows(which, after, PAGE)

    def get(self, seq: int) -> Row | None:
        return self._one("seq = %s", seq)

    def last(self) -> Row | None:
        return self._one("true ORDER BY seq DESC LIMIT 1")

    def last_seal(self, before: int | None = None) -> Row | None:
        """The latest seal of a hand, or the latest one before an event."""
        most = _NO_END if before is None else before
        return self._one("kind = %s AND seq < %s ORDER BY seq DESC LIMIT 1", SEAL, most)

    def signed_before(self, seq: int) -> Row | None:
        """The latest seal before an event, of a hand or of a street."""
        return self._one(
            "kind IN (%s, %s) AND seq < %s ORDER BY seq DESC LIMIT 1", SEAL, STREET_SEAL, seq
        )

    def refusals(self, first: int = 0, last: int = _NO_END) -> list[Refusal]:
        """What was refused after a range of events; not sealed."""
        found = self._ask(
            sql.SQL(
                "SELECT after_seq, at_us, hand, code, message, rule, from_document, id "
                "FROM room.refusal WHERE source = %s AND day = %s AND after_seq BETWEEN %s AND %s "
                "ORDER BY after_seq, id"
            ),
            self._name.source, self._name.day, first, min(last, self._end),
        )  # fmt: skip
        return [Refusal(*row) for row in found]

    def _one(self, which: LiteralString, *values: object) -> Row | None:
        found = self._rows(sql.SQL(which), *values)
        return found[0] if found else None

    def _rows(self, which: sql.SQL | sql.Composed, *values: object) -> list[Row]:
        query = sql.SQL(
            f"SELECT {_COLUMNS} FROM room.event "
            "WHERE source = %s AND day = %s AND generation = %s AND seq <= %s AND {}"
        ).format(which)
        return list(map(Row._make, self._ask(query, *self._name, self._end, *values)))

    def _ask(self, query: sql.SQL | sql.Composed, *values: object) -> list[tuple[Any, ...]]:
        try:
            # Binary: half the work for a hash and the numbers.
            with self._room.cursor(binary=True) as cursor:
                return cursor.execute(query, values).fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None

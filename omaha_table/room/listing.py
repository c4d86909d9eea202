"""Which journals the room has, and the rows of one as far as it was listed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, LiteralString, NamedTuple

import psycopg

from omaha_table.journal.chain import follows
from omaha_table.journal.days import SUFFIX
from omaha_table.journal.faults import Gone, Tampered
from omaha_table.room.database import RoomError, room_error
from omaha_table.room.rows import PAGE, JournalName, RoomRows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from psycopg import sql

    from omaha_table.journal.chain import Row
    from omaha_table.room.link import ReaderLink

_LIST: Final = """
SELECT DISTINCT ON (j.source, j.day) j.source, s.kind, j.day, j.generation, j.seq, j.head,
  j.previous, (extract(epoch FROM j.moved_at) * 1000000)::bigint, j.replaced_by IS NOT NULL,
  (extract(epoch FROM s.enrolled_at) * 1000000)::bigint
FROM room.journal j JOIN room.source s ON s.name = j.source
ORDER BY j.source, j.day, j.generation DESC
"""


class Listed(NamedTuple):
    """A journal as the room lists it."""

    source: str
    kind: str
    day: str
    generation: int
    seq: int
    head: bytes
    previous: bytes
    moved_us: int
    put_aside: bool
    """Somebody answered for an alarm, and nothing has replaced it yet."""
    enrolled_us: int
    """When its source was admitted: what is older was not witnessed when it was written."""

    @property
    def history(self) -> JournalName:
        return JournalName(self.source, self.day, self.generation)

    @property
    def path(self) -> Path:
        """As its file is called; of a folder that is not here."""
        name = self.day if self.kind == "office" else f"{self.source}-{self.day}"
        return Path(self.source, f"{name}{SUFFIX}")


def listing(link: ReaderLink) -> list[Listed]:
    """The newest history of each day of each source, oldest day first. Raises Away."""
    with link.lent(patient=True) as room:
        try:
            rows = room.execute(_LIST).fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None
    return [Listed(*row) for row in rows]


_RECORDED: Final[LiteralString] = """
SELECT j.source FROM unnest(%s::text[], %s::text[], %s::int[]) AS j(source, day, generation)
WHERE EXISTS (SELECT FROM room.event e
  WHERE e.source = j.source AND e.day = j.day AND e.generation = j.generation
    AND e.kind IN ('box_counted', 'hand_noted', 'hand_tagged'))
"""


def with_records(link: ReaderLink, offices: Sequence[Listed]) -> list[Listed]:
    """The journals of the offices that have recorded counts, notes or tags.

    Those of tables hold PINs and nothing that is shown: there are many, and they are long.
    """
    if not offices:
        return []
    columns = [[getattr(one, name) for one in offices] for name in JournalName._fields]
    with link.lent() as room:
        try:
            found = {source for (source,) in room.execute(_RECORDED, columns).fetchall()}
        except psycopg.Error as error:
            raise room_error(error) from None
    return [one for one in offices if one.source in found]


class HeldRows(RoomRows):
    """Rows read over a connection that is lent until `close`. Raises Away or JournalFault.

    They are append-only: up to the event that was listed they stay as they are. Read in order,
    each is checked against the chain, and the last against the head that was listed.
    """

    def __init__(self, link: ReaderLink, listed: Listed, *, check: bool = True) -> None:
        if not listed.seq:
            raise Gone(f"The room has no journal {listed.path.name}.")
        self._link, self._listed, self._check = link, listed, check
        super().__init__(link.borrow(), listed.history, listed.seq)

    def hold(self) -> None:
        """Nothing to do: what was listed does not change."""

    def close(self) -> None:
        self._link.give_back(self._room)

    def since(self, seq: int = 0, kinds: Sequence[str] = ()) -> Iterator[Row]:
        if kinds or not self._check:
            yield from super().since(seq, kinds)
            return
        head = self._listed.previous
        if seq:
            before = self.get(seq)
            if before is None:
                raise Tampered(f"Event {seq} is missing in the room.")
            head = before.hash
        while True:
            page = self._page(seq)
            for row in page:
                if row.seq != seq + 1:
                    raise Tampered(f"Event {seq + 1} is missing in the room.")
                if not follows(row, head):
                    raise Tampered(f"Event {row.seq} was changed in the room.")
                seq, head = row.seq, row.hash
                yield row
            if len(page) < PAGE:
                break
        if (seq, head) != (self._listed.seq, self._listed.head):
            raise Tampered(f"Events are missing in the room: it lists {self._listed.seq}.")

    def _ask(self, query: sql.SQL | sql.Composed, *values: object) -> list[tuple[Any, ...]]:
        try:
            return super()._ask(query, *values)
        except RoomError as error:
            raise self._link.away(error) from None

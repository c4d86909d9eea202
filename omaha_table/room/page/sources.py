"""What the room has of each table now: how far its log is, who signed it, and its heartbeat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import psycopg

from omaha_table.room.database import room_error
from omaha_table.room.rows import JournalName

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omaha_table.room.database import Connection


@dataclass(frozen=True, slots=True)
class Source:
    """A table as the room knows it."""

    name: str
    day: str
    """Empty: nothing was received yet."""
    generation: int
    seq: int
    cosigned_seq: int
    cosigned_at: float
    """Seconds since 1970; 0: the witness has signed nothing of this day."""
    unsigned_since: float
    """Since when the oldest event that is not cosigned has been here; 0: all are."""
    heard_at: float
    """The last sign of life; 0: none yet."""
    beats: bool
    """Whether it sends heartbeats, so that silence means something."""
    beat: Mapping[str, Any]
    alarm: str
    """Of the log; empty: none."""
    alarm_at: float

    @property
    def journal(self) -> JournalName:
        return JournalName(self.name, self.day, self.generation)


def sources(room: Connection, names: Sequence[str] | None = None) -> list[Source]:
    """The tables with these names, or all; raises RoomError."""
    try:
        rows = room.execute(_SOURCES, {"names": None if names is None else list(names)}).fetchall()
    except psycopg.Error as error:
        raise room_error(error) from None
    return [Source(*row) for row in rows]


def last_times(
    room: Connection, journal: JournalName, kind: str, since: float, most: int
) -> list[int]:
    """When the last events of a kind were written, the latest first, in microseconds."""
    try:
        rows = room.execute(
            "SELECT at_us FROM room.event WHERE source = %s AND day = %s AND generation = %s "
            "AND kind = %s AND at_us > %s ORDER BY seq DESC LIMIT %s",
            (*journal, kind, round(since * 1e6), most),
        ).fetchall()
    except psycopg.Error as error:
        raise room_error(error) from None
    return [at_us for (at_us,) in rows]


_SOURCES: Final = b"""
SELECT o.name, coalesce(o.day, ''), coalesce(o.generation, 0), coalesce(o.seq, 0),
  coalesce(o.cosigned_seq, 0), coalesce(o.cosigned_at_us, 0) / 1e6::float8,
  coalesce(CASE WHEN o.day IS NULL OR o.cosigned_seq = o.seq THEN 0 ELSE (
    SELECT extract(epoch FROM e.received_at)::float8 FROM room.event e
    WHERE e.day = o.day AND e.source = o.name AND e.generation = o.generation
      AND e.seq = coalesce(o.cosigned_seq, 0) + 1
  ) END, 0),
  coalesce(extract(epoch FROM greatest(o.heard_at, o.moved_at))::float8, 0),
  o.heard_at IS NOT NULL, coalesce(o.beat, '{}'), coalesce(o.alarm, ''),
  coalesce((SELECT extract(epoch FROM min(a.at))::float8 FROM room.alarm a
    WHERE a.source = o.name AND a.answered_by IS NULL), 0)
FROM room.overview o
WHERE o.kind = 'table' AND (%(names)s::text[] IS NULL OR o.name = ANY(%(names)s)) ORDER BY o.name
"""

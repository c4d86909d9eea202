"""One line per table: what `room status` and the floor's page show first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from omaha_table.room.database import room_error

if TYPE_CHECKING:
    from omaha_table.room.database import Connection


@dataclass(frozen=True, slots=True)
class TableStatus:
    table: str
    day: str | None
    """None: nothing was received yet."""
    seq: int | None
    head: str | None
    cosigned_seq: int | None
    seconds_behind: float | None
    """How long the oldest event that is not cosigned has been here; 0: all are."""
    last_heard: float | None
    alarm: str | None
    beat: dict[str, Any] | None
    """The last heartbeat: what the table said of itself. Nobody else has checked it."""
    seconds_since_beat: float | None


def overview(room: Connection) -> list[TableStatus]:
    """All tables and office journals, by name; raises RoomError."""
    try:
        rows = room.execute(_OVERVIEW).fetchall()
    except psycopg.Error as error:
        raise room_error(error) from None
    return [TableStatus(*row) for row in rows]


_OVERVIEW = b"""
SELECT o.name, o.day, o.seq, encode(o.head, 'hex'), o.cosigned_seq,
  CASE WHEN o.day IS NULL THEN NULL WHEN o.cosigned_seq = o.seq THEN 0 ELSE (
    SELECT extract(epoch FROM clock_timestamp() - e.received_at)::float8 FROM room.event e
    WHERE e.day = o.day AND e.source = o.name AND e.generation = o.generation
      AND e.seq = coalesce(o.cosigned_seq, 0) + 1
  ) END,
  extract(epoch FROM greatest(o.heard_at, o.moved_at))::float8, o.alarm, o.beat,
  extract(epoch FROM clock_timestamp() - o.heard_at)::float8
FROM room.overview o ORDER BY o.name
"""

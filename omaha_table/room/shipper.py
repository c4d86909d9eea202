"""Sends a table's journals to the room, as they are written.

The journal is the outbox and the room's head the cursor: nothing is remembered here, so nothing can
be remembered wrongly. Each read opens the file read-only and closes it again, so that no
transaction stays open and the table can close its day.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import psycopg

from omaha_table.journal.chain import START
from omaha_table.journal.days import SUFFIX, day_files, office_files
from omaha_table.journal.events import DayOpened
from omaha_table.journal.reader import Reader, record_of
from omaha_table.room.database import RoomError, RoomRefused, RoomUnreachable, room_error

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.room.database import Connection

MOST_ROWS: Final = 500
"""Of one call: less than a second of work for the room, and a hand's events at once."""
_MOST_GAPS: Final = 5
"""A room that was put back from a backup goes back once; one that lies must not keep us busy."""
COMMIT_SECONDS: Final = 0.1
"""A file is written before its commit is there to be read: so long it is read again, unchanged."""
Stamp: TypeAlias = tuple[tuple[int, int], ...]
STOPPING: Final = frozenset(("rolled_back", "forked", "broken", "alarmed"))


class Head(NamedTuple):
    seq: int
    hash: bytes


class Alarm(RoomError):  # noqa: N818 - a finding about the log, not an error of the program
    """This log and the room's copy differ, or the room cannot take it."""

    def __init__(self, what: str, day: str, room: Head, here: int) -> None:
        super().__init__(_WORDS[what].format(day=day, room=room.seq, here=here))
        self.what, self.day = what, day


_WORDS: Final = {
    "rolled_back": "The log of {day} is shorter than the room's copy: {here} events here, {room} "
    "there. It was cut or put back from a backup. Call a shift manager.",
    "forked": "The log of {day} is not the one that the room has a copy of. Call a shift manager.",
    "broken": "The log of {day} does not fit its own hashes at event {here}. Run verify, and call "
    "a shift manager.",
    "unlinked": "The log of {day} does not continue the day before it, as the room knows it.",
    "foreign": "The log of {day} is not this table's.",
    "alarmed": "The room takes nothing from this table until it is enrolled again.",
}


@dataclass
class Shipper:
    """What one shipper knows between two rounds: what it may skip without asking."""

    folder: Path
    name: str
    kind: str
    heads: dict[str, Head] = field(default_factory=dict)
    """The room's heads, by day; asked for again after each connection."""
    greeted: set[str] = field(default_factory=set)
    refused: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By day, the last refusal that the room has: its number, and the event it came after."""
    seen: dict[Path, tuple[Stamp, float]] = field(default_factory=dict)
    """How each journal's files looked when they were read, and since when they have."""

    def start(self, room: Connection) -> None:
        """After each connection: what the room has now. Raises RoomError."""
        try:
            rows = room.execute("SELECT day, seq, head FROM room.heads()").fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None
        self.heads = {day: Head(seq, bytes(head)) for day, seq, head in rows}
        self.greeted.clear()
        self.refused.clear()
        self.seen.clear()

    def ship(self, room: Connection) -> int:
        """Sends what the room does not have; how many events. Raises RoomError or JournalFault."""
        sent = 0
        try:
            for path, day in self.journals():
                stamp = _stamp(path)
                before, since = self.seen.get(path, (None, 0.0))
                if stamp == before and time.monotonic() - since >= COMMIT_SECONDS:
                    continue
                sent += self._ship_day(room, path, day)
                if stamp != before:
                    self.seen[path] = stamp, time.monotonic()
        except psycopg.Error as error:
            raise room_error(error) from None
        return sent

    def journals(self) -> list[tuple[Path, str]]:
        """The journals here, oldest first, with the names that their days have on the wire."""
        if self.kind == "office":
            return [(path, path.name.removesuffix(SUFFIX)) for path in office_files(self.folder)]
        return [
            (path, path.name.removesuffix(SUFFIX).removeprefix(f"{self.name}-"))
            for path in day_files(self.folder, self.name)
        ]

    def _ship_day(self, room: Connection, path: Path, day: str) -> int:
        sent = 0
        known = self.heads.get(day, Head(0, b""))
        if day not in self.greeted:
            known = self._greet(room, path, day, known)
        gaps = 0
        while True:
            rows, previous = _rows_after(path, known)
            if not rows:
                self._ship_refusals(room, path, day)
                return sent
            answer, seq, head = self._append(room, day, known.seq, previous, rows)
            if answer in STOPPING or answer in ("unlinked", "foreign"):
                raise Alarm(answer, day, Head(seq, head), known.seq + len(rows))
            gaps += answer == "gap"
            if answer not in ("ok", "gap") or (answer == "ok" and seq <= known.seq):
                raise RoomRefused(f"The room answers '{answer}' {seq}, which is no answer.")
            if gaps > _MOST_GAPS:
                raise RoomUnreachable("The room asks again and again for what it was sent.")
            sent += max(seq - known.seq, 0) if answer == "ok" else 0
            known = self.heads[day] = Head(seq, head)

    def _greet(self, room: Connection, path: Path, day: str, known: Head) -> Head:
        """Says what is here, before anything is sent: a log that was cut must not go on."""
        with Reader(path) as reader:
            last = reader.count()
            row = reader.get(known.seq) if 0 < known.seq <= last else None
        found = room.execute(
            "SELECT answer, seq, head FROM room.hello(%s, %s, %s)",
            (day, last, None if row is None else row.hash),
        ).fetchone()
        assert found is not None
        answer, seq, head = found
        at = Head(seq, bytes(head or b""))
        if answer in STOPPING:
            raise Alarm(answer, day, at, last)
        self.greeted.add(day)
        self.heads[day] = at
        return at

    def _ship_refusals(self, room: Connection, path: Path, day: str) -> None:
        """What was refused at the table. Nothing depends on it: what is missing is not an alarm."""
        if day not in self.refused:
            found = room.execute("SELECT room.last_refusal(%s)", (day,)).fetchone()
            self.refused[day] = (0 if found is None else found[0], 0)
        last, after = self.refused[day]
        with Reader(path) as reader:
            new = [one for one in reader.refusals(after) if one.id > last]
        if not new:
            return
        columns = [
            [getattr(one, name) for one in new]
            for name in ("id", "after_seq", "at_us", "hand", "code", "message", "rule", "source")
        ]
        room.execute(
            "SELECT room.add_refusals(%s, %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], "
            "%s::text[], %s::text[], %s::text[], %s::text[])",
            (day, *columns),
        )
        self.refused[day] = (new[-1].id, new[-1].after_seq)

    def _append(
        self, room: Connection, day: str, after: int, previous: bytes, rows: list[Row]
    ) -> tuple[str, int, bytes]:
        columns: list[list[Any]] = [
            [getattr(row, name) for row in rows]
            for name in ("hand", "at_us", "mono_us", "kind", "actor", "body", "hash")
        ]
        found = room.execute(
            "SELECT answer, seq, head FROM room.append(%s, %s, %s, %s::bigint[], %s::bigint[], "
            "%s::bigint[], %s::text[], %s::text[], %s::text[], %s::bytea[])",
            (day, after, previous, *columns),
        ).fetchone()
        assert found is not None
        answer, seq, head = found
        return answer, seq, bytes(head or b"")


def _rows_after(path: Path, known: Head) -> tuple[list[Row], bytes]:
    """The next rows, and the hash that the first of them follows."""
    rows: list[Row] = []
    with Reader(path) as reader:
        for row in reader.since(known.seq):
            rows.append(row)
            if len(rows) == MOST_ROWS:
                break
        previous = known.hash
        if not known.seq and rows:
            previous = _previous_of(rows[0])
    return rows, previous


def _previous_of(first: Row) -> bytes:
    """The head that a journal says it follows."""
    opened = record_of(first).event
    return bytes.fromhex(opened.previous) if isinstance(opened, DayOpened) else START


def _stamp(path: Path) -> Stamp:
    """Changes with every commit, and before it: it is in the WAL or in the file."""
    found = []
    for name in (path.name, f"{path.name}-wal"):
        try:
            about = path.with_name(name).stat()
        except OSError:
            found.append((-1, -1))
        else:
            found.append((about.st_size, about.st_mtime_ns))
    return tuple(found)

"""A disposable database of hands and incidents, made from journals, for lists and filters.

It can be deleted at any time and is made again; nothing is ever written to a journal. A journal
that is still being written is read as far as it goes, and from there on the next time.
"""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from omaha_table.dealer.event_text import event_line
from omaha_table.journal.days import day_file
from omaha_table.journal.faults import Busy, JournalFault
from omaha_table.review.database import open_database
from omaha_table.review.filters import Filter, parse_filter
from omaha_table.review.hands import Between, Played
from omaha_table.review.incidents import KINDS, Incident, incidents_in
from omaha_table.review.reading import Place, Reading
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from omaha_table.money import Cents

HAND: Final = (
    "file", "table", "day", "number", "started_us", "seconds", "dealer", "shift", "dealt", "pot",
    "fee", "jackpot", "winners", "flags", "seq", "last_seq", "log", "box", "jackpot_box", "down",
    "flop_us", "ended_us", "waived", "outcome", "flop", "refunded", "box_file", "box_day",
    "box_log",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Taken:
    """A hand as the drop asks for it."""

    id: int
    file: str
    seq: int
    number: int
    day: str
    dealer: str
    down: int
    started_us: int
    ended_us: int
    seconds: float
    dealt: int
    flop: bool
    outcome: str
    pot: Cents
    fee: Cents
    jackpot: Cents
    waived: Cents
    refunded: Cents
    flags: frozenset[str]


_TAKEN: Final = tuple(field.name for field in fields(Taken))


@dataclass(frozen=True, slots=True)
class BoxKey:
    """A drop box of one shift. Only a shift that goes on past six is in two journals."""

    file: str
    """The journal in which it was opened, as is the day."""
    table: str
    day: str
    log: str
    shift: str
    box: str
    jackpot_box: str


class Projection:
    """Hands of one or many journals; `refresh` brings it up to date."""

    def __init__(self, path: Path | None = None) -> None:
        self._connection = open_database(path)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("CREATE TEMP TABLE seen(key TEXT PRIMARY KEY)")

    def close(self) -> None:
        self._connection.close()

    def refresh(
        self, files: Iterable[Path], progress: Callable[[int], None] = lambda hands: None
    ) -> list[str]:
        """Takes in what is new; what cannot be read is told, the rest is taken."""
        for (name,) in self._connection.execute("SELECT file FROM source").fetchall():
            if not Path(name).exists():
                self._forget(name)
        for path in files:
            self._take(path, progress)
        return [fault for _, fault in self.faults()]

    def faults(self) -> list[tuple[str, str]]:
        """The journals that cannot be read, or not to their end, and why."""
        return self._connection.execute(
            "SELECT file, fault FROM source WHERE fault <> '' ORDER BY file"
        ).fetchall()

    def _take(self, path: Path, progress: Callable[[int], None]) -> None:
        known = self._connection.execute(
            "SELECT hands, state, place FROM source WHERE file = ?", (str(path),)
        ).fetchone()
        count, was, kept = known or (0, "", "")
        state, fault, place = _state(path), "", Place.from_text(kept) if kept else Place()
        if was and was == state:
            return
        try:
            with contextlib.closing(Reading(path, place)) as reading:
                place = reading.place
                if not reading.goes_on:
                    self._forget(str(path))
                    count = 0
                for found in reading:
                    if isinstance(found, Between):
                        self._note(path, found, found.incident)
                        continue
                    count += 1
                    self._add(path, found)
                    if not count % 200:
                        progress(count)
        except JournalFault as told:
            fault = f"{path.name}: {told.message}"
            state = "" if isinstance(told, Busy) else state
        except OverflowError:
            fault = f"{path.name}: The journal is damaged: an integer is out of range."
        self._note_fault(path, fault)
        around = place.around
        self._connection.execute(
            "INSERT OR REPLACE INTO source VALUES(?, ?, ?, ?, ?, ?, ?)",
            (str(path), count, state, fault, around.table, around.day, place.to_text()),
        )
        self._connection.commit()

    def _note_fault(self, path: Path, fault: str) -> None:
        """A journal that cannot be read is an incident of its own."""
        run = self._connection.execute
        run("DELETE FROM incident WHERE file = ? AND kind = 'journal'", (str(path),))
        if fault:
            table = path.name.rpartition("-")[0].partition("-")[0]
            at_us = int(path.stat().st_mtime * 1e6) if path.exists() else 0
            between = Between(table, "", path.name, Incident(0, at_us, "journal", fault))
            self._note(path, between, between.incident)

    def _forget(self, file: str) -> None:
        """A journal that is gone, or another one under its name."""
        run = self._connection.execute
        for table in ("seat", "flag"):
            run(f"DELETE FROM {table} WHERE hand IN (SELECT id FROM hand WHERE file = ?)", (file,))
        for table in ("incident", "hand", "source"):
            run(f"DELETE FROM {table} WHERE file = ?", (file,))

    def _add(self, path: Path, hand: Played) -> None:
        ended = hand.ended
        assert ended is not None
        run = self._connection.execute
        made = run(
            f"INSERT OR IGNORE INTO hand({', '.join(map(_quoted, HAND))}) "
            f"VALUES({', '.join('?' * len(HAND))})",
            (
                str(path), hand.table, hand.day, hand.number, hand.started_us, hand.seconds,
                hand.dealer, hand.shift, hand.dealt, hand.pot, hand.fee, ended.jackpot,
                " ".join(map(str, ended.awards)), " ".join(sorted(hand.flags)),
                hand.moments[0].seq, hand.moments[-1].seq, hand.log, hand.box, hand.jackpot_box,
                hand.down, hand.flop_us, hand.ended_us, hand.waived, ended.outcome, hand.flop,
                hand.refunded, str(_box_file(path, hand)), hand.box_day, hand.box_log,
            ),
        )  # fmt: skip
        if not made.rowcount:
            return
        key = made.lastrowid
        self._connection.executemany(
            "INSERT INTO seat VALUES(?,?,?,?,?)",
            [
                (key, seat, hand.names.get(seat, "").casefold(), ended.invested.get(seat, 0),
                 ended.awards.get(seat, 0))
                for seat in hand.started.dealt
            ],
        )  # fmt: skip
        run("INSERT INTO words(rowid, said) VALUES(?, ?)", (key, _words(hand)))
        self._connection.executemany(
            "INSERT INTO flag VALUES(?,?)", [(key, flag) for flag in hand.flags]
        )
        for incident in incidents_in(hand):
            self._note(path, hand, incident, key)

    def _note(
        self, path: Path, of: Played | Between, incident: Incident, hand: int | None = None
    ) -> None:
        first = (of.number, of.moments[0].seq) if isinstance(of, Played) else (None, None)
        key = f"{of.log} {incident.seq} {incident.kind} {incident.jot}"
        self._connection.execute(
            f"INSERT OR IGNORE INTO incident VALUES({', '.join(['NULL', *'?' * 15])})",
            (
                str(path), of.table, of.day, of.log, hand, *first, incident.seq, incident.jot,
                incident.at_us, incident.kind, list(KINDS).index(incident.kind), incident.says,
                incident.more, key,
            ),
        )  # fmt: skip

    # Hands

    def count(self, given: Filter | None = None) -> int:
        given = given or parse_filter("")
        [found] = self._connection.execute(
            f"SELECT count(*) FROM hand WHERE {given.where}", given.values
        ).fetchone()
        return int(found)

    def page(
        self, given: Filter, offset: int, length: int, total: int | None = None
    ) -> list[sqlite3.Row]:
        """Some hands of those that fit, the latest first; `total` of them, where that is known."""
        if total is not None and offset > total // 2:
            # Counted from the other end: the last page is as near as the first.
            length = min(length, total - offset)
            rows = self._rows(
                f"SELECT * FROM hand WHERE {given.where} ORDER BY started_us, id LIMIT ? OFFSET ?",
                (*given.values, max(length, 0), max(total - offset - length, 0)),
            )
            return rows[::-1]
        return self._rows(
            f"SELECT * FROM hand WHERE {given.where} ORDER BY started_us DESC, id DESC "
            f"LIMIT ? OFFSET ?",
            (*given.values, length, offset),
        )

    def place_of_hand(self, given: Filter, file: str, seq: int) -> int | None:
        """Where a hand is among those that fit; None: it is not there."""
        [above] = self._connection.execute(
            "SELECT (SELECT count(*) FROM hand WHERE (started_us, id) > (h.started_us, h.id) "
            f"AND {given.where}) FROM hand AS h WHERE h.file = ? AND h.seq = ?",
            (*given.values, file, seq),
        ).fetchone() or (None,)
        return above

    def hand(self, key: int) -> sqlite3.Row | None:
        found = self._rows("SELECT * FROM hand WHERE id = ?", (key,))
        return found[0] if found else None

    def tables(self) -> list[str]:
        return self._names('SELECT DISTINCT "table" FROM source WHERE hands ORDER BY 1')

    def days(self) -> list[str]:
        """The latest first."""
        return self._names("SELECT DISTINCT day FROM source WHERE hands ORDER BY 1 DESC")

    def dealers(self) -> list[str]:
        return self._names("SELECT DISTINCT dealer FROM hand WHERE dealer <> '' ORDER BY 1")

    def _names(self, query: str) -> list[str]:
        return [name for (name,) in self._connection.execute(query)]

    def claimed_twice(self) -> list[tuple[str, str]]:
        """The tables and days that more than one journal claims to be of."""
        return self._connection.execute(
            'SELECT "table", day FROM source WHERE hands GROUP BY "table", day HAVING count(*) > 1'
        ).fetchall()

    # The drop

    def boxes(self) -> list[BoxKey]:
        """Every box that hands were dropped into, the latest first."""
        return [
            BoxKey(*row)
            for row in self._connection.execute(
                'SELECT box_file, "table", box_day, box_log, shift, box, jackpot_box FROM hand '
                'GROUP BY box_file, shift, box, jackpot_box ORDER BY max(started_us) DESC'
            )
        ]  # fmt: skip

    def in_box(self, key: BoxKey) -> list[Taken]:
        where = "box_file = ? AND shift = ? AND box = ? AND jackpot_box = ?"
        return list(self._taken(where, (key.file, key.shift, key.box, key.jackpot_box)))

    def taken(self, given: Filter) -> Iterator[Taken]:
        """The hands that fit, in order of time."""
        return self._taken(given.where, given.values)

    def _taken(self, where: str, values: tuple[object, ...]) -> Iterator[Taken]:
        for row in self._rows(
            f"SELECT {', '.join(_TAKEN)} FROM hand WHERE {where} ORDER BY started_us, id", values
        ):
            found: dict[str, Any] = dict(row)
            yield Taken(**found | {"flags": frozenset(found["flags"].split())})

    # Incidents

    def seen(self, keys: Iterable[str]) -> None:
        """Which incidents have been looked at."""
        self._connection.execute("DELETE FROM seen")
        self._connection.executemany("INSERT OR IGNORE INTO seen VALUES(?)", [(k,) for k in keys])

    def count_incidents(self, given: Filter, *, unseen: bool = False) -> int:
        [found] = self._connection.execute(
            f"SELECT count(*) FROM incident WHERE {_fits(given, unseen=unseen)}", given.values
        ).fetchone()
        return int(found)

    def incidents(
        self, given: Filter, offset: int, length: int, *, by_time: bool, unseen: bool = False
    ) -> list[sqlite3.Row]:
        """Some incidents, by kind or by time; those between hands only where nothing is left out
        by the filter."""
        order = "at_us DESC, id DESC" if by_time else "rank, at_us DESC, id DESC"
        return self._rows(
            f"SELECT * FROM incident WHERE {_fits(given, unseen=unseen)} ORDER BY {order} "
            "LIMIT ? OFFSET ?",
            (*given.values, length, offset),
        )

    def place_of_incident(
        self, given: Filter, key: str, *, by_time: bool, unseen: bool
    ) -> int | None:
        """Where an incident is in the order of `incidents`; None: it is not there."""
        later = "(at_us, id) > (i.at_us, i.id)"
        above = later if by_time else f"(rank < i.rank OR (rank = i.rank AND {later}))"
        [found] = self._connection.execute(
            f"SELECT (SELECT count(*) FROM incident WHERE {above} "
            f"AND {_fits(given, unseen=unseen)}) FROM incident AS i WHERE i.key = ?",
            (*given.values, key),
        ).fetchone() or (None,)
        return found

    def _rows(self, query: str, values: tuple[object, ...]) -> list[sqlite3.Row]:
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(query, values).fetchall()


def _box_file(path: Path, hand: Played) -> Path:
    """The journal in which the boxes were opened; of boxes carried over it lies beside this one."""
    if hand.box_log == hand.log:
        return path
    return day_file(path.parent, hand.table, hand.box_day)


def _fits(given: Filter, *, unseen: bool) -> str:
    of_hands = "1" if given.where == "1" else f"hand IN (SELECT id FROM hand WHERE {given.where})"
    return f"{of_hands} AND key NOT IN (SELECT key FROM seen)" if unseen else of_hands


def _quoted(name: str) -> str:
    return f'"{name}"'


def _state(path: Path) -> str:
    """Another one as soon as anything was written to a journal or beside it."""
    found = []
    for part in (path, path.with_name(f"{path.name}-wal")):
        with contextlib.suppress(OSError):
            stat = part.stat()
            found.append(f"{stat.st_size} {stat.st_mtime_ns}")
    return ", ".join(found)


def _words(hand: Played) -> str:
    """What can be searched for: names, rulings and reasons, irregular moments, refusals."""
    said = [*hand.names.values()]
    for moment in (*hand.unusual, *hand.later):
        event = moment.event
        if isinstance(event, Ruled):
            said += [event.ruling, event.reason, event.effect]
        else:
            said.append(event_line(event))
    said += [refusal.message for refusal in hand.refusals]
    return " ".join(filter(None, said))

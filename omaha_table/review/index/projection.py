"""The index of hands and incidents made from journals: what lists, boxes and statistics read.

It can be deleted at any time and is made again. Every answer is bounded: a page reads the rows that
are shown, sums are kept by the database, and a search that is large goes on beside the screen.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import weakref
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from omaha_table.review.index.database import WriteLock, connect, prepare
from omaha_table.review.index.days import day_figures
from omaha_table.review.index.filters import Filter, parse_filter
from omaha_table.review.index.projector import Keeper, Projector
from omaha_table.review.index.search import Found, HandSearch, IncidentSearch, fits_incident
from omaha_table.review.index.store import as_journal
from omaha_table.review.index.sums import StatisticsSearch, Sums
from omaha_table.review.index.totals import PERIOD_US, SUMS

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable

    from omaha_table.money import Cents
    from omaha_table.review.index.days import DayFigures
    from omaha_table.review.index.projector import Progress
    from omaha_table.review.index.store import Journal, Store

_HAND: Final = (
    'hand.id, source.file, source."table", source.day, hand.number, hand.started_us, hand.seconds, '
    "hand.dealer, box.shift, hand.dealt, hand.pot, hand.fee, hand.jackpot, hand.winners, "
    "hand.flags, hand.seq, hand.last_seq, source.log, box.box, box.jackpot_box, hand.down, "
    "hand.flop_us, hand.ended_us, hand.waived, hand.outcome, hand.flop, hand.refunded, "
    "box.file AS box_file, box.day AS box_day, box.log AS box_log"
)
_FROM: Final = "FROM hand JOIN source ON source.id = hand.source JOIN box ON box.id = hand.box"
_INCIDENT: Final = (
    'id, file, "table", day, log, hand, number, first_seq, seq, jot, at_us, kind, rank, says, '
    "more, key"
)
_BOX: Final = f'file, "table", day, log, shift, box, jackpot_box, {", ".join(SUMS)}'


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
    """One reader of an index; `refresh` or `keep` bring it up to date.

    Without a path, or where the file cannot be used, the index is a temporary file. `fresh`: made
    from the journals again, unless another program keeps it up to date at this moment.
    """

    def __init__(self, path: Path | None = None, *, fresh: bool = False) -> None:
        self._finish: Callable[[], object] = lambda: None
        self._path, self._lock = self._prepared(path, fresh=fresh)
        self._connection = connect(self._path)
        self._connection.execute("PRAGMA temp_store = MEMORY")
        self._connection.execute("CREATE TEMP TABLE seen(key TEXT PRIMARY KEY)")
        self._keeper: Keeper | None = None
        self._hands: tuple[Filter, HandSearch] | None = None
        self._lines: tuple[tuple[Filter, bool], IncidentSearch] | None = None
        self._statistics: tuple[Filter, StatisticsSearch] | None = None
        self._unseen: tuple[array[int], int, array[int]] | None = None
        self._marks = 0
        """How often what was seen has changed."""

    def _prepared(self, path: Path | None, *, fresh: bool) -> tuple[Path, WriteLock]:
        if path is not None:
            lock = WriteLock(path)
            try:
                prepare(path, lock, fresh=fresh)
            except (OSError, sqlite3.Error):
                lock.drop()
            else:
                return path, lock
        folder = tempfile.mkdtemp(prefix="omaha-table-review-")
        self._finish = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        path = Path(folder) / "index.db"
        lock = WriteLock(path)
        prepare(path, lock)
        return path, lock

    def close(self) -> None:
        if self._keeper is not None:
            self._keeper.stop()
        for _, search in filter(None, (self._hands, self._lines, self._statistics)):
            search.stop()
            search.wait()
        self._connection.close()
        self._lock.drop()
        self._finish()

    # Keeping up with the journals

    def refresh(
        self,
        journals: Iterable[Path | Journal],
        progress: Callable[[int], None] = lambda hands: None,
    ) -> list[str]:
        """Takes in what is new of all journals, and returns what cannot be read."""
        with closing(Projector(self._path, self._lock)) as projector:
            projector.update([as_journal(one) for one in journals], progress)
        return [fault for _, fault in self.faults()]

    def keep(self, store: Store) -> Keeper:
        """Starts a thread that takes in what is new, the newest day first, until `close`."""
        self._keeper = Keeper(Projector(self._path, self._lock), store)
        return self._keeper

    def state_of(self, journal: str) -> str:
        """The state of a journal up to which it was taken in; empty: not at all."""
        found = self._connection.execute("SELECT state FROM source WHERE file = ?", (journal,))
        [state] = found.fetchone() or ("",)
        return str(state)

    @property
    def progress(self) -> Progress | None:
        """How far the thread has come with its first reading; None: it is over."""
        return None if self._keeper is None else self._keeper.progress

    @property
    def away(self) -> str:
        """Why what keeps the journals cannot be asked at the moment; empty: it answers."""
        return "" if self._keeper is None else self._keeper.away

    @property
    def trouble(self) -> str:
        """Why the index is not kept up to date any more."""
        if self._keeper is None or self._keeper.error is None:
            return ""
        return "New hands are not shown: the index could not be written. Start the review again."

    def version(self) -> int:
        """Another number after every change of the index."""
        return int(self._one("PRAGMA data_version") or 0)

    def faults(self) -> list[tuple[str, str]]:
        """The journals that cannot be read, or not to their end, and why."""
        return self._connection.execute(
            "SELECT file, fault FROM source WHERE fault <> '' ORDER BY file"
        ).fetchall()

    # Hands

    def found(self, given: Filter | None = None) -> Found:
        """How many hands fit, as far as that is known by now."""
        if given is None or given.is_empty:
            return Found(int(self._one("SELECT total(hands) FROM period") or 0))
        return self._search(given).found

    def search_all(self, given: Filter) -> Found:
        """Waits until everything was found: for whoever is not a screen."""
        if not given.is_empty:
            self._search(given).wait()
        self._queue(given).wait()
        return self.found(given)

    def count(self, given: Filter | None = None) -> int:
        """How many hands fit, of those that were found by now."""
        return self.found(given).total

    def _search(self, given: Filter) -> HandSearch:
        if self._hands is None or self._hands[0] != given:
            if self._hands is not None:
                self._hands[1].stop()
            made = HandSearch(self._path, self._connection, given, self.version())
            self._hands = given, made
        else:
            self._hands[1].refresh(self._connection, self.version())
        return self._hands[1]

    def page(
        self, given: Filter, offset: int, length: int, total: int | None = None
    ) -> list[sqlite3.Row]:
        """Some hands of those that fit, the latest first."""
        if not given.is_empty:
            numbers = self._search(given).numbers(offset, length)
            rows = self._by_number(f"SELECT {_HAND} {_FROM} WHERE hand.id", numbers)
            return [rows[number] for number in numbers if number in rows]
        before, period = self._period_at(offset)
        if period is None:
            return []
        return self._rows(
            f"SELECT {_HAND} {_FROM} WHERE hand.id IN (SELECT id FROM hand WHERE started_us < ? "
            "ORDER BY started_us DESC, id DESC LIMIT ? OFFSET ?) "
            "ORDER BY hand.started_us DESC, hand.id DESC",
            ((period + 1) * PERIOD_US, max(length, 0), offset - before),
        )

    def _period_at(self, offset: int) -> tuple[int, int | None]:
        """In which hour a hand of all is, and how many are later."""
        before = 0
        for period, hands in self._connection.execute(
            "SELECT period, hands FROM period ORDER BY period DESC"
        ):
            if before + hands > offset:
                return before, period
            before += hands
        return before, None

    def place_of_hand(self, given: Filter, file: str, seq: int) -> int | None:
        """Where a hand is among those that fit; None: it is not there."""
        found = self._connection.execute(
            "SELECT hand.id, started_us FROM hand JOIN source ON source.id = hand.source "
            "WHERE source.file = ? AND hand.seq = ?",
            (file, seq),
        ).fetchone()
        if found is None:
            return None
        row, at_us = found
        if not given.is_empty:
            return self._search(given).place(at_us // PERIOD_US, row)
        later = self._one(
            "SELECT (SELECT total(hands) FROM period WHERE period > ?) "
            "+ (SELECT count(*) FROM hand WHERE started_us < ? AND (started_us, id) > (?, ?))",
            (at_us // PERIOD_US, (at_us // PERIOD_US + 1) * PERIOD_US, at_us, row),
        )
        return int(later or 0)

    def hand(self, key: int) -> sqlite3.Row | None:
        found = self._rows(f"SELECT {_HAND} {_FROM} WHERE hand.id = ?", (key,))
        return found[0] if found else None

    def tables(self) -> list[str]:
        return self._names('SELECT DISTINCT "table" FROM source WHERE hands ORDER BY 1')

    def days(self) -> list[str]:
        """The latest first."""
        return self._names("SELECT DISTINCT day FROM source WHERE hands ORDER BY 1 DESC")

    def dealers(self) -> list[str]:
        return self._names("SELECT DISTINCT dealer FROM dealer_total WHERE dealer <> '' ORDER BY 1")

    def _names(self, query: str) -> list[str]:
        return [name for (name,) in self._connection.execute(query)]

    def claimed_twice(self) -> list[tuple[str, str]]:
        """The tables and days that more than one journal claims to be of."""
        return self._connection.execute(
            'SELECT "table", day FROM source WHERE hands GROUP BY "table", day HAVING count(*) > 1'
        ).fetchall()

    # The drop

    def count_boxes(self) -> int:
        """How many boxes hands were dropped into."""
        return int(self._one("SELECT count(*) FROM box") or 0)

    def box_page(self, offset: int, length: int) -> list[tuple[BoxKey, Sums]]:
        """Some boxes with what went into them, the latest first."""
        found = self._connection.execute(
            f"SELECT {_BOX} FROM box ORDER BY last_us DESC, id DESC LIMIT ? OFFSET ?",
            (length, offset),
        )
        return [(BoxKey(*row[:7]), Sums(*row[7:])) for row in found]

    def boxes(self) -> list[BoxKey]:
        """Every box that hands were dropped into, the latest first."""
        return [key for key, _ in self.box_page(0, -1)]

    def place_of_box(self, key: BoxKey) -> int | None:
        """Where a box is in the order of `box_page`; None: it is not there."""
        place = self._one(
            "SELECT (SELECT count(*) FROM box WHERE (last_us, id) > (b.last_us, b.id)) "
            "FROM box AS b WHERE (file, shift, box, jackpot_box) = (?, ?, ?, ?)",
            _named(key),
        )
        return None if place is None else int(place)

    def box_sums(self, key: BoxKey) -> Sums:
        """What went into a box."""
        found = self._connection.execute(
            f"SELECT {', '.join(SUMS)} FROM box "
            "WHERE (file, shift, box, jackpot_box) = (?, ?, ?, ?)",
            _named(key),
        ).fetchone()
        return Sums() if found is None else Sums(*found)

    def in_box(self, key: BoxKey) -> list[Taken]:
        """The hands of one box, in order of time."""
        columns = ", ".join(
            f"{'source' if name in ('file', 'day') else 'hand'}.{name}" for name in _TAKEN
        )
        rows = self._rows(
            f"SELECT {columns} {_FROM} WHERE box.id = (SELECT id FROM box WHERE "
            "(file, shift, box, jackpot_box) = (?, ?, ?, ?)) ORDER BY hand.started_us, hand.id",
            _named(key),
        )
        found: list[dict[str, Any]] = [dict(row) for row in rows]
        return [Taken(**row | {"flags": frozenset(row["flags"].split())}) for row in found]

    def day_figures(self, day: str) -> DayFigures:
        """A gaming day of all tables."""
        return day_figures(self._connection, day)

    def statistics(self, given: Filter) -> StatisticsSearch:
        """How the hands that fit went, as far as they are added up by now."""
        if self._statistics is None or self._statistics[0] != given:
            if self._statistics is not None:
                self._statistics[1].stop()
            made = StatisticsSearch(self._path, self._connection, given, self.version())
            self._statistics = given, made
        else:
            self._statistics[1].refresh(self._connection, self.version())
        return self._statistics[1]

    # Incidents

    def seen(self, keys: Iterable[str]) -> None:
        """Which incidents have been looked at."""
        self._marks += 1
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.execute("DELETE FROM seen")
            self._connection.executemany(
                "INSERT OR IGNORE INTO seen VALUES(?)", [(key,) for key in keys]
            )

    def found_incidents(self, given: Filter, *, unseen: bool = False) -> Found:
        """How many incidents fit, as far as that is known by now."""
        search = self._queue(given)
        found = search.found
        if not unseen:
            return found
        fits, values = fits_incident(given)
        seen = self._one(
            "SELECT count(*) FROM seen CROSS JOIN incident ON incident.key = seen.key "
            f"WHERE {fits}",
            values,
        )
        return Found(max(found.total - int(seen or 0), 0), found.is_all, found.is_searching)

    def count_incidents(self, given: Filter, *, unseen: bool = False) -> int:
        """How many incidents fit, of those that were found by now."""
        return self.found_incidents(given, unseen=unseen).total

    def incidents(
        self, given: Filter, offset: int, length: int, *, by_time: bool, unseen: bool = False
    ) -> list[sqlite3.Row]:
        """Some incidents, by kind or by time; those between hands only where nothing is left out
        by the filter."""
        numbers = list(self._listed(given, by_time=by_time, unseen=unseen)[offset:][:length])
        rows = self._by_number(f"SELECT {_INCIDENT} FROM incident WHERE id", numbers)
        return [rows[number] for number in numbers if number in rows]

    def place_of_incident(
        self, given: Filter, key: str, *, by_time: bool, unseen: bool
    ) -> int | None:
        """Where an incident is in the order of `incidents`; None: it is not there."""
        rows = self._listed(given, by_time=by_time, unseen=unseen)
        for (number,) in self._connection.execute("SELECT id FROM incident WHERE key = ?", (key,)):
            if number in rows:
                return rows.index(number)
        return None

    def _queue(self, given: Filter, *, by_time: bool | None = None) -> IncidentSearch:
        """None: in whatever order it was asked for last."""
        if by_time is None:
            by_time = self._lines is not None and self._lines[0][1]
        if self._lines is None or self._lines[0] != (given, by_time):
            if self._lines is not None:
                self._lines[1].stop()
            made = IncidentSearch(
                self._path, self._connection, given, self.version(), by_time=by_time
            )
            self._lines = (given, by_time), made
        else:
            self._lines[1].refresh(self._connection, self.version())
        return self._lines[1]

    def _listed(self, given: Filter, *, by_time: bool, unseen: bool) -> array[int]:
        rows = self._queue(given, by_time=by_time).rows
        if not unseen:
            return rows
        if self._unseen is None or self._unseen[0] is not rows or self._unseen[1] != self._marks:
            seen = {
                number
                for (number,) in self._connection.execute(
                    "SELECT incident.id FROM seen CROSS JOIN incident ON incident.key = seen.key"
                )
            }
            left = type(rows)("q", (number for number in rows if number not in seen))
            self._unseen = rows, self._marks, left
        return self._unseen[2]

    # Reading

    def _by_number(self, query: str, numbers: list[int]) -> dict[int, sqlite3.Row]:
        marks = ", ".join("?" * len(numbers))
        return {row["id"]: row for row in self._rows(f"{query} IN ({marks})", tuple(numbers))}

    def _one(self, query: str, values: tuple[object, ...] = ()) -> int | float | None:
        found = self._connection.execute(query, values).fetchone()
        return None if found is None else found[0]

    def _rows(self, query: str, values: tuple[object, ...]) -> list[sqlite3.Row]:
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(query, values).fetchall()


def _named(key: BoxKey) -> tuple[str, str, str, str]:
    return key.file, key.shift, key.box, key.jackpot_box


def everything() -> Filter:
    return parse_filter("")

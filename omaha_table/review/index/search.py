"""What a filter finds, newest first, a stretch of hours at a time.

Small searches are done at once. Large ones go on in a thread with a connection of its own: what was
found so far can be shown meanwhile, and it is said that there may be more.
"""

from __future__ import annotations

import sqlite3
import threading
from array import array
from bisect import bisect_right
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.review.index.database import connect
from omaha_table.review.index.totals import PERIOD_US

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from omaha_table.review.index.filters import Filter, Word

STRETCH: Final = 5_000
"""Hands that are looked at in one go, some hundredths of a second: a key may wait that long."""
_LONG: Final = 30_000
"""The same where nobody waits."""
MOST: Final = 1_000_000
"""Nobody pages through more; a search ends there and says so."""
_FIRST_WAIT: Final = 0.03


@dataclass(frozen=True, slots=True)
class Found:
    """How many hands or lines were found."""

    total: int
    is_all: bool = True
    is_searching: bool = False
    """Whether more may be found by itself; if not, and it is not all, there are too many."""


class Search:
    """Something that is looked for; `stop` it when nobody wants to know any more."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._stopped = False
        self._thread: threading.Thread | None = None
        self._thread_connection: sqlite3.Connection | None = None
        self._some = threading.Event()

    @property
    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        self._stopped = True
        with self._lock:
            if self._thread_connection is not None:
                self._thread_connection.interrupt()

    def wait(self) -> None:
        """Until there is no more to find."""
        if self._thread is not None:
            self._thread.join()

    def _go_on_beside(self) -> None:
        self._some.clear()
        self._thread = threading.Thread(target=self._run, name="review search", daemon=True)
        self._thread.start()
        self._some.wait(_FIRST_WAIT)

    def _run(self) -> None:
        with closing(connect(self._path)) as connection:
            with self._lock:
                self._thread_connection = connection
            try:
                self._search(connection)
            except sqlite3.OperationalError:
                # Interrupted, or the index was made again: the next look starts over.
                self._stopped = True
            finally:
                with self._lock:
                    self._thread_connection = None
                self._some.set()

    def _search(self, connection: sqlite3.Connection) -> None:
        raise NotImplementedError


def condition(given: Filter) -> tuple[str, tuple[object, ...]]:
    """A filter as a condition on `hand`, with its days."""
    parts, values = [given.where], [*given.values]
    for bound, sign in ((given.low_us, ">="), (given.high_us, "<")):
        if bound is not None:
            parts.append(f"hand.started_us {sign} ?")
            values.append(bound)
    return " AND ".join(parts), tuple(values)


def narrowest(connection: sqlite3.Connection, given: Filter, most: int) -> Word | None:
    """The word of whose hands an index lists the fewest, if those are not too many."""
    best = None
    for word in given.words:
        if word.listed:
            query = f"SELECT count(*) FROM ({word.listed} LIMIT ?)"
            [count] = connection.execute(query, (*word.values, most + 1)).fetchone()
            if count <= most:
                most, best = count, word
    return best


def listed_word(connection: sqlite3.Connection, given: Filter) -> Word | None:
    """The word to begin with where time is no matter; None: look at the hands hour by hour."""
    texts = (word for word in given.words if word.is_text)
    hands = sum(hands for hands, _ in periods_of(connection, given).values())
    # Of more than a fifth of all hands, to look them up one by one takes longer than to read all.
    return narrowest(connection, given, min(MOST, hands // 5)) or next(texts, None)


def by_index(given: Filter, word: Word) -> tuple[str, tuple[object, ...]]:
    """The hands that an index lists for a word and that fit the rest, as a FROM clause."""
    fits, values = condition(given)
    listed = f"(WITH one(id) AS ({word.listed}) SELECT DISTINCT id FROM one) AS listed"
    # CROSS: in this order, whatever the planner thinks of it.
    joined = f"FROM {listed} CROSS JOIN hand ON hand.id = listed.id WHERE {fits}"
    return joined, (*word.values, *values)


def stretches(
    periods: Sequence[tuple[int, int]], most: int = _LONG
) -> Iterator[tuple[int, int, int]]:
    """Periods and how many hands they have, newest first, put together: first, last, how many."""
    first = last = hands = 0
    for period, count in periods:
        if hands and hands + count > most:
            yield first, last, hands
            hands = 0
        first, last, hands = first if hands else period, period, hands + count
    if hands:
        yield first, last, hands


def in_periods(given: Filter, first: int, last: int) -> tuple[str, tuple[object, ...]]:
    """The hands of some hours that fit, as a FROM clause; `first` is the later one."""
    fits, values = condition(given)
    where = f"hand.started_us >= ? AND hand.started_us < ? AND {fits}"
    bounds = (last * PERIOD_US, (first + 1) * PERIOD_US)
    return f"FROM hand INDEXED BY by_time WHERE {where}", (*bounds, *values)


def periods_of(connection: sqlite3.Connection, given: Filter) -> dict[int, tuple[int, int]]:
    """The hours that a filter names, newest first, with how many hands they have and how often
    that changed."""
    low = -(1 << 62) if given.low_us is None else given.low_us // PERIOD_US
    high = 1 << 62 if given.high_us is None else (given.high_us - 1) // PERIOD_US
    found = connection.execute(
        "SELECT period, hands, changes FROM period WHERE period BETWEEN ? AND ? "
        "ORDER BY period DESC",
        (low, high),
    )
    return {period: (hands, changes) for period, hands, changes in found}


class HandSearch(Search):
    """The hands that a filter lets through, as numbers of rows by the hour."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, given: Filter, version: int
    ) -> None:
        super().__init__(path)
        self._given = given
        self._rows: dict[int, array[int]] = {}
        """What was found in each hour; one that changed keeps it until it is looked at again."""
        self._known: dict[int, tuple[int, int]] = {}
        self._to_do: list[tuple[int, int]] = []
        self._starts: list[int] = [0]
        """How many hands were found in later hours, for each of `_shown`, and at the end all."""
        self._shown: list[array[int]] = []
        self._places: dict[int, int] = {}
        """Of each hour in `_shown`."""
        self._version: int | None = None
        self.refresh(connection, version)

    def refresh(self, connection: sqlite3.Connection, version: int) -> None:
        """Looks at the hours that have changed, unless it is still searching."""
        if self.is_running or (version == self._version and not self._stopped):
            return
        self._version, self._stopped = version, False
        now = periods_of(connection, self._given)
        with self._lock:
            for period in self._rows.keys() - now.keys():
                del self._rows[period]
            left = {period for period, _ in self._to_do}
            self._to_do = [
                (period, hands)
                for period, (hands, changes) in now.items()
                if period in left or self._known.get(period) != (hands, changes)
            ]
            self._known = now
            self._line_up()
        if not self._to_do:
            return
        if sum(hands for _, hands in self._to_do) <= STRETCH:
            self._by_periods(connection)
        elif (word := narrowest(connection, self._given, STRETCH)) is not None:
            self._at_once(connection, word)
        else:
            if not any(word.is_text for word in self._given.words):
                self._by_periods(connection, only_first=True)
            if self._to_do and not self._is_enough:
                self._go_on_beside()

    @property
    def found(self) -> Found:
        running = self.is_running
        return Found(self._starts[-1], not self._to_do, running)

    @property
    def _is_enough(self) -> bool:
        return self._starts[-1] >= MOST

    def numbers(self, offset: int, length: int) -> list[int]:
        """The rows of some hands."""
        with self._lock:
            found: list[int] = []
            at = max(bisect_right(self._starts, offset) - 1, 0)
            for place in range(at, len(self._shown)):
                first = max(offset + len(found) - self._starts[place], 0)
                found += self._shown[place][first : first + length - len(found)]
                if len(found) >= length:
                    break
            return found

    def place(self, period: int, row: int) -> int | None:
        """Where the hand of a row is; None: it is not there, or not found yet."""
        with self._lock:
            at = self._places.get(period)
            if at is None or row not in self._shown[at]:
                return None
            return self._starts[at] + self._shown[at].index(row)

    def _line_up(self) -> None:
        """All hours from the newest on, as far as each was looked at."""
        self._starts, self._shown, self._places = [0], [], {}
        for period in self._known:
            if period not in self._rows:
                break
            self._places[period] = len(self._shown)
            self._shown.append(self._rows[period])
            self._starts.append(self._starts[-1] + len(self._rows[period]))

    def _search(self, connection: sqlite3.Connection) -> None:
        word = listed_word(connection, self._given)
        if word is not None:
            self._at_once(connection, word)
        else:
            self._by_periods(connection)

    def _at_once(self, connection: sqlite3.Connection, word: Word) -> None:
        source, values = by_index(self._given, word)
        self._take(connection, source, values, [period for period, _ in self._to_do])

    def _by_periods(self, connection: sqlite3.Connection, *, only_first: bool = False) -> None:
        for first, last, _ in stretches(list(self._to_do), STRETCH // 2 if only_first else _LONG):
            source, values = in_periods(self._given, first, last)
            periods = [period for period, _ in self._to_do if last <= period <= first]
            self._take(connection, source, values, periods)
            self._some.set()
            if only_first or self._stopped or self._is_enough:
                break

    def _take(
        self,
        connection: sqlite3.Connection,
        source: str,
        values: tuple[object, ...],
        periods: list[int],
    ) -> None:
        found: dict[int, array[int]] = {period: array("q") for period in periods}
        query = (
            f"SELECT hand.started_us / {PERIOD_US}, hand.id {source} "
            "ORDER BY hand.started_us DESC, hand.id DESC"
        )
        for period, row in connection.execute(query, values):
            if period in found:
                found[period].append(row)
        with self._lock:
            self._rows.update(found)
            self._to_do = [(period, hands) for period, hands in self._to_do if period not in found]
            self._line_up()


class IncidentSearch(Search):
    """Lines of the queue in order, as numbers of rows."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        given: Filter,
        version: int,
        *,
        by_time: bool,
    ) -> None:
        super().__init__(path)
        order = "at_us DESC, id DESC" if by_time else "rank, at_us DESC, id DESC"
        fits, self._values = fits_incident(given)
        self._query = f"SELECT id FROM incident WHERE {fits} ORDER BY {order}"
        self.rows: array[int] = array("q")
        self._is_all = False
        self._version: int | None = None
        self.refresh(connection, version)

    def refresh(self, connection: sqlite3.Connection, version: int) -> None:
        """Looks again where the index has another version than at the last look."""
        if self.is_running or version == self._version:
            return
        self._version, self._stopped = version, False
        query = f"SELECT count(*) FROM (SELECT 1 FROM incident LIMIT {STRETCH + 1})"
        [lines] = connection.execute(query).fetchone()
        if lines <= STRETCH:
            self._search(connection)
        else:
            self._go_on_beside()

    @property
    def found(self) -> Found:
        return Found(len(self.rows), self._is_all, self.is_running)

    def _search(self, connection: sqlite3.Connection) -> None:
        found: array[int] = array("q")
        before, self._is_all = len(self.rows), False
        cursor = connection.execute(self._query, self._values)
        while part := cursor.fetchmany(1000):
            found.extend(row for (row,) in part)
            if len(found) > before:
                self.rows = found
                self._some.set()
            if self._stopped or len(found) >= MOST:
                break
        self.rows, self._is_all = found, len(found) < MOST and not self._stopped


def fits_incident(given: Filter) -> tuple[str, tuple[object, ...]]:
    """A filter as a condition on `incident`; those between hands fit only where none is set."""
    if given.is_empty:
        return "1", ()
    fits, values = condition(given)
    of_hand = f"SELECT 1 FROM hand WHERE hand.id = incident.hand AND {fits}"
    return f"incident.hand IS NOT NULL AND EXISTS ({of_hand})", values

"""Sums over hands as the database adds them up: boxes, hours of the day, dealers, downs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from omaha_table.review.index.database import statements
from omaha_table.review.index.search import (
    STRETCH,
    Search,
    by_index,
    in_periods,
    listed_word,
    narrowest,
    periods_of,
    stretches,
)
from omaha_table.review.index.totals import SUMS, add_to_totals, totals_schema

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from omaha_table.money import Cents
    from omaha_table.review.index.filters import Filter

_ADDED: Final = ", ".join(f"hand.{name}" for name in (
    "source", "hour", "dealer", "down", "started_us", "ended_us", "outcome", "flop", "fee",
    "jackpot", "waived", "refunded", "pot", "seconds"))  # fmt: skip
_FEW_JOURNALS: Final = 1000
"""Whose sums are put together at once."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Of the hands that were played to their end; those that were called off are only counted."""

    hands: int = 0
    no_flop: int = 0
    called_off: int = 0
    fees: Cents = 0
    jackpots: Cents = 0
    waived: Cents = 0
    refunded: Cents = 0
    """Of the fees: given back out of the box."""
    pots: Cents = 0
    seconds: float = 0.0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, name) + getattr(other, name) for name in _NAMES))

    @property
    def due(self) -> Cents:
        """What must be in the box."""
        return self.fees - self.refunded

    @property
    def no_flop_share(self) -> float:
        return self.no_flop / self.hands if self.hands else 0.0

    @property
    def pace(self) -> float:
        """Seconds a hand."""
        return self.seconds / self.hands if self.hands else 0.0

    @property
    def mean_pot(self) -> Cents:
        return self.pots // self.hands if self.hands else 0


_NAMES: Final = tuple(field.name for field in fields(Sums))
assert tuple(SUMS) == _NAMES


@dataclass(frozen=True, slots=True)
class Hour(Sums):
    """An hour of the day."""

    days: int = 0
    """On how many days a table had a hand in it, added up over the tables."""

    @property
    def hands_a_day(self) -> float:
        return self.hands / self.days if self.days else 0.0


@dataclass(frozen=True, slots=True)
class Statistics:
    total: Sums = Sums()
    hours: float = 0.0
    """At work: breaks and closed tables are left out."""
    by_hour: tuple[tuple[int, Hour], ...] = ()
    """By the hour of the day, in local time."""
    by_dealer: tuple[tuple[str, Sums], ...] = ()
    """Who dealt most first; nobody is called "nobody"."""

    @property
    def hands_an_hour(self) -> float:
        return self.total.hands / self.hours if self.hours else 0.0


def columns(table: str) -> str:
    return ", ".join(f"{table}.{name}" for name in SUMS)


def read_statistics(
    connection: sqlite3.Connection, where: str = "1", values: tuple[object, ...] = ()
) -> Statistics:
    """Puts the sums of journals together; `where` says of which, as a condition on `source`."""
    run = connection.execute
    added = ", ".join(f"sum({name})" for name in SUMS)
    by_hour = run(
        f"SELECT hour, {added}, count(*) FROM hour_total WHERE {where} GROUP BY hour", values
    )
    by_dealer = run(
        f"SELECT dealer, {added} FROM dealer_total WHERE {where} GROUP BY dealer", values
    )
    [[worked]] = run(
        f"SELECT total(max(last_us - first_us, 0)) FROM down_total WHERE {where}", values
    )
    dealers = [(str(name or "nobody"), Sums(*row)) for name, *row in by_dealer]
    dealers.sort(key=lambda one: -one[1].hands)
    return Statistics(
        sum((sums for _, sums in dealers), Sums()),
        worked / 3.6e9,
        tuple((int(hour), Hour(*row)) for hour, *row in by_hour),
        tuple(dealers),
    )


class StatisticsSearch(Search):
    """The statistics of the hands that a filter lets through.

    Of whole journals they are put together from kept sums; otherwise the hands are added up, and
    `found` says how many were so far.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, given: Filter, version: int
    ) -> None:
        super().__init__(path)
        self._given = given
        self.result = Statistics()
        self._hands = self._of = 0
        self._is_all = False
        self._version: int | None = None
        self.refresh(connection, version)

    @property
    def share(self) -> float:
        """How much of the work is done."""
        return 1.0 if self._is_all else self._hands / self._of if self._of else 0.0

    @property
    def is_all(self) -> bool:
        return self._is_all

    @property
    def _of_journals(self) -> bool:
        given = self._given
        days = given.low_us is not None or given.high_us is not None
        return not days and all(word.of_journals for word in given.words)

    def refresh(self, connection: sqlite3.Connection, version: int) -> None:
        """Adds up again where there is something new, unless that took long: then it stays as of
        when it was asked for."""
        if self.is_running or version == self._version:
            return
        self._stopped = False
        if self._of_journals:
            [journals] = connection.execute("SELECT count(*) FROM source").fetchone()
            is_quick = journals <= _FEW_JOURNALS
        else:
            hands = sum(hands for hands, _ in periods_of(connection, self._given).values())
            is_quick = hands <= STRETCH or narrowest(connection, self._given, STRETCH) is not None
        if not is_quick and self._is_all and not self._of_journals:
            return
        self._version = version
        if is_quick:
            self._run()
        else:
            self._go_on_beside()

    def _search(self, connection: sqlite3.Connection) -> None:
        if self._of_journals:
            self._put_together(connection)
        else:
            self._add_up(connection)
        self._is_all = not self._stopped

    def _put_together(self, connection: sqlite3.Connection) -> None:
        where = self._given.where.replace("hand.source", "source")
        self.result = read_statistics(connection, where, self._given.values)

    def _add_up(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA temp_store = FILE")
        for statement in statements(totals_schema("TEMP TABLE")):
            connection.execute(statement)
        word = listed_word(connection, self._given)
        found = periods_of(connection, self._given)
        periods = [(period, hands) for period, (hands, _) in found.items()]
        self._hands, self._of = 0, sum(hands for _, hands in periods)
        if word is not None:
            self._add(connection, *by_index(self._given, word))
            self.result = read_statistics(connection)
            return
        read = 0
        for first, last, hands in stretches(periods):
            self._add(connection, *in_periods(self._given, first, last))
            self._hands += hands
            if self._hands >= 2 * read or self._hands == self._of:
                read = self._hands
                self.result = read_statistics(connection)
            self._some.set()
            if self._stopped:
                return

    def _add(self, connection: sqlite3.Connection, source: str, values: tuple[object, ...]) -> None:
        connection.execute(f"CREATE TEMP TABLE some AS SELECT {_ADDED} {source}", values)
        for statement in add_to_totals("FROM temp.some AS h WHERE 1", grouped=True):
            connection.execute(statement)
        connection.execute("DROP TABLE temp.some")

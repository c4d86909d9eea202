"""A gaming day of a whole room in figures, added up by the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omaha_table.review.index.sums import Sums
from omaha_table.review.index.totals import SUMS

if TYPE_CHECKING:
    import sqlite3

_OF_DAY = "FROM source WHERE substr(source.day, 1, 10) = ?"


@dataclass(slots=True)
class TableDay:
    table: str
    sums: Sums = field(default_factory=Sums)
    by_hour: dict[int, int] = field(default_factory=dict)
    """How many hands were played in each hour of the day, in local time."""


@dataclass(frozen=True, slots=True)
class DayFigures:
    tables: tuple[TableDay, ...]
    rulings: tuple[tuple[str, int], ...]
    """By name, the most frequent first; those that were given in a hand or about one."""
    incidents: tuple[tuple[str, int], ...]

    @property
    def total(self) -> Sums:
        return sum((one.sums for one in self.tables), Sums())

    @property
    def hours(self) -> list[int]:
        """The hours with hands, in the order of a gaming day, which begins at six."""
        found = {hour for one in self.tables for hour in one.by_hour}
        return sorted(found, key=lambda hour: (hour - 6) % 24)


def day_figures(connection: sqlite3.Connection, day: str) -> DayFigures:
    """Of a date; a day that was closed and opened again is one."""
    added = ", ".join(f"sum(t.{name})" for name in SUMS)
    rows = connection.execute(
        f'SELECT source."table", t.hour, {added} FROM hour_total AS t '
        "JOIN source ON source.id = t.source WHERE substr(source.day, 1, 10) = ? "
        'GROUP BY source."table", t.hour',
        (day,),
    )
    tables: dict[str, TableDay] = {}
    for table, hour, *sums in rows:
        one = tables.setdefault(table, TableDay(table))
        found = Sums(*sums)
        one.sums += found
        one.by_hour[int(hour)] = found.hands
    rulings = connection.execute(
        "SELECT name, count(*) FROM ruling WHERE hand IN (SELECT id FROM hand WHERE source IN "
        f"(SELECT id {_OF_DAY})) GROUP BY name ORDER BY 2 DESC, 1",
        (day,),
    )
    incidents = connection.execute(
        f"SELECT kind, count(*) FROM incident WHERE source IN (SELECT id {_OF_DAY}) "
        "GROUP BY kind ORDER BY 2 DESC, 1",
        (day,),
    )
    return DayFigures(tuple(tables.values()), tuple(rulings), tuple(incidents))

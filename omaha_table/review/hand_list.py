"""The list of hands, and what there is to say of the chosen one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.table_view import Key
from omaha_table.money import format_dollars
from omaha_table.review.anomalies import Anomalies
from omaha_table.review.asking import Note
from omaha_table.review.boxes import Boxes
from omaha_table.review.cursor import Cursor
from omaha_table.review.filter_line import FilterLine
from omaha_table.review.replay import steps_of
from omaha_table.review.statistics import Statistics
from omaha_table.review.step_through import StepThrough, Target
from omaha_table.review.views import Line, ListView

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from omaha_table.review.front import ReviewFront

_KEYS: Final = (
    Key("8 2", "HAND"), Key("9 3", "PAGE"), Key("7 1", "ENDS"), Key("5", "OPEN", strong=True),
    Key("/", "FILTER"), Key("-", "ANOMALIES"), Key("4", "BOXES"), Key("0", "STATISTICS"),
    Key("*", "TAG"), Key("+", "NOTE"), Key(".", "LEAVE"),
)  # fmt: skip


_USUAL: Final = frozenset(("kill", "dealer_read"))
"""Flags that a whole night can have without anything being wrong."""


def clock(at_us: int) -> str:
    """Wall-clock time for the tape, with seconds; '-' for what did not happen."""
    return time.strftime("%H:%M:%S", time.localtime(at_us / 1e6)) if at_us else "-"


class HandList:
    def __init__(self, front: ReviewFront) -> None:
        self._front = front
        self._cursor = Cursor(front.projection.count(front.filter))
        self._filter = front.filter
        self._steps: tuple[int, tuple[str, ...]] = (0, ())
        self._kept: tuple[str, int] | None = None
        """File and first event of the chosen hand, while what is new is taken in."""

    def keys(self) -> dict[str, Callable[[], None]]:
        front = self._front
        return {
            **self._cursor.keys(),
            "5": self._open,
            "6": self._open,
            "enter": self._open,
            "/": lambda: setattr(front, "asking", FilterLine(front)),
            "-": lambda: front.enter(Anomalies(front)),
            "4": lambda: front.enter(Boxes(front)),
            "0": lambda: front.enter(Statistics(front)),
            "+": self._note,
            "*": self._tag,
            ".": front.leave,
        }

    def refreshed(self) -> None:
        """The chosen hand stays chosen; who looks at the newest goes on to the next newest."""
        projection, given = self._front.projection, self._front.filter
        if self._filter != given:
            self._filter, self._cursor.at = given, 0
        elif self._cursor.at and self._kept is not None:
            at = projection.place_of_hand(given, *self._kept)
            self._cursor.at = self._cursor.at if at is None else at
        self._kept = None
        self._cursor.resize(projection.count(given))

    def remember(self) -> None:
        chosen = self._chosen()
        self._kept = None if chosen is None else (chosen["file"], chosen["seq"])

    def tick(self) -> bool:
        return False

    def _chosen(self) -> sqlite3.Row | None:
        cursor = self._cursor
        found = self._front.projection.page(self._front.filter, cursor.at, 1, cursor.total)
        return found[0] if found else None

    def _open(self) -> None:
        row = self._chosen()
        if row is None:
            self._front.refuse("There is no hand to open.")
        else:
            StepThrough.open(self._front, self, Target(row))

    def neighbor(self, by: int) -> Target | None:
        """The hand before or after, which is then the chosen one."""
        before = self._cursor.at
        self._cursor.go(by)
        row = self._chosen()
        return None if row is None or self._cursor.at == before else Target(row)

    def _note(self) -> None:
        row = self._chosen()
        if row is not None:
            self._front.asking = Note(self._front, self._front.key_of(row))

    def _tag(self) -> None:
        row = self._chosen()
        if row is not None:
            self._front.note(self._front.key_of(row), tag="look")

    # What is shown

    def view(self, rows: int) -> ListView:
        front, cursor = self._front, self._cursor
        cursor.rows = rows
        first = cursor.first
        page = front.projection.page(front.filter, first, rows, cursor.total)
        chosen = page[cursor.at - first] if page else None
        hands = "1 hand" if cursor.total == 1 else f"{cursor.total:,} hands"
        return ListView(
            front.bar("REVIEW", hands, _KEYS, f"FILTER  {front.filter_text or 'none: all hands'}"),
            tuple(self._line(row) for row in page),
            first,
            cursor.at,
            cursor.total,
            () if chosen is None else tuple(self._detail(chosen)),
            () if chosen is None else self._steps_of(chosen),
            front.tables > 1 or bool(front.twice),
        )

    def _line(self, row: sqlite3.Row) -> Line:
        tags = sorted(self._front.notes.tags(self._front.key_of(row)))
        flags = row["flags"].replace("_", " ")
        return Line(
            row["number"],
            self._front.table(row["table"], row["day"], row["log"]),
            row["day"],
            clock(row["started_us"]),
            format_dollars(row["pot"]),
            "/".join(row["winners"].split()),
            " ".join([*(f"*{tag}" for tag in tags), flags]).strip(),
            bool(set(row["flags"].split()) - _USUAL),
        )

    def _detail(self, row: sqlite3.Row) -> list[str]:
        notes = self._front.notes_of(row)
        apart = (row["table"], row["day"]) in self._front.twice
        return [
            f"HAND {row['number']}   {row['table']}   {row['day']}",
            *([f"file {Path(row['file']).parent.name}/{Path(row['file']).name}"] if apart else []),
            f"start {clock(row['started_us'])}",
            f"flop  {clock(row['flop_us'])}   push {clock(row['ended_us'])}",
            f"pot {format_dollars(row['pot'])}   fee {format_dollars(row['fee'])}"
            f"+{format_dollars(row['jackpot']).removeprefix('$')}",
            f"won by seat {' and '.join(row['winners'].split()) or '-'}",
            f"{row['dealt']} dealt in   {row['seconds']:.0f} seconds",
            f"dealer {row['dealer'] or '-'}   shift {row['shift'] or '-'}",
            *([f"! {row['flags'].replace(' ', ', ').replace('_', ' ')}"] if row["flags"] else []),
            *(f"note: {note}" for note in notes),
        ]

    def _steps_of(self, row: sqlite3.Row) -> tuple[str, ...]:
        if self._steps[0] != row["id"]:
            said = steps_of(Path(row["file"]), row["seq"], row["last_seq"])
            lines = tuple(f"{clock(at_us)}  {words}" for at_us, words in said)
            self._steps = (row["id"], lines)
        return self._steps[1]

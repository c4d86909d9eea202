"""The queue of what was unusual, to be gone through one by one: in hands, and between them."""

from __future__ import annotations

import textwrap
import time
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.table_view import Key
from omaha_table.review.asking import Note
from omaha_table.review.cursor import Cursor
from omaha_table.review.incidents import KINDS
from omaha_table.review.notes import SEEN
from omaha_table.review.step_through import StepThrough, Target
from omaha_table.review.views import Cells, Column, SheetView

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from omaha_table.review.front import ReviewFront

_KEYS: Final = (
    Key("8 2", "LINE"), Key("9 3", "PAGE"), Key("7 1", "ENDS"), Key("5", "OPEN", strong=True),
    Key("*", "SEEN, NEXT"), Key("0", "UNSEEN/ALL"), Key("/", "KIND/TIME"), Key("+", "NOTE"),
    Key(".", "BACK"),
)  # fmt: skip
_COLUMNS: Final = (
    Column("√", 1), Column("TIME", 14, narrow=8), Column("HAND", 5, right=True),
    Column("TABLE", 8, narrow=7),
    Column("KIND", 12), Column("WHAT", 0),
)  # fmt: skip


class Anomalies:
    def __init__(self, front: ReviewFront) -> None:
        self._front = front
        self._by_time, self._unseen = False, False
        self._cursor = Cursor()
        self._kept = ""
        """The key of the chosen line, while what is new is taken in."""
        self.refreshed()

    def keys(self) -> dict[str, Callable[[], None]]:
        return {
            **self._cursor.keys(),
            "5": self._open,
            "6": self._open,
            "enter": self._open,
            "*": self._seen,
            "0": self._which,
            "/": self._order,
            "+": self._note,
            ".": self._front.leave,
        }

    def refreshed(self) -> None:
        """There may be more lines, and above the chosen one: it stays chosen."""
        projection, given = self._front.projection, self._front.filter
        self._every = projection.count_incidents(given)
        self._left = projection.count_incidents(given, unseen=True)
        if self._kept:
            at = projection.place_of_incident(
                given, self._kept, by_time=self._by_time, unseen=self._unseen
            )
            self._cursor.at = self._cursor.at if at is None else at
            self._kept = ""
        self._cursor.resize(self._left if self._unseen else self._every)

    def remember(self) -> None:
        chosen = self._chosen()
        self._kept = "" if chosen is None else chosen["key"]

    def tick(self) -> bool:
        return False

    def _page(self, offset: int, length: int) -> list[sqlite3.Row]:
        return self._front.projection.incidents(
            self._front.filter, offset, length, by_time=self._by_time, unseen=self._unseen
        )

    def _chosen(self) -> sqlite3.Row | None:
        found = self._page(self._cursor.at, 1)
        return found[0] if found else None

    def _seen(self) -> None:
        """Marked as looked at, and on to the next; a second time takes the mark off."""
        chosen = self._chosen()
        if chosen is None:
            self._front.refuse("There is nothing to mark.")
        elif self._front.note(chosen["key"], tag=SEEN):
            self.refreshed()
            if not self._unseen:
                self._cursor.go(1)

    def _which(self) -> None:
        self._unseen, self._cursor.at = not self._unseen, 0
        self.refreshed()

    def _order(self) -> None:
        self._by_time, self._cursor.at = not self._by_time, 0

    def _hand(self, incident: sqlite3.Row) -> sqlite3.Row | None:
        return None if incident["hand"] is None else self._front.projection.hand(incident["hand"])

    def _open(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self._front.refuse("There is nothing to open.")
            return
        hand = self._hand(chosen)
        if hand is None:
            self._front.refuse("That was not in a hand: all there is to say of it stands below.")
            return
        StepThrough.open(self._front, self, Target(hand, chosen["seq"], chosen["jot"]))

    def neighbor(self, by: int) -> Target | None:
        """The incident before or after that is in a hand, which is then the chosen one."""
        start = self._cursor.at
        while True:
            before = self._cursor.at
            self._cursor.go(by)
            chosen = self._chosen()
            if chosen is None or self._cursor.at == before:
                self._cursor.at = start
                return None
            hand = self._hand(chosen)
            if hand is not None:
                return Target(hand, chosen["seq"], chosen["jot"])

    def _note(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            hand = self._hand(chosen)
            key = chosen["key"] if hand is None else self._front.key_of(hand)
            self._front.asking = Note(self._front, key)

    # What is shown

    def view(self, rows: int) -> SheetView:
        front, cursor = self._front, self._cursor
        cursor.rows = max(rows - _FOOT, 1)
        first = cursor.first
        page = self._page(first, cursor.rows)
        order = "by time" if self._by_time else "by kind"
        which = "unseen only" if self._unseen else "all"
        of = f"   FILTER  {front.filter_text}" if front.filter_text else ""
        chosen = page[cursor.at - first] if page else None
        return SheetView(
            front.bar("ANOMALIES", f"{self._left:,} of {self._every:,} to look at", _KEYS,
                      f"{which}, {order}{of}"),
            _COLUMNS,
            tuple(self._line(row) for row in page),
            first,
            cursor.at,
            "Nothing unusual." if not self._every else "Everything was looked at: 0 shows all.",
            () if chosen is None else self._foot(chosen),
            _FOOT,
        )  # fmt: skip

    def _line(self, row: sqlite3.Row) -> Cells:
        seen = SEEN in self._front.notes.tags(row["key"])
        cells = (
            "√" if seen else "",
            time.strftime("%m-%d %H:%M:%S", time.localtime(row["at_us"] / 1e6)),
            "" if row["number"] is None else str(row["number"]),
            self._front.table(row["table"], row["day"], row["log"]),
            KINDS[row["kind"]],
            row["says"],
        )
        return Cells(cells, dim=seen)

    def _foot(self, row: sqlite3.Row) -> tuple[str, ...]:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row["at_us"] / 1e6))
        where = "between hands" if row["number"] is None else f"hand {row['number']}"
        event = f"   event {row['seq']}" if row["seq"] else ""
        hand = self._hand(row)
        key = row["key"] if hand is None else self._front.key_of(hand)
        notes = [f"note: {note}" for note in self._front.notes.of(key)[-1:]]
        said = [*textwrap.wrap(f"{KINDS[row['kind']]}: {row['says']}", 76),
                *textwrap.wrap(row["more"], 76)]  # fmt: skip
        head = f"{at}   {row['table']}   {where}{event}"
        return (head, *said[: _FOOT - 2 - len(notes)], *notes)


_FOOT: Final = 6
"""Rows for what does not fit on a line."""

"""The review's behavior, without a terminal: rooms that are entered and left, one key at a time.

The pad is a compass everywhere: 8 and 2 from line to line, 9 and 3 by pages, 7 and 1 to the ends,
5 opens, `.` goes back.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from omaha_table.dealer.pad import pad_key
from omaha_table.review.filters import FilterError, parse_filter
from omaha_table.review.hand_list import HandList
from omaha_table.review.notes import SEEN
from omaha_table.review.views import Bar, Level

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from omaha_table.dealer.table_view import Key
    from omaha_table.review.asking import Asking
    from omaha_table.review.counts import Counts
    from omaha_table.review.filters import Filter
    from omaha_table.review.notes import Notes
    from omaha_table.review.projection import Projection
    from omaha_table.review.views import View


class Room(Protocol):
    """A place in the review: which keys work there, and what it shows."""

    def keys(self) -> dict[str, Callable[[], None]]: ...
    def view(self, rows: int) -> View: ...
    def remember(self) -> None:
        """There may soon be more hands than before: what is chosen is to stay chosen."""

    def refreshed(self) -> None:
        """There may be more hands than before."""

    def tick(self) -> bool:
        """Time has passed; whether anything changed."""


class ReviewFront:
    def __init__(
        self,
        projection: Projection,
        notes: Notes,
        counts: Counts,
        *,
        verdict: str = "",
        refresh: Callable[[], list[str]] = list,
        staff: list[str] | None = None,
        wall: Callable[[], float] = time.time,
        check: Callable[[], tuple[bool, str]] | None = None,
    ) -> None:
        self.projection, self.notes, self.counts = projection, notes, counts
        self.staff = staff or []
        """Who may sign, as 'F1 Fern Hill'."""
        self.wall = wall
        self.check = check
        """Finds out whether the journals can be trusted; takes its time."""
        self._verdict, self._distrust, self._refresh = verdict, "", refresh
        self.filter_text, self.filter = "", parse_filter("")
        self.asking: Asking | None = None
        self.said = ""
        """The answer to the last key."""
        self._refused = False
        self.bells = 0
        self.quit = False
        self._look()
        self._rooms: list[Room] = [HandList(self)]
        projection.seen(notes.tagged(SEEN))

    @property
    def room(self) -> Room:
        return self._rooms[-1]

    # Keys

    def press(self, name: str) -> None:
        self.said, self._refused = "", False
        if self.asking is not None:
            self.asking.press(name)
            return
        act = self.room.keys().get(pad_key(name) or "")
        if act is None:
            self.refuse("That key does nothing here.")
            return
        act()

    def refuse(self, message: str) -> None:
        self.bells += 1
        self.said, self._refused = message, True

    def enter(self, room: Room) -> None:
        self._rooms.append(room)

    def leave(self) -> None:
        """Back to the room before; from the list out of the door."""
        if len(self._rooms) > 1:
            self._rooms.pop()
            self.room.refreshed()
        else:
            self.quit = True

    # What is kept

    def set_filter(self, text: str) -> bool:
        """Whether the filter can be read; a slip is told, and the list stays as it is."""
        try:
            given: Filter = parse_filter(text)
            self.projection.count(given)
        except FilterError as error:
            self.refuse(f"At place {error.at + 1}: {error}")
            return False
        self.filter_text, self.filter = text, given
        self.room.refreshed()
        return True

    def key_of(self, hand: sqlite3.Row) -> str:
        """Under which notes of a hand are kept; two journals with one name keep theirs apart."""
        plain = f"{hand['table']} {hand['day']} {hand['number']}"
        return f"{plain} {hand['log']}" if (hand["table"], hand["day"]) in self.twice else plain

    def notes_of(self, hand: sqlite3.Row) -> list[str]:
        """Those from before there were two journals with one name are shown with both."""
        plain = f"{hand['table']} {hand['day']} {hand['number']}"
        key = self.key_of(hand)
        return [*(self.notes.of(plain) if key != plain else ()), *self.notes.of(key)]

    def note(self, key: str, **entry: str) -> bool:
        """Writes a note or a tag; whether it could be written."""
        try:
            self.notes.add(key, **entry)
        except OSError as error:
            self.refuse(f"The note cannot be written: {error.strerror}.")
            return False
        if entry.get("tag") == SEEN:
            self.projection.seen(self.notes.tagged(SEEN))
        return True

    # Time

    def tick(self) -> bool:
        return self.room.tick()

    def keep_up(self) -> bool:
        """What a running table has added; whether anything is new."""
        before = self._how_much()
        for room in self._rooms:
            room.remember()
        self._refresh()
        if self._how_much() == before:
            return False
        self._look()
        for room in self._rooms:
            room.refreshed()
        return True

    def _how_much(self) -> tuple[int, int]:
        every = parse_filter("")
        return self.projection.count(every), self.projection.count_incidents(every)

    def checked(self, trusted: bool, said: str) -> None:
        """What the check of the journals has come to; may come from its thread."""
        self._verdict, self._distrust = (said, "") if trusted else (self._verdict, said)

    def _look(self) -> None:
        """How the journals stand."""
        self.twice = set(self.projection.claimed_twice())
        self.tables = len(self.projection.tables())
        self._faults = [fault for _, fault in self.projection.faults()]

    # What is shown

    def view(self, rows: int) -> View:
        return self.room.view(max(rows, 1))

    @property
    def warning(self) -> str:
        """What is wrong with the journals themselves, the worst first."""
        if self._faults:
            more = f" (+{len(self._faults) - 1}: see -)" if len(self._faults) > 1 else ""
            return f"{self._faults[0]}{more}"
        if self._distrust or not self.twice:
            return self._distrust
        return f"Several journals claim {' '.join(min(self.twice))}: kept apart by file"

    def table(self, table: str, day: str, log: str) -> str:
        """With a mark of its own where two journals have one name."""
        return f"{table}/{log[:4]}" if (table, day) in self.twice else table

    def bar(self, title: str, about: str, keys: tuple[Key, ...], line: str = "") -> Bar:
        """The edges of a view; what is being asked has the second row and the keys."""
        asking, warning = self.asking, self.warning
        level: Level = "warn" if warning else "none"
        if self.said:
            level = "refused" if self._refused else "info"
        if self.twice:
            about = f"{about}   {' '.join(min(self.twice))} is here twice, by file"
        return Bar(
            title,
            about,
            self.said or warning or self._verdict,
            keys if asking is None else asking.keys(),
            line if asking is None else asking.shown,
            asking is not None,
            level,
        )

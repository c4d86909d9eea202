"""What the page reads of the past and writes to the office journal: hands, boxes, counts, sections.

Hands come from the review's index over the room, which a thread keeps up to date. One thread at a
time uses the index, and one at a time the office journal.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from psycopg.conninfo import conninfo_to_dict

from omaha_table.office.decisions import OfficeRefused
from omaha_table.review.index.box_openings import OpenedBox, opened_boxes
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.index.projection import BoxKey, Projection
from omaha_table.room.bundle import Bundle
from omaha_table.room.link import ReaderLink
from omaha_table.room.page.signing import WHERE
from omaha_table.room.store import RoomStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.office.state import Counted
    from omaha_table.review.index.projection import Taken
    from omaha_table.review.index.projector import Keeper
    from omaha_table.review.index.sums import Sums
    from omaha_table.room.page.settings import Settings
    from omaha_table.room.store import RoomJournal

SETTLE_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class _Address(Bundle):
    """A reader's way into the room, from the address that the page was started with."""

    address: str = field(default="", repr=False)

    @property
    def url(self) -> str:
        return self.address


def link_to(database: str) -> ReaderLink:
    given = conninfo_to_dict(database)
    host, port, name, user = (
        str(given.get(part) or "") for part in ("host", "port", "dbname", "user")
    )
    return ReaderLink(_Address("page", "reader", host, port, name, user, "", address=database))


class BoxState(NamedTuple):
    """A box that was opened, what went into it, and what became of it."""

    opened: OpenedBox
    sums: Sums
    counts: tuple[Counted, ...]
    review: str
    """'open', 'explained', 'closed'; empty: none is needed."""
    offices: int
    """In how many offices' journals it was counted."""

    @property
    def counted(self) -> Counted | None:
        return self.counts[-1] if self.counts else None


class Office:
    def __init__(self, settings: Settings) -> None:
        """Raises OSError, FileError or JournalFault."""
        self._link = link_to(settings.database)
        # One for whoever asks and one for the index: each remembers what it listed last.
        self.store, self._indexed = RoomStore(self._link), RoomStore(self._link)
        self._projection = Projection(settings.cache)
        self._reading, self.writing = threading.RLock(), threading.RLock()
        self._keeper: Keeper | None = None
        self.ledger = Ledger(settings.folder, holder=WHERE, elsewhere=self.store.office())

    def start(self) -> None:
        """Begins to read what tables have sent."""
        with self.index():
            pass

    def close(self) -> None:
        with self._reading:
            self._projection.close()
        self._link.close()

    @property
    def reading(self) -> str:
        """How far the first reading has come; empty: it is done."""
        with self.index() as index:
            progress = index.progress
        if progress is None:
            return ""
        if not progress.day:
            return "The hands are being read."
        return f"Reading {progress.day}: {progress.of - progress.read:,} journals are left."

    @contextmanager
    def index(self) -> Iterator[Projection]:
        """The index, for this thread alone."""
        with self._reading:
            # Where the room was away the thread that keeps it has ended.
            if self._keeper is None or self._keeper.error is not None:
                self._keeper = self._projection.keep(self._indexed)
            yield self._projection

    def refreshed(self) -> Ledger:
        """The office's records with what is new here and in the room. Raises Away."""
        with self.writing:
            self.store.journals()
            self.ledger.refresh()
            return self.ledger

    # Boxes

    def days(self) -> list[str]:
        """The gaming days that tables have sent, the latest first. Raises Away."""
        return sorted({one.day[:10] for one in self.store.journals()}, reverse=True)

    def opened_on(self, day: str) -> list[OpenedBox]:
        """The boxes of a gaming day; whether one still lies at its table, today's journal knows."""
        journals = self.store.journals()
        latest = {one.table: one for one in journals}
        chosen = [one for one in journals if one.day[:10] == day or one is latest[one.table]]
        return [box for box in opened_boxes(chosen) if box.day[:10] == day]

    def box_key(self, box: OpenedBox) -> BoxKey:
        """As the index names it."""
        key = box.key
        file = f"{box.table}/{box.day}"
        return BoxKey(file, box.table, box.day, key.log, key.shift, key.box, key.jackpot_box or "")

    def state_of(self, box: OpenedBox) -> BoxState:
        with self.index() as index:
            sums = index.box_sums(self.box_key(box))
        with self.writing:
            counts = self.ledger.counts_of(box.key)
            review = ""
            if counts and counts[-1].needs_review:
                review = self.ledger.review_of(counts[-1]).status
            offices = {"" if self.ledger.is_own(one) else office_of(one) for one in counts}
        return BoxState(box, sums, counts, review, len(offices))

    def hands_in(self, box: OpenedBox) -> list[Taken]:
        with self.index() as index:
            return index.in_box(self.box_key(box))

    def settle(self, box: OpenedBox) -> None:
        """Waits until the index has every hand of a box that the room has now.

        A sum must not be signed for that lacks the last hands. Raises OfficeRefused or Away.
        """
        wanted = [
            one for one in self.store.journals() if one.table == box.table and one.day >= box.day
        ]
        end = time.monotonic() + SETTLE_SECONDS
        while not all(self._has(one) for one in wanted):
            if time.monotonic() > end:
                raise OfficeRefused(
                    "reading", "The hands of this table are still being read. Try again."
                )
            time.sleep(0.05)

    def _has(self, journal: RoomJournal) -> bool:
        with self.index() as index:
            known = index.state_of(journal.key)
        if journal.has(known):
            return True
        if self._keeper is not None:
            self._keeper.look()
        return False


def office_of(counted: Counted) -> str:
    """The name of another office, under which its counts are kept."""
    return counted.year.rpartition(":")[0] or "another office"


def by_shift(boxes: list[BoxState]) -> Iterator[tuple[str, list[BoxState]]]:
    """The boxes of each shift, in the order in which the shifts began."""
    for shift in dict.fromkeys(one.opened.key.shift for one in boxes):
        yield shift, [one for one in boxes if one.opened.key.shift == shift]

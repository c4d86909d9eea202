"""The room as a store of the review: what `report`, `export` and `review` read with --room.

Of each table's day the newest history is read. The room is only read; what the index keeps of it is
kept locally, as of a folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.codec import RecordError
from omaha_table.journal.days import date_of
from omaha_table.journal.events import DayCarried
from omaha_table.journal.reader import record_of
from omaha_table.journal.table_check import CARRIED
from omaha_table.room.listing import HeldRows, Listed, listing, with_records
from omaha_table.room.office import RoomOffice
from omaha_table.room.soundness import open_alarms, room_verdict, standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from omaha_table.journal.verdict import Verdict
    from omaha_table.review.index.store import Journal
    from omaha_table.room.link import ReaderLink


class RoomJournal:
    """One table's gaming day, as far as it was listed."""

    def __init__(self, store: RoomStore, listed: Listed) -> None:
        self._store, self.listed = store, listed

    @property
    def key(self) -> str:
        return f"{self.listed.source}/{self.listed.day}"

    @property
    def name(self) -> str:
        return self.listed.path.name

    @property
    def table(self) -> str:
        return self.listed.source

    @property
    def day(self) -> str:
        return self.listed.day

    def state(self) -> str:
        listed = self.listed
        return f"{listed.generation} {listed.seq} {listed.moved_us}" if listed.seq else ""

    def has(self, state: str) -> bool:
        """Whether an index that took in this state has all that is listed here."""
        try:
            generation, seq, _ = map(int, state.split())
        except ValueError:
            return False
        return generation == self.listed.generation and seq >= self.listed.seq

    def changed_us(self) -> int:
        return self.listed.moved_us

    def open(self) -> HeldRows:
        return HeldRows(self._store.link, self.listed)

    def open_unchecked(self) -> HeldRows:
        """For whoever checks the chain."""
        return HeldRows(self._store.link, self.listed, check=False)

    def of_day(self, table: str, day: str) -> str:
        return f"{table}/{day}"

    def latest(self, table: str) -> RoomJournal:
        found = [one for one in self._store.journals() if one.table == table]
        return found[-1] if found else self


class RoomStore:
    """Everything that tables have sent to a room."""

    def __init__(self, link: ReaderLink) -> None:
        self.link = link
        self._listed: dict[str, RoomJournal] | None = None
        self._offices: tuple[Listed, ...] = ()
        self._office = RoomOffice(link, self._office_journals)

    def journals(self) -> list[RoomJournal]:
        listed = listing(self.link)
        self._offices = tuple(one for one in listed if one.kind == "office")
        found = [RoomJournal(self, one) for one in listed if one.kind == "table"]
        self._listed = {one.key: one for one in found}
        return found

    def near(self, table: str, day: str) -> list[RoomJournal]:
        """Those with hands of a table or a day, and those that share a box with one."""
        found = [one for one in self.journals() if table in ("", one.table)]
        if not day:
            return found
        tables: dict[str, list[RoomJournal]] = {}
        for one in found:
            tables.setdefault(one.table, []).append(one)
        return [one for days in tables.values() for one in _around(days, day)]

    def journal(self, key: str) -> RoomJournal:
        if self._listed is None:
            self.journals()
        assert self._listed is not None
        table, _, day = key.partition("/")
        gone = Listed(table, "table", day, 0, 0, b"", b"", 0, put_aside=False, enrolled_us=0)
        return self._listed.get(key) or RoomJournal(self, gone)

    def _office_journals(self) -> tuple[Listed, ...]:
        if self._listed is None:
            self.journals()
        return self._offices

    def office(self) -> RoomOffice:
        return self._office

    def verdict(
        self,
        journals: Iterable[Journal] | None = None,
        *,
        offices: bool = True,
        progress: Callable[[int], None] = lambda events: None,
    ) -> Verdict:
        """Reads every row of these journals, and of the offices whose records are shown; or all."""
        if journals is None:
            tables = self.journals()
        else:
            tables = [self._as_listed(one) for one in journals]
        beside = list(self._office_journals()) if offices else []
        if journals is not None:
            beside = with_records(self.link, beside)
        return room_verdict(self.link, [*(one.listed for one in tables), *beside], progress)

    def _as_listed(self, journal: Journal) -> RoomJournal:
        return journal if isinstance(journal, RoomJournal) else self.journal(journal.key)

    def standing(self) -> tuple[bool, str]:
        """How far the witness has signed, without reading a row; whether anything is wrong."""
        tables = [one.listed for one in self.journals()]
        return standing(self.link, [*tables, *self._offices])

    def close(self) -> None:
        self.link.close()

    def alarms(self) -> list[str]:
        """The sources in alarm, with what it is."""
        return [f"{one.source}: {one.what}" for one in open_alarms(self.link)]


def _around(days: list[RoomJournal], day: str) -> list[RoomJournal]:
    """Of one table's journals those of a day, and those that a shift of that day reaches into."""
    at = [number for number, one in enumerate(days) if day in (one.day, date_of(one.day))]
    if not at:
        return []
    first, last = at[0], at[-1]
    while first and _box_day(days[first]) < days[first].day:
        first -= 1
    # One more: whoever was called at the end of the last comes in the next.
    last += 1
    while last < len(days) and _box_day(days[last]) <= days[at[-1]].day:
        last += 1
    return days[first : last + 1]


def _box_day(journal: RoomJournal) -> str:
    """On which day the boxes were opened that lie at a table when its day begins."""
    rows = journal.open()
    try:
        row = rows.get(CARRIED)
        event = None if row is None else record_of(row).event
    except RecordError:
        return journal.day  # whoever reads it reports it
    finally:
        rows.close()
    carried = isinstance(event, DayCarried) and event.box_day
    return carried or journal.day

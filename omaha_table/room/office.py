"""What the offices have recorded, read from their journals in the room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.faults import JournalFault
from omaha_table.journal.office_book import OfficeReading
from omaha_table.office.merging import merged
from omaha_table.office.state import Records
from omaha_table.room.listing import HeldRows, with_records

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from omaha_table.journal.rows import Rows
    from omaha_table.room.link import ReaderLink
    from omaha_table.room.listing import Listed
    from omaha_table.room.rows import JournalName


class _Year:
    """One year of an office. Its cosignatures are compared where the room is verified."""

    def __init__(self, link: ReaderLink, listed: Listed) -> None:
        self._link, self._listed = link, listed
        self.key, self.name = listed.history, listed.path.name

    def open(self) -> HeldRows:
        return HeldRows(self._link, self._listed, check=False)

    def end_check(self) -> Callable[[Rows, int], None]:
        return lambda rows, last: None


class _Office:
    """One office, and how far it was read."""

    def __init__(self, link: ReaderLink) -> None:
        self._link = link
        self._years: list[_Year] = []
        self._read: tuple[JournalName, ...] = ()
        self.reading = OfficeReading(lambda: self._years)
        self.records = Records()

    def list(self, years: list[Listed]) -> None:
        self._years = [_Year(self._link, year) for year in years]
        known = tuple(year.history for year in years)
        if known[: len(self._read)] != self._read:
            # Another history of a year that was read: from the start.
            self.reading = OfficeReading(lambda: self._years)
        self._read = known

    def first_hash(self) -> bytes:
        """Of the first event: no other office has it."""
        rows = self._years[0].open()
        try:
            first = rows.get(1)
        finally:
            rows.close()
        return b"" if first is None else first.hash


class RoomOffice:
    """The offices that send their journals to the room, taken together."""

    def __init__(self, link: ReaderLink, listed: Callable[[], tuple[Listed, ...]]) -> None:
        self._link, self._listed = link, listed
        self._offices: dict[str, _Office] = {}
        self.fault = ""
        """Why what some office recorded is not shown."""

    def state(self) -> object:
        """Another one when there is more to read, as far as the journals were listed."""
        return tuple((one.history, one.seq) for one in self._listed())

    def read(self, own: Collection[bytes] | None = None) -> Records:
        """All that is recorded by now, beside what an own office has recorded, if there is one:
        `own` are the first events of its years, and no office that has one is read.

        Raises Away.
        """
        years: dict[str, list[Listed]] = {}
        for one in with_records(self._link, self._listed()):
            years.setdefault(one.source, []).append(one)
        self.fault = ""
        found = {}
        for name, listed in years.items():
            office = self._offices.setdefault(name, _Office(self._link))
            office.list(listed)
            try:
                if own and office.first_hash() in own:
                    continue
                found[name] = office.reading.read()
            except JournalFault as fault:
                self.fault = self.fault or (
                    f"Counts and notes of the office {name} are not shown: {fault.message}"
                )
                del self._offices[name]
        return merged(found, alone=own is None)

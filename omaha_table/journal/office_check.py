"""What `verify` checks of an office journal beyond its chain: each entry may follow those before.

Signers, reviews, locks and the staff list are decided again with the rules that recorded them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from omaha_table.journal.chain import START
from omaha_table.journal.codec import RecordError, decode, event_in
from omaha_table.journal.events import (
    ClockStepped,
    DayClosed,
    DayOpened,
    JournalSealed,
    SegmentEnrolled,
)
from omaha_table.journal.faults import Tampered
from omaha_table.journal.walk import Broken
from omaha_table.office.decisions import OfficeRefused, check
from omaha_table.office.events import (
    OFFICE,
    BoxCounted,
    HandNoted,
    HandTagged,
    OfficeEvent,
    OfficeOpened,
    PinAccepted,
    PinRefused,
    TableEnrolled,
    VarianceClosed,
    VarianceExplained,
)
from omaha_table.office.state import Brief, Folder

if TYPE_CHECKING:
    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.office.state import Records

_MOST_BYTES: Final = 1 << 20
OPENING: Final = 2
_NAMES: Final = {
    "box_counted": " (a count)",
    "variance_explained": " (an explanation of a variance)",
    "variance_closed": " (the closing of a variance)",
    "threshold_set": " (the threshold of a variance)",
    "hand_noted": " (a note)",
    "hand_tagged": " (a tag)",
    "list_taken_in": " (the end of a list of 0.1.0)",
    "staff_changed": " (a change of the staff list)",
    "unsealed": " (an unsealing)",
    "section_taken": " (who supervises a section)",
}
_OF_THE_LOG: Final = (DayOpened, DayClosed, ClockStepped)
_BEFORE_ENROLLMENT: Final = (OfficeOpened, PinRefused, PinAccepted)


class OfficeCheck:
    """Follows the years of one folder; raises Broken at the first entry that does not follow."""

    def __init__(self) -> None:
        self._folder = Folder()
        self.sealed = Brief()
        """What the last sound seal keeps: a segment after damage goes on from there."""
        self.over = ""
        """The damaged journal after which the one that is checked goes on."""
        self._file = self._before = ""
        self._known = self._is_segment = self._enrolled = self._is_sealed = False
        self._named: SegmentEnrolled | None = None

    def start(self, file: str) -> None:
        """The next journal, of which nothing may be readable."""
        self._before, self._file, self.over = self._file, file, ""

    def begin(self, opened: DayOpened, *, known: bool) -> None:
        """A year, or a segment of it. `known`: all of the journal before it was checked too."""
        begins = opened.previous == START.hex()
        self._is_segment = is_segment(opened)
        self._known = known or (begins and not self._is_segment)
        self._enrolled, self._named = False, None

    @property
    def records(self) -> Records:
        return self._folder.records

    def take(self, year: str, row: Row, event: Event) -> None:
        self._is_sealed = isinstance(event, JournalSealed)
        if isinstance(event, JournalSealed):
            self._sealed(row, event)
        elif isinstance(event, SegmentEnrolled):
            self._segment(row, event)
        elif isinstance(event, OfficeEvent):
            self._entry(year, row, event)
        elif not isinstance(event, _OF_THE_LOG):
            raise Broken(row.seq, "foreign", "this event does not belong into an office journal")

    def end(self, seq: int) -> None:
        """After the last row of a journal; a kill can leave its first row without a seal."""
        if seq >= OPENING and not self._is_sealed:
            raise Broken(seq, "seal", "this entry is not sealed, as every entry is")
        if self._is_segment and not self._enrolled:
            raise Broken(1, "link", "this segment was not enrolled by a shift manager")

    def _entry(self, year: str, row: Row, event: OfficeEvent) -> None:
        if isinstance(event, OfficeOpened) != (row.seq == OPENING):
            raise Broken(row.seq, "replay", "only a year's second event opens the office")
        if isinstance(event, OfficeOpened):
            self._opened(row, event)
        if self._is_segment and not self._enrolled and not isinstance(event, _BEFORE_ENROLLMENT):
            self._enroll(row, event)
        elif self._named is not None or (
            isinstance(event, TableEnrolled) and event.table == OFFICE
        ):
            raise Broken(row.seq, "replay", "the office goes on only at the start of a segment")
        try:
            check(self._folder.so_far, event)
        except OfficeRefused as refused:
            raise Broken(row.seq, "replay", f"{row.kind}: {refused.message.rstrip('.')}") from None
        self._folder.take(year, row.seq, row.at_us, event)

    def _segment(self, row: Row, event: SegmentEnrolled) -> None:
        if not self._is_segment or self._enrolled or self._named is not None:
            raise Broken(row.seq, "replay", "only a new segment names a damaged journal")
        if self._before and event.broken != self._before:
            raise Broken(row.seq, "link", "this segment names another journal than the one before")
        self._named = event

    def _enroll(self, row: Row, event: OfficeEvent) -> None:
        """A segment begins with the entry that a shift manager signed for it."""
        named = self._named
        signed = (
            named is not None
            and isinstance(event, TableEnrolled)
            and (event.table, event.log, event.broken) == (OFFICE, self._file, named.broken)
            and (event.by.id,) == named.by
        )
        if not signed or named is None:
            raise Broken(row.seq, "link", "this segment was not enrolled by a shift manager")
        self._enrolled, self._named, self.over = True, None, named.broken

    def _opened(self, row: Row, event: OfficeOpened) -> None:
        carried = self._brief_in(row, event.carried)
        if self._is_segment:
            if self._before and carried != self.sealed:
                raise Broken(row.seq, "link", "this segment does not carry on the last sound seal")
        elif self._known and carried != self._folder.so_far.brief:
            raise Broken(row.seq, "link", "this year does not carry on what the last one left")
        self._folder.start_from(carried)

    def _sealed(self, row: Row, seal: JournalSealed) -> None:
        kept = self._brief_in(row, seal.state)
        if kept != self._folder.so_far.brief:
            raise Broken(row.seq, "replay", "the seal does not match the entries before it")
        self.sealed = kept

    @staticmethod
    def _brief_in(row: Row, state: dict[str, Any]) -> Brief:
        try:
            return brief_in(state)
        except Tampered:
            raise Broken(row.seq, "unreadable", "what this seal keeps cannot be read") from None


def is_segment(opened: DayOpened) -> bool:
    """Whether a journal goes on after a damaged one, with which nothing links it."""
    return opened.previous == START.hex() and opened.day[-1:].isalpha()


def brief_in(state: dict[str, Any]) -> Brief:
    """Raises Tampered if it is not what a seal keeps."""
    try:
        found: Brief = decode(Brief, state)
    except RecordError:
        raise Tampered("A seal of the office journal cannot be read.") from None
    return found


def name_of(row: Row) -> str:
    """What a changed row seems to be, for somebody who has to find the sheet; empty: unknown."""
    try:
        event = event_in(row.kind, row.body)
    except RecordError:
        return _NAMES.get(row.kind, "")
    match event:
        case BoxCounted():
            box = f"the count of box {event.box}, shift {event.shift}, {event.table} {event.day}"
            return f" ({box})"
        case VarianceExplained():
            return f" (an explanation of count {event.year}-{event.count})"
        case VarianceClosed():
            return f" (the closing of count {event.year}-{event.count})"
        case HandNoted():
            return f" (a note on {event.about})"
        case HandTagged():
            return f" (a tag of {event.about})"
    return _NAMES.get(row.kind, "")

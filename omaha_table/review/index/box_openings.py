"""The drop boxes that were opened at tables, with or without hands, and which still lie open."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.journal.codec import RecordError, type_name
from omaha_table.journal.events import DayCarried, DayClosed, DayOpened
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import record_of
from omaha_table.office.state import CountKey
from omaha_table.review.index.reading import Around
from omaha_table.review.index.store import as_journal
from omaha_table.table.events import ShiftClosed, ShiftOpened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from omaha_table.review.index.store import Journal

_KINDS: Final = [
    type_name(kind) for kind in (DayOpened, DayCarried, ShiftOpened, ShiftClosed, DayClosed)
]


class OpenedBox(NamedTuple):
    """The drop box and the jackpot box of one shift at one table."""

    table: str
    day: str
    key: CountKey
    is_open: bool

    @property
    def named(self) -> str:
        """As a command names them: B7/J7."""
        return f"{self.key.box or '-'}/{self.key.jackpot_box or '-'}"


def opened_boxes(files: Sequence[Path | Journal]) -> list[OpenedBox]:
    """In the order in which they were opened; what cannot be read is left out."""
    found: dict[CountKey, tuple[str, str]] = {}
    lying: dict[str, CountKey | None] = {}
    for journal in map(as_journal, files):
        for around, is_closed in _shifts(journal):
            key = CountKey(around.box_log, around.shift, around.box, around.jackpot_box)
            if around.shift:
                found.setdefault(key, (around.table, around.box_day))
            # A shift that goes on is carried over into the next day's journal.
            goes_on = bool(around.shift) and not is_closed
            lying[journal.of_day(around.table, "")] = key if goes_on else None
    still = set(lying.values())
    return [OpenedBox(*where, key, key in still) for key, where in found.items()]


def lies_open(journal: Path | Journal, table: str, key: CountKey) -> bool:
    """Whether a box is still at its table: `journal` is one of that table's."""
    latest = as_journal(journal).latest(table)
    return any(box.key == key and box.is_open for box in opened_boxes([latest]))


def _shifts(journal: Journal) -> Iterator[tuple[Around, bool]]:
    """The table after each change of its boxes, as far as the journal can be read, and whether the
    day is closed."""
    around = Around()
    try:
        with closing(journal.open()) as reader:
            for row in reader.since(0, _KINDS):
                event = record_of(row).event
                around.see(row.seq, event)
                yield around, isinstance(event, DayClosed)
    except (JournalFault, RecordError, ValueError, TypeError, AttributeError):
        return

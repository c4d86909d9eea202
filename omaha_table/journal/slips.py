"""The slips of the last shifts, as the log has them: they can be copied again after a restart."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.journal.chain import head_words
from omaha_table.journal.codec import RecordError
from omaha_table.journal.days import day_files
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader, record_of
from omaha_table.table.events import ShiftClosed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.reader import JournalRows

KEPT: Final = 3
"""Slips that the console shows: those of a day with three shifts."""
_DAYS: Final = 10
"""How many of the last journals are looked through for them."""


@dataclass(frozen=True, slots=True)
class Slip:
    """What a shift left: hands and money, and the head of the log at that moment as words."""

    closed: ShiftClosed
    words: str = ""


def slips_in(rows: JournalRows, after: int = 0) -> list[Slip]:
    """The slips of a journal, the latest first; raises JournalFault."""
    found = []
    for row in rows.since(after, ("shift_closed",)):
        with suppress(RecordError):
            event = record_of(row).event
            assert isinstance(event, ShiftClosed)
            found.append(Slip(event, head_words(row.hash)))
    return found[::-1]


def last_slips(folder: Path, table: str) -> tuple[Slip, ...]:
    """The slips of the last shifts, the latest first, whatever day they ended on."""
    found = list[Slip]()
    for path in day_files(folder, table)[: -_DAYS - 1 : -1]:
        found += _in_file(path)
        if len(found) >= KEPT:
            break
    return tuple(found[:KEPT])


def _in_file(path: Path) -> Iterator[Slip]:
    # A journal that cannot be read is reported where the table is opened and in the review.
    with suppress(JournalFault), Reader(path) as reader:
        yield from slips_in(reader)

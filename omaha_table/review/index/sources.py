"""Which journals a report or an export is made from; two of one table and day are never mixed."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING

from omaha_table.journal.events import DayOpened
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.reader import record_of
from omaha_table.review.index.reading import hands_in
from omaha_table.review.index.store import JournalFile, as_journal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from omaha_table.review.index.hands import Played
    from omaha_table.review.index.store import Journal


def hands_of(path: Path | Journal) -> Iterator[Played]:
    """The finished hands of a journal, or of a file that may be anything; raises JournalFault where
    it ends."""
    journal = as_journal(path)
    if isinstance(journal, JournalFile) and not (
        journal.path.is_file() and os.access(journal.path, os.R_OK)
    ):
        raise Tampered("It is not a file that can be read.")
    try:
        yield from hands_in(journal)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Tampered("It holds what no journal of this program holds.") from None


def doubled(files: Sequence[Path | Journal]) -> str:
    """What is wrong where two journals say they are of one table and day; empty if none do."""
    found: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    journals = [as_journal(file) for file in files]
    for journal in journals:
        opened = _opened(journal)
        if opened is not None:
            event, first = opened
            found[event.table, event.day].append((journal.key, first))
    for (table, day), same in found.items():
        if len(same) > 1:
            names = " and ".join(key for key, _ in same)
            copies = len({first for _, first in same}) == 1
            kind = "They are copies of one journal" if copies else "They are different journals"
            return f"{names} both say they are table {table} on {day}. {kind}: name one of them."
    named: dict[str, str] = {}
    for journal in journals:
        other = named.setdefault(journal.name, journal.key)
        if other != journal.key:
            return f"{other} and {journal.key} have one name and are of different tables: name one."
    return ""


def _opened(journal: Journal) -> tuple[DayOpened, str] | None:
    """The first row of a journal and its hash; None if it cannot be read, which is told later."""
    try:
        with closing(journal.open()) as reader:
            row = reader.get(1)
            event = None if row is None else record_of(row).event
    except (JournalFault, OSError, ValueError, TypeError, AttributeError):
        return None
    return (event, row.hash.hex()) if row is not None and isinstance(event, DayOpened) else None

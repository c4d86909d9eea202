"""The office journal of a data folder: one file a year, written under a short lock.

It is a journal like a table's: chained, sealed with a key that is used once, with a witness file,
and with a receipt once the year is closed. Every entry is sealed at once: nobody waits for it as
for a hand, and it may be the only one of the day.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from omaha_table import __version__
from omaha_table.journal.chain import START, head_words
from omaha_table.journal.codec import RecordError, encode
from omaha_table.journal.days import (
    SUFFIX,
    date_of,
    gaming_day,
    has_office_table,
    missing_offices,
    next_segment,
    office_files,
)
from omaha_table.journal.events import DayClosed, DayOpened, JournalSealed, Record, SegmentEnrolled
from omaha_table.journal.faults import Busy, Tampered, Unwritable
from omaha_table.journal.keys import read_json
from omaha_table.journal.office_check import OPENING, OfficeCheck, brief_in, is_segment
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.walk import Broken, ChainWalk, from_last_seal
from omaha_table.journal.witness import Witness, check_witness, witness_of
from omaha_table.journal.writer import Clock, JournalWriter
from omaha_table.office.decisions import check
from omaha_table.office.events import OFFICE, OfficeEvent, OfficeOpened
from omaha_table.office.state import Brief, Records, brief_after

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from omaha_table.journal.reader import JournalRows
    from omaha_table.journal.rows import OpenRows, Rows
    from omaha_table.office.events import TableEnrolled

WAIT_SECONDS: Final = 5.0
"""How long somebody waits for another entry; one takes some hundredths of a second."""
PROGRAM: Final = "program"
WAITS: Final = "The office journal waits for a shift manager to enroll its new segment."


class OfficeBook:
    """The open journal of this year; `record` writes, and seals what it wrote."""

    def __init__(self, folder: Path, journal: JournalWriter, brief: Brief) -> None:
        self._folder, self._journal, self.brief = folder, journal, brief

    @property
    def year(self) -> str:
        return self._journal.day

    def records(self) -> Records:
        """All that is recorded in this folder; takes as long as there are entries."""
        return read_office(self._folder)

    def record(self, *events: OfficeEvent, actor: str, records: Records | None = None) -> int:
        """Writes events in one transaction; returns the number of the first.

        Raises OfficeRefused, and then nothing was written. `records` is for events that follow
        from more than a seal keeps.
        """
        brief = self.brief
        for event in events:
            check(records or Records(brief), event)
            brief = brief_after(brief, event)
        first = self._journal.seq + 1
        rows = [Record(first + at, None, event) for at, event in enumerate(events)]
        self._journal.append_and_seal(rows, encode(brief), actor)
        self.brief = brief
        return first

    def enroll(self, segment: SegmentEnrolled, event: TableEnrolled, actor: str) -> None:
        """Makes this segment the one that the office goes on in. Raises OfficeRefused."""
        check(Records(self.brief), event)
        first = self._journal.seq + 1
        rows = [Record(first, None, segment), Record(first + 1, None, event)]
        self._journal.append_and_seal(rows, encode(self.brief), actor)


@contextmanager
def open_office(
    folder: Path,
    holder: str,
    clock: Clock | None = None,
    *,
    demo: bool = False,
    enrolling: bool = False,
) -> Iterator[OfficeBook]:
    """The office journal of this year, for as long as the lock is held.

    Creates it, or closes the year before and goes on from there. Raises JournalFault. `enrolling`:
    also a segment that waits for the shift manager who enrolls it.
    """
    clock = clock or Clock()
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            journal, brief = _open(folder, holder, clock, demo=demo)
            break
        except Busy:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
    try:
        if not enrolling and _waits(journal.rows):
            raise Tampered(WAITS)
        yield OfficeBook(folder, journal, brief)
    finally:
        journal.close()


@contextmanager
def open_segment(folder: Path, holder: str, day: str, carried: Brief) -> Iterator[OfficeBook]:
    """A new segment after a damaged office journal; it takes only PINs until it is enrolled."""
    journal = JournalWriter(folder, OFFICE, day, holder=holder, group=_group_of(folder))
    try:
        begun = journal.seq >= OPENING
        brief = brief_at(journal.rows) if begun else _begin(journal, START, carried, demo=False)
        yield OfficeBook(folder, journal, brief)
    finally:
        journal.close()


def brief_of(folder: Path) -> Brief:
    """What the office journal keeps at hand, read without its lock; raises JournalFault.

    PINs and the staff list hang on it, so its last seal is checked each time, as for a writer.
    """
    for path in reversed(_years(folder)):
        witness = witness_of(path)
        with Reader(path) as reader:
            # A year that is being begun has nothing yet; what was left for it counts until then.
            if reader.count() >= OPENING:
                reader.hold()
                _check_end(path, reader, witness)
                return brief_at(reader)
    return Brief()


def _check_end(path: Path, rows: JournalRows, witness: Witness | None) -> None:
    """Raises Tampered if the last seal was changed, or what follows it was cut off."""
    try:
        walk = from_last_seal(rows)
        for row in rows.since(walk.seq):
            walk.step(row)
        _check_witness(path, rows, witness, walk.seq)
    except Broken as broken:
        raise _tampered(path.name, broken) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Tampered(f"The end of {path.name} cannot be read.") from None


def _check_witness(path: Path, rows: Rows, witness: Witness | None, last: int) -> None:
    is_open = not path.with_suffix(".receipt").exists()
    if witness is not None or is_open:
        named = None if witness is None else rows.get(witness.seq)
        found = "" if named is None else named.hash.hex()
        check_witness(path, witness, last, found, sealed=last > OPENING)


def _tampered(name: str, broken: Broken) -> Tampered:
    where = name if broken.event is None else f"{name}, event {broken.event}"
    return Tampered(f"{where}: {broken.message}.")


def is_waiting(path: Path) -> bool:
    """Whether a journal is a segment that was begun and not enrolled, or has no entry yet.

    Raises JournalFault.
    """
    with Reader(path) as reader:
        return reader.last() is None or _waits(reader)


def _waits(rows: JournalRows) -> bool:
    first = rows.get(1)
    opened = None if first is None else record_of(first).event
    if not isinstance(opened, DayOpened) or not is_segment(opened):
        return False
    return next(rows.since(0, ("segment_enrolled",)), None) is None


def _open(folder: Path, holder: str, clock: Clock, *, demo: bool) -> tuple[JournalWriter, Brief]:
    if has_office_table(folder):
        raise Unwritable(
            "A table in this folder is named office, as the office journal is: move its files."
        )
    year = gaming_day(clock.wall())[:4]
    group = _group_of(folder)
    files = office_files(folder)
    if files:
        latest = files[-1].stem.removeprefix(f"{OFFICE}-")
        is_open = not files[-1].with_suffix(".receipt").exists()
        if is_open and year <= date_of(latest):
            year = latest
            files.pop()
        else:
            if is_open:
                _close_year(folder, files, holder, clock, group)
            if year <= date_of(latest):
                year = next_segment(latest)
    journal = JournalWriter(folder, OFFICE, year, holder=holder, clock=clock, group=group)
    try:
        return journal, _begun(journal, files, demo=demo)
    except BaseException:
        journal.close()
        raise


def _begun(journal: JournalWriter, before: list[Path], *, demo: bool) -> Brief:
    """What a journal keeps; its beginning is written first, if it has none."""
    if journal.seq >= OPENING:
        return brief_at(journal.rows)
    previous, left = _end_before(before)
    return _begin(journal, previous, left, demo=demo)


def _begin(journal: JournalWriter, previous: bytes, before: Brief, *, demo: bool) -> Brief:
    """Begins a year, or goes on with that after a kill."""
    demo = demo or before.demo
    if not journal.seq:
        journal.begin(previous)
        key = journal.public_key
        first = DayOpened(OFFICE, journal.day, previous.hex(), key, __version__, demo)
        # By itself: the witness file must be there before the first seal is.
        journal.append([Record(1, None, first)], PROGRAM)
    opened = OfficeOpened(encode(before), demo)
    brief = brief_after(before, opened)
    journal.append_and_seal([Record(OPENING, None, opened)], encode(brief), PROGRAM)
    return brief


def _close_year(
    folder: Path, files: list[Path], holder: str, clock: Clock, group: int | None
) -> None:
    """Closes the last of these journals."""
    *before, latest = files
    year = latest.stem.removeprefix(f"{OFFICE}-")
    journal = JournalWriter(folder, OFFICE, year, holder=holder, clock=clock, group=group)
    try:
        if _waits(journal.rows):
            raise Tampered(WAITS)
        brief = _begun(journal, before, demo=False)
        last = journal.rows.last()
        sealed = None if last is None else record_of(last).event
        closes = journal.rows.get(journal.seq - 1)
        if not (isinstance(sealed, JournalSealed) and closes and closes.kind == "day_closed"):
            closed = DayClosed(journal.head.hex(), head_words(journal.head))
            record = Record(journal.seq + 1, None, closed)
            sealed = journal.append_and_seal([record], encode(brief), PROGRAM).event
        assert isinstance(sealed, JournalSealed)
        journal.close_day(sealed)
    finally:
        if not journal.is_closed:
            journal.close()


def _end_before(files: list[Path]) -> tuple[bytes, Brief]:
    """The head of the last year before, and what it left."""
    if not files:
        return START, Brief()
    try:
        head = bytes.fromhex(str(read_json(files[-1].with_suffix(".receipt"))["head"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise Tampered(f"The receipt of {files[-1].name} cannot be read.") from None
    with Reader(files[-1]) as reader:
        return head, brief_at(reader)


def brief_at(rows: JournalRows) -> Brief:
    """What the last seal keeps. Every entry is sealed, so nothing follows it: raises Tampered."""
    last = rows.last()
    if last is None:
        raise Tampered("The office journal has no entries.")
    try:
        event = record_of(last).event
    except RecordError:
        raise Tampered("The last entry of the office journal cannot be read.") from None
    if not isinstance(event, JournalSealed):
        raise Tampered("The last entry of the office journal is not sealed.")
    return brief_in(event.state)


class OfficeEntry(NamedTuple):
    """One entry, with its number in the journal of a year."""

    year: str
    seq: int
    at_us: int
    actor: str
    event: OfficeEvent


class OfficeJournal(Protocol):
    """One year of an office, wherever it is kept."""

    @property
    def name(self) -> str: ...
    @property
    def key(self) -> Hashable: ...

    def open(self) -> OpenRows:
        """Raises JournalFault."""

    def end_check(self) -> Callable[[Rows, int], None]:
        """Called before the rows are read; what it returns checks the end that was found."""


class _OfficeFile:
    def __init__(self, path: Path) -> None:
        self._path, self.name, self.key = path, path.name, path

    def open(self) -> Reader:
        return Reader(self._path)

    def end_check(self) -> Callable[[Rows, int], None]:
        path, witness = self._path, witness_of(self._path)
        return lambda rows, last: _check_witness(path, rows, witness, last)


class OfficeReading:
    """All years of a folder, checked on the way, and later what was added.

    A journal that ends in damage is read up to there, if a segment that was enrolled goes on.
    """

    def __init__(self, where: Path | Callable[[], Sequence[OfficeJournal]]) -> None:
        """`where`: a folder, or what lists the years that are kept elsewhere, oldest first."""
        self._where, self._found = where, OfficeCheck()
        self._walks: dict[Hashable, ChainWalk] = {}
        self._latest: Hashable = None
        self._damaged: list[str] = []
        self._waiting: Tampered | None = None
        """The damage after which nobody has enrolled a segment yet."""

    def entries(self) -> Iterator[OfficeEntry]:
        """What was recorded since the last time; raises JournalFault."""
        for journal in self._journals():
            if journal.name in self._damaged:
                continue
            try:
                yield from self._new_in(journal)
            except Broken as broken:
                self._waiting = _tampered(journal.name, broken)
                self._damaged.append(journal.name)
            except Tampered as tampered:
                self._waiting = tampered
                self._damaged.append(journal.name)
            else:
                if self._waiting is None:
                    continue
                if self._found.over != self._damaged[-1]:
                    break
                self._waiting = None
        if self._waiting is not None:
            raise self._waiting

    def read(self) -> Records:
        """All that is recorded by now; raises JournalFault."""
        for _ in self.entries():
            pass
        return replace(self._found.records, damaged=tuple(self._damaged))

    def _journals(self) -> Sequence[OfficeJournal]:
        if isinstance(self._where, Path):
            return [_OfficeFile(path) for path in _years(self._where)]
        return self._where()

    def _new_in(self, journal: OfficeJournal) -> Iterator[OfficeEntry]:
        if journal.key not in self._walks:
            self._walks[journal.key], self._latest = ChainWalk(), journal.key
            self._found.start(journal.name)
        walk = self._walks[journal.key]
        year = journal.name.removesuffix(SUFFIX).removeprefix(f"{OFFICE}-")
        check_end = journal.end_check()
        with closing(journal.open()) as reader:
            for row in reader.since(walk.seq):
                event = walk.step(row)
                if isinstance(event, DayOpened):
                    self._found.begin(event, known=self._waiting is None)
                self._found.take(year, row, event)
                if isinstance(event, OfficeEvent):
                    yield OfficeEntry(year, row.seq, row.at_us, row.actor, event)
            check_end(reader, walk.seq)
        if walk.seq and journal.key == self._latest:
            self._found.end(walk.seq)


def read_office(folder: Path) -> Records:
    """All years of a folder, checked on the way; raises JournalFault."""
    return OfficeReading(folder).read()


def _years(folder: Path) -> list[Path]:
    """The journals of a folder. One that may not be read must not look like one without any."""
    if folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK):
        raise Unwritable(f"This user may not read the folder {folder.name}.")
    found = office_files(folder)
    # One of an earlier year may have been archived.
    for path in missing_offices(folder)[-1:]:
        if not found or path > found[-1]:
            raise Tampered(f"{path.name} is missing.")
    return found


def _group_of(folder: Path) -> int | None:
    """The reviewers' group of a folder that has one; they read the office journal too."""
    try:
        about = folder.stat()
    except OSError:
        return None
    return about.st_gid if about.st_mode & stat.S_ISGID else None

"""How rulings like one were given before at a table: from its logs, the latest day first.

Only as many days are read as it takes to find a few, and only a day that is quoted is checked, as
`verify` checks it. A day that is not sound is left out and named. Slow enough for a thread of its
own; it opens the files to read and touches nothing.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.floor.rulings import BY_NAME
from omaha_table.journal.chain import START
from omaha_table.journal.codec import RecordError, type_name
from omaha_table.journal.days import day_files
from omaha_table.journal.events import DayOpened
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verdict import Verdict
from omaha_table.journal.walk import Broken
from omaha_table.log import without_cards
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.events import Record

ENOUGH: Final = 8
"""Of the same choice; then no earlier day is read."""
ENOUGH_OF_OTHERS: Final = 40
"""Of any choice, where the same one was rarely made."""
MOST_DAYS: Final = 400
"""A year, and the days that were opened a second time."""
_TRIES: Final = 3
"""The table seals on while its open day is read."""
_FAULTS: Final = (
    Broken, JournalFault, RecordError, OSError, ValueError, KeyError, TypeError, AttributeError,
    IndexError,
)  # fmt: skip
"""What reading a file can come to that may be anything."""
_ENGLISH: Final = frozenset(("as", "ad", "ah"))
"""Words that are spelled like an ace."""


@dataclass(frozen=True, slots=True)
class PastRuling:
    day: str
    hand: int | None
    """None: it was given between hands."""
    ruling: str
    words: tuple[str, ...]
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SimilarRulings:
    rulings: tuple[PastRuling, ...] = ()
    """Those with the same choice first; of these the latest first."""
    left_out: tuple[str, ...] = ()
    """The days whose log cannot be trusted."""


@dataclass(slots=True)
class _Day:
    name: str
    stamp: tuple[int, ...]
    rulings: tuple[PastRuling, ...] = ()
    """The latest first."""
    opened: DayOpened | None = None
    """None: the file cannot be read."""
    checked_with: DayOpened | None = None
    """The opening of the day after it, when it was last checked."""
    sound: bool | None = None
    """None: not checked yet."""


class _OpenDay:
    """The day in play, checked row by row as it grows: a whole day takes seconds to check, and
    somebody waits for the ruling. What is quoted was checked when it was read."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name
        self._check = FileCheck(path, Verdict())
        self._opened: DayOpened | None = None
        self._rulings: list[PastRuling] = []

    def go_on(self, stamp: tuple[int, ...]) -> _Day:
        """The day so far; raises what reading a file can come to."""
        with Reader(self._path) as reader:
            for row in reader.since(self._check.seq):
                self._check.check(row, {})
                if row.seq == 1:
                    opened = record_of(row).event
                    self._opened = opened if isinstance(opened, DayOpened) else None
                if row.kind == _RULED:
                    self._rulings += _rulings_in(self._name, record_of(row))
        rulings = tuple(self._rulings[::-1])
        return _Day(self._name, stamp, rulings, self._opened, sound=True)


class PastRulings:
    """The rulings of one table's logs. Each event is read and checked once."""

    def __init__(self, folder: Path, table: str) -> None:
        self._folder, self._table = folder, table
        self._days: dict[Path, _Day] = {}
        self._open: dict[Path, _OpenDay] = {}
        self._lock = threading.Lock()

    def similar(self, name: str, words: tuple[str, ...]) -> SimilarRulings:
        with self._lock:
            return self._similar(name, BY_NAME[name].choice(words))

    def _similar(self, name: str, choice: tuple[str, ...]) -> SimilarRulings:
        same: list[PastRuling] = []
        others: list[PastRuling] = []
        left_out: list[str] = []
        later: DayOpened | None = None
        for path in day_files(self._folder, self._table)[: -MOST_DAYS - 1 : -1]:
            day = self._day(path)
            found = [ruling for ruling in day.rulings if ruling.ruling == name]
            if day.opened is None or (found and not self._is_sound(path, day, later)):
                left_out.append(day.name)
            else:
                for ruling in found:
                    alike = BY_NAME[name].choice(ruling.words) == choice
                    (same if alike else others).append(ruling)
            later = day.opened
            if len(same) >= ENOUGH or len(same) + len(others) >= ENOUGH_OF_OTHERS:
                break
        return SimilarRulings((*same, *others)[:ENOUGH], tuple(left_out))

    def _day(self, path: Path) -> _Day:
        """The rulings of a day; nothing in it is trusted yet."""
        name = path.stem.removeprefix(f"{self._table}-")
        stamp = _stamp(path)
        known = self._days.get(path)
        if known is not None and known.stamp == stamp:
            return known
        if not path.with_suffix(".receipt").exists():
            self._days[path] = day = self._open_day(path, name, stamp)
            return day
        self._open.pop(path, None)
        day = _Day(name, stamp)
        try:
            with Reader(path) as reader:
                records = map(record_of, reader.since(kinds=(_RULED,)))
                found = [ruling for record in records for ruling in _rulings_in(name, record)]
                day.rulings = tuple(found[::-1])
                first = reader.get(1)
                opened = None if first is None else record_of(first).event
            if isinstance(opened, DayOpened):
                day.opened = opened
        except _FAULTS:
            day.rulings = ()
        self._days[path] = day
        return day

    def _open_day(self, path: Path, name: str, stamp: tuple[int, ...]) -> _Day:
        for _ in range(_TRIES):
            going = self._open.setdefault(path, _OpenDay(path, name))
            try:
                return going.go_on(stamp)
            except _FAULTS:
                # Perhaps the table sealed on meanwhile: once more, from its beginning.
                del self._open[path]
        return _Day(name, stamp)

    def _is_sound(self, path: Path, day: _Day, later: DayOpened | None) -> bool:
        if later is None and path in self._open:
            return bool(day.sound)
        if day.sound is None or day.checked_with != later:
            day.sound, day.checked_with = _checked(path, later), later
        return day.sound


_RULED: Final = type_name(Ruled)


def _rulings_in(day: str, record: Record) -> Iterator[PastRuling]:
    event = record.event
    if isinstance(event, Ruled):
        yield PastRuling(day, record.hand, event.ruling, event.words, _told(event.reason), event.by)


def _stamp(path: Path) -> tuple[int, ...]:
    """Another one as soon as anything is written to a journal or beside it."""
    found: list[int] = []
    for part in (path, path.with_name(f"{path.name}-wal"), path.with_suffix(".receipt")):
        try:
            stat = part.stat()
        except OSError:
            found += (0, 0)
        else:
            found += (stat.st_size, stat.st_mtime_ns)
    return tuple(found)


def _checked(path: Path, later: DayOpened | None) -> bool:
    """Whether a day is sound and the next one goes on where it ends.

    Without the second check, whoever makes a whole day again could have it quoted.
    """
    for _ in range(_TRIES):
        check = FileCheck(path, Verdict())
        try:
            check.read({}, lambda rows: None)
        except _FAULTS:
            continue
        end = check.end
        if later is None or (later.previous == START.hex() and later.day[-1].isalpha()):
            return True
        return (later.previous, later.public_key) == (end.head, end.next_key)
    return False


def _told(reason: str) -> str:
    """A reason as everybody may read it: what is spelled like a card may have lain face down."""
    words = reason.split(" ")
    return " ".join(word if word in _ENGLISH else without_cards(word) for word in words)

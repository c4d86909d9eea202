"""The check of large logs by several processes, each of which checks parts of journals ahead.

Only the process that puts the parts together finds out about damage. A part in which anything is
wrong, or that does not start where the one before it ended, counts for nothing: its events are
checked again in their place, as those of a small log are. So the verdict is the same.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Protocol

from omaha_table.journal.anchors import Anchors
from omaha_table.journal.events import JournalSealed
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.parts import Part, Wanted
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.replay import event_at
from omaha_table.journal.table_check import CARRIED
from omaha_table.journal.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

PART: Final = 20_000
"""Events in one part: a fraction of a second's work, so that no process waits long for another."""
WORTH_IT: Final = 8 << 20
"""Bytes of journals: less is checked by the time that processes are started."""
_AHEAD: Final = 4
"""Parts that are handed out for each process: it never waits for work."""


class CheckLost(Exception):  # noqa: N818 - nothing was found out
    """A process ended before it was done: nothing is known of the log."""

    def __init__(self) -> None:
        super().__init__(
            "A process of this check was stopped from outside, perhaps for want of memory. "
            "Nothing was found out: run the check again."
        )


class Pool(Protocol):
    def submit(
        self, work: Callable[[Path, Wanted], Part | None], path: Path, wanted: Wanted, /
    ) -> Future[Part | None]: ...


class Crew:
    """Hands out parts of journals, in their order and a little ahead."""

    def __init__(self, pool: Pool, processes: int, size: int = PART) -> None:
        self._pool, self._size = pool, size
        self._most = _AHEAD * processes
        self._out: deque[Future[Part | None]] = deque()

    def go_ahead(self, checks: Sequence[FileCheck], current: int) -> None:
        """Hands out parts of the current journal, and of the next ones while there is too little
        work."""
        for number in range(current, len(checks)):
            check = checks[number]
            while self._out and self._out[0].done():
                self._out.popleft()
            if number > current and len(self._out) >= self._most:
                return
            if check.can_be_parted and not check.is_prepared:
                check.prepare()
                self._hand_out(check)

    def _hand_out(self, check: FileCheck) -> None:
        for after, until in _cuts(check.path, self._size):
            try:
                future = self._pool.submit(_checked, check.path, check.wanted(after, until))
            except (OSError, RuntimeError):
                # No process could be started, or one that had been is gone.
                raise CheckLost from None
            self._out.append(future)
            check.parts[after] = _result_of(future)


def _result_of(future: Future[Part | None]) -> Callable[[], Part | None]:
    from concurrent.futures import BrokenExecutor

    def result() -> Part | None:
        try:
            return future.result()
        except BrokenExecutor:
            raise CheckLost from None

    return result


def _cuts(path: Path, size: int) -> list[tuple[int, int]]:
    """Where a journal can be parted: what a day begins with, and seals about so far from each
    other."""
    try:
        with Reader(path) as reader:
            last = reader.last_seal()
            cuts, end = [CARRIED], 0 if last is None else last.seq
            while end - cuts[-1] > size:
                seal = reader.next_seal(cuts[-1] + size)
                if seal is None:
                    break
                cuts.append(seal.seq)
    except JournalFault:
        return []
    return [(after, until) for after, until in pairwise([*cuts, end]) if after < until]


class _PartCheck(FileCheck):
    """Checks some events of a journal. What is outside the journal is compared by whoever puts the
    parts together."""

    def __init__(self, path: Path, wanted: Wanted) -> None:
        super().__init__(path, Verdict(), Anchors(words=dict(wanted.words)))
        self._keys, self._named = wanted.keys, set(wanted.named)
        self.named: list[tuple[int, bytes]] = []
        self.words: list[tuple[int, str]] = []

    def _compare_with_named(self, seq: int, found: bytes) -> None:
        self.named.append((seq, found))

    def _found_words(self, seq: int, words: str) -> None:
        self.words.append((seq, words))

    def part(self, wanted: Wanted) -> Part | None:
        with Reader(self.path) as reader:
            reader.hold()
            if wanted.after > CARRIED:
                self._start_from_seal(reader, wanted.after)
            rows = reader.since(self.seq)
            while self.seq < wanted.after:
                self.check(next(rows), {})
            start, sealed = self.place, self.verdict.seals
            self.named.clear()
            self.words.clear()
            while self.seq < wanted.until:
                self.check(next(rows), {})
        end, found = self.place, self.verdict
        if start is None or end is None or self.last_seal != wanted.until:
            return None
        return Part(
            start, end, found.hands, found.seals - sealed, found.opened_seats, self.is_closed,
            self._enrolled, self._named_key, tuple(self.named), tuple(self.words),
        )  # fmt: skip

    def _start_from_seal(self, reader: Reader, seq: int) -> None:
        row = reader.get(seq)
        assert row is not None
        seal = record_of(row).event
        assert isinstance(seal, JournalSealed)
        rules = int(seal.state["rules_seq"])
        self.resume(event_at(reader, 1), row, event_at(reader, rules), rules, closed=False)


def _checked(path: Path, wanted: Wanted) -> Part | None:
    """A part; None if anything in it is wrong: what that is, is found out where it belongs."""
    try:
        return _PartCheck(path, wanted).part(wanted)
    except Exception:
        return None


@contextmanager
def crew_for(files: Sequence[Path]) -> Iterator[Crew | None]:
    """Processes for these journals, one for each processor; None where they are not worth it.

    Call it where no other thread runs: they are forked from this process.
    """
    processes = _processors()
    size = sum(path.stat().st_size for path in files if path.is_file())
    if processes == 1 or size < WORTH_IT:
        yield None
        return
    with crew_of(processes) as crew:
        yield crew


def _processors() -> int:
    """How many this process may use; 1 where nothing says so."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return 1


@contextmanager
def crew_of(processes: int, size: int = PART) -> Iterator[Crew | None]:
    """So many processes; None where the system has nothing for them to speak through."""
    # Here, for large logs alone: a small one is checked by the time that these are imported.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    try:
        fork = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(processes, fork, _leave_interrupts)
    except (OSError, ImportError, NotImplementedError):
        yield None
        return
    try:
        yield Crew(pool, processes, size)
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C stops the process that somebody looks at; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

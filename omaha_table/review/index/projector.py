"""Brings the index up to date with a store: the newest day first, a journal at a time.

Nothing is ever written to a journal. One that is still being written is read as far as it goes,
and from there on the next time. A journal's hands come in transactions of a few hundred; one that a
kill interrupted is read again.
"""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.event_text import event_line
from omaha_table.journal.faults import Away, Busy, JournalFault
from omaha_table.review.index.database import connect
from omaha_table.review.index.filters import bits
from omaha_table.review.index.hands import Between, Played
from omaha_table.review.index.incidents import (
    KINDS,
    Incident,
    incidents_in,
    is_unusual,
    unusual_flags,
)
from omaha_table.review.index.reading import Place, Reading
from omaha_table.review.index.totals import SUMS
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from omaha_table.review.index.database import WriteLock
    from omaha_table.review.index.store import Journal, Store

RANKS: Final = {kind: rank for rank, kind in enumerate(KINDS)}
BATCH: Final = 200
"""Hands in one transaction: a fraction of a second's work."""
_HAND: Final = (
    "source", "box", "number", "started_us", "ended_us", "flop_us", "hour", "seconds", "dealer",
    "down", "dealt", "seats", "won", "pot", "fee", "jackpot", "waived", "refunded", "outcome",
    "flop", "winners", "flags", "seq", "last_seq",
)  # fmt: skip
INSERT_HAND: Final = (
    f"INSERT INTO hand({', '.join(_HAND)}) VALUES({', '.join('?' * len(_HAND))}) "
    "ON CONFLICT(source, seq) DO NOTHING"
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading has come: journals, and the day that is being read."""

    read: int
    of: int
    day: str


class Projector:
    """Writes an index; belongs to one thread."""

    def __init__(self, path: Path, lock: WriteLock) -> None:
        self._connection = connect(path)
        self._lock = lock
        self.progress = Progress(0, 0, "")
        self._hands = 0
        self._players: dict[str, int] = {}
        """Their rows; forgotten with each journal, whose transaction may be rolled back."""
        self._named = ""
        """The journal whose row has its table and day."""

    def close(self) -> None:
        self._connection.close()

    def update(
        self,
        journals: Sequence[Journal],
        progress: Callable[[int], None] = lambda hands: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Takes in what is new, unless another program is doing it."""
        if not self._lock.take():
            return
        run = self._connection.execute
        known = dict(run("SELECT file, state FROM source"))
        listed = {journal.key for journal in journals}
        for key in known.keys() - listed:
            self._drop(key)
        states = [(journal, journal.state()) for journal in journals]
        new = [one for one, state in states if not state or known.get(one.key) != state]
        new.sort(key=lambda journal: journal.day, reverse=True)
        self._hands = 0
        for at, journal in enumerate(new):
            self.progress = Progress(at, len(new), journal.day)
            self._take(journal, progress, is_stopped)
            if is_stopped():
                return
        self.progress = Progress(len(new), len(new), "")

    def _drop(self, key: str) -> None:
        """A journal that is gone."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        [source] = run("SELECT id FROM source WHERE file = ?", (key,)).fetchone()
        self._forget(source)
        run("DELETE FROM source WHERE id = ?", (source,))
        run("COMMIT")

    def _take(
        self, journal: Journal, progress: Callable[[int], None], is_stopped: Callable[[], bool]
    ) -> None:
        run = self._connection.execute
        self._players, self._named = {}, ""
        run("BEGIN IMMEDIATE")
        try:
            source = self._source(journal)
            state, fault, place = journal.state(), "", self._place(source)
            try:
                with contextlib.closing(Reading(journal, place)) as reading:
                    # What was read before is replaced in one go: no reader misses its hands.
                    at_once = not reading.goes_on and self._forget(source)
                    place = reading.place
                    for count, found in enumerate(reading, start=1):
                        self._add(source, journal, found)
                        if count % BATCH == 0:
                            progress(self._hands)
                            if is_stopped():
                                run("ROLLBACK")
                                return
                            if not at_once:
                                self._count(source)
                                run("COMMIT")
                                run("BEGIN IMMEDIATE")
            except JournalFault as told:
                fault = f"{journal.name}: {told.message}"
                state = "" if isinstance(told, Busy) else state
            except OverflowError:
                fault = f"{journal.name}: The journal is damaged: an integer is out of range."
            self._note_fault(source, journal, fault)
            self._count(source)
            kept = (place or Place()).to_text()
            run("UPDATE source SET state = ?, fault = ?, place = ? WHERE id = ?",
                (state, fault, kept, source))  # fmt: skip
            run("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                run("ROLLBACK")
            raise

    def _source(self, journal: Journal) -> int:
        """The row of a journal. Without a state, it was not read to its end."""
        run = self._connection.execute
        run("INSERT INTO source VALUES(NULL, ?, '', '', '', 0, '', '', '') "
            "ON CONFLICT(file) DO NOTHING", (journal.key,))  # fmt: skip
        [source] = run("SELECT id FROM source WHERE file = ?", (journal.key,)).fetchone()
        return int(source)

    def _place(self, source: int) -> Place | None:
        [kept] = self._connection.execute(
            "SELECT place FROM source WHERE id = ?", (source,)
        ).fetchone()
        return Place.from_text(kept) if kept else None

    def _count(self, source: int) -> None:
        self._connection.execute(
            "UPDATE source SET hands = (SELECT count(*) FROM hand WHERE source = ?) WHERE id = ?",
            (source, source),
        )

    def _note_fault(self, source: int, journal: Journal, fault: str) -> None:
        """A journal that cannot be read is an incident of its own."""
        run = self._connection.execute
        run("DELETE FROM incident WHERE source = ? AND kind = 'journal'", (source,))
        if fault:
            table = journal.name.rpartition("-")[0].partition("-")[0]
            incident = Incident(0, journal.changed_us(), "journal", fault)
            self._note(source, journal, Between(table, "", journal.name, incident), incident)

    def _forget(self, source: int) -> bool:
        """A journal that is gone, or another one under its name; whether there were hands of it."""
        run = self._connection.execute
        of = "SELECT id FROM hand WHERE source = ?"
        # Rows of `seat` and `words` stay: they lead to hands that are gone, whose numbers no other
        # hand gets, and to find them would take an index as large as all others.
        for table in ("flag", "ruling"):
            run(f"DELETE FROM {table} WHERE hand IN ({of})", (source,))
        for table in ("hour_total", "dealer_total", "down_total", "incident"):
            run(f"DELETE FROM {table} WHERE source = ?", (source,))
        found = run("DELETE FROM hand WHERE source = ?", (source,)).rowcount
        run("DELETE FROM box WHERE kept = 0")
        return found > 0

    def _add(self, source: int, journal: Journal, found: Played | Between) -> None:
        if isinstance(found, Between):
            if not found.incident.waits:
                self._note(source, journal, found, found.incident)
            return
        self._hands += 1
        ended, hand, run = found.ended, found, self._connection.execute
        assert ended is not None
        if self._named != hand.log:
            self._named = hand.log
            run('UPDATE source SET log = ?, "table" = ?, day = ? WHERE id = ?',
                (hand.log, hand.table, hand.day, source))  # fmt: skip
        flags = unusual_flags(hand)
        won = [seat for seat, cents in ended.awards.items() if cents]
        made = run(
            INSERT_HAND,
            (
                source, self._box(journal, hand), hand.number, hand.started_us, hand.ended_us,
                hand.flop_us, time.localtime(hand.started_us / 1e6).tm_hour, hand.seconds,
                hand.dealer, hand.down, hand.dealt, bits(hand.started.dealt), bits(won), hand.pot,
                hand.fee, ended.jackpot, hand.waived, hand.refunded, ended.outcome, hand.flop,
                " ".join(map(str, ended.awards)), " ".join(sorted(flags)),
                hand.moments[0].seq, hand.moments[-1].seq,
            ),
        )  # fmt: skip
        if not made.rowcount:
            return
        key = made.lastrowid
        many = self._connection.executemany
        names = {hand.names.get(seat, "").casefold() for seat in hand.started.dealt} - {""}
        many("INSERT INTO seat VALUES(?,?)", [(self._player(name), key) for name in names])
        run("INSERT INTO words(rowid, said) VALUES(?, ?)", (key, _words(hand)))
        if flags:
            many("INSERT INTO flag VALUES(?,?)", [(flag, key) for flag in flags])
        if rulings := _rulings(hand):
            many("INSERT INTO ruling VALUES(?,?)", [(name, key) for name in rulings])
        for incident in filter(lambda one: is_unusual(one, hand), incidents_in(hand)):
            self._note(source, journal, hand, incident, key)

    def _player(self, name: str) -> int:
        """The row of a player."""
        if name not in self._players:
            run = self._connection.execute
            run("INSERT OR IGNORE INTO player(name) VALUES(?)", (name,))
            [found] = run("SELECT id FROM player WHERE name = ?", (name,)).fetchone()
            self._players[name] = int(found)
        return self._players[name]

    def _box(self, journal: Journal, hand: Played) -> int:
        """The row of the boxes that the hand was dropped into. Those that were carried over belong
        to the journal in which they were opened."""
        carried = hand.box_log != hand.log
        file = journal.of_day(hand.table, hand.box_day) if carried else journal.key
        run, named = self._connection.execute, (file, hand.shift, hand.box, hand.jackpot_box)
        find = "SELECT id FROM box WHERE (file, shift, box, jackpot_box) = (?, ?, ?, ?)"
        found = run(find, named).fetchone()
        if found is None:
            run(
                'INSERT INTO box(file, shift, box, jackpot_box, "table", day, log, '
                f"{', '.join(SUMS)}, kept, last_us) VALUES(?, ?, ?, ?, ?, ?, ?"
                f"{', 0' * (len(SUMS) + 2)})",
                (*named, hand.table, hand.box_day, hand.box_log),
            )
            found = run(find, named).fetchone()
        return int(found[0])

    def _note(
        self,
        source: int,
        journal: Journal,
        of: Played | Between,
        incident: Incident,
        hand: int | None = None,
    ) -> None:
        first = (of.number, of.moments[0].seq) if isinstance(of, Played) else (None, None)
        key = f"{of.log} {incident.seq} {incident.kind} {incident.jot}"
        self._connection.execute(
            f"INSERT OR IGNORE INTO incident VALUES({', '.join(['NULL', *'?' * 16])})",
            (
                source, journal.key, of.table, of.day, of.log, hand, *first, incident.seq,
                incident.jot, incident.at_us, incident.kind, RANKS[incident.kind], incident.says,
                incident.more, key,
            ),
        )  # fmt: skip


class Keeper:
    """A thread that keeps an index up to date while somebody reads it."""

    PAUSE: Final = 2.0

    def __init__(self, projector: Projector, store: Store) -> None:
        self._projector, self._store = projector, store
        self._stopped, self._first = threading.Event(), threading.Event()
        self._wake = threading.Event()
        self.error: Exception | None = None
        """Why it ended by itself."""
        self.away = ""
        """Why it cannot go on at the moment."""
        self._thread = threading.Thread(target=self._run, name="review index", daemon=True)
        self._thread.start()

    @property
    def progress(self) -> Progress | None:
        """How far the first reading has come; None: it is over."""
        return None if self._first.is_set() else self._projector.progress

    def wait(self, seconds: float) -> bool:
        """Until everything was read once, or so long; whether everything was."""
        return self._first.wait(seconds)

    def look(self) -> None:
        """Looks for what is new at once: somebody waits for it."""
        self._wake.set()

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                begun = time.monotonic()
                try:
                    journals = self._store.journals()
                    self._projector.update(journals, is_stopped=self._stopped.is_set)
                except Away as away:
                    self.away = away.message
                else:
                    self.away = ""
                    self._first.set()
                # Looking after 20,000 files takes a while; it must not take all of the time.
                self._wake.wait(max(self.PAUSE, 5 * (time.monotonic() - begun)))
                self._wake.clear()
        except Exception as error:
            self.error = error
            self._first.set()
        finally:
            self._projector.close()


def _rulings(hand: Played) -> set[str]:
    """The rulings in a hand, and those that corrected it after the push."""
    moments = (*hand.moments, *hand.later)
    return {moment.event.ruling for moment in moments if isinstance(moment.event, Ruled)}


def _words(hand: Played) -> str:
    """What can be searched for: names, rulings and reasons, irregular moments, refusals."""
    said = [*hand.names.values()]
    for moment in (*hand.unusual, *hand.later):
        event = moment.event
        if isinstance(event, Ruled):
            said += [event.ruling, event.reason, event.effect]
        else:
            said.append(event_line(event))
    said += [refusal.message for refusal in hand.refusals]
    return " ".join(filter(None, said))

"""A disposable database of hands, made from journals, for lists and filters.

It can be deleted at any time and is made again; nothing is ever written to a journal. A journal
that is still being written is read as far as it goes, and from there on the next time.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from omaha_table.desk.front.sayings import say
from omaha_table.hand.events import HandEnded, Posted
from omaha_table.journal.faults import JournalFault
from omaha_table.review.filters import Filter, parse_filter
from omaha_table.review.hands import Played, hands_in
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

VERSION: Final = 1
_SCHEMA: Final = f"""
CREATE TABLE source(file TEXT PRIMARY KEY, hands INTEGER NOT NULL, size INTEGER NOT NULL);
CREATE TABLE hand(
  id INTEGER PRIMARY KEY, file TEXT NOT NULL, "table" TEXT NOT NULL, day TEXT NOT NULL,
  number INTEGER NOT NULL, started_us INTEGER NOT NULL, seconds REAL NOT NULL,
  dealer TEXT NOT NULL, shift TEXT NOT NULL, dealt INTEGER NOT NULL, pot INTEGER NOT NULL,
  fee INTEGER NOT NULL, jackpot INTEGER NOT NULL, winners TEXT NOT NULL, flags TEXT NOT NULL,
  seq INTEGER NOT NULL);
CREATE UNIQUE INDEX one ON hand(file, seq);
CREATE INDEX by_time ON hand(started_us);
CREATE INDEX by_pot ON hand(pot);
CREATE INDEX by_dealer ON hand(dealer);
CREATE TABLE seat(hand INTEGER NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL,
  put_in INTEGER NOT NULL, won INTEGER NOT NULL);
CREATE INDEX seats ON seat(hand);
CREATE INDEX by_seat ON seat(seat, hand);
CREATE TABLE flag(hand INTEGER NOT NULL, flag TEXT NOT NULL);
CREATE INDEX by_flag ON flag(flag, hand);
CREATE VIRTUAL TABLE words USING fts5(said, content='');
PRAGMA user_version = {VERSION};
"""


class Projection:
    """Hands of one or many journals; `refresh` brings it up to date."""

    def __init__(self, path: Path | None = None) -> None:
        self._connection = sqlite3.connect(":memory:" if path is None else path)
        [version] = self._connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION) and path is not None:
            self._connection.close()
            path.unlink()
            self._connection = sqlite3.connect(path)
            version = 0
        if not version:
            self._connection.executescript(_SCHEMA)
        self._connection.execute("PRAGMA synchronous = OFF")

    def close(self) -> None:
        self._connection.close()

    def refresh(
        self, files: Iterable[Path], progress: Callable[[int], None] = lambda hands: None
    ) -> list[str]:
        """Takes in what is new; what cannot be read is told, the rest is taken."""
        faults = []
        for path in files:
            try:
                self._take(path, progress)
            except JournalFault as fault:
                faults.append(f"{path.name}: {fault.message}")
        return faults

    def _take(self, path: Path, progress: Callable[[int], None]) -> None:
        known = self._connection.execute(
            "SELECT hands, size FROM source WHERE file = ?", (str(path),)
        ).fetchone()
        size = _size(path)
        if known is not None and known[1] == size:
            return
        count = 0
        try:
            for count, hand in enumerate(hands_in(path), start=1):
                if known is None or count > known[0]:
                    self._add(path, hand)
                if not count % 200:
                    progress(count)
        finally:
            self._connection.execute(
                "INSERT OR REPLACE INTO source VALUES(?, ?, ?)", (str(path), count, size)
            )
            self._connection.commit()

    def _add(self, path: Path, hand: Played) -> None:
        ended = hand.ended
        assert ended is not None
        run = self._connection.execute
        made = run(
            "INSERT OR IGNORE INTO hand VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                str(path), hand.table, hand.day, hand.number, hand.started_us, hand.seconds,
                hand.dealer, hand.shift, len(hand.started.dealt), hand.pot, ended.fee,
                ended.jackpot, " ".join(map(str, ended.awards)), " ".join(sorted(hand.flags)),
                hand.moments[0].seq,
            ),
        )  # fmt: skip
        if not made.rowcount:
            return
        key = made.lastrowid
        self._connection.executemany(
            "INSERT INTO seat VALUES(?,?,?,?,?)",
            [
                (key, seat, hand.names.get(seat, ""), ended.invested.get(seat, 0),
                 ended.awards.get(seat, 0))
                for seat in hand.started.dealt
            ],
        )  # fmt: skip
        run("INSERT INTO words(rowid, said) VALUES(?, ?)", (key, _words(hand)))
        self._connection.executemany(
            "INSERT INTO flag VALUES(?,?)", [(key, flag) for flag in hand.flags]
        )

    def count(self, given: Filter | None = None) -> int:
        given = given or parse_filter("")
        [found] = self._connection.execute(
            f"SELECT count(*) FROM hand WHERE {given.where}", given.values
        ).fetchone()
        return int(found)

    def page(self, given: Filter, offset: int, length: int) -> list[sqlite3.Row]:
        """Some hands of those that fit, the latest first."""
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(
            f"SELECT * FROM hand WHERE {given.where} ORDER BY started_us DESC, id DESC "
            f"LIMIT ? OFFSET ?",
            (*given.values, length, offset),
        ).fetchall()


def _size(path: Path) -> int:
    """Of a journal and what has not been moved into it yet."""
    wal = path.with_name(f"{path.name}-wal")
    try:
        return path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)
    except OSError:
        return -1


def _words(hand: Played) -> str:
    """What can be searched for: names, rulings and reasons, irregular moments."""
    said = [*hand.names.values()]
    for moment in hand.moments:
        event = moment.event
        if isinstance(event, Ruled):
            said += [event.ruling, event.reason, event.effect]
        elif not isinstance(event, Posted | HandEnded):
            said.append(say(event))
    return " ".join(filter(None, said))

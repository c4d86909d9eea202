"""An index of the review with made-up hands, as a cardroom would deal them.

Sixty tables of eight deal in three shifts, each with boxes of its own; dealers are
pushed every half hour, players stay some hours. The rows go into the database in one transaction,
without triggers and indexes, which are made at the end.
"""

from __future__ import annotations

import random
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.review.index.database import (
    INDEXES,
    VERSION,
    WriteLock,
    connect,
    prepare,
    statements,
)
from omaha_table.review.index.filters import bits
from omaha_table.review.index.incidents import KINDS
from omaha_table.review.index.projector import INSERT_HAND, RANKS
from omaha_table.review.index.totals import SUMS, TRIGGERS, add_up

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

TABLES: Final = 60
A_DAY: Final = 560
"""Hands at a table; ten million are 298 days of the room."""
SECONDS: Final = 100
"""From the start of a hand to that of the next."""
DEALERS: Final = 240
PLAYERS: Final = 5000
BEGIN: Final = 1_735_711_200
"""The first gaming day, 1 January 2025."""
SHIFTS: Final = ("day", "swing", "grave")
_FLAGS: Final = (
    # How many of 10,000 hands have it.
    ("kill", 800), ("dealer_read", 200), ("slow", 100), ("undo", 100), ("refusal", 100),
    ("override", 60), ("waived", 50), ("device", 30), ("misdeal", 30), ("called", 20),
    ("recovered", 5), ("void", 5), ("not_dealt", 1),
)  # fmt: skip
_RULINGS: Final = ("misdeal", "dead", "live", "refund", "pot")
Row = tuple[int | float | str, ...]


@dataclass(slots=True)
class Hand:
    """One hand as it was made up; what the index says of it must follow from this."""

    file: str
    table: str
    day: str
    number: int
    started_us: int
    ended_us: int
    hour: int
    dealer: str
    down: int
    shift: str
    seats: tuple[int, ...]
    names: tuple[str, ...]
    won: int
    pot: int
    fee: int
    jackpot: int
    waived: int
    refunded: int
    outcome: str
    flop: bool
    flags: frozenset[str]
    ruling: str
    seq: int

    @property
    def seconds(self) -> float:
        return (self.ended_us - self.started_us) / 1e6

    @property
    def dealt(self) -> int:
        return len(self.seats)


@dataclass(frozen=True, slots=True)
class _Moods:
    """Which flags a hand has, drawn once for many hands."""

    drawn: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, rng: random.Random) -> _Moods:
        return cls(
            tuple(
                frozenset(flag for flag, often in _FLAGS if rng.randrange(10_000) < often)
                for _ in range(20_011)
            )
        )


def hands(count: int, seed: int) -> Iterator[list[Hand]]:
    """Table after table of each day, oldest first."""
    rng = random.Random(seed)
    moods, at = _Moods.of(rng), 0
    names = [f"player{n:04}" for n in range(PLAYERS)]
    made = day = 0
    while made < count:
        for table in range(1, TABLES + 1):
            found = []
            for hand in _table_day(rng, names, day, table, min(A_DAY, count - made)):
                at = (at + 1) % len(moods.drawn)
                found.append(_with_flags(rng, hand, moods.drawn[at]))
            made += len(found)
            yield found
            if made == count:
                return
        day += 1


def _table_day(
    rng: random.Random, names: list[str], day: int, table: int, count: int
) -> Iterator[Hand]:
    begun = BEGIN + 86_400 * day
    date = time.strftime("%Y-%m-%d", time.localtime(begun))
    named, file = f"t{table}", f"/room/t{table}-{date}.journal"
    there = rng.sample(names, 8)
    for number in range(1, count + 1):
        if number % 20 == 0:
            there[rng.randrange(8)] = rng.choice(names)
        at = begun + number * SECONDS + rng.randrange(40)
        took = rng.randrange(30, 98)
        seats = tuple(range(1, 9)) if rng.random() < 0.7 else tuple(range(1, rng.randrange(4, 9)))
        flop = rng.random() < 0.8
        pot = int(rng.paretovariate(1.3) * 1500)
        # Half an hour a down: from table to table in a line.
        push = (48 * day + number // 18 + 7 * table) % DEALERS
        yield Hand(
            file, named, date, number, at * 1_000_000, (at + took) * 1_000_000,
            time.localtime(at).tm_hour, f"D{push:03}", 1 + number // 18,
            SHIFTS[min(3 * number // A_DAY, 2)], seats, tuple(there[seat - 1] for seat in seats),
            rng.choice(seats), pot, 500 if flop else 0, 100 if flop else 0, 0, 0,
            "showdown" if flop else "uncontested", flop, frozenset(), "", number * 40,
        )  # fmt: skip


def _with_flags(rng: random.Random, hand: Hand, flags: frozenset[str]) -> Hand:
    hand.flags = flags
    if "misdeal" in flags or "void" in flags:
        hand.outcome = "void" if "void" in flags else "misdeal"
        hand.fee = hand.jackpot = 0
    if "waived" in flags:
        hand.waived, hand.fee = hand.fee, 0
    if "override" in flags:
        hand.ruling = rng.choice(_RULINGS)
        hand.refunded = hand.fee if hand.ruling == "refund" else 0
    if "slow" in flags:
        hand.ended_us = hand.started_us + 300_000_000
    return hand


def build(path: Path, count: int, seed: int = 1, *, by_triggers: bool = False) -> None:
    """Writes the index of so many hands; `by_triggers`: its sums are kept hand by hand."""
    prepare(path, WriteLock(path))
    with closing(connect(path)) as connection:
        run = connection.execute
        run("PRAGMA cache_size = -600000")
        # Nobody reads it meanwhile, and after a kill it is made again.
        run("PRAGMA journal_mode = OFF")
        if not by_triggers:
            later = "type = 'trigger' OR type = 'index' AND sql IS NOT NULL"
            found = run(f"SELECT type, name FROM sqlite_master WHERE {later}").fetchall()
            for kind, name in found:
                run(f"DROP {kind} {name}")
        run("BEGIN")
        writer = _Writer(connection)
        for table_day in hands(count, seed):
            writer.add(table_day)
        if not by_triggers:
            for statement in statements(INDEXES):
                run(statement)
            add_up(connection)
            for statement in statements(TRIGGERS):
                run(statement)
        run("COMMIT")
        run("PRAGMA journal_mode = WAL")
        assert run("PRAGMA user_version").fetchone() == (VERSION,)


class _Writer:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._players = {f"player{n:04}": n + 1 for n in range(PLAYERS)}
        connection.executemany(
            "INSERT INTO player VALUES(?, ?)", [(row, name) for name, row in self._players.items()]
        )
        self._source = self._box = self._hand = 0

    def add(self, made: list[Hand]) -> None:
        many, first = self._connection.executemany, made[0]
        self._source += 1
        self._connection.execute(
            "INSERT INTO source VALUES(?, ?, ?, ?, ?, ?, 'read', '', '')",
            (self._source, first.file, f"log{self._source}", first.table, first.day, len(made)),
        )
        boxes = {
            shift: self._box + at
            for at, shift in enumerate(dict.fromkeys(hand.shift for hand in made), start=1)
        }
        self._box += len(boxes)
        sums = ", 0" * (len(SUMS) + 2)
        many(
            f"INSERT INTO box VALUES(?, ?, ?, ?, ?, ?, ?, ?{sums})",
            [
                (box, first.file, first.table, first.day, f"log{self._source}", shift,
                 f"B{first.table[1:]}", f"J{first.table[1:]}")
                for shift, box in boxes.items()
            ],
        )  # fmt: skip
        numbered = list(enumerate(made, start=self._hand + 1))
        self._hand += len(made)
        many(
            INSERT_HAND.replace(" ON CONFLICT(source, seq) DO NOTHING", ""),
            [self._row(hand, boxes[hand.shift]) for hand in made],
        )
        players = self._players
        many("INSERT OR IGNORE INTO seat VALUES(?, ?)",
             [(players[name], row) for row, hand in numbered for name in hand.names])  # fmt: skip
        many("INSERT INTO words(rowid, said) VALUES(?, ?)",
             [(row, " ".join((*hand.names, *_said(hand)))) for row, hand in numbered])  # fmt: skip
        odd = [(row, hand) for row, hand in numbered if hand.flags]
        many("INSERT INTO flag VALUES(?, ?)",
             [(flag, row) for row, hand in odd for flag in hand.flags])  # fmt: skip
        many("INSERT INTO ruling VALUES(?, ?)",
             [(hand.ruling, row) for row, hand in odd if hand.ruling])  # fmt: skip
        many(
            f"INSERT INTO incident VALUES(NULL{', ?' * 16})",
            [
                (self._source, hand.file, hand.table, hand.day, f"log{self._source}", row,
                 hand.number, hand.seq, hand.seq + 20, 0, hand.ended_us, flag, RANKS[flag],
                 " ".join(_said(hand)) or KINDS[flag].casefold(), "",
                 f"log{self._source} {hand.seq + 20} {flag} 0")
                for row, hand in odd for flag in sorted(hand.flags) if flag in KINDS
            ],
        )  # fmt: skip

    def _row(self, hand: Hand, box: int) -> Row:
        return (
            self._source, box, hand.number, hand.started_us, hand.ended_us,
            hand.started_us + 20_000_000 if hand.flop else 0, hand.hour, hand.seconds, hand.dealer,
            hand.down, hand.dealt, bits(hand.seats), 1 << hand.won, hand.pot, hand.fee,
            hand.jackpot, hand.waived, hand.refunded, hand.outcome, int(hand.flop), str(hand.won),
            " ".join(sorted(hand.flags)), hand.seq, hand.seq + 38,
        )  # fmt: skip


def _said(hand: Hand) -> tuple[str, ...]:
    return (hand.ruling, "ruled at the table") if hand.ruling else ()

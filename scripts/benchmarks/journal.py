"""From a command to the disk, beside a bare SQLite insert; verification; recovery."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from measure import Contender, Figure, measure

from omaha_table.cards import DECK
from omaha_table.floor import Staff
from omaha_table.hand import commands as hand
from omaha_table.journal.chain import Row
from omaha_table.journal.crew import crew_for
from omaha_table.journal.days import day_files
from omaha_table.journal.events import ClockStepped, Record
from omaha_table.journal.opening import open_journal
from omaha_table.journal.reader import Reader
from omaha_table.journal.sealed import HandKey, SealedCard
from omaha_table.journal.verification import verify
from omaha_table.journal.writer import Clock
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.commands import DealSealedCard
from omaha_table.session.script import run_line
from omaha_table.table import commands as table
from scripts.campaigns.simulated import Days, simulated

if TYPE_CHECKING:
    from collections.abc import Callable

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey


def _session(folder: Path, office: X25519PublicKey | None = None) -> Session:
    profile = load_profile("ca_big_o")
    return Session.on_journal(folder, "bench", profile, profile.limits[0], Staff(), office=office)


def _seat_eight(session: Session) -> None:
    """Eight players, and the draw for the button."""
    for seat in range(1, 9):
        session.do(table.SeatPlayer(seat, f"P{seat}"))
    for seat, card in enumerate(DECK[:8], start=1):
        session.do(table.Draw(seat, card))


def durable(count: int = 1500) -> list[Figure]:
    """Decides, writes and flushes one action, alternating with a bare insert of the same rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        session = _session(folder / "ours")
        _seat_eight(session)
        session.do(hand.Deal())
        commands = [hand.Act("fold"), hand.Undo()]
        seq = session.state.seq
        for command in commands:
            session.do(command)
        with Reader(day_files(folder / "ours")[0]) as reader:
            rows = list(reader.since(seq))
        assert len(rows) == len(commands)
        bare = _bare(folder)
        ours, theirs = [], []
        for number in range(count):
            start = time.perf_counter()
            session.do(commands[number % 2])
            middle = time.perf_counter()
            _insert(bare, rows[number % 2])
            end = time.perf_counter()
            ours.append((middle - start) * 1e6)
            theirs.append((end - middle) * 1e6)
        session.close()
        bare.close()
    ours.sort()
    theirs.sort()
    base = median(theirs)
    late = len(ours) * 99 // 100
    return [
        Figure("a command, p50", median(ours), median(ours) / base,
               "decide, encode, hash, write, flush; × bare; to reach: 1.3"),
        Figure("a command, p99", ours[late], ours[late] / theirs[late], "× bare"),
        Figure("bare insert, p50", base, 1.0, "WAL, FULL, the same row"),
        Figure("bare insert, p99", theirs[late], 1.0),
    ]  # fmt: skip


def sealing(hands: int = 40) -> list[Figure]:
    """One card of the deal until it is durable: sealed and only counted, beside a bare insert."""
    office = X25519PrivateKey.generate().public_key()
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = {"sealed": _session(folder / "a", office), "counted": _session(folder / "b")}
        for session in tables.values():
            _seat_eight(session)
        bare = _bare(folder)
        for _ in range(hands):
            for session in tables.values():
                session.do(table.StartHand())
            for number in range(40):
                command = DealSealedCard(SealedCard(DECK[number]))
                for what, session in tables.items():
                    start = time.perf_counter()
                    answer = session.do(command)
                    spent = (time.perf_counter() - start) * 1e6
                    assert answer.refusal is None
                    which = "first card of a seat" if number < 8 else "next cards"
                    times.setdefault(f"{what}, {which}", []).append(spent)
                start = time.perf_counter()
                _insert(bare, _CARD_ROW)
                times.setdefault("bare insert", []).append((time.perf_counter() - start) * 1e6)
            for session in tables.values():
                while session.state.hand is not None and session.step.what == "act":
                    session.do(hand.Act("fold"))
                assert session.do(hand.Push()).refusal is None
        for session in tables.values():
            session.close()
        bare.close()
    base = median(times["sealed, next cards"])
    alone = [
        Figure("sealing alone, first card", _per_call(lambda key, at: key.seal(
            SealedCard(DECK[0]), at, 0, 1, office)), 0.0, "with the wrap of the seat's key"),
        Figure("sealing alone, next card", _per_call(lambda key, at: key.seal_next(
            SealedCard(DECK[0]), 1, at, 1)), 0.0, "derive, encrypt, commit"),
    ]  # fmt: skip
    return [
        *(Figure(what, median(spent), median(spent) / base) for what, spent in times.items()),
        *(Figure(one.name, one.micros, one.micros / base, one.note) for one in alone),
    ]


def _per_call(seal: Callable[[HandKey, int], object], count: int = 2000) -> float:
    key = HandKey("bench", "2026-11-14", 1)
    seal(key, 1)
    start = time.perf_counter()
    for at in range(count):
        seal(key, at)
    return (time.perf_counter() - start) / count * 1e6


def _bare(folder: Path) -> sqlite3.Connection:
    bare = sqlite3.connect(folder / "bare", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("PRAGMA wal_autocheckpoint = 0")
    bare.execute(
        "CREATE TABLE event(seq INTEGER PRIMARY KEY, hand INTEGER, at_us INTEGER, mono_us INTEGER, "
        "kind TEXT, actor TEXT, body TEXT, hash BLOB)"
    )
    return bare


def _insert(bare: sqlite3.Connection, row: Row) -> None:
    bare.execute("BEGIN IMMEDIATE")
    bare.execute("INSERT INTO event VALUES(NULL, ?, ?, ?, ?, ?, ?, ?)", row[1:])
    bare.execute("COMMIT")


_CARD_ROW: Final = Row(1, 1, 1_790_000_000_000_000, 1_000_000_000, "card_dealt", "shoe", "x" * 120,
                       bytes(32))  # fmt: skip


def recovering(events: int = 1_000_000) -> list[Figure]:
    """Opens a table in the middle of a hand, after a long day and after a short one."""
    return [
        Figure(f"open, {count:,} events", micros, micros / 50_000, "of 50 ms allowed")
        for count in (100, events)
        for micros in [_recovery(count)]
    ]


def _recovery(events: int) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        session = _session(folder)
        seq = session.state.seq
        session.close()
        journal = open_journal(folder, "bench", None, Clock())
        for first in range(seq + 1, seq + events, 10_000):
            after = min(first + 10_000, seq + events)
            journal.append([Record(at, None, ClockStepped(2.0)) for at in range(first, after)])
        journal.close()
        session = _session(folder)
        _seat_eight(session)
        for line in ["hand", "deal", *["fold"] * 7, "push", "hand", "deal", "call", "call"]:
            list(run_line(session, 1, line))
        session.close()
        start = time.perf_counter()
        session = _session(folder)
        spent = time.perf_counter() - start
        assert "action on" in session.recovered
        session.close()
    return spent * 1e6


_PEAK = """
import resource, sys
from pathlib import Path
from omaha_table.journal.verification import files_in, verify
assert verify(files_in(Path(sys.argv[1]))).sound
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory() -> list[Figure]:
    """Peak memory of `verify`, for a short log and for one ten times as long."""
    peaks = {}
    for hands in (100, 1000):
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, simulated(Days(hands))],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        peaks[hands] = int(done.stdout) / 1024
    return [
        Figure(f"{hands} hands", peak, peak / peaks[100], "MiB, not µs", "")
        for hands, peak in peaks.items()
    ]


def verifying(rounds: int, hands: int = 1000) -> list[Figure]:
    """Verifies eight-handed hands with sealed cards, beside reading and hashing their rows."""
    files = day_files(simulated(Days(hands)))

    def ours(count: int) -> None:
        for _ in range(count):
            found = verify(files)
            assert found.sound
            assert found.hands == hands

    waits: list[float] = []

    def several(count: int) -> None:
        begun = time.perf_counter()
        for _ in range(count):
            with crew_for(files) as crew:
                assert verify(files, crew=crew).sound
        waits.append((time.perf_counter() - begun) / count)

    found = measure(
        [Contender("", ours), Contender("", lambda count: _only_read(files, count)),
         Contender("", several)], rounds, 0.1,
    )  # fmt: skip
    wait = median(waits) / hands * 1e6
    rows, size = _only_read(files, 1), sum(path.stat().st_size for path in files)
    per = found[0].micros / hands
    about = f"{rows / hands:.0f} events and {size / hands / 1024:.0f} KiB each"
    return [
        Figure("verify, one hand", per, 1.0, f"{1e6 / per:,.0f} hands/s on one core, {about}",
               "CPU"),
        Figure("with a process for each processor", wait, wait / per,
               f"{1e6 / wait:,.0f} hands/s; to reach: 1,500"),
        Figure("the same, work of all processes", found[2].micros / hands, found[2].times_ours,
               f"{len(os.sched_getaffinity(0)) * hands / found[2].micros * 1e6:,.0f} hands/s if no "
               "other program ran", "CPU"),
        Figure("only read and hash its rows", found[1].micros / hands, found[1].times_ours,
               "SQLite and hashlib", "CPU"),
    ]  # fmt: skip


def _only_read(files: list[Path], count: int) -> int:
    rows = 0
    for _ in range(count):
        for path in files:
            bare = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
            for row in bare.execute(
                "SELECT seq, hand, at_us, mono_us, kind, actor, body FROM event"
            ):
                hashlib.sha256(repr(row).encode()).digest()
                rows += 1
            bare.close()
    return rows

"""The room: how far behind 60 tables are, catching up, the overview, the witness, the console."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from console import Screen, cpu_of
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from measure import Figure

from omaha_table.floor import Staff
from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from omaha_table.room.bundle import write_bundle
from omaha_table.room.database import connect, upgrade
from omaha_table.room.embedded import EmbeddedServer
from omaha_table.room.enrollment import enroll
from omaha_table.room.overview import overview
from omaha_table.room.shipper import Shipper
from omaha_table.room.witness import Witness
from omaha_table.room.witness_record import WitnessRecord
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line

if TYPE_CHECKING:
    from omaha_table.room.database import Connection
    from omaha_table.room.overview import TableStatus

TABLES = 60
_CHECKS = ["check"] * 8
HAND = ["hand", "deal", *["call"] * 7, "check", "flop 7c 5h 2s", *_CHECKS, "turn Kd", *_CHECKS,
        "river As", *_CHECKS, "high 1", "low 2", "push"]  # fmt: skip


def _table(folder: Path, name: str) -> Session:
    profile = load_profile("ca_big_o")
    session = Session.on_journal(folder, name, profile, profile.limits[0], Staff())
    ranks = "23456789"
    for line in [f"seat {seat} P{seat}" for seat in range(1, 9)]:
        list(run_line(session, 1, line))
    for seat, rank in enumerate(ranks, start=1):
        list(run_line(session, 1, f"draw {seat} {rank}c"))
    return session


def _room(stack: ExitStack) -> Connection:
    server = stack.enter_context(EmbeddedServer())
    owner = stack.enter_context(closing(connect(server.url())))
    upgrade(owner)
    return owner


def behind(seconds: float = 30.0) -> list[Figure]:
    """60 tables at one event a second, each with a shipper of its own, from event to room."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        owner = _room(stack)
        sessions = []
        for number in range(TABLES):
            name = f"t{number}"
            sessions.append(_table(folder / name, name))
            stack.callback(sessions[-1].close)
            write_bundle(folder / f"{name}.toml", enroll(owner, name, "table"))
            shipper = subprocess.Popen(
                [sys.executable, "-P", "-m", "omaha_table", "room", "ship", "--data",
                 folder / name, "--room", folder / f"{name}.toml"],
                stdout=subprocess.DEVNULL, env=os.environ,
            )  # fmt: skip
            stack.callback(shipper.wait)
            stack.callback(shipper.terminate)
        start = [session.state.seq for session in sessions]
        while any(one.seq != first for one, first in zip(_by_number(owner), start, strict=True)):
            time.sleep(0.5)
        end = time.monotonic() + seconds
        number, due = 0, time.monotonic()
        while time.monotonic() < end:
            list(run_line(sessions[number % TABLES], 1, HAND[number // TABLES % len(HAND)]))
            number += 1
            due += 1 / TABLES
            time.sleep(max(due - time.monotonic(), 0))
        time.sleep(2)
        found = owner.execute(
            "SELECT percentile_cont(array[0.5, 0.99]) WITHIN GROUP (ORDER BY "
            "extract(epoch FROM received_at) * 1e6 - at_us) FROM room.event "
            "WHERE seq > %s AND kind <> 'journal_sealed'",
            (max(start),),
        ).fetchone()
        assert found is not None
        p50, p99 = found[0]
    return [
        Figure("60 tables, p50", p50, 1.0, "from the event's time to its row in the room"),
        Figure("60 tables, p99", p99, p99 / p50, "to reach: 100 ms"),
    ]


def _by_number(owner: Connection) -> list[TableStatus]:
    return sorted(overview(owner), key=lambda one: int(one.table[1:]))


def catching_up(hands: int = 200, tables: int = 4) -> list[Figure]:
    """A night away: whole journals sent, then verified and signed."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        owner = _room(stack)
        rooms = []
        for number in range(tables):
            name = f"t{number}"
            session = _table(folder / name, name)
            for line in HAND * hands:
                list(run_line(session, 1, line))
            session.close()
            room = stack.enter_context(closing(connect(enroll(owner, name, "table").url)))
            rooms.append((name, room))
        begun, sent = time.perf_counter(), 0
        for name, room in rooms:
            shipper = Shipper(folder / name, name, "table")
            shipper.start(room)
            sent += shipper.ship(room)
        shipped = (time.perf_counter() - begun) / sent * 1e6
        record = stack.enter_context(closing(WitnessRecord(folder / "witness.signed")))
        witness = Witness(Ed25519PrivateKey.generate(), record)
        before = time.process_time()
        signed = witness.look(owner)
        assert signed == sent
        witnessed = (time.process_time() - before) / signed * 1e6
        for number in range(tables, TABLES):
            enroll(owner, f"t{number}", "table")
        looks = [_timed(owner) for _ in range(50)]
    return [
        Figure("an event sent", shipped, 1.0, f"{1e6 / shipped:,.0f} a second; to reach: 15,000"),
        Figure("an event witnessed", witnessed, witnessed / shipped,
               f"{1e6 / witnessed:,.0f} a second; to reach: 20,000", "CPU"),
        Figure("overview of 60 tables", sorted(looks)[25] * 1e6,
               sorted(looks)[25] * 1e6 / shipped, "to reach: 2 ms"),
    ]  # fmt: skip


KEYS = ("/", "\r", "/", "-")
"""The floor is called, and not needed: two events in the log for four keys."""
TABLE = """[table]
id = "t1"
rules = "ca_big_o"
"""


def _console(folder: Path, bundle: Path | None, keys: int) -> tuple[float, float, float]:
    """CPU of a real console for these keys; of its shipper meanwhile, as a share; and events."""
    folder.mkdir()
    table = folder / "t1.toml"
    table.write_text(TABLE + (f'[room]\nbundle = "{bundle}"\n' if bundle else ""))
    code = "import sys; from omaha_table.cli import main; sys.argv[1:] = sys.argv[2:]; main()"
    screen = Screen(code, words=["console", "--table", str(table), "--data", str(folder / "data")])
    try:
        screen.quiet(3.0, 20.0)
        time.sleep(3.0)
        shippers = _children(screen.pid)
        assert len(shippers) == (bundle is not None)
        before, theirs = cpu_of(screen.pid), sum(map(cpu_of, shippers))
        begun = time.monotonic()
        for number in range(keys):
            screen.key(KEYS[number % len(KEYS)])
            time.sleep(max(begun + (number + 1) * 0.15 - time.monotonic(), 0))
        spent = cpu_of(screen.pid) - before
        share = (sum(map(cpu_of, shippers)) - theirs) / (time.monotonic() - begun)
    finally:
        screen.close()
    with Reader(day_files(folder / "data", "t1")[-1]) as reader:
        return spent / keys * 1e6, share, reader.count()


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for path in found for one in path.read_text().split()]


def at_the_table(keys: int = 120, rounds: int = 3) -> list[Figure]:
    """The keys of a real console with the shipper and without, in turn."""
    with_it, without, shares, events = [], [], [], set()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        owner = _room(stack)
        for number in range(rounds):
            # A table that was cut short must not be put back: each round has a room of its own.
            owner.execute(b"DROP SCHEMA room CASCADE")
            upgrade(owner)
            bundle = folder / f"{number}.toml"
            write_bundle(bundle, enroll(owner, "t1", "table"))
            spent, share, count = _console(folder / f"with{number}", bundle, keys)
            with_it.append(spent)
            shares.append(share)
            events.add(count)
            spent, _, count = _console(folder / f"without{number}", None, keys)
            without.append(spent)
            events.add(count)
    assert min(events) >= keys // 2, events
    base = median(without)
    return [
        Figure("a key, no room", base, 1.0, "half of them write an event", "CPU"),
        Figure("a key, with the shipper", median(with_it), median(with_it) / base, "to reach: 1.0",
               "CPU"),
        Figure("the shipper", median(shares) * 1e6, median(shares) * 100,
               "% of a processor, not ×", "CPU"),
    ]  # fmt: skip


def _timed(owner: Connection) -> float:
    start = time.perf_counter()
    overview(owner)
    return time.perf_counter() - start

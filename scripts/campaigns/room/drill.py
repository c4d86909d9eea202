"""The drill of `scripts/room_drill`: a room of tables in which every kind of process is killed.

Tables, their shippers, the witness and PostgreSQL run as processes of their own and get kill -9 at
random. At the end every journal must be in the room row by row, nothing that was acknowledged at a
table may be lost or doubled, everything must be witnessed, and nobody may have raised an alarm.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import files_in, verify
from omaha_table.room.bundle import write_bundle
from omaha_table.room.database import connect, upgrade
from omaha_table.room.embedded import EmbeddedServer
from omaha_table.room.enrollment import enroll
from omaha_table.room.overview import overview
from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.room.database import Connection

SETTLE_SECONDS = 60.0


@dataclass
class Tally:
    kills: dict[str, int] = field(default_factory=dict)
    acknowledged: int = 0
    """The last event that each table acknowledged, added up."""
    events: int = 0
    lost: int = 0
    doubled: int = 0
    different: list[str] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    """Tables that were not witnessed to their end when everybody had had time for it."""

    def wrong(self) -> list[str]:
        found = [
            f"{name}: {value}"
            for name, value in (
                ("events lost", self.lost),
                ("events doubled", self.doubled),
                ("journals that differ", self.different),
                ("unsound journals", self.unsound),
                ("false alarms", self.alarms),
                ("not witnessed", self.behind),
            )
            if value
        ]
        if not self.events or not self.kills:
            found.append("nothing was shown: no events, or no kills")
        return found

    def __str__(self) -> str:
        kills = ", ".join(f"{count} {what}" for what, count in sorted(self.kills.items()))
        return (
            f"kills: {kills}\nevents: {self.acknowledged:,} acknowledged, {self.events:,} in the "
            f"room; lost {self.lost}, doubled {self.doubled}, journals that differ "
            f"{len(self.different)}, unsound {len(self.unsound)}, false alarms "
            f"{len(self.alarms)}, not witnessed {len(self.behind)}"
        )


class Worker:
    """A process that is started again whenever it is gone."""

    def __init__(self, what: str, command: list[str], log: Path) -> None:
        self.what, self._command, self._log = what, command, log
        self._process: subprocess.Popen[bytes] | None = None
        self.acknowledged = 0

    def start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._reap()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", *self._command],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, cwd=ROOT,
                env=os.environ | {"PYTHONPATH": PYTHONPATH}, start_new_session=True,
            )  # fmt: skip
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip().isdigit() and line.endswith(b"\n"):
                self.acknowledged = max(self.acknowledged, int(line))

    def kill(self) -> bool:
        if self._process is None or self._process.poll() is not None:
            return False
        self._process.send_signal(signal.SIGKILL)
        self._reap()
        return True

    def _reap(self) -> None:
        if self._process is not None:
            self._process.wait()
            assert self._process.stdout is not None
            # The reader has what was written before the kill; it ends with the pipe.
            time.sleep(0.02)
            self._process.stdout.close()
            self._process = None


def drill(
    seconds: float, seed: int, tables: int, pause: float, said: Callable[[str], None]
) -> Tally:
    rng, tally = random.Random(seed), Tally()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = EmbeddedServer()
        stack.callback(server.remove)
        server.create().start()
        with closing(connect(server.url())) as admin:
            admin.execute(b"CREATE DATABASE room")
        url = server.url("room")
        names = [f"t{number}" for number in range(1, tables + 1)]
        with closing(connect(url)) as owner:
            upgrade(owner)
            for name in names:
                write_bundle(folder / f"{name}.toml", enroll(owner, name, "table"))
        dealers, others = _workers(folder, names, url, seed, pause)
        workers = [*dealers.values(), *others]
        stack.callback(lambda: [worker.kill() for worker in workers])
        for worker in workers:
            worker.start()
        _kill_at_random(seconds, rng, workers, server, tally, said)
        for dealer in dealers.values():
            dealer.kill()
        for worker in others:
            worker.start()
        with closing(connect(url)) as owner:
            _settle(owner, folder, names, others)
            for name in names:
                compare(owner, folder / name, name, dealers[name].acknowledged, tally)
            found = owner.execute("SELECT source, day, what FROM room.alarm").fetchall()
            tally.alarms = [" ".join(map(str, row)) for row in found]
            tally.behind = [one.table for one in overview(owner) if one.cosigned_seq != one.seq]
    return tally


def _workers(
    folder: Path, names: list[str], url: str, seed: int, pause: float
) -> tuple[dict[str, Worker], list[Worker]]:
    log = folder / "log"
    dealers = {
        name: Worker(
            "tables",
            ["scripts.campaigns.room.dealer", str(folder / name), name, str(seed), str(pause)],
            log,
        )
        for name in names
    }
    for name in names:
        (folder / name).mkdir(mode=0o700)
    others = [
        Worker(
            "shippers",
            ["omaha_table", "room", "ship", "--data", str(folder / name),
             "--room", str(folder / f"{name}.toml")],
            log,
        )
        for name in names
    ]  # fmt: skip
    key = str(folder / "witness.key")
    others.append(
        Worker("witness", ["omaha_table", "room", "witness", "--db", url, "--key", key], log)
    )
    return dealers, others


def _kill_at_random(
    seconds: float,
    rng: random.Random,
    workers: list[Worker],
    server: EmbeddedServer,
    tally: Tally,
    said: Callable[[str], None],
) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(rng.uniform(0.1, 0.9))
        if rng.random() < 0.12:
            server.kill()
            tally.kills["postmaster"] = tally.kills.get("postmaster", 0) + 1
            time.sleep(rng.uniform(0.0, 1.0))
            server.start()
        else:
            worker = rng.choice(workers)
            tally.kills[worker.what] = tally.kills.get(worker.what, 0) + worker.kill()
        for worker in workers:
            worker.start()
        said(f"{sum(tally.kills.values())} kills")


def _settle(owner: Connection, folder: Path, names: list[str], others: list[Worker]) -> None:
    """Until the room and the witness have everything, or have had time enough for it."""
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until:
        for worker in others:
            worker.start()
        ends = {name: _last(folder / name) for name in names}
        there = {one.table: (one.seq, one.cosigned_seq) for one in overview(owner)}
        if all(there.get(name) == (ends[name], ends[name]) for name in names):
            return
        time.sleep(0.2)


def _last(folder: Path) -> int:
    files = day_files(folder)
    if not files:
        return 0
    with Reader(files[-1]) as reader:
        return reader.count()


def compare(owner: Connection, folder: Path, name: str, acknowledged: int, tally: Tally) -> None:
    """Counts how a table's journals differ from what the room has of them."""
    tally.acknowledged += acknowledged
    verdict = verify(files_in(folder))
    tally.unsound += [f"{name}: {damage.message}" for damage in verdict.damage]
    here = list(_rows(folder, name))
    with owner.cursor() as cursor:
        there = cursor.execute(
            "SELECT day, seq, hand, at_us, mono_us, kind, actor, body, hash FROM room.event "
            "WHERE source = %s ORDER BY day, seq",
            (name,),
        ).fetchall()
    tally.events += len(there)
    tally.lost += max(acknowledged - len(there), 0)
    tally.doubled += len(there) - len({row[:2] for row in there})
    if here != there:
        tally.different.append(name)


def _rows(folder: Path, name: str) -> Iterator[tuple[object, ...]]:
    for path in day_files(folder, name):
        with Reader(path) as reader:
            yield from ((path.stem.removeprefix(f"{name}-"), *row) for row in reader.since())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--pause", type=float, default=0.2, help="between two commands of a table")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)

    def said(text: str) -> None:
        with contextlib.suppress(OSError):
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    tally = drill(given.seconds, given.seed, given.tables, given.pause, said)
    print(f"\n{tally}")
    wrong = tally.wrong()
    for line in wrong:
        print(f"WRONG: {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

"""The crash campaign of `scripts/crash`; the tests run a short form of the same."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from omaha_table.floor.files import demo_staff
from omaha_table.hand.frozen import replace
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.snapshot import take
from omaha_table.journal.verification import files_in, verify
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from scripts.campaigns.powerloss import Cuts, explore
from tests.evening_text import evening
from tests.paths import PYTHONPATH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_table.table import TableState

CALLS = ("pwrite64", "fdatasync", "fsync", "rename", "ftruncate", "unlink", "write")
REFUSED = "seat 99 Nobody"
"""Refused after every line, so that the diary is written in between."""
PROGRAM = ("omaha_table",)


@dataclass
class Tally:
    kills: int = 0
    at_calls: int = 0
    too_early: int = 0
    """Kills before there was a journal: nothing could be compared."""
    verified: int = 0
    """Logs that were verified after a kill, and compared with what was acknowledged."""
    replayed: int = 0
    """Tables that were compared with a replay."""
    acknowledged: int = 0
    """Events, over all kills."""
    lost: int = 0
    mismatches: int = 0
    unsound: int = 0
    ended: int = 0
    """Writers that were not killed: they ended by themselves."""
    refused: int = 0
    """Lines of the evening that a table refused after a restart: it stood elsewhere."""
    unopened: int = 0
    """Logs that the table could not go on with."""

    def wrong(self) -> list[str]:
        """What is wrong, and what was never compared and so shows nothing."""
        found = [
            f"{name} {count}"
            for name, count in (
                ("acknowledged events lost:", self.lost),
                ("replay mismatches:", self.mismatches),
                ("unsound logs:", self.unsound),
                ("writers that ended by themselves:", self.ended),
                ("lines refused after a restart:", self.refused),
                ("logs that could not be opened again:", self.unopened),
                ("kills after which nothing was verified:",
                 self.kills - self.too_early - self.verified),
                ("kills after which nothing was replayed:",
                 self.kills - self.too_early - self.replayed),
            )
            if count
        ]  # fmt: skip
        if not self.verified or not self.acknowledged:
            found.append("nothing was compared")
        return found


def campaign(
    seconds: float,
    seed: int,
    *,
    most: int = 10**9,
    show: bool = False,
    program: Sequence[str] = PROGRAM,
) -> Tally:
    """Kills until the time is up; one folder lives through several kills.

    `program` is the module that writes, with what it is given first.
    """
    rng = random.Random(seed)
    tally = Tally()
    strace = shutil.which("strace") is not None and strace_works()
    end = time.monotonic() + seconds
    while time.monotonic() < end and tally.kills < most and not tally.unopened:
        lines = list(evening(6, rng.randrange(10**6), shoe=False))
        with tempfile.TemporaryDirectory() as name:
            _evening(Path(name), lines, rng, tally, program, strace=strace, end=end, most=most)
        if show:
            print(
                f"\r{tally.kills:,} kills, {tally.acknowledged:,} events", end="", file=sys.stderr
            )
    if show:
        print(file=sys.stderr)
    return tally


def strace_works() -> bool:
    tried = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False)
    return tried.returncode == 0


def _evening(
    folder: Path,
    lines: list[str],
    rng: random.Random,
    tally: Tally,
    program: Sequence[str],
    *,
    strace: bool,
    end: float,
    most: int,
) -> None:
    done: list[str] = []
    waiting = list(lines)
    most_acknowledged = 0
    while waiting and time.monotonic() < end and tally.kills < most:
        at_call = strace and rng.random() < 0.7
        command = [sys.executable, "-P", "-m", *program, "script", "--data", str(folder)]
        killed = _until_killed(command, done, waiting, rng, at_call=at_call)
        tally.kills += 1
        tally.at_calls += at_call
        tally.ended += killed.status != -signal.SIGKILL
        tally.refused += killed.refused
        # What an earlier writer acknowledged must still be there.
        most_acknowledged = max(most_acknowledged, killed.acknowledged)
        if not most_acknowledged and not list(folder.glob("*.journal")):
            tally.too_early += 1
            continue
        found = _check(folder, done, killed.in_flight, most_acknowledged, tally)
        if tally.unopened:
            return
        if found and killed.in_flight is not None:
            done.append(waiting.pop(0))


class Killed(NamedTuple):
    """How far a writer came."""

    acknowledged: int
    """The number of the last event; 0: none."""
    in_flight: str | None
    """The line that may or may not have been written."""
    status: int
    refused: bool


def _until_killed(
    command: list[str], done: list[str], waiting: list[str], rng: random.Random, *, at_call: bool
) -> Killed:
    """Feeds lines until the writer dies, or refuses one."""
    if at_call:
        call = rng.choice(CALLS)
        inject = f"inject={call}:signal=SIGKILL:when={rng.randint(1, 60)}"
        command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject,
                   *command]  # fmt: skip
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True, env=os.environ | {"PYTHONPATH": PYTHONPATH},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    stop = time.monotonic() + (3.0 if at_call else rng.uniform(0.25, 0.7))
    acknowledged = 0
    in_flight: str | None = None
    gone = refused = False
    try:
        while waiting and time.monotonic() < stop and not refused:
            in_flight = waiting[0]
            process.stdin.write(f"{in_flight}\n{REFUSED}\nstep\n".encode())
            process.stdin.flush()
            for answer in _answers(process):
                if answer["type"] == "step":
                    done.append(waiting.pop(0))
                    in_flight = None
                elif answer["type"] == "refused" and answer["command"] != REFUSED:
                    refused = True
                    break
                elif "seq" in answer:
                    acknowledged = answer["seq"]
            gone = in_flight is not None and not refused
            if gone:
                break
        if in_flight is None and waiting:
            in_flight = waiting[0]
            process.stdin.write(f"{in_flight}\n".encode())
            process.stdin.flush()
    except BrokenPipeError:
        gone = True
    if gone:
        # Its output has ended: the status must be its own and not that of a kill after it.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    status = process.wait()
    # Under strace that is strace: the end of the output is the end of the writer.
    process.stdout.read()
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    return Killed(acknowledged, in_flight, status, refused)


def _answers(process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    """The answers to one line, up to the step that was asked for after it."""
    assert process.stdout is not None
    for line in process.stdout:
        if not line.endswith(b"\n"):
            return
        answer: dict[str, Any] = json.loads(line)
        yield answer
        if answer["type"] == "step":
            return


def _check(
    folder: Path, done: list[str], in_flight: str | None, acknowledged: int, tally: Tally
) -> bool:
    """Counts what is wrong; whether the line in flight has reached the disk."""
    verdict = verify(files_in(folder))
    tally.verified += 1
    if not verdict.sound:
        tally.unsound += 1
        print(verdict.damage, file=sys.stderr)
    if verdict.events < acknowledged:
        tally.lost += acknowledged - verdict.events
    tally.acknowledged += acknowledged
    profile = load_profile("ca_big_o")
    try:
        session = Session.on_journal(folder, "table", profile, profile.limits[0], demo_staff())
    except JournalFault as fault:
        tally.unopened += 1
        print(fault.message, file=sys.stderr)
        return False
    state = session.state
    session.close()
    without = _replayed(done)
    tally.replayed += 1
    if same_table(state, without):
        return False
    if in_flight is not None and same_table(state, _replayed([*done, in_flight])):
        return True
    tally.mismatches += 1
    return False


def _replayed(lines: list[str]) -> TableState:
    profile = load_profile("ca_big_o")
    session = Session(profile, profile.limits[0], demo_staff())
    for line in lines:
        for _ in run_line(session, 1, line):
            pass
    return session.state


def same_table(state: TableState, other: TableState) -> bool:
    """Whether two tables stand alike; numbers of events are not compared, restarts add some."""
    if _without_numbers(take(state)) != _without_numbers(take(other)):
        return False
    if state.hand is None or other.hand is None:
        return state.hand is other.hand
    setup = state.hand.setup
    left = replace(state.hand, standing_seqs=(), setup=setup)
    return left == replace(other.hand, standing_seqs=(), setup=setup)


def _without_numbers(data: Any) -> Any:
    if isinstance(data, dict):
        return {
            key: _without_numbers(value)
            for key, value in data.items()
            if key not in ("sitting", "sittings")
        }
    return [_without_numbers(value) for value in data] if isinstance(data, list) else data


def _cut_power(cuts: int, seed: int) -> int:
    found = Cuts()
    for _ in explore(cuts, seed, tally=found):
        pass
    print(
        f"{found.cuts:,} power cuts, {found.compared:,} after something was acknowledged, "
        f"{found.acknowledged:,} acknowledged events compared; not recovered or lost: "
        f"{len(found.failures)}; seed {seed}",
        *found.failures[:5],
    )
    return _verdict(found.wrong())


def _verdict(wrong: list[str]) -> int:
    for sentence in wrong:
        print(f"WRONG: {sentence}")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--cuts", type=int, default=0, help="power cuts to explore instead")
    given = parser.parse_args()
    if given.cuts:
        return _cut_power(given.cuts, given.seed)
    tally = campaign(given.seconds, given.seed, show=True)
    print(
        f"{tally.kills:,} kills ({tally.at_calls:,} at a system call, {tally.too_early:,} before "
        f"there was a journal), {tally.acknowledged:,} acknowledged events compared; "
        f"lost: {tally.lost}; {tally.replayed:,} replays, mismatches: {tally.mismatches}; "
        f"{tally.verified:,} logs verified, unsound: {tally.unsound}; seed {given.seed}"
    )
    return _verdict(tally.wrong())


if __name__ == "__main__":
    sys.exit(main())

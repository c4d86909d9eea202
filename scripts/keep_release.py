"""Makes tests/released/VERSION: journals of a release that later versions must still read.

    git worktree add ../release v0.1.0
    .venv/bin/python scripts/keep_release.py ../release

Runs the release's own program from its checkout and imports nothing from it. Every case is a folder
with `data`, as the release wrote it, and `expected`, the answers of the release's commands.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.released.views import views  # noqa: E402 - found only from here on

SURROUNDINGS: Final = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
EVENING: Final = """
import sys
from tests.evening_text import evening
rules, hands, seed, shoe = sys.argv[1:]
print("\\n".join(evening(int(hands), int(seed), rules, shoe=shoe == "shoe")))
"""
SOAK: Final = """
import sys
from pathlib import Path
try:
    from scripts.campaigns.soak.campaign import campaign
except ModuleNotFoundError:
    from tests.soak.campaign import campaign  # where release 0.1.0 has it
campaign(Path(sys.argv[1]), 8, seed=7, a_day=4, kills=0.4)
"""
LISTS: Final = """
import sys
from pathlib import Path
from omaha_table.review.counts import Count, Counts, counts_beside
from omaha_table.review.notes import Notes, notes_beside
from omaha_table.review.sources import hands_of
data, out = map(Path, sys.argv[1:])
hand = next(iter(hands_of(next(data.glob("cabigo-*.journal")))))
counts, notes = Counts(counts_beside(out)), Notes(notes_beside(out))
box = (hand.table, hand.day, hand.log, hand.shift, hand.box)
counts.add(Count(*box, 3500, 0, 3000, 0, ("Ada", "Ben"), "2026-11-18T09:00:00"))
counts.add(Count(*box, 2500, 0, 3000, 0, ("Ada", "Ben"), "2026-11-18T09:05:00"))
about = f"{hand.table} {hand.day} {hand.number}"
notes.add(about, note="look at the camera")
notes.add(about, tag="look")
"""
"""Only the review of 0.1.0 wrote these lists, at the key of whoever sat there; nobody signed."""
ONE_DOLLAR: Final = """
seat 1 Ada 300
seat 2 Ben 300
seat 3 Cam 300
seat 4 Dov 1
draw 1 As
draw 2 4s
draw 3 3s
draw 4 2s
deal
4 allin 1
1 raise
2 call
3 call
flop 2c 7d 9h
2 bet
3 call
1 call
turn Jc
check around
river Qs
check around
show 2 As Ad 3c 4c 8h
show 3 Ks Kd 3h 5c 6h
show 1 Qd Qc 3d 4d 6c
show 4 Tc Td 5h 5s 4h
push
"""
"""One seat is all in for $1: the fee of $3 does not fit into the main pot."""
PLAYERS: Final = "seat 1 Ada 200\nseat 2 Ben 200\nseat 3 Cam 200\n"
DRAW: Final = "draw 1 3s\ndraw 2 2s\ndraw 3 As\n"
DAY: Final = (
    'shift swing B1 J1\ndown D1\n{hands}\ndown D2\n{more}\nshift close\nfloor 4711 close "{why}"\n'
)


class Release:
    """The checkout of a released version."""

    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout
        self._env = os.environ | SURROUNDINGS | {"PYTHONPATH": str(checkout)}

    def python(self, *arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-P", *map(str, arguments)],
            cwd=self._checkout, env=self._env, input=text.encode(), capture_output=True,
            check=False,
        )  # fmt: skip

    def program(self, *arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[bytes]:
        return self.python("-m", "omaha_table", *arguments, text=text)

    def script(self, data: Path, *options: str | Path, text: str) -> None:
        done = self.program("script", "--data", data, *options, "-", text=text)
        if done.returncode:
            raise SystemExit(f"a script failed: {done.stderr.decode()}")

    def evening(self, rules: str, hands: int, seed: int, shoe: str = "") -> str:
        done = self.python("-c", EVENING, rules, str(hands), str(seed), shoe or "none")
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        return done.stdout.decode()

    def killed(self, data: Path, *options: str | Path, text: str) -> None:
        """Runs a script up to its last line and kills the program there."""
        command = [sys.executable, "-P", "-m", "omaha_table", "script", "--data", str(data)]
        with subprocess.Popen(
            [*command, *map(str, options), "-"], cwd=self._checkout, env=self._env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{text}\nstep\n".encode())
            process.stdin.flush()
            while b'"type":"step"' not in process.stdout.readline():
                pass
            process.send_signal(signal.SIGKILL)

    @property
    def version(self) -> str:
        return self.program("--version").stdout.split()[-1].decode()

    @property
    def examples(self) -> list[Path]:
        return sorted((self._checkout / "config" / "examples").glob("**/*.txt"))


def examples(release: Release, data: Path) -> None:
    """Every shipped example, including the rulings, each at its own table."""
    for path in release.examples:
        found = re.search(r"omaha-table script (.*)", path.read_text(encoding="utf-8"))
        assert found is not None
        *options, _file = found[1].split()
        name = path.stem.replace("_", "") + ("example" if path.parent.name == "examples" else "")
        release.script(data, "--table", name, *options, text=path.read_text(encoding="utf-8"))


def evenings(release: Release, data: Path) -> None:
    """Random hands by every profile; two of the tables are closed at the end."""
    for seed, rules in enumerate(
        ("ca_big_o", "ca_omaha_high", "ca_omaha_hilo", "house_omaha_hilo",
         "nj_big_omaha_high", "nj_big_omaha_hilo")
    ):  # fmt: skip
        *seats, rest = release.evening(rules, 6, seed).partition("hand\n")
        text = "".join(seats) + rest
        if seed < 2:
            middle = text.index("hand\n", len(text) // 2)
            hands, more = text[:middle], text[middle:]
            text = DAY.format(hands=hands, more=more, why="end of the shift")
        release.script(data, "--table", rules.replace("_", ""), "--rules", rules, text=text)


def sealed(release: Release, data: Path) -> None:
    """Hands from a shoe, sealed to a surveillance office whose private key is kept beside them."""
    release.program("keys", "new", data.parent / "office")
    office = data.parent / "office" / "surveillance.public"
    text = release.evening("ca_big_o", 4, 21, "shoe")
    release.script(data, "--table", "shoe", "--office", office, "--mirror", data / "mirror",
                   text=DAY.format(hands=text, more="", why="done"))  # fmt: skip
    again = release.evening("ca_omaha_hilo", 3, 22, "shoe")
    release.script(data, "--table", "shoe", "--rules", "ca_omaha_hilo", "--office", office,
                   "--mirror", data / "mirror", text=again)  # fmt: skip


def recovered(release: Release, data: Path) -> None:
    """Killed inside hands and continued; the last hand stays as the kill left it."""
    lines = release.evening("ca_big_o", 5, 31).splitlines()
    chance = random.Random(5)
    cuts = sorted(chance.sample(range(20, len(lines) - 20), 6))
    for start, end in zip([0, *cuts], [*cuts, len(lines) - 7], strict=True):
        release.killed(data, "--table", "killed", text="\n".join(lines[start:end]))


def enrolled(release: Release, data: Path) -> None:
    """A journal that lost its end, and the new segment that a supervisor started after it."""
    staff = ["--data", data]
    release.program("staff", "add", "F1", "Fern Hill", "floor", *staff, text="482915\n482915\n")
    release.script(data, "--table", "t7", text=release.evening("ca_big_o", 3, 41))
    [path] = data.glob("*.journal")
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for [trigger] in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("DELETE FROM event WHERE seq > 100")
    reason = ["--reason", "its end is missing"]
    # The name of the command in 0.1.0, and an alias since.
    done = release.program("enrol", "--data", data, "--table", "t7", *reason, text="482915\n")
    if done.returncode:
        raise SystemExit(f"not enrolled: {done.stderr.decode()}")
    release.script(data, "--table", "t7", text=release.evening("ca_big_o", 2, 42))


def fees(release: Release, data: Path) -> None:
    """Fees larger than a small main pot, and fees that a short pot waives or caps."""
    release.script(data, "--table", "onedollar", "--limit", "8-16", text=ONE_DOLLAR)
    folded = "deal\nfold\nfold\npush\ndeal\n1 call\n2 call\n3 check\nflop 2c 7d 9h\n"
    for rules in ("ca_big_o", "nj_big_omaha_hilo", "house_omaha_hilo"):
        name = f"short{rules.replace('_', '')}"
        button = "button 3\n" if rules.startswith("nj") else DRAW
        text = PLAYERS + button + folded + "fold to 3\npush\n"
        release.script(data, "--table", name, "--rules", rules, text=text)


def soaked(release: Release, data: Path) -> None:
    """Two short days of the whole house: console, machines, kills, a full disk, a moved clock."""
    with tempfile.TemporaryDirectory() as name:
        done = release.python("-c", SOAK, name)
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        [folder] = {path.parent for path in Path(name).glob("**/*.journal")}
        shutil.copytree(folder, data, ignore=shutil.ignore_patterns("*.ballast"))


def lists(release: Release, data: Path, out: Path) -> None:
    """Counts of a box and a note of the evenings, as the release's review kept them."""
    out.mkdir(parents=True, exist_ok=True)
    done = release.python("-c", LISTS, data, out)
    if done.returncode:
        raise SystemExit(done.stderr.decode())


CASES: Final = (examples, evenings, sealed, recovered, enrolled, fees, soaked)


def main() -> None:
    release = Release(Path(sys.argv[1]).resolve())
    kept = ROOT / "tests" / "released" / release.version
    wanted = sys.argv[2:] or [*(make.__name__ for make in CASES), lists.__name__]
    for make in CASES:
        if make.__name__ not in wanted:
            continue
        case = kept / make.__name__
        shutil.rmtree(case, ignore_errors=True)
        data = case / "data"
        data.parent.mkdir(parents=True)
        make(release, data)
        for left in (*data.glob("*.ballast"), *data.glob("*.lock"), *data.glob("pepper")):
            left.unlink()
        (case / "expected").mkdir()
        for name, arguments in views(data):
            command = [argument.format(data=data) for argument in arguments]
            done = release.program(*command)
            (case / "expected" / name).write_bytes(done.stdout + done.stderr)
        # Left behind by the readers. The -wal file of a kill is not empty and stays.
        for left in (*data.glob("*-shm"), *data.glob("*-wal")):
            if left.name.endswith("-shm") or not left.stat().st_size:
                left.unlink()
        print(make.__name__, sum(1 for _ in views(data)), "answers")
    if lists.__name__ in wanted:
        shutil.rmtree(kept / lists.__name__, ignore_errors=True)
        lists(release, kept / evenings.__name__ / "data", kept / lists.__name__)


if __name__ == "__main__":
    main()

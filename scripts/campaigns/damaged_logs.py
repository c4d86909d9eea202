"""Damaged logs, verified by one process and in parts: what `scripts/damaged_logs` runs.

The damage is random: bits of a file, cells and rows, events forged with every hash and seal made to
fit, files that are missing or changed places, and things given from outside that do not agree. The
two verdicts must be the same to the letter, and so must the verdict of a sound log.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from omaha_table.journal.anchors import Anchors, RoomCopy
from omaha_table.journal.chain import head_words
from omaha_table.journal.crew import Crew, crew_of
from omaha_table.journal.days import day_files
from omaha_table.journal.verification import verify
from scripts.campaigns.simulated import Days, make
from tests.journal.days import Line, forge, forge_all, raw

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.journal.parts import Part, Wanted
    from omaha_table.journal.verdict import Verdict


class Inline:
    """Checks a part at once, in this process."""

    def submit(
        self, work: Callable[[Path, Wanted], Part | None], path: Path, wanted: Wanted, /
    ) -> Future[Part | None]:
        done: Future[Part | None] = Future()
        done.set_result(work(path, wanted))
        return done


@dataclass
class Tally:
    logs: int = 0
    damaged: int = 0
    forked: int = 0
    """Of the logs, those that were checked by real processes."""
    kinds: Counter[str] = field(default_factory=Counter)
    different: list[str] = field(default_factory=list)

    def wrong(self) -> list[str]:
        """What must not be."""
        if not self.damaged or self.damaged == self.logs:
            return [*self.different, "sound logs and damaged ones must both be compared"]
        return self.different


def campaign(logs: int, seed: int, *, forked: int = 50, show: bool = False) -> Tally:
    """Damages so many logs; every `forked`th is also checked by processes of its own."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / f"log {number}" for number in range(2)]
        for number, folder in enumerate(folders):
            make(folder, Days(3, days=3, seats=4 + 4 * number, seed=seed), close=number == 0)
        for number in range(logs):
            rng = random.Random(f"{seed} {number}")
            folder = Path(name) / "damaged"
            shutil.copytree(folders[number % 2], folder)
            anchors = _given(folder, rng) if rng.random() < 0.4 else Anchors
            about = f"seed {seed}, log {number}, {_damage(folder, rng)}"
            _compare(folder, anchors, rng, tally, about)
            if number % forked == forked - 1:
                tally.forked += 1
                with crew_of(2, rng.choice((1, 300))) as crew:
                    assert crew is not None
                    _compare(folder, anchors, rng, tally, f"{about}, forked", crew)
            shutil.rmtree(folder)
            tally.logs += 1
            if show and not tally.logs % 10:
                print(f"\r{tally.logs:,} logs  ", end="", file=sys.stderr)
    return tally


def _compare(
    folder: Path,
    anchors: Callable[[], Anchors],
    rng: random.Random,
    tally: Tally,
    about: str,
    crew: Crew | None = None,
) -> None:
    files = day_files(folder)
    one = verify(files, anchors=anchors())
    size = rng.choice((1, 1, 150, 600))
    parted = verify(files, anchors=anchors(), crew=crew or Crew(Inline(), 1, size))
    if crew is None:
        tally.damaged += not one.sound
        tally.kinds.update(damage.kind for damage in one.damage)
    if one != parted:
        tally.different.append(f"{about}: {_told(one)} by one process, {_told(parted)} in parts")


def _told(verdict: Verdict) -> str:
    found = [f"{one.file} {one.event} {one.kind}: {one.message}" for one in verdict.damage]
    return f"{found or 'sound'}, {verdict.events} events, {verdict.hands} hands"


# What is given from outside


def _given(folder: Path, rng: random.Random) -> Callable[[], Anchors]:
    """Slip words, a receipt, a first key or a room; sometimes not those of this log."""
    path = rng.choice(day_files(folder))
    with closing(sqlite3.connect(path)) as db:
        last = db.execute("SELECT max(seq) FROM event").fetchone()[0]
        seq = rng.randint(1, last)
        [head] = db.execute("SELECT hash FROM event WHERE seq = ?", (seq,)).fetchone()
        first = json.loads(db.execute("SELECT body FROM event WHERE seq = 1").fetchone()[0])
    if rng.random() < 0.2:
        head = bytes(32)
    kind, beyond = rng.randrange(4), rng.choice((0, 0, 9999))
    receipt = {"table": first["table"], "day": first["day"], "seq": seq, "head": head.hex(),
               "words": head_words(head), "next_key": ""}  # fmt: skip

    def anchors() -> Anchors:
        # For each verdict its own: a check notes in it what it has found.
        given = Anchors()
        if kind == 0:
            given.add(head_words(head))
        elif kind == 1:
            given.receipts[first["table"], first["day"]] = receipt
        elif kind == 2:
            given.add(first["public_key"])
        else:
            given.room[path.stem] = RoomCopy(seq + beyond, head.hex())
        return given

    return anchors


# Damage


def _damage(folder: Path, rng: random.Random) -> str:
    if rng.random() < 0.08:
        return "nothing"
    damage = rng.choice(DAMAGES)
    damage(folder, rng)
    return damage.__name__.strip("_")


def _bits(folder: Path, rng: random.Random) -> None:
    path = _any(folder, rng)
    path.chmod(0o644)
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 1, 3))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def _cell(folder: Path, rng: random.Random) -> None:
    with closing(raw(_any(folder, rng))) as db, db:
        column, value = rng.choice(_CELLS)
        db.execute(f"UPDATE event SET {column} = {value} WHERE seq = ?", (_seq(db, rng),))


_CELLS: Final = (
    ("hand", "7"), ("at_us", "at_us + 1"), ("mono_us", "mono_us - 1"), ("kind", "'acted'"),
    ("actor", "'X'"), ("body", "replace(body, '1', '2')"), ("body", "'nothing'"),
    ("body", "substr(body, 2)"), ("hash", "zeroblob(32)"), ("hash", "zeroblob(3)"),
)  # fmt: skip


def _rows(folder: Path, rng: random.Random) -> None:
    with closing(raw(_any(folder, rng))) as db, db:
        first = _seq(db, rng)
        match rng.randrange(4):
            case 0:
                db.execute("DELETE FROM event WHERE seq = ?", (first,))
            case 1:
                db.execute("DELETE FROM event WHERE seq > ?", (first,))
            case 2:
                db.execute("DELETE FROM event WHERE seq < ?", (first,))
            case _:
                db.execute("UPDATE event SET seq = -1 WHERE seq = ?", (first,))
                db.execute("UPDATE event SET seq = ? WHERE seq = ?", (first, first + 1))
                db.execute("UPDATE event SET seq = ? WHERE seq = -1", (first + 1,))


def _files(folder: Path, rng: random.Random) -> None:
    path = _any(folder, rng)
    match rng.randrange(4):
        case 0:
            path.unlink()
        case 1:
            other = _any(folder, rng)
            moved = path.read_bytes()
            other.chmod(0o644)
            other.write_bytes(moved)
        case 2:
            beside = path.with_suffix(rng.choice((".receipt", ".witness")))
            beside.unlink(missing_ok=True)
        case _:
            path.chmod(0o644)
            content = path.read_bytes()
            path.write_bytes(content[: rng.randrange(len(content))])


def _forged(folder: Path, rng: random.Random) -> None:
    """Hashes are made to fit, and seals as well as a thief can."""
    ways: tuple[Literal["sign", "link", "leave"], ...] = ("sign", "sign", "link", "leave")
    forge(_any(folder, rng), lambda lines: _edit(lines, rng), rng.choice(ways))


def _forged_from_the_start(folder: Path, rng: random.Random) -> None:
    """All days are made again, with keys that fit."""
    forge_all(folder, lambda lines: _edit(lines, rng))


def _edit(lines: list[Line], rng: random.Random) -> None:
    at = rng.randrange(1, len(lines))
    match rng.randrange(7):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, _copied(rng.choice(lines[1:])))
        case 2:
            other = rng.randrange(1, len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            # Another hand's events once more, after the end of this one or of the day.
            start = rng.randrange(1, len(lines))
            lines.extend(_copied(line) for line in lines[start : start + rng.randint(1, 40)])
        case 4:
            seals = [line for line in lines if line.kind == "journal_sealed"]
            _change(rng.choice(seals).body.get("state", {}).get("table", {}), rng)
        case _:
            _change(lines[at].body, rng)
    for seq, line in enumerate(lines, start=1):
        line.seq = seq


def _copied(line: Line) -> Line:
    return Line(0, line.hand, line.at_us, line.mono_us, line.kind, line.actor, dict(line.body))


def _change(body: dict[str, Any], rng: random.Random) -> None:
    """One value in an event, wherever it is."""
    if not body:
        return
    name = rng.choice(sorted(body))
    value = body[name]
    if isinstance(value, dict) and value and rng.random() < 0.8:
        _change(value, rng)
    elif isinstance(value, bool):
        body[name] = not value
    elif isinstance(value, int):
        body[name] = value + rng.choice((-1, 1, 100))
    elif isinstance(value, str):
        body[name] = rng.choice(("", "X", value[::-1], f"{value}0"))
    elif isinstance(value, list) and value:
        body[name] = rng.choice((value[1:], value[::-1], [*value, value[0]]))
    elif rng.random() < 0.3:
        del body[name]
    else:
        body[name] = rng.choice((None, 1, "X", []))


def _any(folder: Path, rng: random.Random) -> Path:
    return rng.choice(day_files(folder))


def _seq(db: sqlite3.Connection, rng: random.Random) -> int:
    [last] = db.execute("SELECT max(seq) FROM event").fetchone()
    return rng.randint(1, last - 1)


DAMAGES: Final = (_bits, _cell, _rows, _files, _forged, _forged, _forged_from_the_start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000)
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    began = time.monotonic()
    tally = campaign(given.logs, given.seed, show=True)
    kinds = ", ".join(f"{kind} {count}" for kind, count in tally.kinds.most_common())
    print(f"\n{tally.logs:,} logs, {tally.damaged:,} of them not sound ({kinds}); "
          f"{tally.forked} also by processes; {time.monotonic() - began:.0f} s")  # fmt: skip
    for line in tally.wrong():
        print(f"DIFFERENT: {line}")
    return 1 if tally.wrong() else 0


if __name__ == "__main__":
    sys.exit(main())

"""What a power cut may leave: recorded writes, of which only the synchronised ones are sure.

A short evening runs under strace. At any moment of it the disk holds what was synchronised and
any part, in sectors, of what was written since; names are sure once their folder is
synchronised. Each such disk must open, verify, and hold every event that was acknowledged.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from omaha_table.floor.files import demo_staff
from omaha_table.journal.verification import files_in, verify
from omaha_table.rules import load_profile
from omaha_table.session import Session
from tests.evening_text import evening
from tests.paths import PYTHONPATH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SECTOR = 512
_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (\d+)(?:<.*>)?$")
_FD = re.compile(r"^(\d+)<([^>]*)>(?:, )?(.*)$", re.DOTALL)
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def _bytes(hexed: str) -> bytes:
    return bytes.fromhex(hexed.replace("\\x", ""))


@dataclass
class _File:
    sure: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)
    """Writes since it was synchronised; None cuts the file off there."""
    at: int = 0


@dataclass
class Cuts:
    """What an exploration has looked at."""

    calls: int = 0
    synchronized: int = 0
    """Of the recorded calls, those that make something sure."""
    cuts: int = 0
    compared: int = 0
    """Cuts after which at least one event had been acknowledged."""
    acknowledged: int = 0
    """Events, over all cuts."""
    failures: list[str] = field(default_factory=list)

    def wrong(self) -> list[str]:
        """What is wrong, and why it shows nothing where it does not."""
        found = [f"not recovered or lost: {len(self.failures)}"] if self.failures else []
        if not self.synchronized:
            found.append(f"{self.calls} calls were recorded, none of which synchronizes")
        if self.compared * 2 < self.cuts or not self.acknowledged:
            found.append(f"after {self.compared} of {self.cuts} cuts events could be compared")
        return found


class Disk:
    """Replays recorded calls and makes the disks that a power cut could leave."""

    def __init__(self) -> None:
        self._files: list[_File] = []
        self._names: dict[str, int] = {}
        self._sure_names: dict[str, int] = {}
        self._renames: list[dict[str, int | None]] = []
        self.acknowledged = 0

    def play(self, call: str, given: str) -> None:
        paths = [_bytes(text) for text in _TEXT.findall(given)]
        if call == "openat":
            self._open(paths[0].decode(), given)
        elif call in ("rename", "unlink"):
            old = paths[0].decode()
            if old in self._names:
                moved = {paths[1].decode(): self._names[old]} if call == "rename" else {}
                self._name({old: None, **moved})
        else:
            found = _FD.match(given)
            if found:
                self._on_file(call, int(found[1]), _path(found[2]), found[3], paths)

    def _open(self, path: str, given: str) -> None:
        if "O_CREAT" in given and path not in self._names:
            self._files.append(_File())
            self._name({path: len(self._files) - 1})
        if path in self._names:
            file = self._files[self._names[path]]
            file.at = 0
            if "O_TRUNC" in given:
                file.since.append((0, None))

    def _name(self, change: dict[str, int | None]) -> None:
        self._renames.append(change)
        _rename(self._names, change)

    def _on_file(self, call: str, fd: int, path: str, rest: str, texts: list[bytes]) -> None:
        if call == "write" and fd == 1:
            for line in texts[0].splitlines():
                self.acknowledged = max(self.acknowledged, json.loads(line).get("seq", 0))
            return
        if call in ("fsync", "fdatasync") and path not in self._names:
            self._sure_names = dict(self._names)
            self._renames.clear()
            return
        if path not in self._names:
            return
        file = self._files[self._names[path]]
        if call in ("fsync", "fdatasync"):
            file.sure, file.since = _written(file.sure, file.since), []
        elif call == "ftruncate":
            file.since.append((int(rest.rpartition(" ")[2] or rest), None))
        elif call == "pwrite64":
            file.since.append((int(rest.rpartition(", ")[2]), texts[0]))
        elif call == "write":
            file.since.append((file.at, texts[0]))
            file.at += len(texts[0])

    def cut(self, rng: random.Random) -> dict[str, bytes]:
        """One disk that a power cut now could leave."""
        names = dict(self._sure_names)
        for change in self._renames[: rng.randint(0, len(self._renames))]:
            _rename(names, change)
        share = rng.choice((0.0, 0.3, 0.7, 1.0))
        found = {}
        for path, inode in names.items():
            file = self._files[inode]
            kept: list[tuple[int, bytes | None]] = []
            for at, content in file.since:
                if content is None:
                    kept += [(at, None)] if rng.random() < share else []
                    continue
                for start in range(0, len(content), SECTOR):
                    if rng.random() < share:
                        kept.append((at + start, content[start : start + SECTOR]))
            found[path] = _written(file.sure, kept)
        return found


def _rename(names: dict[str, int], change: dict[str, int | None]) -> None:
    for path, inode in change.items():
        if inode is None:
            names.pop(path, None)
        else:
            names[path] = inode


def _written(content: bytes, writes: list[tuple[int, bytes | None]]) -> bytes:
    made = bytearray(content)
    for at, written in writes:
        if written is None:
            del made[at:]
            made.extend(bytes(at - len(made)))
            continue
        made.extend(bytes(max(at + len(written) - len(made), 0)))
        made[at : at + len(written)] = written
    return bytes(made)


def _path(shown: str) -> str:
    return _bytes(shown).decode() if shown.startswith("\\x") else shown


def record(folder: Path, lines: list[str], program: Sequence[str]) -> list[tuple[str, str]]:
    """The storage calls of an evening, in order."""
    trace = folder / "trace"
    calls = "openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink"
    subprocess.run(
        [
            *("strace", "-y", "-xx", "-s", "2000000", "-o", str(trace), "-e", f"trace={calls}"),
            *(sys.executable, "-P", "-m", *program, "script"),
            *("--data", str(folder / "data"), "-"),
        ],
        input="\n".join(lines), text=True, capture_output=True, check=True,
        env={"PYTHONPATH": PYTHONPATH, "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    found = []
    with trace.open() as file:
        for line in file:
            match = _CALL.match(line.rstrip("\n"))
            if match:
                found.append((match[1], match[2]))
    return found


def explore(
    cuts: int,
    seed: int,
    *,
    hands: int = 3,
    lying: bool = False,
    program: Sequence[str] = ("omaha_table",),
    tally: Cuts | None = None,
) -> Iterator[str]:
    """What went wrong after each of so many power cuts; an empty text for nothing.

    A lying disk confirms what it has not written: then things must go wrong. `program` is the
    module that writes, with what it is given first.
    """
    rng = random.Random(seed)
    found = tally if tally is not None else Cuts()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # After every third line one that is refused: the diary is written in between.
        lines = [
            line
            for at, given in enumerate(evening(hands, seed))
            for line in ([given, "seat 99 Nobody"] if at % 3 == 0 else [given])
        ]
        calls = record(folder, lines, program)
        found.calls = len(calls)
        found.synchronized = sum(call in ("fsync", "fdatasync") for call, _ in calls)
        data = folder / "data"
        # What was called before the journal's folder was first touched is the interpreter's.
        mark = "".join(f"\\x{byte:02x}" for byte in str(data).encode())
        first = next((at for at, (_, given) in enumerate(calls) if mark in given), 0)
        at = sorted(rng.choices(range(first, len(calls)), k=cuts))
        disk = Disk()
        played = 0
        for number in at:
            for call, given in calls[played:number]:
                if not (lying and call in ("fsync", "fdatasync")):
                    disk.play(call, given)
            played = max(played, number)
            found.cuts += 1
            found.compared += disk.acknowledged > 0
            found.acknowledged += disk.acknowledged
            wrong = _look(disk, data, rng)
            found.failures += [wrong] if wrong else []
            yield wrong


def _look(disk: Disk, data: Path, rng: random.Random) -> str:
    """Lays a disk out as a folder, and opens the table on it."""
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    for path, content in disk.cut(rng).items():
        if Path(path).parent == data and not path.endswith("-shm"):
            Path(path).write_bytes(content)
    profile = load_profile("ca_big_o")
    try:
        session = Session.on_journal(data, "table", profile, profile.limits[0], demo_staff())
    except Exception as error:
        return f"{type(error).__name__}: {error} (event {disk.acknowledged})"
    seq = session.state.seq - len(session.opening)
    session.close()
    if seq < disk.acknowledged:
        return f"events lost: {disk.acknowledged} acknowledged, {seq} found"
    verdict = verify(files_in(data))
    return "" if verdict.sound else str(verdict.damage[0])

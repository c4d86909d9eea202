"""The soak's hold on the console's process: keys in, standings out, and SIGKILL."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

Standing = dict[str, Any]


class Wrong(AssertionError):  # noqa: N818 - it is what is said, not an error of ours
    """Something that must never be."""


class Process:
    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._running: subprocess.Popen[bytes] | None = None
        self._read = -1
        self._rest = b""
        self._sent = 0
        self.last: Standing = {}
        self.starts = 0

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    def start(self, wall: float, mono: float) -> Standing:
        self._read, write = os.pipe()
        given = self._given | {"wall": wall, "mono": mono, "told": write}
        self._running = subprocess.Popen(
            [sys.executable, "-P", "-m", "scripts.campaigns.soak.house", json.dumps(given)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            pass_fds=(write,), cwd=ROOT, env=os.environ | {"PYTHONPATH": PYTHONPATH},
        )  # fmt: skip
        os.close(write)
        self._rest, self._sent, self.last = b"", 0, {}
        self.starts += 1
        self.wait(lambda said: True, 30)
        return self.last

    def send(self, keys: list[str], wall: float, mono: float) -> None:
        """Keys on their way; nobody waits for what comes of them."""
        assert self._running is not None
        assert self._running.stdin is not None
        self._sent += 1
        line = json.dumps({"n": self._sent, "keys": keys, "wall": wall, "mono": mono})
        self._running.stdin.write(line.encode() + b"\n")
        self._running.stdin.flush()

    def answered(self, seconds: float = 60.0) -> Standing:
        """The standing after the last keys."""
        return self.wait(lambda said: said["n"] >= self._sent, seconds)

    def wait(self, wanted: Callable[[Standing], bool], seconds: float) -> Standing:
        """The first standing that is wanted; raises Wrong when none comes."""
        if not self.until(wanted, seconds):
            raise Wrong(f"no answer in {seconds:.0f} s; last: {self.last.get('title')}")
        return self.last

    def until(self, wanted: Callable[[Standing], bool], seconds: float) -> bool:
        """Whether a wanted standing has come in time; the last one is kept."""
        end = time.monotonic() + seconds
        while True:
            for said in self._heard(max(end - time.monotonic(), 0.0)):
                self.last = said
                if "error" in said:
                    raise Wrong(f"the console stopped: {said['error']}")
                if wanted(said):
                    # What has come meanwhile is newer still.
                    for newer in self._heard(0.0):
                        self.last = newer
                    return True
            if time.monotonic() >= end:
                return False

    def _heard(self, seconds: float) -> list[Standing]:
        if not select.select([self._read], [], [], seconds)[0]:
            return []
        data = os.read(self._read, 1 << 20)
        if not data:
            assert self._running is not None
            assert self._running.stderr is not None
            raise Wrong(f"the console ended: {self._running.stderr.read()[-600:].decode()}")
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def kill(self) -> None:
        """SIGKILL, whatever it is doing; its last words are read, if they came out whole."""
        assert self._running is not None
        os.kill(self._running.pid, signal.SIGKILL)
        self._running.wait()
        with contextlib.suppress(Wrong):
            self.until(lambda said: False, 0.0)
        self._close()

    def stop(self) -> None:
        """Its input ends, and it shuts itself down."""
        assert self._running is not None
        assert self._running.stdin is not None
        self._running.stdin.close()
        if self._running.wait(20):
            raise Wrong(f"the console ended with status {self._running.returncode}")
        self._close()

    def _close(self) -> None:
        assert self._running is not None
        os.close(self._read)
        for stream in (self._running.stdin, self._running.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        self._running = None

    @property
    def alive(self) -> bool:
        return self._running is not None

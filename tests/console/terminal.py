"""The real program on a real pty, its screen read back by a terminal emulator."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING

import pyte

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAM = [sys.executable, "-m", "omaha_table"]
GAP = 0.13
"""Seconds between two keys: equal ones that come faster are one key that bounces."""
NUMLOCK_OFF = {
    "0": "\x1b[2~", "1": "\x1b[F", "2": "\x1b[B", "3": "\x1b[6~", "4": "\x1b[D", "5": "\x1b[E",
    "6": "\x1b[C", "7": "\x1b[H", "8": "\x1b[A", "9": "\x1b[5~", ".": "\x1b[3~",
}  # fmt: skip


ON_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Starts a program on the terminal that it is given. `pty.fork` would do the same in fewer words,
but a process with threads, as the tests have, must not fork by itself."""


class Terminal:
    def __init__(
        self,
        arguments: list[str],
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        program: list[str] = PROGRAM,
    ) -> None:
        width, height = size
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = bytearray()
        self._last, self._answered = "", False
        given = os.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        given |= env or {}
        given = {name: value for name, value in given.items() if name not in ("COLUMNS", "LINES")}
        self.fd, inside = pty.openpty()
        self.resize(width, height)
        self._process = subprocess.Popen(
            [sys.executable, "-IS", "-c", ON_A_TERMINAL, *program, *arguments],
            stdin=inside, stdout=inside, stderr=inside, start_new_session=True, env=given,
        )  # fmt: skip
        os.close(inside)
        self.pid = self._process.pid
        self.status: int | None = None

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.screen.resize(height, width)

    def read(self, seconds: float = 0.02) -> bool:
        """Takes in what the program has written; whether there was anything."""
        found = False
        while select.select([self.fd], [], [], seconds)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return found
            if not data:
                return found
            self.raw += data
            if b"\x1b[6n" in data:
                os.write(self.fd, b"\x1b[1;5R")
            self._stream.feed(data)
            found, seconds = True, 0.0
            self._answered = True
        return found

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def wait(self, what: str | Callable[[str], bool], seconds: float = 40.0) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            shown = self.text
            if what in shown if isinstance(what, str) else what(shown):
                return shown
        raise AssertionError(f"not seen: {what}\n{self.text}")

    def settled(self, quiet: float = 0.5, seconds: float = 40.0) -> list[str]:
        """The lines below the clock once they have stood still: a screen is painted in pieces."""
        end = time.monotonic() + seconds
        lines, since = self.screen.display[1:], time.monotonic()
        while time.monotonic() < end:
            self.read(0.05)
            if self.screen.display[1:] != lines:
                lines, since = self.screen.display[1:], time.monotonic()
            elif time.monotonic() - since >= quiet:
                return lines
        raise AssertionError(f"the screen does not stand still\n{self.text}")

    def press(self, *keys: str, numlock: bool = True, gap: float = GAP) -> None:
        for key in keys:
            if key == self._last and gap >= GAP:
                # On a busy machine the first may be read late, and the second at once: a held key.
                self._rest(gap, until_answered=True)
            sent = "\r" if key == "enter" else key
            if not numlock:
                sent = NUMLOCK_OFF.get(key, sent)
            self._last, self._answered = key, False
            os.write(self.fd, sent.encode())
            self._rest(gap)

    def _rest(self, gap: float, *, until_answered: bool = False) -> None:
        """Reads for as long as that; first, for a second at most, until the last key has shown."""
        end = time.monotonic() + 1.0
        while until_answered and not self._answered and time.monotonic() < end:
            self.read()
        end = time.monotonic() + gap
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def kill(self, number: int = signal.SIGKILL) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def end(self, seconds: float = 30.0) -> int:
        """Waits for the program to end by itself; its status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            self.status = self._process.poll()
            if self.status is not None:
                self.read()
                return self.status
        raise AssertionError(f"still running\n{self.text}")

    def close(self) -> None:
        if self.status is None:
            self.kill()
            self.status = self._process.wait()
        os.close(self.fd)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def table_file(folder: Path, extra: str = "") -> Path:
    """Three players at Big O, nothing configured but the table."""
    path = folder / "t7.toml"
    players = "".join(
        f'[[players]]\nseat = {seat}\nname = "{name}"\nstack = "200.00"\n'
        for seat, name in ((1, "Ada"), (2, "Ben"), (3, "Carmen"))
    )
    path.write_text(f'[table]\nid = "t7"\nrules = "ca_big_o"\n{extra}\n{players}')
    return path

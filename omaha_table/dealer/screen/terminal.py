"""What the terminal can do: found out once, before anything is painted."""

from __future__ import annotations

import contextlib
import locale
import os
import re
import select
import sys
import termios
import time
import tty
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANSWER: Final = re.compile(rb"\x1b\[(\d+);(\d+)R")

ASCII: Final = str.maketrans(
    "►●○■▲»▐█▀▄▌…┏┓┗┛━┃┌┐└┘–·«√≥▒§♠♥♦♣",
    ">*o#!>|####.++++-|++++--<v>%Sshdc",
)
"""For a terminal without Unicode: every sign has a plain one."""


def speaks_unicode() -> bool:
    encoding = locale.getencoding() or ""
    asked = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    return "utf" in encoding.lower() and asked.upper() not in ("C", "POSIX")


@contextlib.contextmanager
def without_auto_repeat() -> Iterator[None]:
    """Asks the terminal to send a held key once (DECARM), and as before at the end.

    The console is not told that a key was let go, so it cannot tell a first repeat from a second
    press. The Linux console, xterm and kitty do as they are asked; others ignore it.
    """
    if not sys.stdout.isatty():
        yield
        return
    screen = sys.stdout.fileno()
    with contextlib.suppress(OSError):
        os.write(screen, b"\x1b[?8l")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.write(screen, b"\x1b[?8h")


def suits_are_narrow(patience: float = 0.2) -> bool:
    """Asks the terminal how wide it draws a suit; letters are used where it is not one column."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    keyboard, screen = sys.stdin.fileno(), sys.stdout.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        os.write(screen, "\r♠♥♦♣\x1b[6n".encode())
        found = _wait_for_answer(keyboard, patience)
        os.write(screen, b"\r\x1b[K")
    except OSError:
        return True
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
    return found is None or found == 5


def _wait_for_answer(keyboard: int, patience: float) -> int | None:
    """The column of the cursor; None if the terminal does not say."""
    said = b""
    end = time.monotonic() + patience
    while (left := end - time.monotonic()) > 0:
        if not select.select([keyboard], [], [], left)[0]:
            return None
        said += os.read(keyboard, 64)
        match = _ANSWER.search(said)
        if match:
            return int(match[2])
    return None

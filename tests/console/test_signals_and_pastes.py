"""What reaches the console and is no key: signals, pastes, mouse reports, a window that shrinks."""

from __future__ import annotations

import os
import re
import signal
import termios
import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.floor import Role
from omaha_table.journal.verification import files_in, verify
from tests.console.terminal import Terminal, table_file
from tests.paths import PYTHONPATH
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIN = "4711"


def console(
    folder: Path, size: tuple[int, int] = (80, 24), env: dict[str, str] | None = None
) -> Terminal:
    table = table_file(folder)
    return Terminal(
        ["--log", str(folder / "log"), "console", "--table", str(table),
         "--data", str(folder / "data")], size, env,
    )  # fmt: skip


def events(folder: Path) -> int:
    verdict = verify(files_in(folder / "data"))
    assert verdict.sound
    return verdict.events


# Moments at which something may come


def at_the_draw(terminal: Terminal) -> None:
    terminal.wait("BUTTON DRAW")
    terminal.wait("FLOOR / MENU")  # the last that is painted


def in_the_betting(terminal: Terminal) -> None:
    at_the_draw(terminal)
    terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
    terminal.wait("START HAND 1")
    terminal.press("+")
    terminal.wait("CARDS ARE OUT")
    terminal.press("0")
    terminal.wait("hole cards out")


def at_the_pin(terminal: Terminal) -> None:
    in_the_betting(terminal)
    terminal.press("/")
    terminal.wait("The PIN is not shown.")


def with_an_amount_typed(terminal: Terminal) -> None:
    in_the_betting(terminal)
    terminal.press("1")
    terminal.wait("TYPED")


MOMENTS = {
    "draw": at_the_draw,
    "betting": in_the_betting,
    "PIN": at_the_pin,
    "amount": with_an_amount_typed,
}


# Signals


def last_of(raw: bytes, switch: bytes) -> bytes:
    """Whether a mode of the terminal was left on (h) or off (l)."""
    found = re.findall(rb"\x1b\[\?" + switch + rb"([hl])", raw)
    return found[-1] if found else b"l"


def assert_clean(terminal: Terminal, before: list[object]) -> None:
    """The line as it was, the normal screen, a cursor; no paste marks and no mouse or focus."""
    assert termios.tcgetattr(terminal.fd) == before
    raw = bytes(terminal.raw)
    assert last_of(raw, b"25") == b"h"
    assert last_of(raw, b"7") == b"h"
    for switch in (b"1049", b"2004", b"1004", b"1000", b"1002", b"1003", b"1006", b"1015"):
        assert last_of(raw, switch) == b"l", switch
    assert raw.rfind(b"\x1b[<u") > raw.rfind(b"\x1b[>25u")
    assert b"Traceback" not in raw


@pytest.mark.parametrize(
    ("number", "moment"),
    [
        (signal.SIGTERM, in_the_betting),
        (signal.SIGTERM, with_an_amount_typed),
        (signal.SIGHUP, at_the_draw),
        (signal.SIGHUP, at_the_pin),
    ],
)
def test_a_signal_at_any_moment_restores_the_terminal_and_loses_nothing(
    tmp_path: Path, number: int, moment: Callable[[Terminal], None]
) -> None:
    with console(tmp_path) as terminal:
        before = termios.tcgetattr(terminal.fd)
        moment(terminal)
        assert termios.tcgetattr(terminal.fd) != before
        recorded = events(tmp_path)
        terminal.kill(number)
        assert terminal.end() == 0
        assert_clean(terminal, before)
    assert events(tmp_path) == recorded
    with console(tmp_path) as terminal:
        if moment is at_the_draw:
            terminal.wait("BUTTON DRAW")
        else:
            terminal.wait("hand 1, preflop, action on seat 1")


def test_a_signal_while_the_window_is_too_small_restores_the_terminal(tmp_path: Path) -> None:
    with console(tmp_path, (79, 24)) as terminal:
        before = termios.tcgetattr(terminal.fd)
        terminal.wait("MAKE THE WINDOW BIGGER")
        terminal.kill(signal.SIGTERM)
        assert terminal.end() == 0
        assert_clean(terminal, before)


def test_control_c_and_control_z_are_keys_that_do_nothing(tmp_path: Path) -> None:
    with console(tmp_path) as terminal:
        in_the_betting(terminal)
        before = events(tmp_path)
        terminal.press("\x03", "\x1a", "\x1c", "\x04", "\x13", "\x11", "\x1b")
        time.sleep(0.3)
        terminal.wait("hole cards out")
        assert events(tmp_path) == before
        terminal.press("-")
        terminal.wait("seat 1 FOLD")


# Pastes


PASTES = {
    "digits": "123456789",
    "a raise": "8\r",
    "a fold": "-\r\n",
    "a PIN": f"/{PIN}\r",
    "lines": "+\r\n-\r\n" * 40,
    "a script": 'fold\ncall\nfloor 4711 misdeal "pasted"\n',
    "other letters": "٣é♠\N{SNOWMAN}",
    "escape sequences": "\x1b[A\x1b[2~\x1bOM\x1bOE",
}


@pytest.fixture
def ruled(tmp_path: Path) -> Path:
    """A table where the floor has a PIN."""
    data = tmp_path / "data"
    put_staff(data, (("F1", "Fern", Role.FLOOR, PIN),))
    return tmp_path


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
def test_a_paste_types_nothing_and_records_nothing(
    ruled: Path, moment: Callable[[Terminal], None]
) -> None:
    with console(ruled) as terminal:
        moment(terminal)
        before, shown = events(ruled), terminal.settled()
        for name, text in PASTES.items():
            os.write(terminal.fd, b"\x1b[200~" + text.encode() + b"\x1b[201~")
            after = terminal.settled()
            # Textual takes the end of an escape sequence in a paste for keys: a bell, or a digit
            # that is typed and not entered. Terminals take escapes out of what is pasted.
            if name != "escape sequences":
                assert after == shown
        terminal.read(0.5)
        assert events(ruled) == before
        assert PIN not in terminal.raw.decode("utf-8", "replace")
        if moment is in_the_betting:
            # A key is still heard, so what came before it has been read.
            if terminal.settled() != shown:
                terminal.press(".")
            terminal.press("-")
            terminal.wait("seat 1 FOLD")


def test_a_pin_that_is_pasted_in_part_is_no_pin(ruled: Path) -> None:
    with console(ruled) as terminal:
        at_the_pin(terminal)
        terminal.press(*PIN[:2])
        terminal.wait("● ● ○ ○")
        os.write(terminal.fd, b"\x1b[200~" + PIN[2:].encode() + b"\r\x1b[201~")
        terminal.read(0.3)
        assert "● ● ○ ○" in terminal.text
        terminal.press(*PIN[2:])
        terminal.wait("● ● ● ●")
        # The rest was typed, so it is the PIN that the table's own staff file knows.
        terminal.press("enter")
        terminal.wait(lambda text: "Misdeal" in text or "MISDEAL:" in text)
        assert PIN not in terminal.raw.decode("utf-8", "replace")


# The mouse


MOUSE = (
    *(f"\x1b[<{button};40;22{end}" for button in (0, 1, 2, 32, 35, 64, 65) for end in "Mm"),
    *(f"\x1b[M{chr(32 + button)}{chr(33 + x)}{chr(33 + 21)}" for button in (0, 3) for x in (2, 40)),
    *("\x1b[I", "\x1b[O"),
)
"""Clicks, drags and wheels as terminals report them, on the row of the key caps; focus too."""


@pytest.mark.parametrize("moment", [in_the_betting, at_the_pin], ids=["betting", "PIN"])
def test_no_mouse_is_asked_for_and_what_one_says_does_nothing(
    tmp_path: Path, moment: Callable[[Terminal], None]
) -> None:
    with console(tmp_path) as terminal:
        moment(terminal)
        before, shown = events(tmp_path), terminal.text.splitlines()[1:]
        for report in MOUSE:
            os.write(terminal.fd, report.encode())
            terminal.read(0.02)
        terminal.read(0.5)
        assert events(tmp_path) == before
        assert terminal.text.splitlines()[1:] == shown
        for switch in (b"1000", b"1002", b"1003", b"1006"):
            assert b"\x1b[?" + switch + b"h" not in terminal.raw


# The window


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (40, 10)])
def test_a_window_that_shrinks_in_a_hand_shows_only_that_and_the_hand_comes_back(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with console(tmp_path) as terminal:
        in_the_betting(terminal)
        before = events(tmp_path)
        terminal.resize(*size)
        terminal.kill(signal.SIGWINCH)
        shown = terminal.wait("BIGGER" if size[0] < 60 else "MAKE THE WINDOW BIGGER")
        assert "CARMEN" not in shown
        terminal.resize(80, 24)
        terminal.kill(signal.SIGWINCH)
        terminal.wait(lambda text: "CARMEN" in text and "hole cards out" in text)
        assert events(tmp_path) == before
        terminal.press("-")
        terminal.wait("seat 1 FOLD")


# A crash


PLANTED = """
import os, pathlib
flag = pathlib.Path(os.environ["PLANT"])
from omaha_table.session.session import Session
from tests.staff_files import put_staff
do = Session.do
def broken(self, command, *given, **named):
    secret = "As Kd 7c"
    if type(command).__name__ == "Act" and not flag.exists():
        flag.touch()
        raise RuntimeError("planted " + secret)
    return do(self, command, *given, **named)
Session.do = broken
"""


def test_a_crash_in_the_betting_brings_the_same_step_back_and_shows_no_traceback(
    tmp_path: Path,
) -> None:
    (tmp_path / "sitecustomize.py").write_text(PLANTED)
    env = {"PLANT": str(tmp_path / "flag"),
           "PYTHONPATH": f"{tmp_path}{os.pathsep}{PYTHONPATH}"}  # fmt: skip
    with console(tmp_path, env=env) as terminal:
        before = termios.tcgetattr(terminal.fd)
        in_the_betting(terminal)
        terminal.press("-")
        shown = terminal.wait("THE FELT AGREES")
        assert "hand 1, preflop, action on seat 1" in shown
        assert (tmp_path / "flag").exists()
        terminal.press("enter")
        terminal.press("-")
        terminal.wait("seat 1 FOLD")
        raw = terminal.raw.decode("utf-8", "replace")
        for told in ("Traceback", "planted", "RuntimeError", "As Kd", "started again"):
            assert told not in raw
        terminal.kill(signal.SIGTERM)
        assert terminal.end() == 0
        assert_clean(terminal, before)
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert "RuntimeError" in log
    assert "As Kd" not in log
    assert verify(files_in(tmp_path / "data")).sound

"""The console as a dealer has it: a process on a terminal, keys as bytes, a screen of letters."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.updates import QUIET_GAP
from omaha_table.journal.verification import files_in, verify
from tests.console.terminal import Terminal, table_file
from tests.paths import PYTHONPATH

if TYPE_CHECKING:
    from pathlib import Path


def console(folder: Path, *, size: tuple[int, int] = (80, 24), env: dict[str, str] | None = None
            ) -> Terminal:  # fmt: skip
    table = table_file(folder)
    return Terminal(
        ["--log", str(folder / "log"), "console", "--table", str(table),
         "--data", str(folder / "data")], size, env,
    )  # fmt: skip


WHITE_KEYS = {"DECK IS CUT": "enter", "START HAND": "+", "PUSHED": "0"}
"""The keys that go on where no player says anything."""


@pytest.mark.parametrize("numlock", [True, False], ids=["numlock on", "numlock off"])
def test_a_whole_big_o_hand_from_the_draw_to_the_push_by_pad_keys_alone(
    tmp_path: Path, numlock: bool
) -> None:
    with console(tmp_path) as terminal:

        def press(*keys: str) -> None:
            terminal.press(*keys, numlock=numlock)

        def all_check() -> None:
            """One at a time: on a slow machine a key that comes too early is not believed."""
            for seat in (2, 3, 1):
                press("enter")
                terminal.wait(f"seat {seat} CHECK")
                # The console may have taken the key late. The next one must not look held.
                time.sleep(QUIET_GAP)

        terminal.wait("BUTTON DRAW")
        press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        press("+")
        terminal.wait("CARDS ARE OUT")
        press("0")
        terminal.wait("hole cards out")
        for key, action in (
            ("+", "seat 1 RAISE"),
            ("enter", "seat 2 CALL"),
            ("enter", "seat 3 CALL"),
        ):
            press(key)
            terminal.wait(action)
            time.sleep(QUIET_GAP)
        for keys, card in (("7+5*2/", "2♠"), ("9-", "9♦"), ("8+", "8♣")):
            terminal.wait("RANK OF THE CARD")
            press(*keys)
            terminal.wait("IS RIGHT")
            assert card in terminal.text
            press("0")
            all_check()
        terminal.wait("WHO WINS?")
        press("+", "1", "/", "3", "-", "9", "+", "1", "0", "*", "1", "1", "*")
        terminal.wait("LO75")
        press("enter", "2", "enter", "1", "enter")
        shown = terminal.wait("PUSHED")
        assert "Push 1 of" in shown
        while "PUSHED" in terminal.text:
            press("0")
        terminal.wait("START HAND 2")
        press("/", "*", "9")
        assert terminal.end() == 0
    verdict = verify(files_in(tmp_path / "data"))
    assert verdict.sound
    assert verdict.hands == 1


def test_the_demo_deals_a_hand_to_whoever_presses_the_key_the_screen_names(tmp_path: Path) -> None:
    with Terminal(["console", "--data", str(tmp_path / "demo"), "--pace", "fast"]) as terminal:
        terminal.wait("press ENTER")
        end = time.monotonic() + 60
        while "START HAND 2" not in terminal.text and "#2" not in terminal.text:
            assert time.monotonic() < end, terminal.text
            hint = re.search(r"press ([A-Z0-9+*/ -]+?)[. ]*$", terminal.text, re.MULTILINE)
            if hint:
                terminal.press(*hint[1].lower().split())
            else:
                shown = terminal.text
                terminal.press(*[key for label, key in WHITE_KEYS.items() if label in shown][:1])
            terminal.read(0.05)
        terminal.press("/", "*", "9")
        with contextlib.suppress(OSError):  # in a hand it asks; between hands it is gone
            terminal.press("+")
        assert terminal.end() == 0
    assert verify(files_in(tmp_path / "demo")).sound


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_clean(tmp_path: Path, number: int) -> None:
    with console(tmp_path) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.kill(number)
        assert terminal.end() == 0
        assert b"\x1b[?1049l" in terminal.raw
        assert b"\x1b[?25h" in terminal.raw
        off, on = terminal.raw.index(b"\x1b[?8l"), terminal.raw.rindex(b"\x1b[?8h")
        assert off < on, "a held key repeats again"
        assert b"\x1b[?1000h" not in terminal.raw


def test_a_kill_brings_the_dealer_back_to_the_same_step(tmp_path: Path) -> None:
    with console(tmp_path) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("0", "+")
        terminal.wait("RAISE TO 12")
        terminal.kill()
    with console(tmp_path) as terminal:
        shown = terminal.wait("THE FELT AGREES")
        assert "hand 1, preflop, action on seat 2" in shown
        terminal.press("enter")
        terminal.wait("RAISE TO 12")


def test_an_error_in_the_console_is_never_shown_and_the_step_comes_back(tmp_path: Path) -> None:
    """A mistake planted in the wording of a step: no traceback, no locals, the cause in the log."""
    planted = tmp_path / "sitecustomize.py"
    planted.write_text(
        "import os, pathlib\n"
        "flag = pathlib.Path(os.environ['PLANT'])\n"
        "from omaha_table.dealer.modes import showdown\n"
        "old = showdown.push\n"
        "def broken(model, strip):\n"
        "    secret = 'As Kd 7c'\n"
        "    if not flag.exists():\n"
        "        flag.touch()\n"
        "        raise RuntimeError('planted ' + secret)\n"
        "    return old(model, strip)\n"
        "showdown.push = broken\n"
    )
    env = {"PLANT": str(tmp_path / "flag"),
           "PYTHONPATH": f"{tmp_path}{os.pathsep}{PYTHONPATH}"}  # fmt: skip
    with console(tmp_path, env=env) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        for key in ("0", "-", "-"):
            terminal.press(key, gap=0.4)
        terminal.wait("THE FELT AGREES")
        terminal.press("enter")
        terminal.wait("PUSHED")
        raw = terminal.raw.decode("utf-8", "replace")
    assert "Traceback" not in raw
    assert "planted" not in raw
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert "the console was restarted" in log
    assert "RuntimeError" in log
    assert "As Kd" not in log


def test_a_megabyte_pasted_and_a_storm_of_resizes_record_nothing(tmp_path: Path) -> None:
    with console(tmp_path) as terminal:
        terminal.wait("BUTTON DRAW")
        before = _events(tmp_path)
        os.write(terminal.fd, b"\x1b[200~")
        for _ in range(256):
            os.write(terminal.fd, b"13/4*12-\r" * 450)
            terminal.read(0)
        os.write(terminal.fd, b"\x1b[201~")
        for step in range(60):
            terminal.resize(40 + step * 2, 10 + step % 40)
            terminal.kill(signal.SIGWINCH)
            terminal.read(0.002)
        terminal.resize(80, 24)
        terminal.wait(lambda text: "BUTTON DRAW" in text and "No alarms" in text)
        assert _events(tmp_path) == before


def test_without_color_and_without_unicode_every_sign_has_another(tmp_path: Path) -> None:
    with console(tmp_path, env={"NO_COLOR": "1", "LANG": "C", "LC_ALL": "C"}) as terminal:
        shown = terminal.wait(lambda text: "BUTTON DRAW" in text and "READY" in text)
        assert shown.isascii()
        raw = terminal.raw.decode()
    colors = re.findall(r"\x1b\[[\d;]*?[34]8;2;(\d+);(\d+);(\d+)", raw)
    assert all(red == green == blue for red, green, blue in colors)


def test_a_window_that_is_too_small_says_so(tmp_path: Path) -> None:
    with console(tmp_path, size=(60, 18)) as terminal:
        terminal.wait("MAKE THE WINDOW BIGGER")
        terminal.resize(80, 24)
        terminal.kill(signal.SIGWINCH)
        terminal.wait("BUTTON DRAW")


def _events(folder: Path) -> int:
    verdict = verify(files_in(folder / "data"))
    return verdict.events


def test_a_second_console_on_one_table_is_told_who_has_it(tmp_path: Path) -> None:
    with console(tmp_path) as terminal:
        terminal.wait("BUTTON DRAW")
        with console(tmp_path) as second:
            assert second.end() == 2
            assert "being written by" in " ".join(second.text.split())


def test_a_table_that_is_configured_wrong_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('[table]\nid = "t7"\nrules = "ca_big_o"\nlimits = "4-8"\n')
    with Terminal(["console", "--table", str(path)]) as terminal:
        assert terminal.end() == 2
        assert "the nearest is limit" in " ".join(terminal.text.split())

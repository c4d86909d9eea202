"""The console on a real pty beside a bare one-widget Textual app: keys, cards, start, idle."""

from __future__ import annotations

import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
from fcntl import ioctl
from pathlib import Path
from statistics import median
from termios import TIOCSWINSZ
from typing import TYPE_CHECKING, get_args

from measure import Clock, Figure, cpu
from start import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
BARE = textwrap.dedent(
    """
    from textual.app import App
    from textual.widgets import Static

    class Bare(App):
        def compose(self):
            self.shown = Static("READY " * 20)
            yield self.shown

        def on_key(self, event):
            if event.key == "q":
                self.exit()
            self.shown.update(f"READY {event.key} " * 20, layout=False)

    Bare().run(mouse=False)
    """
)
OURS = textwrap.dedent(
    """
    import sys
    sys.path.insert(0, sys.argv[1])
    from tests.console.scenes import Table
    from omaha_table.dealer.screen.app import ConsoleApp
    ConsoleApp(Table().console).run(mouse=False)
    """
)


def cpu_of(pid: int) -> float:
    """Seconds of processor that the threads of a process have used, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(one.read_text(encoding="utf-8").split()[0]) for one in threads) / 1e9


class Screen:
    """A program on a pty; its output is timed, not parsed."""

    def __init__(
        self,
        code: str,
        size: tuple[int, int] = (80, 24),
        words: Sequence[str] = (),
        given: Mapping[str, str] = os.environ,
    ) -> None:
        self.began = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            environment = {
                **given, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'drivers'}",
            }  # fmt: skip
            for name in ("COLUMNS", "LINES"):
                environment.pop(name, None)
            os.execve(sys.executable, [sys.executable, "-c", code, str(ROOT), *words], environment)
        ioctl(self.fd, TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def quiet(self, gap: float = 0.05, most: float = 10.0) -> tuple[float, int]:
        """The time of the last byte before a silence, and the number of bytes."""
        last, count = time.perf_counter(), 0
        end = last + most
        while time.perf_counter() < end:
            if not select.select([self.fd], [], [], gap)[0]:
                if count:
                    break
                continue
            count += len(os.read(self.fd, 1 << 16))
            last = time.perf_counter()
        return last, count

    def key(self, key: str) -> float:
        """Milliseconds from a key to the last byte of output."""
        start = time.perf_counter()
        os.write(self.fd, key.encode())
        last, _ = self.quiet(0.08)
        return (last - start) * 1e3

    def work(self, key: str) -> tuple[float, float]:
        """The same, and the milliseconds of processor that the key took."""
        before = self.cpu()
        spent = self.key(key)
        return spent, (self.cpu() - before) * 1e3

    def cpu(self) -> float:
        return cpu_of(self.pid)

    def close(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def keys(rounds: int = 25) -> list[Figure]:
    """From a key to the last byte, alternating with the bare app."""
    found = []
    for size in ((80, 24), (120, 40)):
        ours, bare = Screen(OURS, size), Screen(BARE, size)
        for screen in (ours, bare):
            screen.quiet(0.5)
        for start in ("\r", "\r"):
            time.sleep(0.5)
            ours.key(start)
        actions, digits, theirs = [], [], []
        for at in range(rounds):
            time.sleep(0.15)
            actions.append(ours.work("\r" if at % 8 < 7 else "-"))
            digits.append(ours.work("1"))
            ours.key(".")
            theirs.append(bare.work("ab"[at % 2]))
        ours.close()
        bare.close()
        name = f"{size[0]}x{size[1]}"
        note = "× the bare app; to reach: 1.5"
        for place, clock in enumerate(get_args(Clock)[1::-1]):
            base, action, digit = (
                median(one[place] for one in times) for times in (theirs, actions, digits)
            )
            found += [
                Figure(f"bare app, {name}, {clock}", base * 1e3, 1.0, "one Static updated", clock),
                Figure(f"an action, {name}, {clock}", action * 1e3, action / base, note, clock),
                Figure(f"a digit, {name}, {clock}", digit * 1e3, digit / base, note, clock),
            ]
    return found


def start(rounds: int = 5) -> list[Figure]:
    """From the start of the process to the complete screen."""
    times: dict[str, list[float]] = {"the console": [], "bare app": [], "import textual": []}
    demo = "import sys; sys.path.insert(0, sys.argv[1]); sys.argv = ['omaha-table']; " \
           "from omaha_table.cli import main; main()"  # fmt: skip
    spent: dict[str, list[float]] = {name: [] for name in times}
    with compiled() as environment:
        for turn in range(rounds + 1):
            for name, code in (("the console", demo), ("bare app", BARE)):
                screen = Screen(code, given=environment)
                seen = b""
                mark = b"NEXT" if name == "the console" else b"READY"
                while mark not in seen:
                    seen += os.read(screen.fd, 1 << 16)
                    if b"\x1b[6n" in seen:
                        os.write(screen.fd, b"\x1b[1;5R")
                if turn:
                    times[name].append(time.perf_counter() - screen.began)
                    spent[name].append(screen.cpu())
                screen.close()
            begin, used = time.perf_counter(), cpu()
            subprocess.run([sys.executable, "-c", "import textual.app"], check=True,
                           env=environment)  # fmt: skip
            if turn:
                times["import textual"].append(time.perf_counter() - begin)
                spent["import textual"].append(cpu() - used)
    base = median(times["bare app"]) + median(times["import textual"])
    work = median(spent["bare app"]) + median(spent["import textual"])
    note = "× (import + bare app); to reach: 1.3"
    return [
        *(Figure(f"start: {name}", median(found) * 1e6, median(found) / base, note)
          for name, found in times.items()),
        *(Figure(f"start: {name}, work", median(found) * 1e6, median(found) / work, note, "CPU")
          for name, found in spent.items()),
    ]  # fmt: skip


def idle(seconds: float = 10.0) -> list[Figure]:
    """CPU use while nothing happens."""
    screen = Screen(OURS)
    screen.quiet(1.0)
    before = screen.cpu()
    time.sleep(seconds)
    used = (screen.cpu() - before) / seconds
    screen.close()
    return [Figure("idle", used * 1e4, used * 100, "% of a processor, not ×", "CPU")]


def card() -> list[Figure]:
    """From a device's event to the last byte on the screen."""
    code = textwrap.dedent(
        """
        import sys, threading, time
        sys.path.insert(0, sys.argv[1])
        from tests.console.scenes import Table
        from omaha_drivers.events import CardDrawn, Report
        from omaha_drivers.sealed import Sealed
        from omaha_table.cards import DECK
        from omaha_table.dealer.screen.app import ConsoleApp, DeviceSaid
        table = Table(devices=True).live().deck().keys("enter", "+")
        app = ConsoleApp(table.console)
        def deal():
            for number, card in enumerate(DECK[:40], start=1):
                go.acquire()
                app.post_message(DeviceSaid(
                    Report("shoe", CardDrawn(number, Sealed(card.text), True), "", 0.0)))
        go = threading.Semaphore(0)
        threading.Thread(target=deal, daemon=True).start()
        import signal
        signal.signal(signal.SIGUSR1, lambda *_: go.release())
        app.run(mouse=False)
        """
    )
    screen, bare = Screen(code), Screen(BARE)
    screen.quiet(0.7)
    bare.quiet(0.5)
    times, theirs = [], []
    for at in range(30):
        start_at = time.perf_counter()
        os.kill(screen.pid, 10)
        last, _ = screen.quiet(0.08)
        times.append((last - start_at) * 1e3)
        theirs.append(bare.key("ab"[at % 2]))
    screen.close()
    bare.close()
    return [
        Figure("bare app, a key", median(theirs) * 1e3, 1.0),
        Figure("a card from the shoe", median(times) * 1e3, median(times) / median(theirs),
               "× the bare app"),
    ]  # fmt: skip


def run() -> list[Figure]:
    with tempfile.TemporaryDirectory():
        return [*keys(), *card(), *start(), *idle()]

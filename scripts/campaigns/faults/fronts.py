"""The console that a fault is fed to: the real program on a terminal, or the same without one.

Both read the screen as the dealer sees it, 80 by 24. Without a terminal there is no process and no
Textual, but the same session on a journal, console, drivers and drawing.
"""

from __future__ import annotations

import os
import queue
import re
import time
from typing import TYPE_CHECKING, Protocol

from omaha_drivers.supervisor import Supervisor

from omaha_table.cli.keyfiles import read_office_key
from omaha_table.dealer.console import Console
from omaha_table.dealer.screen.drawing import draw
from omaha_table.dealer.screen.run import Evening
from omaha_table.session.config import load_table
from omaha_table.session.devices import Devices
from tests.console.terminal import Terminal
from tests.paths import PYTHONPATH

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_drivers.events import Report

SPELLED = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])[cdhs♣♦♥♠](?![A-Za-z0-9])")
SIZE = (80, 24)


class NotSeen(AssertionError):  # noqa: N818 - what a row of the table says
    """The dealer has not seen what was expected; the message is the screen."""


class Front(Protocol):
    kills: bool
    """Whether it is a process that can be killed."""

    def start(self) -> None: ...
    def press(self, *keys: str) -> None: ...
    def look(self) -> str: ...
    def kill(self) -> None:
        """SIGKILL."""
        ...

    def stop(self) -> None: ...


def squeezed(text: str) -> str:
    return " ".join(text.split())


def wait(front: Front, until: Callable[[str], bool], seconds: float = 12.0) -> str:
    """The screen once it shows that, with runs of spaces as one."""
    end = time.monotonic() + seconds
    while True:
        shown = front.look()
        if until(squeezed(shown)):
            return shown
        if time.monotonic() > end:
            raise NotSeen(shown)
        time.sleep(0.01)


class OnTerminal:
    """`omaha-table console` in a process of its own."""

    kills = True

    def __init__(self, table: Path, data: Path) -> None:
        self._arguments = ["console", "--table", str(table), "--data", str(data)]
        self._terminal: Terminal | None = None

    @property
    def terminal(self) -> Terminal:
        assert self._terminal is not None
        return self._terminal

    def start(self) -> None:
        env = {"PYTHONPATH": PYTHONPATH, "TEXTUAL_ANIMATIONS": "none"}
        self._terminal = Terminal(self._arguments, SIZE, os.environ | env)

    def press(self, *keys: str) -> None:
        self.terminal.press(*keys)

    def look(self) -> str:
        self.terminal.read(0.03)
        return self.terminal.text

    def kill(self) -> None:
        self.terminal.kill()
        self.terminal.close()
        self._terminal = None

    def stop(self) -> None:
        """As a power cut would: a hand may be open, and nothing that was recorded may be lost."""
        if self._terminal is not None:
            self.kill()


class Headless:
    """The same console in this process, drawn without a terminal."""

    kills = False

    def __init__(self, table: Path, data: Path) -> None:
        config = load_table(table)
        key = config.table.surveillance_key
        office = read_office_key(config.beside(key)) if key else None
        self._evening = Evening(config, data, office=office)
        self._reports: queue.Queue[Report] = queue.Queue()
        self._console: Console | None = None
        self._supervisors: list[Supervisor] = []
        self._now = 0.0

    def start(self) -> None:
        evening = self._evening
        session = evening.open()
        settings, missing = evening.settings, evening.missing
        devices = Devices(session, settings, missing)
        self._console = Console(session, devices, missing=missing, title="T7")
        self._console.reopen = evening.open
        self._supervisors = [
            Supervisor(one, self._reports.put, resume_token=session.resume_token(one.name))
            for one in settings
        ]
        for supervisor in self._supervisors:
            supervisor.start()

    @property
    def console(self) -> Console:
        assert self._console is not None
        return self._console

    def press(self, *keys: str) -> None:
        for key in keys:
            self._take()
            self._now += 1.0
            self.console.press(key, self._now)

    def _take(self) -> None:
        while not self._reports.empty():
            self.console.report(self._reports.get())
        self.console.tick(time.monotonic())

    def look(self) -> str:
        self._take()
        return draw(self.console.view(), *SIZE).text()

    def kill(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        for supervisor in self._supervisors:
            supervisor.stop()
        if self._console is not None:
            self._take()
            self._console.session.close()
            self._console = None

"""The Textual side of the console: one widget that paints rows, one door for every key."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from omaha_table.console.canvas import style
from omaha_table.console.draw import draw
from omaha_table.console.terminal import ASCII, teach_pad

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.events import Report

    from omaha_table.console.canvas import Canvas
    from omaha_table.dealer.controller import Front

CLOCK_SECONDS: Final = 5
REPORTS_WAITING: Final = 256
"""What devices may have said and nobody has taken yet; then they wait."""


@dataclass
class DeviceSaid(Message):
    """A device's report, from its own thread."""

    report: Report


class Rows(Widget):
    """The whole screen, row by row; only rows that have changed are painted again."""

    DEFAULT_CSS = "Rows { width: 100%; height: 100%; }"

    def __init__(self, drawn: Callable[[int, int], Canvas], *, plain: bool) -> None:
        super().__init__()
        self._drawn, self._plain = drawn, plain
        self._rows: list[tuple[Segment, ...]] = []

    def paint(self) -> None:
        size = self.size
        if not size.width or not size.height:
            return
        rows = self._drawn(size.width, size.height).rows()
        before, self._rows = self._rows, rows
        if len(before) != len(rows):
            self.refresh()
            return
        changed = [
            Region(0, y, size.width, 1)
            for y, (old, new) in enumerate(zip(before, rows, strict=True))
            if old != new
        ]
        if changed:
            self.refresh(*changed)

    def on_resize(self) -> None:
        self._rows = []
        self.paint()

    def render_line(self, y: int) -> Strip:
        if y >= len(self._rows):
            return Strip.blank(self.size.width, style("room"))
        row = self._rows[y]
        if self._plain:
            row = tuple(Segment(part.text.translate(ASCII), part.style) for part in row)
        return Strip(row, self.size.width)


class Console(App[None], inherit_bindings=False):
    """Passes keys and reports to the front, and paints what it shows."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS: ClassVar[str] = "Screen { background: #0e1116; overflow: hidden; }"

    def __init__(
        self,
        front: Front,
        *,
        letters: bool = False,
        plain: bool = False,
        attend: Callable[[Console], None] | None = None,
    ) -> None:
        super().__init__()
        teach_pad()
        self.animation_level = "none"
        self.front = front
        self.crash: Exception | None = None
        self.touched = float("-inf")
        """When a key was last pressed."""
        self._attend = attend
        self._area = Rows(
            lambda width, height: draw(front.view(), width, height, letters=letters or plain),
            plain=plain,
        )
        self._bells = front.bells
        self.room = threading.Semaphore(REPORTS_WAITING)

    def compose(self) -> ComposeResult:
        yield self._area

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            try:
                loop.add_signal_handler(number, self.exit)
            except (RuntimeError, ValueError):
                break
        self.set_interval(CLOCK_SECONDS, self._tick)
        if self._attend is not None:
            self._attend(self)

    async def on_event(self, event: events.Event) -> None:
        """The front door: no key reaches a screen or a widget."""
        if isinstance(event, events.Key):
            event.stop()
            event.prevent_default()
            self.touched = time.monotonic()
            if not self._closing_down:
                self.guard(lambda: self.front.press(event.key))
            return
        if isinstance(event, events.Paste | events.MouseEvent):
            event.stop()
            return
        await super().on_event(event)

    @property
    def _closing_down(self) -> bool:
        return self.crash is not None or self.front.quit

    def on_device_said(self, message: DeviceSaid) -> None:
        self.room.release()
        self.guard(lambda: self.front.report(message.report))

    def hear(self, report: Report) -> None:
        """From a device's own thread; waits where the table cannot keep up."""
        while not self.room.acquire(timeout=0.5):
            if self.crash is not None or not self.is_running:
                return
        self.post_message(DeviceSaid(report))

    def _tick(self) -> None:
        if self.screen.is_active:
            self.guard(lambda: self.front.ring(time.monotonic()))

    def guard(self, act: Callable[[], object]) -> None:
        """Does something and paints; what goes wrong ends this screen, never shows on it."""
        try:
            act()
            for _ in range(min(self.front.bells - self._bells, 2)):
                self.bell()
            self._bells = self.front.bells
            self._area.paint()
        except Exception as error:
            self.crash = error
            self.exit(return_code=70)
            return
        if self.front.quit:
            self.exit()

    def _handle_exception(self, error: Exception) -> None:
        """Whatever Textual itself trips over: no traceback for the players to read."""
        if self.crash is None:
            self.crash = self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

"""The Textual side of the console: one widget that paints rows, one door for every key."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

import structlog
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from omaha_table.dealer.heartbeat import BEAT_SECONDS
from omaha_table.dealer.screen.colors import depth_of, style
from omaha_table.dealer.screen.drawing import draw
from omaha_table.dealer.screen.terminal import ASCII
from omaha_table.dealer.screen.textual_private import NoTracebackApp, teach_pad

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.events import Report
    from textual.app import ComposeResult

    from omaha_table.dealer.console import Console
    from omaha_table.dealer.screen.canvas import Canvas

T = TypeVar("T")
_log = structlog.get_logger(__name__)
WALL_CLOCK_SECONDS: Final = 5
"""Between two looks at the clock on the wall; a clock on a seat is shown every second."""
REPORTS_WAITING: Final = 256
"""What devices may have said and nobody has taken yet; then they wait."""


@dataclass
class DeviceSaid(Message):
    """A device's report, from its own thread."""

    report: Report


@dataclass
class WorkDone(Message):
    """Something slow has ended in its own thread; what is to be done with it."""

    then: Callable[[], object]


def _raise(error: Exception) -> None:
    raise error


class Rows(Widget):
    """The whole screen, row by row; only rows that have changed are painted again."""

    DEFAULT_CSS = "Rows { width: 100%; height: 100%; }"

    def __init__(self, drawn: Callable[[int, int], Canvas], *, plain: bool) -> None:
        super().__init__()
        self._drawn, self._plain = drawn, plain
        self._canvas: Canvas | None = None
        self._rows: list[tuple[Segment, ...]] = []

    def paint(self) -> None:
        size = self.size
        if not size.width or not size.height:
            return
        depth = depth_of(self.app.console.color_system)
        before, self._canvas = self._canvas, self._drawn(size.width, size.height)
        if before is None:
            self._rows = self._canvas.rows(depth)
            self.refresh()
            return
        changed = [y for y in range(size.height) if not self._canvas.same_row(before, y)]
        for y in changed:
            self._rows[y] = self._canvas.row(y, depth)
        if changed:
            self.refresh(*(Region(0, y, size.width, 1) for y in changed))

    def on_resize(self) -> None:
        self._canvas, self._rows = None, []
        self.paint()

    def render_line(self, y: int) -> Strip:
        if y >= len(self._rows):
            return Strip.blank(
                self.size.width, style("room", depth_of(self.app.console.color_system))
            )
        row = self._rows[y]
        if self._plain:
            row = tuple(Segment(part.text.translate(ASCII), part.style) for part in row)
        return Strip(row, self.size.width)


class ConsoleApp(NoTracebackApp, inherit_bindings=False):
    """Passes keys and reports to the console, and paints what it shows."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS: ClassVar[str] = "Screen { background: #0e1116; overflow: hidden; }"

    def __init__(
        self,
        console: Console,
        *,
        letters: bool = False,
        plain: bool = False,
        attend: Callable[[ConsoleApp], None] | None = None,
    ) -> None:
        super().__init__()
        teach_pad()
        self.animation_level = "none"
        self.dealer = console
        console.in_background = self._in_background
        self.touched = float("-inf")
        """When a key was last pressed."""
        self._attend = attend
        self._area = Rows(
            lambda width, height: draw(console.view(), width, height, letters=letters or plain),
            plain=plain,
        )
        self._bells = console.model.bells
        self._seconds = 0
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
        self.set_interval(1, self._tick)
        if self.dealer.link is not None:
            self.set_interval(BEAT_SECONDS, self._beat)
        if self._attend is not None:
            self._attend(self)

    async def on_event(self, event: events.Event) -> None:
        """The front door: no key reaches a screen or a widget."""
        if isinstance(event, events.Key):
            event.stop()
            event.prevent_default()
            self.touched = time.monotonic()
            if not self._closing_down:
                # Its own time, not that of its turn: it may have waited for a slow answer.
                self.guard(lambda: self.dealer.press(event.key, event.time))
            return
        if isinstance(event, events.Paste | events.MouseEvent):
            event.stop()
            return
        await super().on_event(event)

    @property
    def _closing_down(self) -> bool:
        return self.crash is not None or self.dealer.model.quit

    def on_device_said(self, message: DeviceSaid) -> None:
        self.room.release()
        self.guard(lambda: self.dealer.report(message.report))

    def hear(self, report: Report) -> None:
        """From a device's own thread; waits where the table cannot keep up."""
        while not self.room.acquire(timeout=0.5):
            if self.crash is not None or not self.is_running:
                return
        self.post_message(DeviceSaid(report))

    def _in_background(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        """Off the path of the keys. What goes wrong there ends the screen as any other error."""

        def run() -> None:
            try:
                result = work()
            except Exception as error:
                failed = error
                self.post_message(WorkDone(lambda: _raise(failed)))
                return
            self.post_message(WorkDone(lambda: done(result)))

        threading.Thread(target=run, daemon=True).start()

    def on_work_done(self, message: WorkDone) -> None:
        self.guard(message.then)

    def _tick(self) -> None:
        self._seconds += 1
        self._look_at_room()
        if self._seconds % WALL_CLOCK_SECONDS and not self.dealer.clock_runs:
            return
        # The clock may strike once more while the app ends, when there is no screen any more.
        if self.screen_stack and self.screen.is_active:
            self.guard(lambda: self.dealer.tick(time.monotonic()))

    def _look_at_room(self) -> None:
        """Only what it shows differently is painted: most seconds there is nothing."""
        if not self.screen_stack or not self.screen.is_active or self._closing_down:
            return
        try:
            changed = self.dealer.look_at_room()
        except Exception as error:
            self._without_room(error)
            return
        if changed:
            self.guard(lambda: self.dealer.tick(time.monotonic()))

    def _beat(self) -> None:
        try:
            self.dealer.beat()
        except Exception as error:
            self._without_room(error)

    def _without_room(self, error: Exception) -> None:
        """Whatever goes wrong with the room, the table deals on without it."""
        _log.error("the room is left out", cause=type(error).__name__, exc_info=error)
        self.dealer.leave_room_out()

    def guard(self, act: Callable[[], object]) -> None:
        """Does something and paints; what goes wrong ends this screen, never shows on it."""
        try:
            act()
            bells = self.dealer.model.bells
            for _ in range(min(bells - self._bells, 2)):
                self.bell()
            self._bells = bells
            self._area.paint()
        except Exception as error:
            self.crash = error
            self.exit(return_code=70)
            return
        if self.dealer.model.quit:
            self.exit()

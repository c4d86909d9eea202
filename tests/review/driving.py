"""The real review, without a terminal: keys and clicks go in, what is on the screen comes out."""

from __future__ import annotations

import asyncio
import contextvars
import time
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events
from textual.keys import _character_to_key

from omaha_table.dealer.screen.textual_private import shown_lines
from omaha_table.review.index.projection import Projection
from omaha_table.review.screens.app import Review
from omaha_table.review.screens.desk import Desk
from tests.counters import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable
    from pathlib import Path
    from types import TracebackType

    from textual.widget import Widget

    from omaha_table.journal.writer import Clock
    from omaha_table.review.screens.virtual_list import VirtualList

T = TypeVar("T")
W = TypeVar("W", bound="Widget")


def desk_of(journals: Iterable[Path], kept: Path, clock: Clock | None = None, **given: Any) -> Desk:
    """Of some journals, with an office in which everybody of `tests.counters` may sign."""
    projection = Projection()
    projection.refresh(journals)
    return Desk(projection, ledger(kept, clock), **given)


def key_event(key: str) -> events.Key:
    """As Textual's driver makes it of what the terminal sends."""
    if len(key) > 1:
        return events.Key(key, " " if key == "space" else None)
    return events.Key(key if key.isalnum() else _character_to_key(key), key)


class Driver:
    """A review that runs between `with` and its end. Every call waits for its effect."""

    def __init__(
        self, desk: Desk, size: tuple[int, int] = (100, 30), app: Review | None = None
    ) -> None:
        self.desk, self.app = desk, app or Review(desk)
        self._size = size
        self._runner = asyncio.Runner()
        # One context for everything: Textual keeps the running app in a context variable.
        self._context = contextvars.copy_context()
        self.bells = 0
        self.name = ""

    def _run(self, steps: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(steps, context=self._context)

    def __enter__(self) -> Driver:
        self._running = self.app.run_test(size=self._size)
        self.pilot = self._run(self._running.__aenter__())
        bell = self.app.bell

        def counted() -> None:
            self.bells += 1
            bell()

        self.app.bell = counted  # type: ignore[method-assign]
        self._run(self._settle())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._run(self._running.__aexit__(kind, error, traceback))
        self._runner.close()
        self.desk.projection.close()
        if error is None and self.app.crash is not None:
            raise self.app.crash

    async def _settle(self) -> None:
        """What was begun is over, and painted: a pane may be laid out again for its scroll bar."""
        await self.pilot.pause()
        while self.app.held and self.app.crash is None:
            await asyncio.sleep(0.005)
        await self.pilot.pause()
        before: list[str] = []
        for _ in range(20):
            if self.app.crash is not None or before == (shown := shown_lines(self.app)):
                return
            before = shown
            await self.pilot.pause()

    def press(self, *keys: str) -> None:
        """One key after the other; what ENTER begins is over before the next one."""

        async def pressed() -> None:
            for key in keys:
                self.app.post_message(key_event(key))
                if key == "enter":
                    await self._settle()
            await self._settle()

        self._run(pressed())

    def send(self, *keys: str) -> None:
        """All keys at once, without waiting for anything."""
        for key in keys:
            self.app.post_message(key_event(key))

    def burst(self, *keys: str) -> None:
        """All keys at once, as a paste of them into the terminal would be."""

        async def pressed() -> None:
            self.send(*keys)
            await self._settle()

        self._run(pressed())

    def click(self, selector: str, x: int = 0, y: int = 0, times: int = 1) -> None:
        async def clicked() -> None:
            await self.pilot.click(selector, offset=(x, y), times=times)
            await self._settle()

        self._run(clicked())

    def drag(self, widget: Widget, across: int, down: int = 0) -> None:
        async def dragged() -> None:
            await self.pilot.mouse_down(widget)
            await self.pilot.hover(widget, offset=(across, down))
            await self.pilot.mouse_up(widget)
            await self._settle()

        self._run(dragged())

    def select(self, selector: str, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Drags the mouse over text."""

        async def selected() -> None:
            await self.pilot.mouse_down(selector, offset=start)
            await self.pilot.hover(selector, offset=end)
            await self.pilot.mouse_up(selector, offset=end)
            await self._settle()

        self._run(selected())

    def pause(self, seconds: float) -> None:
        self._run(self.pilot.pause(seconds))

    def wait_for(self, seen: Callable[[], bool], seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while not seen():
            assert time.monotonic() < end, self.text
            self.pause(0.05)

    def resize(self, width: int, height: int) -> None:
        async def resized() -> None:
            await self.pilot.resize_terminal(width, height)
            await self._settle()

        self._run(resized())

    def keep_up(self) -> None:
        """What happens every two seconds."""

        async def kept() -> None:
            self.app.keep_up()
            await self._settle()

        self._run(kept())

    # What is seen

    @property
    def text(self) -> str:
        return "\n".join(shown_lines(self.app))

    @property
    def said(self) -> str:
        return self.app.said

    def page(self, kind: type[T]) -> T:
        page = self.app.page
        assert isinstance(page, kind), page
        return page

    @property
    def listed(self) -> VirtualList:
        return self.app.page.listed

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """The cells of all lines of the list."""
        source = self.listed.source
        found = [source.line(at) for at in range(source.total)]
        return [line.cells for line in found if line is not None]

    @property
    def chosen(self) -> tuple[str, ...]:
        return self.lines[self.listed.at]

    def words(self, selector: str) -> str:
        """What a part of the page says, on one line."""
        return " ".join(str(self.app.page.query_one(selector).render()).split())

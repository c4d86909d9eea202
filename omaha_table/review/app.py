"""The review screen: the same painted rows as the dealer's console, the same pad."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events

from omaha_table.dealer.screen.app import Rows
from omaha_table.dealer.screen.textual_private import NoTracebackApp, teach_pad
from omaha_table.review.paint import paint

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from omaha_table.review.front import ReviewFront


CHECK_AGAIN: Final = 60.0
"""Seconds from one check of the chain to the next, while a table deals on."""


class Review(NoTracebackApp, inherit_bindings=False):
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS: ClassVar[str] = "Screen { background: #0e1116; overflow: hidden; }"

    def __init__(self, front: ReviewFront, *, letters: bool = False, plain: bool = False) -> None:
        super().__init__()
        teach_pad()
        self.animation_level = "none"
        self.front = front
        self._bells = 0
        self._checking: threading.Thread | None = None
        self._checked, self._stale = 0.0, False
        """When the chain was last checked, and whether there is more by now."""
        self._area = Rows(
            lambda width, height: paint(front, width, height, letters=letters or plain),
            plain=plain,
        )

    def compose(self) -> ComposeResult:
        yield self._area

    def on_mount(self) -> None:
        self._check_again()
        self.set_interval(2.0, lambda: self._now_and_then(self._keep_up))
        self.set_interval(0.6, lambda: self._now_and_then(self.front.tick))

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            event.stop()
            event.prevent_default()
            self._guard(lambda: self.front.press(event.key))
            return
        if isinstance(event, events.Paste | events.MouseEvent):
            event.stop()
            return
        await super().on_event(event)

    def _keep_up(self) -> bool:
        self._stale = self.front.keep_up() or self._stale
        if self._stale and time.monotonic() - self._checked > CHECK_AGAIN:
            self._check_again()
        return self._stale

    def _check_again(self) -> None:
        if self.front.check is None or (self._checking is not None and self._checking.is_alive()):
            return
        self._stale, self._checked = False, time.monotonic()
        self._checking = threading.Thread(target=self._check, daemon=True)
        self._checking.start()

    def _check(self) -> None:
        """In a thread of its own: the screen shows what it says the next time it is painted."""
        assert self.front.check is not None
        try:
            self.front.checked(*self.front.check())
        except Exception:
            self.front.checked(False, "The chain could not be checked: 'omaha-table verify' can")

    def _now_and_then(self, changed: Callable[[], bool]) -> None:
        if self.screen.is_active and self.crash is None:
            self._guard(changed)

    def _guard(self, act: Callable[[], object]) -> None:
        """Does something and paints; what goes wrong ends the screen and is told in words."""
        try:
            act()
            if self.front.bells != self._bells:
                self._bells = self.front.bells
                self.bell()
            self._area.paint()
        except Exception as error:
            self.crash = error
            self.exit(return_code=70)
            return
        if self.front.quit:
            self.exit()

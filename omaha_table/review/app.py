"""The review screen: the same painted rows as the dealer's console, the same pad."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App, ComposeResult

from omaha_table.console.app import Rows
from omaha_table.console.terminal import teach_pad
from omaha_table.review.paint import paint

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.review.front import ReviewFront


class Review(App[None], inherit_bindings=False):
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS: ClassVar[str] = "Screen { background: #0e1116; overflow: hidden; }"

    def __init__(self, front: ReviewFront, *, letters: bool = False, plain: bool = False) -> None:
        super().__init__()
        teach_pad()
        self.animation_level = "none"
        self.front = front
        self._bells = 0
        self._area = Rows(
            lambda width, height: paint(front, width, height, letters=letters or plain),
            plain=plain,
        )

    def compose(self) -> ComposeResult:
        yield self._area

    def on_mount(self) -> None:
        self.set_interval(2.0, self._keep_up)
        self.set_interval(0.6, self._play)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            event.stop()
            event.prevent_default()
            self._do(lambda: self.front.press(event.key))
            return
        if isinstance(event, events.Paste | events.MouseEvent):
            event.stop()
            return
        await super().on_event(event)

    def _do(self, act: Callable[[], object]) -> None:
        act()
        if self.front.bells != self._bells:
            self._bells = self.front.bells
            self.bell()
        self._area.paint()
        if self.front.quit:
            self.exit()

    def _keep_up(self) -> None:
        if self.screen.is_active and self.front.keep_up():
            self._area.paint()

    def _play(self) -> None:
        if self.front.tick():
            self._area.paint()

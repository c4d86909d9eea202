"""The line between two panes: drag it with the mouse, or move it with keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.widget import Widget

if TYPE_CHECKING:
    from textual import events

_LEAST: Final = 0.2
_STEP: Final = 0.05


class Divider(Widget, can_focus=False):
    """Between two widgets that are side by side, or one above the other in a narrow window."""

    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self, wide: float, narrow: float) -> None:
        """How much of the whole the first pane has, in a wide and in a narrow window."""
        super().__init__()
        self._share = {True: wide, False: narrow}
        self._dragged = False
        self.tooltip = "Drag, or press < and >, to resize the panes"

    @property
    def _across(self) -> bool:
        """Whether the panes are side by side."""
        assert isinstance(self.parent, Widget)
        return str(self.parent.styles.layout) == "<horizontal>"

    def on_mount(self) -> None:
        self._place()

    def on_resize(self) -> None:
        self._place()

    def render(self) -> str:
        return "\n".join("│" * self.size.height) if self._across else "─" * self.size.width

    def move(self, steps: int) -> None:
        """More than zero makes the first pane larger."""
        self._put(self._share[self._across] + steps * _STEP)

    def _put(self, share: float) -> None:
        self._share[self._across] = max(_LEAST, min(share, 1 - _LEAST))
        self._place()

    def _place(self) -> None:
        assert isinstance(self.parent, Widget)
        first, percent = self.parent.children[0], f"{self._share[self._across] * 100:.0f}%"
        assert isinstance(first, Widget)
        first.styles.width = percent if self._across else "100%"
        first.styles.height = "100%" if self._across else percent
        self.styles.width, self.styles.height = (1, "100%") if self._across else ("100%", 1)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged = True
        self.capture_mouse()
        event.stop()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._dragged = False
        self.release_mouse()
        event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if not self._dragged or not isinstance(self.parent, Widget):
            return
        whole = self.parent.region
        if self._across:
            self._put((event.screen_x - whole.x) / max(whole.width, 1))
        else:
            self._put((event.screen_y - whole.y) / max(whole.height, 1))

"""Everything here leans on parts of Textual that it does not promise to keep.

Textual is pinned to one version for this reason (docs/decisions/0004-own-canvas.md). When the pin
moves, look here first; `tests/console/test_pty.py` presses the key and plants the crash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rich.segment import Segment
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._styles_cache import StylesCache
from textual.app import App
from textual.filter import LineFilter

from omaha_table.dealer.screen.terminal import ASCII

if TYPE_CHECKING:
    from rich.style import Style
    from textual.color import Color


def teach_pad() -> None:
    """The middle key of the pad without NumLock is a 5. Textual's table of keys leaves it out."""
    known = cast("dict[str, Any]", ANSI_SEQUENCES_KEYS)
    known["\x1b[E"] = known["\x1bOE"] = "5"


class NoTracebackApp(App[None], inherit_bindings=False):
    """An app that ends on an error of Textual's own without printing a traceback.

    Textual prints one with all local variables. Players would read it, and it may hold a card.
    """

    crash: Exception | None = None

    def _handle_exception(self, error: Exception) -> None:
        # What Textual's own handler does, less the printing: the first error is kept for `run`,
        # whoever waits for the app is woken, and its messages end.
        if self.crash is None:
            self.crash = self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()


async def press_bound(app: App[None], key: str, *, priority: bool = False) -> bool:
    """Does what a key is bound to, from the focused widget outwards, before the next key is looked
    at. Textual itself passes a key from widget to widget as messages, and the next one with it."""
    return await app._check_bindings(key, priority)


def forget_painted() -> None:
    """Lets go of what pages that are gone have painted. Textual 8.2.8 keeps it for 1,024 widgets:
    80 MB, and looking them through for garbage makes a key wait."""
    StylesCache.get_inner_outer.cache_clear()


class _Ascii(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(_in_ascii(text), style, control) if not control and not text.isascii() else part
            for part in segments
            for text, style, control in (part,)
        ]


def _in_ascii(text: str) -> str:
    plain = text.translate(ASCII)
    return "".join(sign if sign.isascii() else "|" if sign in "▏▕▎▊" else "-" for sign in plain)


def in_ascii(app: App[None]) -> None:
    """Whatever a widget paints, the terminal gets ASCII."""
    app._filters.append(_Ascii())


def shown_lines(app: App[None]) -> list[str]:
    """What is on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def shown_styles(app: App[None]) -> list[tuple[str, Style]]:
    """The pieces of the screen with their colors."""
    strips = app.screen._compositor.render_strips()
    return [(part.text, part.style) for strip in strips for part in strip if part.style]

"""Everything here leans on parts of Textual that it does not promise to keep.

Textual is pinned to one version for this reason (docs/decisions/0004-own-canvas.md). When the pin
moves, look here first; `tests/console/test_pty.py` presses the key and plants the crash.
"""

from __future__ import annotations

from typing import Any, cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.app import App


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

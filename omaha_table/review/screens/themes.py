"""The review's two themes: the dealer's colors, and the same on paper."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="table-dark", dark=True,
    primary="#80d0ff", secondary="#9fb1c4", accent="#ffb000", warning="#ffd24d", error="#ff8a80",
    success="#6fd08c", foreground="#e8ecf1", background="#0e1116", surface="#171b22",
    panel="#1d242c",
)  # fmt: skip
LIGHT: Final = Theme(
    name="table-light", dark=False,
    primary="#0a4fb5", secondary="#47525e", accent="#8a5a00", warning="#7a5200", error="#b3261e",
    success="#1f6b3a", foreground="#14181d", background="#f5f5f0", surface="#ffffff",
    panel="#e4e7ea",
)  # fmt: skip

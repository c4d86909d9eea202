"""Text from a device, made safe to show."""

from __future__ import annotations


def printable(text: str, limit: int = 32) -> str:
    """Printable ASCII alone, cut: a serial number must not be able to command a terminal."""
    return "".join(c if " " <= c <= "~" else "?" for c in text[:limit])

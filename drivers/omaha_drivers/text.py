"""Text from a device, made safe to show."""

from __future__ import annotations


def printable(text: str, limit: int = 32) -> str:
    """Printable ASCII only, cut to a limit: a serial number must not contain terminal commands."""
    return "".join(c if " " <= c <= "~" else "?" for c in text[:limit])

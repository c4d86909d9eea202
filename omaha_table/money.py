"""Money in whole cents: parses dollars as people write them, exactly, and formats them."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from omaha_table.cards import quote

Cents: TypeAlias = int

HOW_TO_WRITE: Final = "use dollars and cents, such as 4, 82.50 or 1,240"
_DOLLARS: Final = re.compile(r"\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?", re.ASCII)


class MoneyError(ValueError):
    """Text that is not an amount in dollars and cents."""


def parse_dollars(text: str) -> Cents:
    """Cents from '4', '4.00', '$82.50' or '$1,240'; never rounds."""
    match = _DOLLARS.fullmatch(text.strip())
    if match is None or len(match[1]) > 15:
        raise MoneyError(f"{quote(text)} is not an amount: {HOW_TO_WRITE}.")
    whole, part = match.groups(default="")
    return int(whole.replace(",", "")) * 100 + int(part.ljust(2, "0"))


def format_dollars(cents: Cents) -> str:
    """'$1,240' or '$82.50': cents appear only if there are any."""
    whole, part = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}${whole:,}.{part:02}" if part else f"{sign}${whole:,}"

"""Money in whole cents: exact parsing of dollars as people write them, and printing."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from omaha_table.cards import quote

Cents: TypeAlias = int

_DOLLARS: Final = re.compile(r"\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?", re.ASCII)


class MoneyError(ValueError):
    """Text that is not an exact amount of dollars and cents."""


def parse_dollars(text: str) -> Cents:
    """Cents from '4', '4.00', '$82.50' or '$1,240'; never rounds."""
    match = _DOLLARS.fullmatch(text.strip())
    if match is None or len(match[1]) > 15:
        raise MoneyError(
            f"{quote(text)} is not an amount: write dollars and cents, such as 4, 82.50 or 1,240."
        )
    whole, part = match.groups(default="")
    return int(whole.replace(",", "")) * 100 + int(part.ljust(2, "0"))


def format_dollars(cents: Cents) -> str:
    """'$1,240' or '$82.50': cents are shown only where there are any."""
    whole, part = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}${whole:,}.{part:02}" if part else f"{sign}${whole:,}"

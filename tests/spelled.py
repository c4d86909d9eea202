"""Finds a card in a text that must not name one."""

from __future__ import annotations

import re

_CARD = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])[cdhs](?![A-Za-z0-9])")
_CIPHERTEXT = re.compile(r"b(\\*['\"])(?:(?!\1).)*\\x(?:(?!\1).)*\1")
"""Bytes that are not all readable. By chance two of them look like a card, which tells nothing."""


def spells_a_card(text: str) -> bool:
    return _CARD.search(_CIPHERTEXT.sub("", text)) is not None

"""A table whose cards are sealed for an office, and one hand dealt from the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.cards import DECK
from tests.evenings import draw_lines
from tests.journal.days import open_session

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session


OFFICE = X25519PrivateKey.generate()
START = ("seat 1 A 200", "seat 2 B 200", *draw_lines(1, (1, 2)), "hand")
DECKED = [card.text for card in DECK]
"""Two seats: seat 2 has the first card of each round, seat 1, on the button, the second."""
DEALT = [f"card {card}" for card in DECKED[:10]]
HELD = {2: DECKED[:10:2], 1: DECKED[1:10:2]}


def sealing_session(folder: Path) -> Session:
    return open_session(folder, office=OFFICE.public_key())

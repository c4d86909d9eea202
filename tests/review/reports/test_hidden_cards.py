"""A card that was not turned face up is in no report, whatever its form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.review.reports.render import as_html, as_json, as_markdown
from omaha_table.review.reports.summaries import incident, summary
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.reports.page import Report

SUITS = str.maketrans("♣♦♥♠", "cdhs")


def cards_in(report: Report) -> set[str]:
    """Everything that reads like a card, in text or drawn."""
    texts = (as_html(report), as_markdown(report), as_json(report), repr(report))
    return set(re.findall(r"\b[2-9TJQKA][cdhs]\b", " ".join(texts).translate(SUITS)))


def test_only_boards_and_tabled_hands_are_in_reports(tmp_path: Path) -> None:
    office = X25519PrivateKey.generate().public_key()
    night = Night(tmp_path, "ca_big_o", seed=11, office=office).seat(8).play(8)
    hands = read(night.close())
    hidden = tabled = 0
    for hand in hands:
        assert hand.ended is not None
        shown = {card.text for cards in hand.tabled.values() for card in cards}
        shown |= {card.text for card in hand.ended.board}
        secret = set().union(*night.face_down[hand.number].values()) - shown
        found = cards_in(incident(hand))
        assert shown <= found
        assert not secret & found
        hidden, tabled = hidden + len(secret), tabled + len(hand.tabled)
    assert cards_in(summary("Day", hands)) == set()
    assert hidden > 100
    assert tabled > 2

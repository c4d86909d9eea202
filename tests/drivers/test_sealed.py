"""A sealed card cannot be shown, compared, copied or written."""

from __future__ import annotations

import copy
import pickle

import pytest
from omaha_drivers.sealed import Sealed, reveal


def test_no_text_of_a_sealed_card_names_it() -> None:
    card = Sealed("As")
    assert f"{card} {card!r} {card!s} {card:>20} {[card]}".count("As") == 0
    assert reveal(card) == "As"


def test_a_sealed_card_cannot_be_compared_or_copied() -> None:
    card = Sealed("As")
    for attempt in (
        lambda: card == Sealed("As"),
        lambda: hash(card),
        lambda: pickle.dumps(card),
        lambda: copy.copy(card),
        lambda: copy.deepcopy(card),
    ):
        with pytest.raises(TypeError, match="sealed card"):
            attempt()

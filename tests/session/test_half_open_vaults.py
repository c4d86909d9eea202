"""A vault whose seals cannot all be opened again knows nothing, and opens nothing unsealed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.cards import DECK
from omaha_table.hand.events import CardDealt, HandStarted
from omaha_table.journal.events import CardSealed
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.sealed import SealedCard
from omaha_table.session.vault import SealedVault
from tests.spelled import spells_a_card

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Event

OFFICE = X25519PrivateKey.generate().public_key()
STARTED = HandStarted(1, "ca_big_o", 1, "4-8", 1, (2, 1), (), 1, 2, None, {1: None, 2: None}, (), 1)
SEAT_1 = tuple(DECK[:10:2])


def vault(folder: Path) -> SealedVault:
    return SealedVault(folder, "t7", "2026-11-14", OFFICE)


def dealt(made: SealedVault) -> list[Event]:
    """Two seats with five cards each; the events of the log."""
    events: list[Event] = [STARTED]
    for at, card in enumerate(DECK[:10]):
        event = CardDealt(at, "hole", at % 2 + 1, None, at + 1)
        sealed = made.deal(1, event, SealedCard(card))
        assert sealed is not None
        events += [event, sealed]
    return events


def test_only_the_tabled_cards_of_a_seat_are_opened(tmp_path: Path) -> None:
    made = vault(tmp_path)
    assert made.open_cards(1, SEAT_1) is None
    dealt(made)
    opened = made.open_cards(1, SEAT_1[:4])
    assert opened is not None
    assert [card.slot for card in opened.keys] == [0, 2, 4, 6]
    assert made.open_cards(3, SEAT_1) is None
    assert made.open_cards(2, SEAT_1) is None
    made.end_hand(1)
    assert made.open_cards(1, SEAT_1) is None


def test_a_vault_is_in_no_text(tmp_path: Path) -> None:
    made = vault(tmp_path)
    dealt(made)
    assert f"{made} {made!r}" == "<vault> <vault>"
    assert not spells_a_card(repr(made.checkpoint()))
    made.end_hand(1)


def test_one_seal_that_does_not_open_leaves_no_card_known(tmp_path: Path) -> None:
    ring = Keyring()
    ring.put("omaha-table-test", b"x")
    if ring.get("omaha-table-test") is None:
        pytest.skip("this kernel offers no keyring")
    ring.drop("omaha-table-test")
    made = vault(tmp_path)
    events = dealt(made)
    whole = vault(tmp_path)
    assert whole.recover(1, events)
    assert whole.knows(1, 5)
    assert whole.has_seen(SealedCard(DECK[0]))
    last, earlier = events[-1], events[2]
    assert isinstance(last, CardSealed)
    assert isinstance(earlier, CardSealed)
    torn = [*events[:-1], replace(last, ciphertext=earlier.ciphertext)]
    half = vault(tmp_path)
    assert not half.recover(1, torn)
    assert not half.knows(1, 5)
    assert not half.has_seen(SealedCard(DECK[0]))
    made.end_hand(1)

"""A vault whose seals cannot all be opened again knows nothing, and opens nothing unsealed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.cards import DECK
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.sealed import SealedCard
from omaha_table.session.vault import SealedVault

if TYPE_CHECKING:
    from pathlib import Path

OFFICE = X25519PrivateKey.generate().public_key()


def vault(folder: Path) -> SealedVault:
    return SealedVault(folder, "t7", "2026-11-14", OFFICE)


def dealt(folder: Path) -> SealedVault:
    """Two seats with five cards each."""
    made = vault(folder)
    made.start_hand(1)
    for at, card in enumerate(DECK[:10]):
        made.add(at % 2 + 1, SealedCard(card))
        made.see(SealedCard(card))
    return made


def test_a_seat_that_was_not_sealed_is_not_opened(tmp_path: Path) -> None:
    made = dealt(tmp_path)
    assert made.open_seat(1) is None
    assert made.seal_hand() is not None
    assert made.open_seat(1) is not None
    assert made.open_seat(3) is None
    made.end_hand(1)
    assert made.open_seat(1) is None


def test_a_vault_is_in_no_text(tmp_path: Path) -> None:
    made = dealt(tmp_path)
    assert f"{made} {made!r}" == "<vault> <vault>"
    made.end_hand(1)


def test_one_seal_that_does_not_open_leaves_no_card_known(tmp_path: Path) -> None:
    ring = Keyring()
    ring.put("omaha-table-test", b"x")
    if ring.get("omaha-table-test") is None:
        pytest.skip("this kernel offers no keyring")
    ring.drop("omaha-table-test")
    made = dealt(tmp_path)
    sealed = made.seal_hand()
    assert sealed is not None
    whole = vault(tmp_path)
    assert whole.recover(1, [sealed])
    assert whole.knows(1, 5)
    assert whole.has_seen(DECK[0])
    first, second = sealed.seats
    torn = replace(sealed, seats=(first, replace(second, cards=first.cards)))
    half = vault(tmp_path)
    assert not half.recover(1, [torn])
    assert not half.knows(1, 5)
    assert not half.has_seen(DECK[0])
    made.end_hand(1)

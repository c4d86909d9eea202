"""Hole cards as 0.1.0 sealed them: a seat's whole hand at once, after the last card of the deal.

Such journals can still be verified and unsealed. Nothing writes them any more.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from omaha_table.cards import DECK
from omaha_table.journal.sealed import SealError, unwrap

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from omaha_table.cards import Card
    from omaha_table.hand.events import Tabled
    from omaha_table.journal.events import SealedSeat, SeatOpened

_NONCE = bytes(12)
"""Safe because each key encrypted only one message: a hand that was sealed again got new keys."""


def open_with_key(
    sealed: SealedSeat, key: bytes, table: str, day: str, hand: int
) -> tuple[Card, ...]:
    """The cards of a seat whose key is known; raises SealError if they are not the dealt ones."""
    about = f"{table}\0{day}\0{hand}\0{sealed.seat}".encode()
    try:
        plain = ChaCha20Poly1305(key).decrypt(_NONCE, bytes.fromhex(sealed.cards), about)
        cards = tuple(DECK[index] for index in plain)
    except (InvalidTag, ValueError, IndexError):
        raise SealError("the key does not open these cards") from None
    if hashlib.sha256(key + about + plain).hexdigest() != sealed.commitment:
        raise SealError("the cards do not match their commitment")
    return cards


def open_as_office(
    sealed: SealedSeat, office: X25519PrivateKey, table: str, day: str, hand: int
) -> tuple[Card, ...]:
    """The cards of any seat, with the surveillance office's private key."""
    about = f"{table}\0{day}\0{hand}\0{sealed.seat}".encode()
    return open_with_key(sealed, unwrap(sealed.key, office, about), table, day, hand)


def not_as_dealt(
    opened: SeatOpened,
    sealed: SealedSeat | None,
    tabled: Tabled | None,
    table: str,
    day: str,
    hand: int,
) -> str:
    """What is wrong with a seat whose key was published; empty: it tabled what it was dealt.

    Cards are not named: those that were dealt but not tabled have never been face up.
    """
    if sealed is None or tabled is None:
        return "a seat's key was published, but it was not sealed or did not table its hand"
    try:
        cards = open_with_key(sealed, bytes.fromhex(opened.key), table, day, hand)
    except (SealError, ValueError) as error:
        return f"seat {opened.seat}: {error}"
    if set(cards) != set(tabled.cards):
        return f"seat {opened.seat} tabled cards that it was not dealt"
    return ""

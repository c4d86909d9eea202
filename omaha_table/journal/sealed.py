"""Hole cards as a secret: sealed in memory, encrypted on disk, opened only by the rules.

Each hand has a key that is never on disk, and each seat's key is derived from it. The seat's cards
are encrypted with the seat's key, which is encrypted to the surveillance office's public key and
bound to table, day, hand and seat. When a seat tables its hand its key is published, so anybody
can check that the tabled cards are the dealt ones. Mucked cards stay closed, except to the holder
of the private key, who opens one seat at a time.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final, NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from omaha_drivers.sealed import Sealed
from omaha_drivers.sealed import reveal as reveal

from omaha_table.cards import DECK, Card
from omaha_table.journal.events import SealedSeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.hazmat.primitives.asymmetric.x25519 import (
        X25519PrivateKey,
        X25519PublicKey,
    )

    from omaha_table.hand.events import Tabled
    from omaha_table.journal.events import SeatOpened

_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
_NONCE: Final = bytes(12)
"""Safe because each key encrypts only one message: a hand that is sealed again gets new keys."""


class SealError(ValueError):
    """A sealed hand that cannot be opened, or was changed."""


SealedCard = Sealed[Card]
"""A face-down card."""


class HandKey:
    """The key of one hand, from which each seat's key is derived."""

    __slots__ = ("_context", "_key")

    def __init__(self, table: str, day: str, hand: int, key: bytes | None = None) -> None:
        self._key = os.urandom(32) if key is None else key
        self._context = f"{table}\0{day}\0{hand}"

    def __repr__(self) -> str:
        return "<hand key>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a hand's key cannot be copied")

    def secret(self) -> bytes:
        """For the kernel's keyring, which outlives this process."""
        return self._key

    def seat_key(self, seat: int, time: int = 1) -> bytes:
        """The key of a seat; `time` counts how often its hand has been sealed."""
        again = b"" if time == 1 else f"\0{time}".encode()
        info = b"seat\0" + context(self._context, seat) + again
        return HKDF(hashes.SHA256(), 32, salt=None, info=info).derive(self._key)

    def seal(
        self, seat: int, cards: Sequence[SealedCard], office: X25519PublicKey, time: int = 1
    ) -> SealedSeat:
        key, about = self.seat_key(seat, time), context(self._context, seat)
        plain = bytes(reveal(card).index for card in cards)
        return SealedSeat(
            seat=seat,
            cards=ChaCha20Poly1305(key).encrypt(_NONCE, plain, about).hex(),
            key=_SUITE.encrypt(key, office, info=about).hex(),
            commitment=hashlib.sha256(key + about + plain).hexdigest(),
        )


def context(hand_context: str, seat: int) -> bytes:
    """What a sealed seat is bound to, so that it cannot be moved to another hand or seat."""
    return f"{hand_context}\0{seat}".encode()


def open_with_key(
    sealed: SealedSeat, key: bytes, table: str, day: str, hand: int
) -> tuple[Card, ...]:
    """The cards of a seat whose key is known; raises SealError if they are not the dealt ones."""
    about = context(f"{table}\0{day}\0{hand}", sealed.seat)
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
    about = context(f"{table}\0{day}\0{hand}", sealed.seat)
    try:
        key = _SUITE.decrypt(bytes.fromhex(sealed.key), office, info=about)
    except Exception as error:  # the library names its failures differently by version
        raise SealError(
            f"this private key does not open the seat ({type(error).__name__})"
        ) from None
    return open_with_key(sealed, key, table, day, hand)


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

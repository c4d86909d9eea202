"""A face-down card as a secret: sealed in memory, encrypted on disk, opened only by the rules.

Each hand has a key that is never on disk, each seat's key is derived from it, and each card's key
from its seat's. A card is encrypted with its own key and bound to table, day, hand, seat, slot and
deal. The seat's key is encrypted to the surveillance office's public key, once, with the seat's
first card. When a seat tables its hand the keys of those cards are published, so anybody can check
that the tabled cards are the dealt ones. All other cards stay closed, except to the holder of the
private key. docs/journal.md has the format, for those who write an opener of their own.
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

from omaha_table.cards import DECK, Card, CardError, parse_card
from omaha_table.journal.events import CardSealed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import (
        X25519PrivateKey,
        X25519PublicKey,
    )

_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
_SEAT_KEY: Final = b"omaha-table seat key\0"
_CARD_KEY: Final = b"omaha-table card key\0"
_COMMITMENT: Final = b"omaha-table card commitment\0"
_NONCE_BYTES: Final = 12


class SealError(ValueError):
    """A sealed card that cannot be opened, or was changed."""


SealedCard = Sealed[Card]
"""A face-down card."""


def sealed_card(text: Sealed[str]) -> SealedCard | None:
    """A card that a device has read, still sealed; None: it is no card."""
    try:
        return SealedCard(parse_card(reveal(text)))
    except CardError:
        return None


def same_card(one: SealedCard, other: SealedCard) -> bool:
    return reveal(one) is reveal(other)


class HandKey:
    """The key of one hand, from which the keys of its seats and cards are derived."""

    __slots__ = ("_about", "_key", "_seats")

    def __init__(self, table: str, day: str, hand: int, key: bytes | None = None) -> None:
        # Keys are sealed in memory like cards: a key in a traceback would open a row of the log.
        self._key = Sealed(os.urandom(32) if key is None else key)
        self._about = (table, day, hand)
        self._seats: dict[int, Sealed[bytes]] = {}

    def __repr__(self) -> str:
        return "<hand key>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a hand's key cannot be copied")

    def secret(self) -> bytes:
        """For the kernel's keyring, which outlives this process."""
        return reveal(self._key)

    def card_key(self, seat: int | None, slot: int, deal: int) -> Sealed[bytes]:
        """The key of one card, to be published when the card is tabled."""
        about = card_context(*self._about, seat, slot, deal)
        return _derived(self._seat_key(seat), _CARD_KEY + about)

    def seal(
        self, card: SealedCard, seat: int | None, slot: int, deal: int, office: X25519PublicKey
    ) -> CardSealed:
        """A seat's first card: it brings the seat's key, for the office."""
        about = _SEAT_KEY + seat_context(*self._about, seat)
        wrapped = _SUITE.encrypt(reveal(self._seat_key(seat)), office, info=about)
        return self.seal_next(card, seat, slot, deal, wrapped.hex())

    def seal_next(
        self, card: SealedCard, seat: int | None, slot: int, deal: int, wrapped: str = ""
    ) -> CardSealed:
        """A card whose seat's key the office has already."""
        key = self.card_key(seat, slot, deal)
        about = card_context(*self._about, seat, slot, deal)
        # Random, because a write that failed may be repeated with another card in the same slot.
        nonce = os.urandom(_NONCE_BYTES)
        # Card and key are revealed inside these calls: no variable of a traceback holds them.
        text = ChaCha20Poly1305(reveal(key)).encrypt(nonce, bytes([reveal(card).index]), about)
        commitment = _commitment(key, about, card)
        return CardSealed(slot, seat, deal, (nonce + text).hex(), commitment, wrapped)

    def open(self, sealed: CardSealed) -> SealedCard:
        """The card again, after a restart; raises SealError."""
        key = self.card_key(sealed.seat, sealed.slot, sealed.deal)
        return SealedCard(open_with_key(sealed, reveal(key), *self._about))

    def _seat_key(self, seat: int | None) -> Sealed[bytes]:
        number = seat or 0
        if number not in self._seats:
            about = seat_context(*self._about, number)
            self._seats[number] = _derived(self._key, _SEAT_KEY + about)
        return self._seats[number]


def seat_context(table: str, day: str, hand: int, seat: int | None) -> bytes:
    """What a seat's key is bound to; seat 0 has the burn cards."""
    return f"{table}\0{day}\0{hand}\0{seat or 0}".encode()


def card_context(table: str, day: str, hand: int, seat: int | None, slot: int, deal: int) -> bytes:
    """What a card is bound to, so that it cannot be moved to another hand, seat, slot or deal."""
    return seat_context(table, day, hand, seat) + f"\0{slot}\0{deal}".encode()


def open_with_key(sealed: CardSealed, key: bytes, table: str, day: str, hand: int) -> Card:
    """The card whose key is known; raises SealError if it is not the dealt one."""
    about = card_context(table, day, hand, sealed.seat, sealed.slot, sealed.deal)
    try:
        content = bytes.fromhex(sealed.ciphertext)
        nonce, text = content[:_NONCE_BYTES], content[_NONCE_BYTES:]
        [index] = ChaCha20Poly1305(key).decrypt(nonce, text, about)
        card = DECK[index]
    except (InvalidTag, ValueError, IndexError):
        raise SealError("the key does not open this card") from None
    if _commitment(Sealed(key), about, SealedCard(card)) != sealed.commitment:
        raise SealError("the card does not match its commitment")
    return card


def open_as_office(
    sealed: CardSealed, wrapped: str, office: X25519PrivateKey, table: str, day: str, hand: int
) -> Card:
    """Any card, with the surveillance office's private key; `wrapped` is its seat's key."""
    seat_key = unwrap(wrapped, office, _SEAT_KEY + seat_context(table, day, hand, sealed.seat))
    about = card_context(table, day, hand, sealed.seat, sealed.slot, sealed.deal)
    key = _derived(Sealed(seat_key), _CARD_KEY + about)
    return open_with_key(sealed, reveal(key), table, day, hand)


def unwrap(wrapped: str, office: X25519PrivateKey, about: bytes) -> bytes:
    """A seat's key, with the surveillance office's private key; raises SealError."""
    try:
        return _SUITE.decrypt(bytes.fromhex(wrapped), office, info=about)
    except Exception as error:  # the library names its failures differently by version
        raise SealError(
            f"this private key does not open the seat ({type(error).__name__})"
        ) from None


def _derived(key: Sealed[bytes], info: bytes) -> Sealed[bytes]:
    return Sealed(HKDF(hashes.SHA256(), 32, salt=None, info=info).derive(reveal(key)))


def _commitment(key: Sealed[bytes], about: bytes, card: SealedCard) -> str:
    secret = hashlib.sha256(_COMMITMENT + reveal(key) + about + bytes([reveal(card).index]))
    return secret.hexdigest()

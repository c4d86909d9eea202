"""The hole cards that the shoe has read in this hand, sealed.

There are three ways to keep them: only in memory (a script without a log), encrypted to the
surveillance office in the log (a table with the office's public key), or not at all (a table
without the key: the shoe then proves only order and count).
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from omaha_table.journal.events import HoleCardsSealed, SeatOpened
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.sealed import HandKey, SealedCard, SealError, open_with_key, reveal

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    from omaha_table.cards import Card
    from omaha_table.journal.writer import JournalWriter


class Vault:
    """Keeps identities in memory for the length of a hand."""

    keeps_identities = True

    def __init__(self) -> None:
        self._cards: dict[int, list[SealedCard]] = {}
        self._unknown: set[int] = set()
        self._seen: list[SealedCard] = []

    def __repr__(self) -> str:
        return "<vault>"

    def start_hand(self, hand: int) -> None:
        """Nothing to do: `end_hand` has cleared the hand before."""

    def end_hand(self, hand: int) -> None:
        """Drops the cards of a hand. Call it only when the end of the hand is on disk."""
        self._cards, self._unknown, self._seen = {}, set(), []

    def add(self, seat: int, card: SealedCard) -> None:
        if seat not in self._unknown:
            self._cards.setdefault(seat, []).append(card)

    def has_seen(self, card: Card) -> bool:
        """Whether this card has already been dealt in this hand, to any seat."""
        return any(reveal(seen) is card for seen in self._seen)

    def see(self, card: SealedCard) -> None:
        self._seen.append(card)

    def knows(self, seat: int, hole: int) -> bool:
        return len(self._cards.get(seat, ())) == hole

    def checkpoint(self) -> dict[str, Any]:
        """The whole content, to roll back to if the events cannot be logged."""
        held = dict(vars(self))
        held["_cards"] = {seat: list(cards) for seat, cards in self._cards.items()}
        return held | {"_unknown": set(self._unknown), "_seen": list(self._seen)}

    def roll_back(self, checkpoint: dict[str, Any]) -> None:
        vars(self).update(checkpoint)

    def forget(self, seat: int) -> None:
        """A card of this seat was dealt or replaced unread: its hand is no longer known."""
        self._cards.pop(seat, None)
        self._unknown.add(seat)

    def trim(self, counts: dict[int, int]) -> None:
        """After the deal was backed up: keeps only the cards that are still out."""
        self._cards = {seat: cards[: counts.get(seat, 0)] for seat, cards in self._cards.items()}
        self._seen = [card for cards in self._cards.values() for card in cards]

    def tabled(self, seat: int) -> tuple[Card, ...]:
        """A seat's cards, face up."""
        return tuple(reveal(card) for card in self._cards.get(seat, ()))

    def is_dealt(self, seat: int, cards: tuple[Card, ...], hole: int) -> bool | None:
        """Whether keyed cards are the dealt ones; None: unknown."""
        dealt = self._cards.get(seat, [])
        if len(dealt) != hole:
            return None
        return {reveal(card) for card in dealt} == set(cards)

    def seal_hand(self) -> HoleCardsSealed | None:
        """The event with all dealt hands, encrypted for the log; None: they are not logged."""
        return None

    def open_seat(self, seat: int) -> SeatOpened | None:
        return None


class CountOnly(Vault):
    """Drops identities at once."""

    keeps_identities = False

    def add(self, seat: int, card: SealedCard) -> None:
        pass

    def see(self, card: SealedCard) -> None:
        pass


class SealedVault(Vault):
    """Encrypts identities in the log; also keeps the hand's key in the kernel's keyring."""

    def __init__(self, folder: Path, table: str, day: str, office: X25519PublicKey) -> None:
        super().__init__()
        self._table, self._day, self._office = table, day, office
        # A user's tables share one keyring, and two tables may have the same id, but never the same
        # folder. Hashed, because a path may be too long for a key's name.
        self._home = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]
        self._ring = Keyring()
        self._key: HandKey | None = None
        self._times = 0
        """How often this hand was sealed: redealt cards are sealed again."""

    def start_hand(self, hand: int) -> None:
        super().start_hand(hand)
        self._key = HandKey(self._table, self._day, hand)
        self._ring.put(self._name_in_ring(hand), self._key.secret())
        self._times = 0

    def end_hand(self, hand: int) -> None:
        """From now on only the surveillance office can open mucked cards."""
        super().end_hand(hand)
        self._ring.drop(self._name_in_ring(hand))
        self._key = None

    def _name_in_ring(self, hand: int) -> str:
        return f"omaha-table:{self._home}:{self._table}:{self._day}:{hand}"

    def seal_hand(self) -> HoleCardsSealed | None:
        if self._key is None or not self._cards:
            return None
        self._times += 1
        key, office, time = self._key, self._office, self._times
        cards = sorted(self._cards.items())
        return HoleCardsSealed(tuple(key.seal(seat, held, office, time) for seat, held in cards))

    def open_seat(self, seat: int) -> SeatOpened | None:
        if self._key is None or not self._times or seat not in self._cards:
            return None
        return SeatOpened(seat, self._key.seat_key(seat, self._times).hex())

    def recover(self, hand: int, sealed: list[HoleCardsSealed]) -> bool:
        """Restores the cards after a restart in a hand, if the keyring still has the hand's key."""
        secret = self._ring.get(self._name_in_ring(hand))
        if secret is None:
            return False
        self._key = HandKey(self._table, self._day, hand, secret)
        self._times = len(sealed)
        if not sealed:
            return False
        try:
            for seat in sealed[-1].seats:
                key = self._key.seat_key(seat.seat, self._times)
                cards = open_with_key(seat, key, self._table, self._day, hand)
                self._cards[seat.seat] = [SealedCard(card) for card in cards]
                self._seen += self._cards[seat.seat]
        except SealError:
            self._cards, self._seen = {}, []
            return False
        return True


def vault_for(journal: JournalWriter | None, office: X25519PublicKey | None) -> Vault:
    """The vault for a table, depending on its journal and key."""
    if journal is None:
        return Vault()
    if office is None:
        return CountOnly()
    return SealedVault(journal.folder, journal.table, journal.day, office)

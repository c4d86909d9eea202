"""The hole cards that the shoe has read in this hand, sealed.

Three ways: kept in memory alone (a script without a log), encrypted in the log to the
surveillance office (a table with its public key), or not at all (a table without one: the shoe
then proves only order and count).
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
    """Identities kept in memory for the length of a hand."""

    keeps_identities = True

    def __init__(self) -> None:
        self._cards: dict[int, list[SealedCard]] = {}
        self._unknown: set[int] = set()
        self._seen: list[SealedCard] = []

    def __repr__(self) -> str:
        return "<vault>"

    def start_hand(self, hand: int) -> None:
        """`end_hand` has left nothing of the hand before."""

    def end_hand(self, hand: int) -> None:
        """A hand is over, and that is on disk: its cards are dropped."""
        self._cards, self._unknown, self._seen = {}, set(), []

    def add(self, seat: int, card: SealedCard) -> None:
        if seat not in self._unknown:
            self._cards.setdefault(seat, []).append(card)

    def has_seen(self, card: Card) -> bool:
        """Whether this card has been dealt before in this hand, to whomever."""
        return any(reveal(seen) is card for seen in self._seen)

    def see(self, card: SealedCard) -> None:
        self._seen.append(card)

    def knows(self, seat: int, hole: int) -> bool:
        return len(self._cards.get(seat, ())) == hole

    def mark(self) -> dict[str, Any]:
        """Everything it holds, to go back to if it cannot be logged."""
        held = dict(vars(self))
        held["_cards"] = {seat: list(cards) for seat, cards in self._cards.items()}
        return held | {"_unknown": set(self._unknown), "_seen": list(self._seen)}

    def back_to(self, mark: dict[str, Any]) -> None:
        vars(self).update(mark)

    def forget(self, seat: int) -> None:
        """A card of this seat came or was replaced unread: its hand is no longer known."""
        self._cards.pop(seat, None)
        self._unknown.add(seat)

    def trim(self, counts: dict[int, int]) -> None:
        """After the deal was backed up: no more cards than are out; what comes may come again."""
        self._cards = {seat: cards[: counts.get(seat, 0)] for seat, cards in self._cards.items()}
        self._seen = [card for cards in self._cards.values() for card in cards]

    def tabled(self, seat: int) -> tuple[Card, ...]:
        """A seat's cards, as it tables them."""
        return tuple(reveal(card) for card in self._cards.get(seat, ()))

    def is_dealt(self, seat: int, cards: tuple[Card, ...], hole: int) -> bool | None:
        """Whether keyed cards are those that were dealt; None where that is not known."""
        dealt = self._cards.get(seat, [])
        if len(dealt) != hole:
            return None
        return {reveal(card) for card in dealt} == set(cards)

    def seal_hand(self) -> HoleCardsSealed | None:
        """The event that keeps all hands of the deal, where they go into the log."""
        return None

    def open_seat(self, seat: int) -> SeatOpened | None:
        return None


class CountOnly(Vault):
    """Drops identities as they come."""

    keeps_identities = False

    def add(self, seat: int, card: SealedCard) -> None:
        pass

    def see(self, card: SealedCard) -> None:
        pass


class SealedVault(Vault):
    """Identities encrypted in the log; the hand's key also in the kernel's keyring."""

    def __init__(self, folder: Path, table: str, day: str, office: X25519PublicKey) -> None:
        super().__init__()
        self._table, self._day, self._office = table, day, office
        # One user's tables share a keyring, and two of them may have the same id: the folder is
        # what they cannot share. Hashed, because a key's name may not be as long as a path.
        self._home = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]
        self._ring = Keyring()
        self._key: HandKey | None = None
        self._times = 0
        """How often this hand was sealed: cards that are dealt again are sealed again."""

    def start_hand(self, hand: int) -> None:
        super().start_hand(hand)
        self._key = HandKey(self._table, self._day, hand)
        self._ring.put(self._name_in_ring(hand), self._key.secret())
        self._times = 0

    def end_hand(self, hand: int) -> None:
        """What was mucked is closed for good, but for the surveillance office."""
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
        """After a restart in a hand: the cards again, if the keyring still has the hand's key."""
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
    """How the cards of a table are kept."""
    if journal is None:
        return Vault()
    if office is None:
        return CountOnly()
    return SealedVault(journal.folder, journal.table, journal.day, office)

"""The cards that the shoe has read in this hand, slot by slot, sealed.

There are three ways to keep them: only in memory (a script without a log), encrypted to the
surveillance office in the log (a table with the office's public key), or not at all (a table
without the key: the shoe then proves only order and count).
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omaha_table.journal.events import CardKey, CardsOpened
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.sealed import HandKey, SealedCard, SealError, reveal, same_card
from omaha_table.journal.sealed_deal import SealedDeal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    from omaha_table.cards import Card
    from omaha_table.hand.events import CardDealt, Place
    from omaha_table.journal.events import CardSealed, Event
    from omaha_table.journal.writer import JournalWriter


# Not compared by value: a sealed card cannot be.
@dataclass(frozen=True, slots=True, eq=False)
class KeptCard:
    """A card of the shoe that is out."""

    slot: int
    seat: int | None
    entry: int
    deal: int
    card: SealedCard | None
    """None: it was not read."""
    openable: bool = False
    """It is sealed in the log, and its key is known."""


class Vault:
    """Keeps identities in memory for the length of a hand."""

    keeps_identities = True

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._kept: dict[int, KeptCard] = {}
        """By slot."""
        self._deals: dict[int, int] = {}
        """How many times each slot was dealt."""
        self._replaced: tuple[tuple[int, int], ...] = ()
        """Seats one of whose cards was replaced, unread, each with the entry of the remedy."""

    def __repr__(self) -> str:
        return "<vault>"

    def end_hand(self, hand: int) -> None:
        """Drops the cards of a hand. Call it only when the end of the hand is on disk."""
        self._clear()

    def deal(self, hand: int, dealt: CardDealt, card: SealedCard | None) -> CardSealed | None:
        """Keeps a card with its slot; returns what the log must hold of it."""
        deal = self._deals[dealt.slot] = self._deals.get(dealt.slot, 0) + 1
        if dealt.card is not None:
            card = SealedCard(dealt.card)
        self._kept[dealt.slot] = KeptCard(dealt.slot, dealt.seat, dealt.entry, deal, card)
        return None

    def take_back(self, to: int) -> None:
        """The deal was backed up: keeps only the cards of entries up to this one."""
        self._kept = {slot: kept for slot, kept in self._kept.items() if kept.entry <= to}
        self._replaced = tuple(one for one in self._replaced if one[1] <= to)

    def replace(self, seat: int, entry: int) -> None:
        """One of this seat's cards is replaced by one that the shoe does not read."""
        self._replaced = (*self._replaced, (seat, entry))

    def has_seen(self, card: SealedCard) -> bool:
        """Whether this card has already been dealt in this hand, to any slot."""
        return any(
            kept.card is not None and same_card(kept.card, card) for kept in self._kept.values()
        )

    def is_last(self, card: SealedCard) -> bool:
        """Whether this is the card that was dealt last."""
        last = max(self._kept.values(), key=lambda kept: kept.entry, default=None)
        return last is not None and last.card is not None and same_card(last.card, card)

    def lies_at(self, card: SealedCard, place: Place) -> bool:
        """Whether this card was dealt to this place; what was dealt may also lie in the muck."""
        return any(
            kept.card is not None
            and place in (kept.seat if kept.seat is not None else "board", "muck")
            and same_card(kept.card, card)
            for kept in self._kept.values()
        )

    def unread(self, seat: int) -> int:
        """How many of a seat's cards were dealt without being read."""
        return sum(kept.seat == seat and kept.card is None for kept in self._kept.values())

    def knows(self, seat: int, hole: int) -> bool:
        """Whether all the cards that the seat holds have been read."""
        return len(self._read(seat)) == hole and not self._replacements(seat)

    def tabled(self, seat: int) -> tuple[Card, ...]:
        """A seat's cards, face up."""
        return tuple(reveal(kept.card) for kept in self._read(seat) if kept.card is not None)

    def lacks(self, seat: int, cards: tuple[Card, ...]) -> bool:
        """Whether keyed cards lack one that was read and dealt to the seat."""
        missing = sum(not _among(kept, cards) for kept in self._read(seat))
        return missing > self._replacements(seat)

    def open_cards(self, seat: int, cards: tuple[Card, ...]) -> CardsOpened | None:
        """The keys of a seat's tabled cards, for the log; None: none of them was sealed."""
        return None

    def recover(self, hand: int, events: Iterable[Event]) -> bool:
        """Restores the cards after a restart in a hand; False: sealed cards are lost to it."""
        return True

    def checkpoint(self) -> dict[str, Any]:
        """The whole content, to roll back to if the events cannot be logged."""
        return vars(self) | {"_kept": dict(self._kept), "_deals": dict(self._deals)}

    def roll_back(self, checkpoint: dict[str, Any]) -> None:
        vars(self).update(checkpoint)

    def _read(self, seat: int) -> list[KeptCard]:
        """The cards of a seat that were read, in dealing order."""
        kept = [self._kept[slot] for slot in sorted(self._kept)]
        return [one for one in kept if one.seat == seat and one.card is not None]

    def _replacements(self, seat: int) -> int:
        return sum(replaced == seat for replaced, _ in self._replaced)


def _among(kept: KeptCard, cards: tuple[Card, ...]) -> bool:
    return kept.card is not None and reveal(kept.card) in cards


class CountOnly(Vault):
    """Drops identities at once."""

    keeps_identities = False

    def __init__(self, ring: HandKeyring | None = None) -> None:
        super().__init__()
        self._ring = ring

    def deal(self, hand: int, dealt: CardDealt, card: SealedCard | None) -> None:
        pass

    def replace(self, seat: int, entry: int) -> None:
        pass

    def end_hand(self, hand: int) -> None:
        # The console may have been started again in the middle of the hand, without the office.
        if self._ring is not None:
            self._ring.drop(hand)

    def recover(self, hand: int, events: Iterable[Event]) -> bool:
        found = _folded(events)
        return not any(dealt.openable for dealt in found.slots.values()) and not _old(found)


class HandKeyring:
    """The kernel's keyring, for the keys of one table's hands."""

    def __init__(self, folder: Path, table: str, day: str) -> None:
        # A user's tables share one keyring, and two tables may have the same id, but never the same
        # folder. Hashed, because a path may be too long for a key's name.
        home = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]
        self._name = f"omaha-table:{home}:{table}:{day}"
        self._ring = Keyring()

    def put(self, hand: int, key: HandKey) -> None:
        self._ring.put(f"{self._name}:{hand}", key.secret())

    def get(self, hand: int) -> bytes | None:
        return self._ring.get(f"{self._name}:{hand}")

    def drop(self, hand: int) -> None:
        self._ring.drop(f"{self._name}:{hand}")


class SealedVault(Vault):
    """Encrypts identities in the log; also keeps the hand's key in the kernel's keyring."""

    def __init__(self, folder: Path, table: str, day: str, office: X25519PublicKey) -> None:
        self._ring = HandKeyring(folder, table, day)
        self._table, self._day, self._office = table, day, office
        super().__init__()

    def _clear(self) -> None:
        super()._clear()
        self._key: HandKey | None = None
        """Made with the first card: a hand that is dealt by hand has none."""
        self._wrapped: frozenset[int | None] = frozenset()
        """The seats whose keys the office has; None for the burn cards."""

    def end_hand(self, hand: int) -> None:
        """From now on only the surveillance office can open the cards that were not tabled."""
        super().end_hand(hand)
        self._ring.drop(hand)

    def deal(self, hand: int, dealt: CardDealt, card: SealedCard | None) -> CardSealed | None:
        super().deal(hand, dealt, card)
        if card is None or dealt.card is not None:
            return None
        slot, seat, deal = dealt.slot, dealt.seat, self._deals[dealt.slot]
        key = self._key if self._key is not None else self._new_key(hand)
        if seat in self._wrapped:
            sealed = key.seal_next(card, seat, slot, deal)
        else:
            sealed = key.seal(card, seat, slot, deal, self._office)
            self._wrapped |= {seat}
        self._kept[slot] = KeptCard(slot, seat, dealt.entry, deal, card, openable=True)
        return sealed

    def _new_key(self, hand: int) -> HandKey:
        self._key = HandKey(self._table, self._day, hand)
        # Before the first card is on disk: a kill right after that must find it.
        self._ring.put(hand, self._key)
        return self._key

    def open_cards(self, seat: int, cards: tuple[Card, ...]) -> CardsOpened | None:
        key = self._key
        if key is None:
            return None
        opened = tuple(
            CardKey(kept.slot, reveal(key.card_key(seat, kept.slot, kept.deal)).hex())
            for kept in self._read(seat)
            if kept.openable and _among(kept, cards)
        )
        return CardsOpened(seat, opened) if opened else None

    def recover(self, hand: int, events: Iterable[Event]) -> bool:
        self._clear()
        found = _folded(events)
        sealed = [dealt.sealed for dealt in found.slots.values() if dealt.openable]
        cards = self._opened(hand, [one for one in sealed if one is not None])
        for slot, dealt in found.slots.items():
            read = cards.get(slot)
            face_up = None if dealt.card is None else SealedCard(dealt.card)
            self._kept[slot] = KeptCard(
                slot, dealt.seat, dealt.entry, dealt.deal, read or face_up, read is not None
            )
        self._deals, self._replaced = (
            dict(found.deals),
            tuple((unread.seat, unread.entry) for unread in found.unread),
        )
        self._wrapped = frozenset(found.keys) if self._key is not None else frozenset()
        return len(cards) == len(sealed) and not _old(found)

    def _opened(self, hand: int, sealed: list[CardSealed]) -> dict[int, SealedCard]:
        """The sealed cards by slot; all of them or none. Takes the key from the keyring."""
        secret = self._ring.get(hand)
        if secret is None:
            return {}
        key = HandKey(self._table, self._day, hand, secret)
        try:
            cards = {one.slot: key.open(one) for one in sealed}
        except SealError:
            return {}
        self._key = key
        return cards


def _folded(events: Iterable[Event]) -> SealedDeal:
    deal = SealedDeal()
    for event in events:
        deal.take(event)
    return deal


def _old(found: SealedDeal) -> bool:
    """Whether 0.1.0 has sealed this hand: it is keyed, as after a loss."""
    return bool(found.old) and not found.lost


def vault_for(journal: JournalWriter | None, office: X25519PublicKey | None) -> Vault:
    """The vault for a table, depending on its journal and key."""
    if journal is None:
        return Vault()
    if office is None:
        return CountOnly(HandKeyring(journal.folder, journal.table, journal.day))
    return SealedVault(journal.folder, journal.table, journal.day, office)

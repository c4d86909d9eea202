"""The face-down cards of a hand, folded from its events: which are out, and which are sealed.

A restart, `verify`, `unseal` and the review all ask the same: which sealing of a slot counts. It is
the one that belongs to the last time the slot was dealt and not taken back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.hand.events import (
    BackedUp,
    CardDealt,
    HandEnded,
    HandStarted,
    RemedyOrdered,
    Tabled,
)
from omaha_table.journal.events import (
    CardSealed,
    CardsOpened,
    DayOpened,
    HoleCardsSealed,
    IdentitiesLost,
    SealedSeat,
    SeatOpened,
)
from omaha_table.journal.sealed import SealError, open_with_key
from omaha_table.journal.sealed_hands import not_as_dealt

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.journal.events import Event


OF_CARDS: Final = frozenset(
    (DayOpened, HandStarted, CardDealt, CardSealed, BackedUp, RemedyOrdered, IdentitiesLost,
     HoleCardsSealed, Tabled, CardsOpened, SeatOpened, HandEnded)
)  # fmt: skip
"""The events that a `SealedDeal` goes by; it leaves all others alone."""


class DealtCard(NamedTuple):
    """A card of the shoe that is out."""

    slot: int
    seat: int | None
    entry: int
    deal: int
    """How many times the slot was dealt in this hand, this time included."""
    card: Card | None
    """Of a card that lies face up."""
    face_down: bool
    sealed: CardSealed | None = None
    """None: it was not read, or lies face up."""
    key: str = ""
    """The key of its seat, encrypted to the office."""
    lost: bool = False
    """The table has lost its key; only the office can open it."""

    @property
    def openable(self) -> bool:
        return self.sealed is not None and not self.lost


class Unread(NamedTuple):
    """A card that the floor ordered for a seat, and that the shoe did not read."""

    seat: int
    entry: int
    missing: bool
    """It came for a card that was missing; else one of the seat's cards went back for it."""


class SealedDeal:
    """The hand in play, or the last one."""

    def __init__(self, table: str = "", day: str = "") -> None:
        self._table, self._day = table, day
        self._start(0)

    def end(self) -> None:
        """Forgets the hand; the next one begins with its own."""
        self._start(0)

    def _start(self, hand: int) -> None:
        self.hand = hand
        self.slots: dict[int, DealtCard] = {}
        """By slot, the cards of the shoe that are out."""
        self.deals: dict[int, int] = {}
        """How many times each slot was dealt."""
        self.keys: dict[int | None, str] = {}
        """By seat, the key that the office has."""
        self.unread: list[Unread] = []
        """Cards that seats got from the top of the stub."""
        self.old: dict[int, SealedSeat] = {}
        """By seat, as 0.1.0 sealed them."""
        self._old_deals: dict[int, int] = {}
        self.lost = False
        """The table has lost the key of cards that were dealt before."""
        self._last: int | None = None
        self._tabled: dict[int, Tabled] = {}
        self._opened: set[int] = set()

    def of_seat(self, seat: int | None) -> list[DealtCard]:
        """A seat's cards that are out, in dealing order; of None, the burn cards."""
        mine = (dealt for _, dealt in sorted(self.slots.items()) if dealt.seat == seat)
        return [dealt for dealt in mine if dealt.face_down]

    def in_old(self, dealt: DealtCard) -> bool:
        """Whether a card is among those that 0.1.0 sealed, and not dealt again since."""
        return self._old_deals.get(dealt.slot) == dealt.deal

    def replacements(self, seat: int) -> int:
        """How many of a seat's cards the shoe did not read, because the floor ordered them."""
        return sum(unread.seat == seat for unread in self.unread)

    def take(self, event: Event) -> str:
        """Folds an event; returns what is wrong with it, or nothing.

        No face-down card is named: those that were not tabled have never been face up.
        """
        match event:  # the cards first: most events are theirs
            case CardDealt():
                self._deal(event)
            case CardSealed():
                return self._seal(event)
            case DayOpened():
                self._table, self._day = event.table, event.day
            case HandStarted():
                self._start(event.number)
            case BackedUp():
                self._take_back(event.to)
            case RemedyOrdered(seat=int() as seat):
                self.unread.append(Unread(seat, event.entry, event.kind == "missing_card"))
            case IdentitiesLost():
                self._lose()
            case HoleCardsSealed():
                self.old = {seat.seat: seat for seat in event.seats}
                self._old_deals = dict(self.deals)
            case Tabled():
                self._tabled[event.seat] = event
                self._opened.discard(event.seat)
            case CardsOpened():
                return self._open(event)
            case SeatOpened():
                sealed, tabled = self.old.get(event.seat), self._tabled.get(event.seat)
                return not_as_dealt(event, sealed, tabled, self._table, self._day, self.hand)
            case HandEnded():
                return self._left_closed()
        return ""

    def _deal(self, event: CardDealt) -> None:
        slot = event.slot
        self.deals[slot] = self.deals.get(slot, 0) + 1
        face_down = event.kind in ("hole", "burn")
        self.slots[slot] = DealtCard(
            slot, event.seat, event.entry, self.deals[slot], event.card, face_down
        )
        self._last = slot

    def _take_back(self, to: int) -> None:
        self.slots = {slot: dealt for slot, dealt in self.slots.items() if dealt.entry <= to}
        self.unread = [unread for unread in self.unread if unread.entry <= to]
        self._tabled = {seat: tabled for seat, tabled in self._tabled.items() if tabled.entry <= to}
        self._last = None

    def _lose(self) -> None:
        self.slots = {
            slot: dealt._replace(lost=dealt.sealed is not None)
            for slot, dealt in self.slots.items()
        }
        self.keys, self.lost = {}, True

    def _seal(self, event: CardSealed) -> str:
        dealt = None if event.slot != self._last else self.slots.get(event.slot)
        if dealt is None or not dealt.face_down or dealt.sealed is not None:
            return f"a card was sealed for slot {event.slot}, but none was dealt face down there"
        if (event.seat, event.deal) != (dealt.seat, dealt.deal):
            return f"the card of slot {event.slot} was sealed as another one"
        if event.seat_key:
            self.keys[event.seat] = event.seat_key
        key = self.keys.get(event.seat, "")
        if not key:
            return f"the office has no key for the card of slot {event.slot}"
        self.slots[event.slot] = dealt._replace(sealed=event, key=key)
        return ""

    def _open(self, event: CardsOpened) -> str:
        """Whether the keys open exactly the tabled cards, each in its slot."""
        seat, tabled = event.seat, self._tabled.get(event.seat)
        if tabled is None:
            return f"cards of seat {seat} were opened, but it did not table its hand"
        self._opened.add(seat)
        openable = {dealt.slot: dealt for dealt in self.of_seat(seat) if dealt.openable}
        left = len(openable)
        cards = set(tabled.cards)
        for opened in event.keys:
            dealt = openable.pop(opened.slot, None)
            if dealt is None or dealt.sealed is None:
                return f"seat {seat}: a key was published that belongs to none of its sealed cards"
            try:
                key = bytes.fromhex(opened.key)
                card = open_with_key(dealt.sealed, key, self._table, self._day, self.hand)
            except (SealError, ValueError) as error:
                return f"seat {seat}: {error}"
            if card not in cards:
                return f"seat {seat} tabled cards that it was not dealt"
            cards.discard(card)
        if left - len(event.keys) > self.replacements(seat):
            return f"seat {seat} tabled its hand, but not all its sealed cards were opened"
        return ""

    def _left_closed(self) -> str:
        """At the end of the hand: a tabled hand whose cards were sealed must have been opened."""
        for seat in self._tabled:
            sealed = sum(dealt.openable for dealt in self.of_seat(seat))
            if seat not in self._opened and sealed > self.replacements(seat):
                return f"seat {seat} tabled its hand, but its sealed cards were not opened"
        return ""

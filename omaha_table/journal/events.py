"""Events of the log itself, which change nothing at the table, and the record type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from omaha_table.office.events import OfficeEvent
from omaha_table.table.events import TableEvent


@dataclass(frozen=True, slots=True)
class DayOpened:
    """The first row of a journal: its table and day, and the head it follows."""

    table: str
    day: str
    previous: str
    """The head of the day before, in hex; zeros for the first day."""
    public_key: str
    """The public half of the key that makes the first seal."""
    build: str
    demo: bool = False
    """Of the demo: the PINs of its staff are printed in the README."""


@dataclass(frozen=True, slots=True)
class JournalSealed:
    """The head so far, signed, and the state of the table: no earlier row is needed to go on."""

    head: str
    signature: str
    next_key: str
    state: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StreetSealed:
    """The head at the end of a street, signed; without the table, which is kept between hands.

    The events of an open hand need no key to be written again. This one leaves a key that only the
    true events lead to.
    """

    head: str
    signature: str
    next_key: str


@dataclass(frozen=True, slots=True)
class DayClosed:
    head: str
    words: str
    """The head as words for the shift slip."""


@dataclass(frozen=True, slots=True)
class DayCarried:
    """The table as the day before left it: players, chips, debts, button, shift, boxes, dealer."""

    day: str
    """The gaming day before, whose head the opening of this day names."""
    events: int
    """How many events that day has."""
    table: dict[str, Any]
    box_day: str
    """The day on which the boxes on the table were opened; empty: none are open."""
    box_key: str
    """The public key with which that day's journal begins: it says which journal that is."""


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The wall clock was moved; the order of events follows their numbers, not their times."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Recovered:
    """The program restarted at an open table; the dealer compares the screen with the felt."""

    where: str


@dataclass(frozen=True, slots=True)
class SegmentEnrolled:
    """A supervisor started a new segment after a damaged journal, which this event names."""

    broken: str
    broken_head: str
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardSealed:
    """A face-down card: readable with the surveillance key, or once it is tabled.

    It is in the transaction of the `card_dealt` that it belongs to.
    """

    slot: int
    seat: int | None
    """None: a burn card."""
    deal: int
    """How many times the slot was dealt in this hand, this time included."""
    ciphertext: str
    """The card, encrypted under its key."""
    commitment: str
    seat_key: str = ""
    """The seat's key, encrypted to the surveillance office; empty: as with an earlier card."""


@dataclass(frozen=True, slots=True)
class CardKey:
    slot: int
    key: str


@dataclass(frozen=True, slots=True)
class CardsOpened:
    """The keys of cards that a seat tabled: anybody can now check that it was dealt them."""

    seat: int
    keys: tuple[CardKey, ...]


@dataclass(frozen=True, slots=True)
class SealedSeat:
    """A seat's hole cards in a journal of 0.1.0, sealed as a whole after the deal."""

    seat: int
    cards: str
    """Encrypted under the seat's key."""
    key: str
    """The seat's key, encrypted to the surveillance office."""
    commitment: str


@dataclass(frozen=True, slots=True)
class HoleCardsSealed:
    """Of a journal of 0.1.0; today each card is sealed by itself."""

    seats: tuple[SealedSeat, ...]


@dataclass(frozen=True, slots=True)
class SeatOpened:
    """Of a journal of 0.1.0: the key of a seat that tabled its hand."""

    seat: int
    key: str


@dataclass(frozen=True, slots=True)
class IdentitiesLost:
    """The hand's key was lost, as in a power loss: the dealer keys hands that were dealt before."""


LogEvent: TypeAlias = (
    DayOpened
    | JournalSealed
    | StreetSealed
    | DayClosed
    | DayCarried
    | ClockStepped
    | Recovered
    | SegmentEnrolled
    | CardSealed
    | CardsOpened
    | HoleCardsSealed
    | SeatOpened
    | IdentitiesLost
)
Event: TypeAlias = TableEvent | LogEvent | OfficeEvent
"""Everything that can be in a log, a table's or the office's."""


@dataclass(frozen=True, slots=True)
class Record:
    """An event with its number in the log. `hand` is None between hands."""

    seq: int
    hand: int | None
    event: Event

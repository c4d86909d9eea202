"""Events of the log itself, which change nothing at the table, and the records it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from omaha_table.table.events import TableEvent


@dataclass(frozen=True, slots=True)
class DayOpened:
    """The first row of a journal: which table and day, and which head it follows."""

    table: str
    day: str
    previous: str
    """The head of the day before, in hex; zeros for the first."""
    public_key: str
    """Of the key that makes the first seal."""
    build: str


@dataclass(frozen=True, slots=True)
class JournalSealed:
    """The head so far, signed; the table as it stands, so that nothing before must be read."""

    head: str
    signature: str
    next_key: str
    state: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DayClosed:
    head: str
    words: str
    """The head as words for the shift slip."""


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """The wall clock was moved against the monotonic one; order goes by number alone."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Recovered:
    """The program started again in the middle of things; the dealer confirms against the felt."""

    where: str


@dataclass(frozen=True, slots=True)
class SegmentEnrolled:
    """A supervisor starts a new segment after a journal that cannot be trusted, and names it."""

    broken: str
    broken_head: str
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SealedSeat:
    """A seat's hole cards, readable with the surveillance key, or when the seat tables them."""

    seat: int
    cards: str
    """Encrypted under the seat's key."""
    key: str
    """The seat's key, encrypted to the surveillance office."""
    commitment: str


@dataclass(frozen=True, slots=True)
class HoleCardsSealed:
    seats: tuple[SealedSeat, ...]


@dataclass(frozen=True, slots=True)
class SeatOpened:
    """A tabled seat's key, so that anybody can check that what is tabled is what was dealt."""

    seat: int
    key: str


@dataclass(frozen=True, slots=True)
class IdentitiesLost:
    """The hand's key is gone after a power loss: the dealer keys tabled hands."""


LogEvent: TypeAlias = (
    DayOpened
    | JournalSealed
    | DayClosed
    | ClockStepped
    | Recovered
    | SegmentEnrolled
    | HoleCardsSealed
    | SeatOpened
    | IdentitiesLost
)
Event: TypeAlias = TableEvent | LogEvent
"""Whatever a log can hold."""


@dataclass(frozen=True, slots=True)
class Record:
    """An event with its place in the log. `hand` is None between hands."""

    seq: int
    hand: int | None
    event: Event

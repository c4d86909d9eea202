"""What devices report, in the same words for every vendor."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from omaha_drivers.sealed import Sealed


class Link(StrEnum):
    """How a device stands with the host."""

    DOWN = "down"
    """The port is not there or cannot be opened."""
    OPENING = "opening"
    """The port is open; the device has not said who it is."""
    LIVE = "live"
    SILENT = "silent"
    """It was live and has not been heard for too long."""
    WRONG = "wrong"
    """It answers, and is not the device that belongs here: nothing of it is believed."""


class Trust(StrEnum):
    """How sure it is that the device is the one it says it is."""

    AUTHENTICATED = "authenticated"
    """It has answered a challenge with the shared key."""
    PINNED = "pinned"
    """Its serial number is the configured one."""
    UNPINNED = "unpinned"


# Of every device


@dataclass(frozen=True, slots=True)
class LinkChanged:
    link: Link
    why: str
    """For people, in plain words; safe to show."""


@dataclass(frozen=True, slots=True)
class Identified:
    """Texts have no control characters and are cut to a sane length."""

    vendor: str
    model: str
    serial: str
    firmware: str
    trust: Trust


@dataclass(frozen=True, slots=True)
class Restarted:
    """The device has restarted: what it held is no longer known."""


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Events were missed and cannot be had again; the table must be checked."""

    count: int | None
    """None: nobody knows how many."""


@dataclass(frozen=True, slots=True)
class Fault:
    code: str


@dataclass(frozen=True, slots=True)
class FaultCleared:
    code: str


@dataclass(frozen=True, slots=True)
class NeedsCare:
    """A warning that does not stop the device."""

    code: str


@dataclass(frozen=True, slots=True)
class ServiceMode:
    on: bool


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    key: str


@dataclass(frozen=True, slots=True)
class DoorChanged:
    """A shuffler's door or a shoe's lid."""

    open: bool


# Of a shuffler. It never says which cards it holds.


@dataclass(frozen=True, slots=True)
class DeckIn:
    back: str
    """The color of the backs, or empty."""


@dataclass(frozen=True, slots=True)
class ShuffleStarted:
    cycle: int


@dataclass(frozen=True, slots=True)
class DeckVerified:
    cycle: int
    count: int
    ok: bool
    result: Literal["ok", "short", "over", "duplicate", "missing", "foreign", "unreadable"]


@dataclass(frozen=True, slots=True)
class ShuffleComplete:
    cycle: int
    count: int


@dataclass(frozen=True, slots=True)
class DeckTaken:
    cycle: int


@dataclass(frozen=True, slots=True)
class DeckFaulty:
    """The shuffler has found a card missing, twice or foreign."""

    what: Literal["missing", "duplicate", "foreign"]


@dataclass(frozen=True, slots=True)
class Jammed:
    place: str


@dataclass(frozen=True, slots=True)
class JamCleared:
    place: str


@dataclass(frozen=True, slots=True)
class ShuffleAborted:
    why: str


# Of a shoe. Cards are counted from 1 since the deck was loaded.


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    count: int
    """0: the shoe does not say how many."""


@dataclass(frozen=True, slots=True)
class CardDrawn:
    number: int
    card: Sealed[str] | None
    """'As', or None where the shoe only counts."""
    in_game: bool


@dataclass(frozen=True, slots=True)
class CardReturned:
    number: int


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card was drawn and could not be read."""

    number: int


@dataclass(frozen=True, slots=True)
class CardUnexpected:
    """A card was drawn when the shoe expected none."""

    number: int


@dataclass(frozen=True, slots=True)
class CardTwice:
    """A card was drawn that has been drawn from this deck before."""

    number: int


@dataclass(frozen=True, slots=True)
class CardForeign:
    """A card was drawn that does not belong to this deck."""

    number: int


@dataclass(frozen=True, slots=True)
class CardStuck:
    number: int


@dataclass(frozen=True, slots=True)
class CutCard:
    number: int


@dataclass(frozen=True, slots=True)
class ShoeEmpty:
    number: int


@dataclass(frozen=True, slots=True)
class LockChanged:
    locked: bool


DeviceEvent = (
    LinkChanged
    | Identified
    | Restarted
    | EventsLost
    | Fault
    | FaultCleared
    | NeedsCare
    | ServiceMode
    | SettingsChanged
    | DoorChanged
    | DeckIn
    | ShuffleStarted
    | DeckVerified
    | ShuffleComplete
    | DeckTaken
    | DeckFaulty
    | Jammed
    | JamCleared
    | ShuffleAborted
    | ShoeLoaded
    | CardDrawn
    | CardReturned
    | CardUnreadable
    | CardUnexpected
    | CardTwice
    | CardForeign
    | CardStuck
    | CutCard
    | ShoeEmpty
    | LockChanged
)


@dataclass(frozen=True, slots=True)
class Report:
    """An event as it reaches the host."""

    device: str
    """The name under which the device is configured."""
    event: DeviceEvent
    place: str
    """Where to go on after this event when the host restarts; opaque, empty where the device
    cannot send again."""
    at: float
    """Monotonic clock, when its last byte was read."""

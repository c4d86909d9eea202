"""What devices report, with the same events for every vendor."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from omaha_drivers.sealed import Sealed


class Link(StrEnum):
    """The state of a device's connection."""

    DOWN = "down"
    """The port does not exist or cannot be opened."""
    OPENING = "opening"
    """The port is open; the device has not identified itself."""
    LIVE = "live"
    SILENT = "silent"
    """It was live and has sent nothing for too long."""
    WRONG = "wrong"
    """It answers, but it is not the configured device: everything it sends is ignored."""


class Trust(StrEnum):
    """How the device's identity was checked."""

    AUTHENTICATED = "authenticated"
    """It answered a challenge with the shared key."""
    PINNED = "pinned"
    """Its serial number is the configured one."""
    UNPINNED = "unpinned"
    """Nothing was checked."""


Place = int | Literal["board", "muck"]
"""A seat, or where else a reader can find a card."""
LAST_SEAT: Final = 12


def is_place(given: object) -> bool:
    seat = isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= LAST_SEAT
    return given is None or given in ("board", "muck") or seat


# From every device


@dataclass(frozen=True, slots=True)
class LinkChanged:
    link: Link
    why: str
    """A sentence that is safe to show to people."""
    overdue: bool = False
    """The device should have answered long ago."""


@dataclass(frozen=True, slots=True)
class Identified:
    """Texts are free of control characters and cut to a safe length."""

    vendor: str
    model: str
    serial: str
    firmware: str
    trust: Trust


@dataclass(frozen=True, slots=True)
class Restarted:
    """The device restarted: the host no longer knows what is in it."""


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Events are lost for good; the dealer must check the table."""

    count: int | None
    """None: unknown."""


@dataclass(frozen=True, slots=True)
class AdapterFailed:
    """A driver failed and was stopped. Its message is left out: it could contain a card."""

    module: str
    stage: Literal["load", "start", "run"]
    """While it was imported, in its constructor, or later."""
    error: str
    """The type of the exception."""


@dataclass(frozen=True, slots=True)
class Fault:
    code: str


@dataclass(frozen=True, slots=True)
class FaultCleared:
    code: str


@dataclass(frozen=True, slots=True)
class DeviceWarning:
    """A warning that does not stop the device."""

    code: str


@dataclass(frozen=True, slots=True)
class ServiceMode:
    on: bool


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    key: str


@dataclass(frozen=True, slots=True)
class StateFound:
    """What a device was in when it connected, although no event came of it: it was so before."""

    state: Literal["ok", "jammed", "open", "faulty", "service"]
    """"ok": no longer."""


@dataclass(frozen=True, slots=True)
class DoorChanged:
    """A shuffler's door or a shoe's lid."""

    open: bool


# From a shuffler, which never reports which cards it holds


@dataclass(frozen=True, slots=True)
class DeckIn:
    back: str
    """The color of the backs; empty if unknown."""


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
    """The shuffler found a missing, duplicate or foreign card."""

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


# From a shoe. `number` counts cards from 1 since the deck was loaded.


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    count: int
    """0: the shoe does not report it."""


@dataclass(frozen=True, slots=True)
class CardDrawn:
    number: int
    card: Sealed[str] | None
    """'As'; None if the shoe only counts cards."""
    in_game: bool
    place: Place | None = None
    """Where the card lies. None: the reader knows only the order of the cards."""


@dataclass(frozen=True, slots=True)
class CardReturned:
    number: int


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card was drawn but could not be read."""

    number: int


@dataclass(frozen=True, slots=True)
class CardUnexpected:
    """A card was drawn when the shoe expected none."""

    number: int


@dataclass(frozen=True, slots=True)
class CardDuplicate:
    """A card was drawn for the second time from this deck."""

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
    | AdapterFailed
    | Fault
    | FaultCleared
    | DeviceWarning
    | ServiceMode
    | SettingsChanged
    | StateFound
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
    | CardDuplicate
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
    """The device's name in the configuration."""
    event: DeviceEvent
    resume_token: str
    """Pass it to the adapter to resume after this event when the host restarts. Opaque; empty if
    the device cannot resend."""
    at: float
    """When its last byte was read; monotonic clock."""
    late: bool = False
    """It happened before the link was made, perhaps long ago, and is sent again."""

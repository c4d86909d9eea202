"""What can happen at a table between hands, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from omaha_table.cards import Card
from omaha_table.hand.events import HandEvent
from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first event of a table: the rules and the limit it runs on.

    The whole profile is in it, so that the log can be read without any other file.
    """

    rules: str
    rules_version: int
    limit: str
    deck_required: bool
    """Whether every hand needs a deck that was reported ready, and cut."""
    profile: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The table changes to another profile, between hands."""

    rules: str
    rules_version: int
    limit: str
    profile: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerSeated:
    seat: int
    name: str
    stack: Cents | None
    new: bool
    """Whether the player must wait for the big blind or post one."""
    kills: bool = False
    """The killer who had left is back before the next hand."""
    owes_kill: bool = False
    """Left without posting a kill, and still owes it."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    seat: int
    stack: Cents | None


@dataclass(frozen=True, slots=True)
class PlayerAway:
    seat: int
    at: int
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class PlayerBack:
    seat: int


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """To another chair, with chips and debts."""

    seat: int
    to: int
    new: bool


@dataclass(frozen=True, slots=True)
class PostAgreed:
    """The player will post what is owed to come in with the next hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class BlindsMissed:
    seat: int
    small: bool
    big: bool
    pick_up: bool
    """So many big blinds are missed that the room may take the seat back."""


@dataclass(frozen=True, slots=True)
class KillMissed:
    """The kill was due from a player who was not there: it is owed before the next hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class KillWaived:
    """The floor waives a kill that a player owes."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealerIn:
    dealer: str


@dataclass(frozen=True, slots=True)
class DealerOut:
    dealer: str
    hands: int
    fees: Cents
    jackpots: Cents


@dataclass(frozen=True, slots=True)
class ShiftOpened:
    shift: str
    box: str
    jackpot_box: str


@dataclass(frozen=True, slots=True)
class ShiftClosed:
    """What the log says must be in the boxes."""

    shift: str
    box: str
    jackpot_box: str
    fees: Cents
    jackpots: Cents


@dataclass(frozen=True, slots=True)
class ChipsBought:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class ButtonCardDrawn:
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class ButtonPlaced:
    seat: int
    how: Literal["drawn", "placed", "imported"]
    """"placed": by the dealer, or by the floor if a ruling comes before it."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A supervisor's ruling; the events after it with the same entry are what it did."""

    ruling: str
    words: tuple[str, ...]
    effect: str
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuthorityRefused:
    """Somebody tried to give a ruling: a wrong PIN, or one that does not allow it."""

    ruling: str
    by: tuple[str, ...]
    """Who it was, where the PIN says so."""
    why: Literal["wrong_pin", "not_allowed", "locked"]
    at: int
    locked_until: int
    """Seconds since 1970; 0: not locked."""


@dataclass(frozen=True, slots=True)
class ChipsTransferred:
    """Chips go from one seat to another by ruling, to correct a hand or a stack."""

    of_hand: int | None
    seat: int
    to: int
    amount: Cents
    adjusting: bool
    """Too late to move chips: an entry for the books alone."""


@dataclass(frozen=True, slots=True)
class PotImpounded:
    """A part of what a seat won is held until the hand is cleared up."""

    of_hand: int
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class ImpoundReleased:
    of_hand: int
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class FeeReturned:
    of_hand: int
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class NoHandSeatNamed:
    seat: int


@dataclass(frozen=True, slots=True)
class DeviceTakenOut:
    device: Literal["shuffler", "shoe"]


@dataclass(frozen=True, slots=True)
class DeviceRestored:
    device: Literal["shuffler", "shoe"]


@dataclass(frozen=True, slots=True)
class ClockCalled:
    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class TableClosed:
    pass


@dataclass(frozen=True, slots=True)
class LimitChanged:
    limit: str


@dataclass(frozen=True, slots=True)
class DeckReported:
    state: Literal["ok", "bad", "manual"]
    count: int | None
    back: str
    """The color of its backs; empty: not reported."""


@dataclass(frozen=True, slots=True)
class DeckReadmitted:
    """The floor lets a deck back into play."""

    back: str


@dataclass(frozen=True, slots=True)
class DeviceNoted:
    """What a device said that changes nothing at the table, for the reviewer."""

    device: str
    what: str
    detail: str


@dataclass(frozen=True, slots=True)
class DeckCut:
    pass


TableEvent: TypeAlias = (
    TableOpened
    | RulesChanged
    | PlayerSeated
    | PlayerLeft
    | PlayerAway
    | PlayerBack
    | PlayerMoved
    | PostAgreed
    | BlindsMissed
    | KillMissed
    | KillWaived
    | DealerIn
    | DealerOut
    | ShiftOpened
    | ShiftClosed
    | ChipsBought
    | ButtonCardDrawn
    | ButtonPlaced
    | Ruled
    | AuthorityRefused
    | ChipsTransferred
    | PotImpounded
    | ImpoundReleased
    | FeeReturned
    | NoHandSeatNamed
    | DeviceTakenOut
    | DeviceRestored
    | ClockCalled
    | TableClosed
    | LimitChanged
    | DeckReported
    | DeckReadmitted
    | DeviceNoted
    | DeckCut
    | HandEvent
)

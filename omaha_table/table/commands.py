"""What can be asked of a table between hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.hand.commands import HandCommand

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.money import Cents
    from omaha_table.rules import Profile
    from omaha_table.table.device_records import DeviceIdentity, Meters
    from omaha_table.table.machine_deck import MachineDeck
    from omaha_table.table.state import Check, Reopened


@dataclass(frozen=True, slots=True)
class SeatPlayer:
    seat: int
    name: str
    stack: Cents | None = None
    """None: not tracked."""


@dataclass(frozen=True, slots=True)
class Leave:
    seat: int


@dataclass(frozen=True, slots=True)
class PickUp:
    """The player has been away too long: the chips are picked up, and the seat is free."""

    seat: int
    at: int = 0
    """Seconds since 1970; the session fills it in."""


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """The name was typed wrong, or becomes known; the person stays the same."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Away:
    seat: int
    at: int = 0
    """Seconds since 1970; the session fills it in."""


@dataclass(frozen=True, slots=True)
class Back:
    seat: int


@dataclass(frozen=True, slots=True)
class Buy:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class CancelSeatChange:
    """Takes back the last of what waits at a seat for the end of the hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetStack:
    """The dealer has counted a player's chips.

    Only where nothing is known of them, or before the player's first hand: any other time it
    would be money from nowhere, and the floor's ruling.
    """

    seat: int
    stack: Cents | None
    """None: not tracked from now on."""


@dataclass(frozen=True, slots=True)
class MoveSeat:
    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class PostOwed:
    """Come in now and post what is owed, instead of waiting for the big blind."""

    seat: int


@dataclass(frozen=True, slots=True)
class ReopenTable:
    """Who is seated at a table that was closed and is opened again."""

    how: Reopened
    day: str = ""
    """On which it was closed; like the players, the session fills it in."""
    players: tuple[SeatPlayer, ...] = ()


@dataclass(frozen=True, slots=True)
class PushIn:
    """A dealer sits down; the one before is pushed out."""

    dealer: str
    checked: Check = ""
    """How the identity was checked; the session fills it in."""


@dataclass(frozen=True, slots=True)
class PushOut:
    pass


@dataclass(frozen=True, slots=True)
class OpenShift:
    """New boxes are on the table; those before are closed."""

    shift: str
    box: str
    jackpot_box: str
    at: int = 0
    """Seconds since 1970; the session fills it in."""
    by: str = ""
    """Who signed for it; empty: nobody needs to."""


@dataclass(frozen=True, slots=True)
class CloseShift:
    at: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class CallFloor:
    """The dealer asks for a supervisor."""

    at: int = 0
    """Seconds since 1970; the session fills it in."""


@dataclass(frozen=True, slots=True)
class EndFloorCall:
    """The supervisor is not needed, or no longer."""

    at: int = 0


@dataclass(frozen=True, slots=True)
class Draw:
    """One face-up card of the draw for the button."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class PlaceButton:
    """The dealer opens a game in which the button is placed, not drawn for."""

    seat: int


@dataclass(frozen=True, slots=True)
class ImportButton:
    """The button of a hand from a file. The importer makes this command; no key or word does."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChangeLimit:
    limit: str


@dataclass(frozen=True, slots=True)
class ChangeRules:
    profile: Profile
    limit: str | None = None
    """None: the first of the profile."""


@dataclass(frozen=True, slots=True)
class ImportRules:
    """The rules of a hand from a file. The importer makes this command; no key or word does."""

    profile: Profile


@dataclass(frozen=True, slots=True)
class CancelClock:
    """The clock on the seat to act is called off."""


@dataclass(frozen=True, slots=True)
class CutDeck:
    pass


@dataclass(frozen=True, slots=True)
class ReportDeck:
    """What the shuffler says of the deck, or that it was shuffled by hand."""

    state: Literal["ok", "bad", "manual", "unverified"]
    count: int | None = None
    back: str = ""
    """The color of its backs; empty: not reported."""
    taken: bool = False
    """Whether it was taken out of the shuffler."""


@dataclass(frozen=True, slots=True)
class NoteMachineDeck:
    """What the shuffler says of the deck inside it."""

    deck: MachineDeck


@dataclass(frozen=True, slots=True)
class NoteDevice:
    device: str
    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class IdentifyDevice:
    device: str
    identity: DeviceIdentity


@dataclass(frozen=True, slots=True)
class NoteDeviceChange:
    device: str
    what: Literal["setting", "service"]
    setting: str = ""


@dataclass(frozen=True, slots=True)
class MeterDevice:
    """Adds to a device's meters."""

    device: str
    counted: Meters


@dataclass(frozen=True, slots=True)
class StartHand:
    pass


TableCommand: TypeAlias = (
    SeatPlayer
    | Leave
    | PickUp
    | RenamePlayer
    | Away
    | Back
    | Buy
    | CancelSeatChange
    | SetStack
    | MoveSeat
    | PostOwed
    | ReopenTable
    | PushIn
    | PushOut
    | OpenShift
    | CloseShift
    | CallFloor
    | EndFloorCall
    | Draw
    | PlaceButton
    | ImportButton
    | ChangeLimit
    | ChangeRules
    | ImportRules
    | CancelClock
    | CutDeck
    | ReportDeck
    | NoteMachineDeck
    | NoteDevice
    | IdentifyDevice
    | NoteDeviceChange
    | MeterDevice
    | StartHand
    | HandCommand
)

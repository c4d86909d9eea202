"""What can happen at a table between hands, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from omaha_table.cards import Card
from omaha_table.hand.events import HandEvent
from omaha_table.money import Cents
from omaha_table.table.device_records import DeviceIdentity, DeviceRecord, Meters
from omaha_table.table.machine_deck import MachineDeck
from omaha_table.table.state import Check, Reopened, SeatChange, Tally


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
    fresh: bool = False
    """Whether the dealer may correct the stack until the player's first hand.

    An older log does not have it: there the stack of a seat was for the floor alone.
    """
    asked_in: int = 0
    """The hand during which it was asked for, at whose end it took effect; 0: between hands."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    seat: int
    stack: Cents | None
    picked_up: bool = False
    """Away too long: the chips were picked up without the player."""
    asked_in: int = 0


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """The same person under another name; a kill that this name owes comes back with it."""

    seat: int
    name: str
    kills: bool = False
    owes_kill: bool = False


@dataclass(frozen=True, slots=True)
class PlayerAway:
    seat: int
    at: int
    """Seconds since 1970."""
    asked_in: int = 0


@dataclass(frozen=True, slots=True)
class PlayerBack:
    seat: int
    asked_in: int = 0


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
    checked: Check = ""


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
    at: int = 0
    """Seconds since 1970; 0 in a log that did not keep it."""
    by: str = ""
    """Who signed for it; empty: nobody had to."""


@dataclass(frozen=True, slots=True)
class ShiftClosed:
    """What the log says must be in the boxes: all that the slip says."""

    shift: str
    box: str
    jackpot_box: str
    fees: Cents
    jackpots: Cents
    tally: Tally | None = None
    """None in a log that did not keep it."""
    at: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class FloorCalled:
    """The dealer asks for a supervisor; a ruling or `FloorCallEnded` ends the call."""

    at: int
    """Seconds since 1970."""
    of_hand: int
    """The hand that is played; between hands, the last one."""


@dataclass(frozen=True, slots=True)
class FloorArrived:
    """The first PIN of a supervisor that is accepted while the floor is called."""

    by: str
    at: int
    waited: int
    """Seconds since the call."""


@dataclass(frozen=True, slots=True)
class FloorCallEnded:
    """The dealer ends the call: nobody is needed, or no ruling was."""

    at: int
    waited: int


@dataclass(frozen=True, slots=True)
class ChipsBought:
    seat: int
    amount: Cents
    tracked: bool = True
    """Whether the stack is counted; if not, the chips are only noted. Older logs do not say."""
    asked_in: int = 0


@dataclass(frozen=True, slots=True)
class SeatChangeAsked:
    """A seat change is asked for while a hand is played: it takes effect when the hand ends."""

    change: SeatChange


@dataclass(frozen=True, slots=True)
class SeatChangeCancelled:
    """It is taken back before the hand has ended."""

    asked: int
    """The event that asked for it."""
    change: SeatChange


@dataclass(frozen=True, slots=True)
class SeatChangeDropped:
    """The hand has ended, and what was asked for during it is not possible any more."""

    change: SeatChange
    why: str
    asked_in: int


@dataclass(frozen=True, slots=True)
class StackSet:
    """A stack as it was counted, or one that is not tracked any more.

    Made by the dealer before a player's first hand or where no stack was known; any other time
    after a ruling.
    """

    seat: int
    stack: Cents | None
    """None: not tracked from now on."""
    was: Cents | None


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
    does: int = 0
    """How many events after it are what it did; older logs do not say."""


@dataclass(frozen=True, slots=True)
class AuthorityRefused:
    """A wrong PIN, or one that does not allow what it was typed for."""

    ruling: str
    by: tuple[str, ...]
    """Who it was, where the PIN says so."""
    why: Literal["wrong_pin", "not_allowed", "locked", "disabled"]
    at: int
    locked_until: int
    """Seconds since 1970; 0: not locked."""
    dealer: str = ""
    """Whose sign-in it was; empty: it was for a ruling."""
    number: str = ""
    """The staff number that was given: it counts against that person; empty: the keypad."""


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
class StackAdjusted:
    """One seat's count of chips was wrong: chips that come from nowhere, or are gone.

    No other seat pays for it, so a reviewer must see each of them.
    """

    seat: int
    amount: Cents
    """Less than zero where the stack goes down."""


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
    at: int = 0
    """Seconds since 1970; 0 in a log that did not keep it."""


@dataclass(frozen=True, slots=True)
class ClockCancelled:
    """The clock on a seat is called off before the seat has acted."""

    seat: int


@dataclass(frozen=True, slots=True)
class TableReopened:
    """A table that was closed is opened again; the players seated right after it are its own."""

    how: Reopened
    day: str
    """On which it was closed."""
    players: int


@dataclass(frozen=True, slots=True)
class TableClosed:
    pass


@dataclass(frozen=True, slots=True)
class LimitChanged:
    limit: str


@dataclass(frozen=True, slots=True)
class DeckReported:
    state: Literal["ok", "bad", "manual", "unverified"]
    """'unverified': it was taken before a full cycle had counted it, and goes back for one."""
    count: int | None
    back: str
    """The color of its backs; empty: not reported."""
    taken: bool = False
    """Whether it was taken out of the shuffler, which is empty now."""


@dataclass(frozen=True, slots=True)
class MachineDeckChanged:
    """The deck inside the shuffler goes a step on, or must go back."""

    deck: MachineDeck


@dataclass(frozen=True, slots=True)
class DeckReadmitted:
    """The floor lets a deck back into play."""

    back: str


MISSING: Final = "missing"
"""Noted of what the table's file asks for and what was not there when the console was started."""


ACKNOWLEDGED: Final = "alarm_acknowledged"
"""Noted with the cause of the alarm that the dealer has acknowledged."""


LOG_ALARM: Final = "log_alarm"
"""Noted of the room, with what it found: this log and the room's copy differ."""


STAFF_LIST: Final = "staff_list"
"""Noted of the room, with the SHA-256 of its staff list that is in use from here on."""


@dataclass(frozen=True, slots=True)
class DeviceNoted:
    """What a device said that changes nothing at the table, for the reviewer."""

    device: str
    what: str
    detail: str


@dataclass(frozen=True, slots=True)
class DeviceIdentified:
    """A device connected for the first time, or is not what it was: the floor must accept it."""

    device: str
    identity: DeviceIdentity


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """Somebody changed a device's settings, or had it in service mode: the floor must accept it."""

    device: str
    what: Literal["setting", "service"]
    setting: str = ""


@dataclass(frozen=True, slots=True)
class DeviceAccepted:
    """The floor accepts a device as it is now."""

    device: str


@dataclass(frozen=True, slots=True)
class DeviceMetered:
    """What is added to a device's meters."""

    device: str
    counted: Meters


@dataclass(frozen=True, slots=True)
class DevicesCarried:
    """What was known of the devices when the table was closed the day before."""

    devices: dict[str, DeviceRecord]


DeviceEvent: TypeAlias = (
    DeviceIdentified | DeviceChanged | DeviceAccepted | DeviceMetered | DevicesCarried
)


@dataclass(frozen=True, slots=True)
class DeckCut:
    pass


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The dealer took back the last entry between hands; what it names stays in the log."""

    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandTakenBack:
    """The dealer took back the start of a hand before its first card: it was never dealt.

    Its number is not used again.
    """

    number: int
    seqs: tuple[int, ...]


TableEvent: TypeAlias = (
    TableOpened
    | RulesChanged
    | PlayerSeated
    | PlayerLeft
    | PlayerRenamed
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
    | FloorCalled
    | FloorArrived
    | FloorCallEnded
    | ChipsBought
    | SeatChangeAsked
    | SeatChangeCancelled
    | SeatChangeDropped
    | StackSet
    | ButtonCardDrawn
    | ButtonPlaced
    | Ruled
    | AuthorityRefused
    | ChipsTransferred
    | StackAdjusted
    | PotImpounded
    | ImpoundReleased
    | FeeReturned
    | NoHandSeatNamed
    | DeviceTakenOut
    | DeviceRestored
    | ClockCalled
    | ClockCancelled
    | TableReopened
    | TableClosed
    | LimitChanged
    | DeckReported
    | MachineDeckChanged
    | DeckReadmitted
    | DeviceNoted
    | DeviceEvent
    | DeckCut
    | TakenBack
    | HandTakenBack
    | HandEvent
)

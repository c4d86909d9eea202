"""A table as it stands: seats, button, limit, deck, and the hand that is being played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.cards import Card
from omaha_table.hand import HandState
from omaha_table.hand.events import HandStarted
from omaha_table.money import Cents
from omaha_table.rules import Limit, Profile
from omaha_table.table.device_records import DeviceRecord, Meters
from omaha_table.table.machine_deck import MachineDeck

if TYPE_CHECKING:
    from omaha_table.table.events import TableEvent


def same_name(name: str, other: str) -> bool:
    """Whether two names mean the same person, as far as a table can tell."""
    return name.strip().casefold() == other.strip().casefold()


@dataclass(frozen=True, slots=True)
class SeatAtTable:
    name: str
    stack: Cents | None
    """None: not tracked."""
    away: bool = False
    away_since: int = 0
    """Seconds since 1970."""
    new: bool = False
    """Came after the game began: waits for the big blind, or posts one."""
    owes_small: bool = False
    owes_big: bool = False
    owes_kill: bool = False
    missed: int = 0
    """Big blinds missed in a row."""
    posting: bool = False
    """Will post what is owed to come in without waiting for the big blind."""
    fresh: bool = False
    """Was not dealt in since sitting down, so that the dealer may correct the stack."""
    sitting: int = 0
    """The event with which this player sat down: who it is, whatever chair."""

    @property
    def present(self) -> bool:
        # None is a stack that is not tracked, which is not an empty one.
        return not self.away and self.stack != 0

    @property
    def settled(self) -> bool:
        """Owes nothing, so that it is dealt in wherever it sits."""
        return not (self.new or self.owes_small or self.owes_big or self.owes_kill)


@dataclass(frozen=True, slots=True)
class LastHand:
    """The places of the last hand, from which those of the next follow."""

    button: int
    small_blind: int
    """The chair, whether or not somebody posted from it."""
    big_blind: int


@dataclass(frozen=True, slots=True)
class BeforeHand:
    last: LastHand | None
    passed: frozenset[int]
    seats: dict[int, SeatAtTable]
    kill_left: str = ""
    kill_debts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """What rulings need to know about a finished hand to correct it."""

    number: int
    fee: Cents
    invested: dict[int, Cents]
    awards: dict[int, Cents]
    sittings: dict[int, int]
    """Who was in each seat."""
    box: str | None


@dataclass(frozen=True, slots=True)
class OfHand:
    """What of a hand's drop is not in the boxes."""

    number: int
    amount: Cents
    by_floor: bool = True


@dataclass(frozen=True, slots=True)
class Tally:
    """What a shift slip says beside the money: the hands of these boxes, and what is missing."""

    opened: int = 0
    """Seconds since 1970."""
    after: int = 0
    """The last hand before the boxes came to the table."""
    hands: int = 0
    """Played to their end; those that were called off are not in it."""
    called_off: int = 0
    waived: tuple[OfHand, ...] = ()
    """Due and never taken: by the floor, of a pot too small for it, or not paid."""
    returned: tuple[OfHand, ...] = ()
    """Taken, and given back out of the drop box."""
    devices: dict[str, Meters] = field(default_factory=dict)
    """While the shift is open, the devices' meters when it opened; on its slip, what they counted
    during the shift."""


@dataclass(frozen=True, slots=True)
class Box:
    """What has gone into the drop box and the jackpot box that are on the table."""

    name: str | None = None
    jackpot_name: str | None = None
    fees: Cents = 0
    jackpots: Cents = 0
    tally: Tally | None = None
    """None: no shift is open, or an older version opened it and did not count."""

    def has_drop_of(self, result: Result) -> bool:
        """Whether the drop of a hand went into the boxes that are on the table now."""
        # A box may come back with the same number, emptied.
        return result.box == self.name and (self.tally is None or result.number > self.tally.after)


@dataclass(frozen=True, slots=True)
class FloorCall:
    """The dealer has asked for a supervisor."""

    at: int
    """Seconds since 1970."""
    of_hand: int
    """The hand that is played; between hands, the last one."""
    arrived: str = ""
    """Who came: the first whose PIN was accepted. Empty: nobody yet."""
    waited: int = 0
    """Seconds until then."""


Reopened: TypeAlias = Literal["same", "file", "empty"]
"""Who is seated at a closed table that is opened again: who sat there when it was closed, whom the
table's file names, or nobody."""


Check: TypeAlias = Literal["", "pin", "list", "unknown", "no"]
"""How a dealer's identity was checked: by PIN; the number is on the staff list; it is not on it;
there is no list of dealers to check it by. Empty: an older version, which did not record it."""


SeatChangeKind: TypeAlias = Literal["seat", "leave", "away", "back", "buy"]


@dataclass(frozen=True, slots=True)
class SeatChange:
    """What somebody at a seat, or for a seat, asks for."""

    what: SeatChangeKind
    seat: int
    name: str = ""
    """Of who sits down."""
    amount: Cents | None = None
    """The chips that come to the table; None: none, or they are not tracked."""
    at: int = 0
    """Seconds since 1970: from when somebody is away."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat change that was asked for while a hand is played, and waits for its end."""

    seq: int
    """The event that asked for it."""
    change: SeatChange


@dataclass(frozen=True, slots=True)
class Down:
    """A dealer's time at the table."""

    dealer: str
    hands: int = 0
    fees: Cents = 0
    jackpots: Cents = 0
    checked: Check = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the dealer did in one step, as long as it can be taken back."""

    seqs: tuple[int, ...]
    """The places of its events in the log."""
    events: tuple[TableEvent, ...]
    # As in a hand, the whole state from before it comes back: inverting events could forget
    # something.
    before: TableState = field(repr=False)
    """The table before it, with what devices and PINs have reported since then."""

    @property
    def starts_hand(self) -> bool:
        return any(isinstance(event, HandStarted) for event in self.events)


@dataclass(frozen=True, slots=True)
class PinCount:
    """Wrong PINs with one staff number, or at the keypad."""

    failures: int = 0
    lockouts: int = 0
    locked_until: int = 0


@dataclass(frozen=True)
class TableState:
    profile: Profile
    limit: Limit
    seats: dict[int, SeatAtTable] = field(default_factory=dict)
    button: int | None = None
    drawn: dict[int, Card] = field(default_factory=dict)
    """The face-up cards of the draw for the button."""
    last: LastHand | None = None
    """None before the first hand, and after the button was placed or drawn again."""
    passed: frozenset[int] = frozenset()
    """Chairs that the big blind has passed since the game began."""
    killer: int | None = None
    kill_left: str = ""
    """The killer who has left the table: the next hand is a kill hand all the same."""
    kill_debts: frozenset[str] = frozenset()
    """Who has left the table and owes a kill."""
    again: HandStarted | None = None
    """A hand that was called off and is to be dealt again, with the same places."""
    before_hand: BeforeHand | None = None
    """While a hand is played: what comes back if it is called off."""
    no_hand_seat: int | None = None
    """The seat that the floor has named to get no hand next."""
    results: tuple[Result, ...] = ()
    """Of the last hands, the latest last."""
    impounded: dict[int, dict[int, Cents]] = field(default_factory=dict)
    """Held by the floor, by hand and by the seat it was taken from."""
    adjusted: Cents = 0
    """How much rulings have added to stacks and taken from them since the last hand ended."""
    devices_out: frozenset[str] = frozenset()
    device_records: dict[str, DeviceRecord] = field(default_factory=dict)
    """What is known of the devices, by the name in the table's file."""
    pin_failures: int = 0
    lockouts: int = 0
    locked_until: int = 0
    """Seconds since 1970."""
    # Not compared: in a data folder the office journal counts, and no seal of a table keeps it.
    pin_counts: dict[str, PinCount] = field(default_factory=dict, compare=False)
    """By staff number, where one was given."""
    closed: bool = False
    reopened: Reopened | None = None
    """The answer to who is seated, at a table that was closed before."""
    floor_call: FloorCall | None = None
    down: Down | None = None
    shift: str | None = None
    box: Box = Box()
    deck: Literal["unknown", "ok", "bad", "manual", "unverified"] = "unknown"
    deck_back: str = ""
    """The color of the deck that was reported."""
    decks_out: frozenset[str] = frozenset()
    """Colors that are out of play until the floor lets them back."""
    machine: MachineDeck | None = None
    """The deck inside the shuffler; None: nothing is known of one."""
    deck_cut: bool = False
    deck_required: bool = False
    hands: int = 0
    """Hands started so far; the number of the current or last one."""
    hand: HandState | None = None
    asked: tuple[Asked, ...] = ()
    """Seat changes that take effect when the hand ends, in the order in which they were asked for;
    between hands there are none."""
    # Of the program, not of the table: no event has it, and no log is compared by it.
    offered: tuple[Profile, ...] = field(default=(), compare=False, repr=False)
    """The profiles that a ruling may change to; read before, because nothing here reads files."""
    undoable: tuple[Entry, ...] = ()
    """What the dealer may take back, the latest last: entries since the last pot was pushed."""
    # Not compared: it is of no account once later events are folded in, and no seal keeps it.
    ruled: int = field(default=0, compare=False)
    """Events up to this number belong to a ruling, and are not taken back by the dealer."""
    seq: int = 0
    """Of the last event folded in."""

    def to_pick_up(self, now: float) -> list[int]:
        """The seats whose players have been away for longer than the room allows."""
        limits = self.profile.absent
        minutes, blinds = limits.max_minutes, limits.max_missed_big_blinds
        return sorted(
            seat
            for seat, at in self.seats.items()
            if (at.away and minutes and now - at.away_since >= 60 * minutes)
            or (not at.present and blinds and at.missed >= blinds)
        )

    @property
    def may_shuffle_by_hand(self) -> bool:
        """Where the rules require a machine, only while the floor has it out of use."""
        return "manual" in self.profile.shuffle.allowed or "shuffler" in self.devices_out

    @property
    def kill_stands(self) -> bool:
        """Whether a killer who is not dealt in changes nothing about the kill."""
        return self.profile.kill.absent == "stands"

    def settled(self, seat: int) -> bool:
        """Whether a seat owes nothing that is asked for at this limit."""
        at = self.seats[seat]
        if at.owes_kill and self.kill_stands and self.limit.kill is None:
            return not (at.new or at.owes_small or at.owes_big)
        return at.settled

    def pin_count(self, number: str) -> PinCount:
        """What counts against a staff number; without one, against the keypad."""
        if number:
            return self.pin_counts.get(number, PinCount())
        return PinCount(self.pin_failures, self.lockouts, self.locked_until)

    @property
    def present(self) -> list[int]:
        """The seats with a player and chips at the table, ascending."""
        return sorted(seat for seat, at in self.seats.items() if at.present)

    @property
    def next_to_draw(self) -> int | None:
        """The seat that gets the next card of the draw for the button; None: all have one.

        Seat 1 is at the house dealer's left. Whoever sits down or comes back in a lower seat than
        those that have their card is next.
        """
        return next((seat for seat in self.present if seat not in self.drawn), None)

"""A table as it stands: seats, button, limit, deck, and the hand that is being played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from omaha_table.cards import Card
from omaha_table.hand import HandState
from omaha_table.hand.events import HandStarted
from omaha_table.money import Cents
from omaha_table.rules import Limit, Profile


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
class Box:
    """What has gone into the drop box and the jackpot box that are on the table."""

    name: str | None = None
    jackpot_name: str | None = None
    fees: Cents = 0
    jackpots: Cents = 0


@dataclass(frozen=True, slots=True)
class Down:
    """A dealer's time at the table."""

    dealer: str
    hands: int = 0
    fees: Cents = 0
    jackpots: Cents = 0


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
    devices_out: frozenset[str] = frozenset()
    pin_failures: int = 0
    lockouts: int = 0
    locked_until: int = 0
    """Seconds since 1970."""
    closed: bool = False
    down: Down | None = None
    shift: str | None = None
    box: Box = Box()
    deck: Literal["unknown", "ok", "bad", "manual"] = "unknown"
    deck_back: str = ""
    """The color of the deck that was reported."""
    decks_out: frozenset[str] = frozenset()
    """Colors that are out of play until the floor lets them back."""
    deck_cut: bool = False
    deck_required: bool = False
    hands: int = 0
    """Hands started so far; the number of the current or last one."""
    hand: HandState | None = None
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

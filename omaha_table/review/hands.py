"""Hands as a reviewer sees them, read from journals that nobody need close for it.

A hand is its events with their times, and what was around it: table, day, dealer, shift, names,
what was unusual. Nothing here can hold a card that was not face up: the log has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from omaha_table.desk.logged import record_of
from omaha_table.hand.events import (
    BackedUp,
    BoardDealt,
    FeeDue,
    FeeWaived,
    HandEnded,
    HandStarted,
    Irregularity,
    RemedyOrdered,
    Tabled,
    Undone,
)
from omaha_table.journal.codec import RecordError
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.store import open_for_reading, read_rows
from omaha_table.review.moments import Mended, Moment, mended
from omaha_table.table.apply import rules_of
from omaha_table.table.events import (
    ClockStepped,
    DayOpened,
    DealerIn,
    DealerOut,
    DeviceNoted,
    FeeReturned,
    PlayerLeft,
    PlayerMoved,
    PlayerSeated,
    Recovered,
    Ruled,
    RulesChanged,
    ShiftClosed,
    ShiftOpened,
    TableOpened,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.cards import Card
    from omaha_table.money import Cents
    from omaha_table.rules import Limit, Profile
    from omaha_table.table.events import TableEvent

SLOW_SECONDS: Final = 240
"""A hand that took longer is worth a look."""
IMPORTED: Final = ("import", "played")
"""The note before an imported hand: its detail is when the hand was played, in ISO 8601."""


@dataclass(slots=True)
class Played:
    """One hand from its start to its push."""

    file: str
    table: str
    day: str
    number: int
    profile: Profile
    limit: Limit
    started: HandStarted
    started_us: int
    dealer: str
    shift: str
    box: str
    names: dict[int, str]
    moments: list[Moment] = field(default_factory=list)
    ended: HandEnded | None = None
    ended_us: int = 0
    flags: set[str] = field(default_factory=set)
    later: list[Moment] = field(default_factory=list)
    """What the floor did to the hand after its push: each ruling, then what it moved."""
    played: str = ""
    """Of an imported hand: when it was played, where its file says so. Times are of the import."""
    previous: str = ""
    """The hash of the event before the first."""

    @property
    def pot(self) -> Cents:
        """Everything that was won or taken."""
        ended = self.ended
        return 0 if ended is None else sum(ended.awards.values()) + ended.fee + ended.jackpot

    @property
    def seconds(self) -> float:
        return max(self.ended_us - self.started_us, 0) / 1e6

    @property
    def flop(self) -> bool:
        return bool(self.ended is not None and self.ended.board)

    @property
    def waived(self) -> Cents:
        """What of the drop was due and not taken: of a pot too small for it, or by the floor."""
        ended, standing = self.ended, [m.event for m in self.standing]
        if ended is None or ended.outcome in ("misdeal", "void"):
            return 0
        if not any(isinstance(event, FeeWaived) for event in standing):
            return ended.waived
        return sum(event.fee + event.jackpot for event in standing if isinstance(event, FeeDue))

    @property
    def refunded(self) -> Cents:
        """What of the fee was given back."""
        return sum(m.event.amount for m in self.later if isinstance(m.event, FeeReturned))

    @property
    def mends(self) -> list[tuple[Moment, Mended]]:
        """What was moved after the push."""
        return [(m, m.event) for m in self.later if isinstance(m.event, Mended)]

    @property
    def standing(self) -> list[Moment]:
        """The events that were not taken back."""
        return [moment for moment in self.moments if not moment.undone]

    @property
    def tabled(self) -> dict[int, tuple[Card, ...]]:
        return {m.event.seat: m.event.cards for m in self.standing if isinstance(m.event, Tabled)}

    @property
    def rulings(self) -> list[Ruled]:
        return [moment.event for moment in self.moments if isinstance(moment.event, Ruled)]


@dataclass(slots=True)
class _Around:
    """What is true of the table while hands are read."""

    table: str = ""
    day: str = ""
    dealer: str = ""
    shift: str = ""
    box: str = ""
    names: dict[int, str] = field(default_factory=dict)
    profile: Profile | None = None
    played: str = ""

    def see(self, event: TableEvent) -> None:
        match event:
            case DayOpened():
                self.table, self.day = event.table, event.day
            case TableOpened() | RulesChanged():
                self.profile = rules_of(event)[0]
            case DealerIn():
                self.dealer = event.dealer
            case DealerOut():
                self.dealer = ""
            case ShiftOpened():
                self.shift, self.box = event.shift, event.box
            case ShiftClosed():
                self.shift = self.box = ""
            case DeviceNoted() if (event.device, event.what) == IMPORTED:
                self.played = event.detail
            case PlayerSeated():
                self.names[event.seat] = event.name
            case PlayerMoved():
                self.names[event.to] = self.names.pop(event.seat, "")
            case PlayerLeft():
                self.names.pop(event.seat, None)


def hands_in(path: Path) -> Iterator[Played]:
    """The finished hands of a journal in order; raises JournalFault where it cannot be read on."""
    connection = open_for_reading(path)
    around = _Around()
    hand: Played | None = None
    previous = b""
    try:
        later = mended(connection)
        for row in read_rows(connection):
            try:
                event = record_of(row).event
            except RecordError as error:
                raise Tampered(f"Event {row.seq} of {path.name} cannot be read: {error}.") from None
            try:
                around.see(event)
            except ValueError:
                raise Tampered(f"The rules at event {row.seq} of {path.name} are broken.") from None
            if isinstance(event, HandStarted):
                hand = _begin(path, around, event, row.at_us)
                hand.previous, hand.later = previous.hex(), later.get(event.number, [])
            previous = row.hash
            if hand is None:
                continue
            _add(hand, Moment(row.seq, row.at_us, event, row.hash.hex()))
            if isinstance(event, HandEnded):
                hand.ended, hand.ended_us = event, row.at_us
                _flag(hand)
                yield hand
                hand = None
    finally:
        connection.close()


def _begin(path: Path, around: _Around, started: HandStarted, at_us: int) -> Played:
    profile = around.profile
    limit = None if profile is None else profile.limit(started.limit)
    if profile is None or limit is None:
        raise Tampered(f"Hand {started.number} of {path.name} has no rules.")
    played, around.played = around.played, ""
    return Played(
        path.name,
        around.table,
        around.day,
        started.number,
        profile,
        limit,
        started,
        at_us,
        around.dealer,
        around.shift,
        around.box,
        dict(around.names),
        played=played,
    )


def _add(hand: Played, moment: Moment) -> None:
    """Keeps an event; what an undo or a ruling takes back is marked, not removed."""
    event = moment.event
    if isinstance(event, Undone):
        gone = set(event.seqs)
        hand.moments = [
            Moment(m.seq, m.at_us, m.event, m.hash, m.undone or m.seq in gone) for m in hand.moments
        ]
        hand.flags.add("undo")
    elif isinstance(event, BackedUp):
        hand.moments = [
            Moment(m.seq, m.at_us, m.event, m.hash, m.undone or _later(m.event, event.to))
            for m in hand.moments
        ]
    hand.moments.append(moment)


def _later(event: TableEvent, entry: int) -> bool:
    found = getattr(event, "entry", None)
    return found is not None and found > entry and not isinstance(event, HandStarted | Ruled)


def _flag(hand: Played) -> None:
    """What makes a hand worth a second look."""
    ended = hand.ended
    for moment in (*hand.moments, *hand.later):
        match moment.event:
            case Ruled():
                hand.flags.add("override")
            case Irregularity() | RemedyOrdered():
                hand.flags.add("irregular")
            case DeviceNoted():
                hand.flags.add("device")
            case ClockStepped():
                hand.flags.add("clock")
            case Recovered():
                hand.flags.add("recovered")
            case FeeWaived():
                hand.flags.add("waived")
            case RulesChanged():
                hand.flags.add("rules")
    if ended is None:
        return
    if ended.outcome in ("misdeal", "void"):
        hand.flags.add(ended.outcome)
    if ended.dealer_read:
        hand.flags.add("dealer_read")
    if ended.waived:
        hand.flags.add("waived")
    if hand.started.killer is not None:
        hand.flags.add("kill")
    if hand.seconds > SLOW_SECONDS:
        hand.flags.add("slow")


def board_of(hand: Played) -> tuple[Card, ...]:
    if hand.ended is not None and hand.ended.board:
        return hand.ended.board
    cards: tuple[Card, ...] = ()
    for moment in hand.standing:
        if isinstance(moment.event, BoardDealt):
            cards += moment.event.cards
    return cards


__all__ = ["JournalFault", "Mended", "Moment", "Played", "board_of", "hands_in"]

"""Hands as a reviewer sees them, read from journals that nobody need close for it.

A hand is its events with their times, and what was around it: table, day, dealer, shift, names,
what was unusual. Nothing here can hold a card that was not face up: the log has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from omaha_table.desk.logged import record_of
from omaha_table.hand.events import (
    BackedUp,
    BoardDealt,
    FeeDue,
    FeeWaived,
    HandEnded,
    HandStarted,
    Tabled,
    Undone,
)
from omaha_table.hand.phases import Street
from omaha_table.journal.codec import RecordError
from omaha_table.journal.diary import Refusal, read_refusals
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.store import open_for_reading, read_rows
from omaha_table.review.incidents import SLOW_SECONDS, Incident, incident_of, kind_of, not_dealt
from omaha_table.review.incidents import refused as incident_of_refusal
from omaha_table.review.moments import Mended, Moment, mended
from omaha_table.table.apply import rules_of
from omaha_table.table.events import (
    DayOpened,
    DealerIn,
    DealerOut,
    DeviceNoted,
    FeeReturned,
    PlayerLeft,
    PlayerMoved,
    PlayerSeated,
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
    log: str = ""
    """Of the journal: no other has it, whatever its file and table are called."""
    jackpot_box: str = ""
    down: int = 0
    """Which down of the day, counted from 1; 0: before anybody was pushed in."""
    moments: list[Moment] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    """From the diary, which is not sealed."""
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
    def fee(self) -> Cents:
        return 0 if self.ended is None else self.ended.fee

    @property
    def jackpot(self) -> Cents:
        return 0 if self.ended is None else self.ended.jackpot

    @property
    def outcome(self) -> str:
        """Empty while the hand is played."""
        return "" if self.ended is None else self.ended.outcome

    @property
    def dealt(self) -> int:
        """How many hands were dealt."""
        return len(self.started.dealt)

    @property
    def flop_us(self) -> int:
        """When the flop came; 0: there was none."""
        came = [m.at_us for m in self.standing
                if isinstance(m.event, BoardDealt) and m.event.street is Street.FLOP]  # fmt: skip
        return came[-1] if came else 0

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


@dataclass(frozen=True, slots=True)
class Between:
    """Something unusual between two hands."""

    table: str
    day: str
    log: str
    incident: Incident


@dataclass(slots=True)
class _Around:
    """What is true of the table while hands are read."""

    table: str = ""
    day: str = ""
    log: str = ""
    dealer: str = ""
    down: int = 0
    shift: str = ""
    box: str = ""
    jackpot_box: str = ""
    names: dict[int, str] = field(default_factory=dict)
    profile: Profile | None = None
    played: str = ""

    def see(self, event: TableEvent) -> None:
        match event:
            case DayOpened():
                self.table, self.day = event.table, event.day
                self.log = event.public_key[:8]
            case TableOpened() | RulesChanged():
                self.profile = rules_of(event)[0]
            case DealerIn():
                self.dealer, self.down = event.dealer, self.down + 1
            case DealerOut():
                self.dealer = ""
            case ShiftOpened():
                self.shift, self.box = event.shift, event.box
                self.jackpot_box = event.jackpot_box
            case ShiftClosed():
                self.shift = self.box = self.jackpot_box = ""
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
    return (found for found in read_day(path) if isinstance(found, Played))


def read_day(path: Path) -> Iterator[Played | Between]:
    """The finished hands of a journal and what was unusual between them; raises JournalFault."""
    connection = open_for_reading(path)
    around = _Around()
    hand: Played | None = None
    previous = b""
    try:
        later = mended(connection)
        diary = _Diary(read_refusals(connection))
        for row in read_rows(connection):
            try:
                event = record_of(row).event
            except RecordError as error:
                raise Tampered(
                    f"It is damaged: event {row.seq} cannot be read ({error})."
                ) from None
            try:
                around.see(event)
            except ValueError:
                raise Tampered(f"The rules at event {row.seq} of {path.name} are broken.") from None
            if isinstance(event, HandStarted):
                hand = _begin(path, around, event, row.at_us)
                hand.previous, hand.later = previous.hex(), later.get(event.number, [])
            previous = row.hash
            if hand is not None:
                _add(hand, Moment(row.seq, row.at_us, event, row.hash.hex()))
                if isinstance(event, HandEnded):
                    hand.ended, hand.ended_us = event, row.at_us
                    _flag(hand)
                    yield hand
                    hand = None
            elif found := incident_of(row.seq, row.at_us, event):
                yield Between(around.table, around.day, around.log, found)
            for refusal in diary.after(row.seq):
                if hand is not None:
                    hand.refusals.append(refusal)
                else:
                    found = incident_of_refusal(refusal)
                    yield Between(around.table, around.day, around.log, found)
    finally:
        connection.close()


class _Diary:
    """Refusals, handed out as the events go by that they came after."""

    def __init__(self, refusals: list[Refusal]) -> None:
        self._left = refusals[::-1]

    def after(self, seq: int) -> Iterator[Refusal]:
        while self._left and self._left[-1].after_seq <= seq:
            yield self._left.pop()


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
        around.log,
        around.jackpot_box,
        around.down,
        played=played,
    )


def _add(hand: Played, moment: Moment) -> None:
    """Keeps an event; what an undo or a ruling takes back is marked, not removed."""
    event = moment.event
    if isinstance(event, Undone):
        gone = set(event.seqs)
        hand.moments = [replace(m, undone=m.undone or m.seq in gone) for m in hand.moments]
    elif isinstance(event, BackedUp):
        hand.moments = [
            replace(m, undone=m.undone or _later(m.event, event.to)) for m in hand.moments
        ]
    hand.moments.append(moment)


def _later(event: TableEvent, entry: int) -> bool:
    found = getattr(event, "entry", None)
    return found is not None and found > entry and not isinstance(event, HandStarted | Ruled)


def _flag(hand: Played) -> None:
    """What makes a hand worth a second look."""
    ended = hand.ended
    moments = (*hand.moments, *hand.later)
    hand.flags |= {kind for moment in moments if (kind := kind_of(moment.event))}
    if hand.refusals:
        hand.flags.add("refusal")
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
    if any(not_dealt(hand)):
        hand.flags.add("not_dealt")


def board_of(hand: Played) -> tuple[Card, ...]:
    if hand.ended is not None and hand.ended.board:
        return hand.ended.board
    cards: tuple[Card, ...] = ()
    for moment in hand.standing:
        if isinstance(moment.event, BoardDealt):
            cards += moment.event.cards
    return cards


__all__ = [
    "Between",
    "JournalFault",
    "Mended",
    "Moment",
    "Played",
    "board_of",
    "hands_in",
    "read_day",
]

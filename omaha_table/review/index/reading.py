"""Journals read hand by hand, also while a table is dealing, and on from where reading ended."""

from __future__ import annotations

import json
from bisect import bisect_left
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from omaha_table.dealer.event_text import event_line
from omaha_table.hand.events import BackedUp, HandEnded, HandStarted, Undone
from omaha_table.journal.codec import RecordError, decode, event_in, type_name
from omaha_table.journal.events import DayCarried, DayOpened
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.replay import table_before
from omaha_table.journal.snapshot import Snapshot
from omaha_table.review.index.hands import IMPORTED, Between, Played
from omaha_table.review.index.incidents import (
    MARKED,
    SLOW_SECONDS,
    Incident,
    half_read,
    incident_of,
    kind_of,
    not_dealt,
)
from omaha_table.review.index.incidents import refused as incident_of_refusal
from omaha_table.review.index.moments import MOVED_LATER, Moment, moved_later
from omaha_table.review.index.seat_names import RENAMED, last_names, renamed_since
from omaha_table.review.index.store import as_journal
from omaha_table.table.events import (
    DealerIn,
    DealerOut,
    DeviceNoted,
    HandTakenBack,
    PlayerLeft,
    PlayerMoved,
    PlayerRenamed,
    PlayerSeated,
    Ruled,
    RulesChanged,
    ShiftClosed,
    ShiftOpened,
    TableOpened,
    TakenBack,
)
from omaha_table.table.folding import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.journal.rows import Rows
    from omaha_table.review.index.store import Journal
    from omaha_table.rules import Profile
    from omaha_table.table import TableState


_MOVED_LATER: Final = frozenset(type_name(kind) for kind in MOVED_LATER)


def _kinds_in(rows: Rows) -> set[str]:
    """Which kinds there are of those that have to be known before a journal is read."""
    kinds = (*_MOVED_LATER, *RENAMED)
    try:
        return {row.kind for row in rows.since(0, kinds)}
    except JournalFault:
        return set(kinds)


def log_id(public_key: str) -> str:
    """Names a journal by the key with which it begins; no two journals have the same."""
    return public_key[:8]


@dataclass(slots=True)
class Around:
    """What is true of the table while hands are read."""

    table: str = ""
    day: str = ""
    log: str = ""
    dealer: str = ""
    down: int = 0
    shift: str = ""
    box: str = ""
    jackpot_box: str = ""
    box_day: str = ""
    """On which the boxes were opened: this day, or one from which they were carried over."""
    box_log: str = ""
    played: str = ""
    names: dict[int, str] = field(default_factory=dict)
    rules_seq: int = 0
    """The event that brought the rules."""

    def see(self, seq: int, event: Event) -> None:
        match event:
            case DayOpened():
                self.table, self.day = event.table, event.day
                self.log = log_id(event.public_key)
                self.box_day, self.box_log = self.day, self.log
            case TableOpened() | RulesChanged():
                self.rules_seq = seq
            case DealerIn():
                self.dealer, self.down = event.dealer, self.down + 1
            case DealerOut():
                self.dealer = ""
            case ShiftOpened():
                self.shift, self.box = event.shift, event.box
                self.jackpot_box = event.jackpot_box
                self.box_day, self.box_log = self.day, self.log
            case ShiftClosed():
                self.shift = self.box = self.jackpot_box = ""
                self.box_day, self.box_log = self.day, self.log
            case DeviceNoted() if (event.device, event.what) == IMPORTED:
                self.played = event.detail
            case DayCarried():
                self._carry(event)
            case PlayerSeated():
                self.names[event.seat] = event.name
            case PlayerRenamed():
                self.names[event.seat] = event.name
            case PlayerMoved():
                self.names[event.to] = self.names.pop(event.seat, "")
            case PlayerLeft():
                self.names.pop(event.seat, None)

    def _carry(self, event: DayCarried) -> None:
        """Who and what was at the table when the day began."""
        table: Snapshot = decode(Snapshot, event.table)
        self.names = {seat: at.name for seat, at in table.seats.items()}
        if table.down is not None:
            self.dealer, self.down = table.down.dealer, 1
        if table.shift is not None:
            self.shift = table.shift
            self.box_day, self.box_log = event.box_day, log_id(event.box_key)
            self.box, self.jackpot_box = table.box.name or "", table.box.jackpot_name or ""


_AROUND: Final = frozenset(
    (DayOpened, TableOpened, DayCarried, RulesChanged, DealerIn, DealerOut, ShiftOpened,
     ShiftClosed, DeviceNoted, PlayerSeated, PlayerRenamed, PlayerMoved,
     PlayerLeft)
)  # fmt: skip


@dataclass(slots=True)
class Place:
    """How far a journal has been read: to the last event outside a hand."""

    seq: int = 0
    hash: str = ""
    hand: int = 0
    """The last hand that was read to its end."""
    moved_later: int = 0
    """The last event that changed a hand after its push."""
    refused: int = 0
    """How many refusals came after events before this one. More of them, and reading starts over:
    where journals are copied, what was refused may come later than the events."""
    around: Around = field(default_factory=Around)

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Place:
        given: dict[str, Any] = json.loads(text)
        around = Around(**given.pop("around"))
        around.names = {int(seat): name for seat, name in around.names.items()}
        return cls(**given, around=around)


class Reading:
    """One journal from its beginning, or from where reading ended; raises JournalFault.

    It starts over where the journal is another one than it was, where the floor has come back to a
    hand that was read before, or where somebody in it has another name now.
    """

    def __init__(self, journal: Path | Journal, place: Place | None = None) -> None:
        found = as_journal(journal)
        self._name, self._reader = found.name, found.open()
        try:
            self._reader.hold()
            self.goes_on = place is not None and self._fits(place)
            self.place = place if place is not None and self.goes_on else Place()
            kinds = _kinds_in(self._reader)
            self._later = moved_later(self._reader, self.place.seq) if kinds & _MOVED_LATER else {}
            self._last_names = last_names(self._reader) if kinds.intersection(RENAMED) else []
            self._profile = self._rules_at(self.place.around.rules_seq)
        except BaseException:
            self._reader.close()
            raise

    def close(self) -> None:
        self._reader.close()

    def _fits(self, place: Place) -> bool:
        row = self._reader.get(place.seq)
        if row is None or row.hash.hex() != place.hash:
            return False
        if renamed_since(self._reader, place.seq):
            return False
        if len(self._reader.refusals(0, place.seq - 1)) != place.refused:
            return False
        since = moved_later(self._reader, max(place.seq, place.moved_later))
        return all(number > place.hand for number in since)

    def _rules_at(self, seq: int) -> Profile | None:
        row = self._reader.get(seq) if seq else None
        return None if row is None else self._rules_in(row)

    def _rules_in(self, row: Row) -> Profile:
        event = self._event(row)
        try:
            assert isinstance(event, TableOpened | RulesChanged)
            return rules_of(event)[0]
        except (AssertionError, ValueError):
            said = f"The rules at event {row.seq} of {self._name} are broken."
            raise Tampered(said) from None

    def _event(self, row: Row) -> Event:
        try:
            event: Event = event_in(row.kind, row.body)
        except RecordError as error:
            said = f"The journal is damaged: event {row.seq} cannot be read ({error})."
            raise Tampered(said) from None
        return event

    def __iter__(self) -> Iterator[Played | Between]:
        """The finished hands in order, and what was unusual between them."""
        place, around = self.place, self.place.around
        previous, hand = bytes.fromhex(place.hash), None
        diary = self._reader.refusals(place.seq)[::-1]
        after = [refusal.after_seq for refusal in reversed(diary)]
        before = place.refused
        while diary and diary[-1].after_seq <= place.seq:
            yield self._between(incident_of_refusal(diary.pop()))
        for row in self._reader.since(place.seq):
            event = self._event(row)
            # Compared as types: a log has millions of events, of which few are of these kinds.
            kind = type(event)
            if kind in _AROUND:
                around.see(row.seq, event)
                if around.rules_seq == row.seq:
                    self._profile = self._rules_in(row)
            if isinstance(event, TakenBack):
                self._restore(row.seq, event)
            if isinstance(event, HandStarted):
                hand = self._begin(row.seq, event, row.at_us, previous.hex())
            previous = row.hash
            if hand is not None:
                if kind in _TAKES_BACK:
                    _take_back(hand, event)
                hand.moments.append(Moment(row.seq, row.at_us, event, previous))
                if isinstance(event, HandEnded):
                    hand.ended, hand.ended_us = event, row.at_us
                    # As the table books it: to whom pushes the pot.
                    hand.dealer, hand.down = around.dealer, around.down
                    _flag(hand)
                    yield hand
                    place.hand, hand = hand.number, None
                elif isinstance(event, HandTakenBack):
                    yield from map(self._between, _never_dealt(hand, event))
                    place.hand, hand = hand.number, None
            elif isinstance(event, TakenBack):
                yield self._between(Incident(row.seq, row.at_us, "undo", self._gone(event)))
            elif found := incident_of(row.seq, row.at_us, event):
                yield self._between(found)
            while diary and diary[-1].after_seq <= row.seq:
                refusal = diary.pop()
                if hand is not None:
                    hand.refusals.append(refusal)
                else:
                    yield self._between(incident_of_refusal(refusal))
            if hand is None:
                place.seq, place.hash = row.seq, previous.hex()
                place.refused = before + bisect_left(after, row.seq)
        moved = [moment.seq for moments in self._later.values() for moment in moments]
        place.moved_later = max(moved, default=place.moved_later)

    def _restore(self, seq: int, event: TakenBack) -> None:
        """Who is at the table once an entry was taken back: as the table itself works it out."""
        around, table = self.place.around, self._table_after(seq)
        around.names = {seat: at.name for seat, at in table.seats.items()}
        around.dealer = "" if table.down is None else table.down.dealer
        if any(isinstance(gone, DealerIn) for gone in self._events(event.seqs)):
            around.down -= 1

    def _table_after(self, seq: int) -> TableState:
        try:
            return table_before(self._reader, seq + 1)
        except (RecordError, ValueError, KeyError, TypeError, AttributeError):
            said = f"What event {seq} of {self._name} takes back cannot be read."
            raise Tampered(said) from None

    def _events(self, seqs: tuple[int, ...]) -> list[Event]:
        rows = map(self._reader.get, seqs)
        return [self._event(row) for row in rows if row is not None]

    def _gone(self, event: TakenBack) -> str:
        """What was taken back between hands, in words."""
        return ", ".join(filter(None, map(event_line, self._events(event.seqs)))) or "an entry"

    def _between(self, incident: Incident) -> Between:
        around = self.place.around
        return Between(around.table, around.day, around.log, incident)

    def _names_at(self, seq: int) -> dict[int, str]:
        """The last names of those who were renamed at any time."""
        there = (one for one in self._last_names if one.first < seq < one.last)
        return {one.seat: one.person.name for one in there}

    def _begin(self, seq: int, started: HandStarted, at_us: int, previous: str) -> Played:
        around, profile = self.place.around, self._profile
        limit = None if profile is None else profile.limit(started.limit)
        if profile is None or limit is None:
            raise Tampered(f"Hand {started.number} of {self._name} has no rules.")
        played, around.played = around.played, ""
        return Played(
            self._name,
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
            around.names | self._names_at(seq),
            around.log,
            around.jackpot_box,
            around.down,
            around.box_day,
            around.box_log,
            later=self._later.get(started.number, []),
            played=played,
            previous=previous,
        )


def hands_in(journal: Path | Journal) -> Iterator[Played]:
    """The finished hands of a journal in order; raises JournalFault where it cannot be read on."""
    with closing(Reading(journal)) as reading:
        yield from (found for found in reading if isinstance(found, Played))


_TAKES_BACK: Final = frozenset((Undone, BackedUp))


def _take_back(hand: Played, event: Event) -> None:
    """What an undo or a ruling takes back is marked, not removed."""
    if isinstance(event, Undone):
        gone = set(event.seqs)
        hand.moments = [m._replace(undone=m.undone or m.seq in gone) for m in hand.moments]
    elif isinstance(event, BackedUp):
        hand.moments = [
            m._replace(undone=m.undone or _later(m.event, event.to)) for m in hand.moments
        ]


def _never_dealt(hand: Played, taken_back: HandTakenBack) -> Iterator[Incident]:
    """What is left of a hand whose start was taken back: why its number is missing, and what else
    was unusual meanwhile."""
    for moment in hand.moments:
        found = incident_of(moment.seq, moment.at_us, moment.event)
        if found is not None and moment.event is taken_back:
            seats = len(hand.started.dealt)
            more = f"{seats} seats, button seat {hand.started.button}; all posts went back."
            found = Incident(found.seq, found.at_us, found.kind, found.says, more)
        if found is not None:
            yield found
    yield from map(incident_of_refusal, hand.refusals)


def _later(event: Event, entry: int) -> bool:
    found = getattr(event, "entry", None)
    return found is not None and found > entry and not isinstance(event, HandStarted | Ruled)


def _flag(hand: Played) -> None:
    """What makes a hand worth a second look."""
    ended = hand.ended
    marked = (moment for moment in hand.moments if type(moment.event) in MARKED)
    hand.unusual = [moment for moment in marked if kind_of(moment.event)]
    hand.flags |= {kind_of(moment.event) for moment in (*hand.unusual, *hand.later)} - {""}
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
    if hand.started.is_kill:
        hand.flags.add("kill")
    if hand.seconds > SLOW_SECONDS:
        hand.flags.add("slow")
    if any(half_read(hand)):
        hand.flags.add("device")
    if any(not_dealt(hand)):
        hand.flags.add("not_dealt")

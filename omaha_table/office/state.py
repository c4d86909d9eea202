"""The office journal folded: what stands, and what was corrected.

`Brief` is what each seal keeps, so that a PIN can be checked without reading the year. `Records`
is all of it, for reports and the review.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from omaha_table.money import Cents  # noqa: TC001 - read at run time to store a seal
from omaha_table.office.events import (
    BoxCounted,
    HandNoted,
    HandTagged,
    ListPublished,
    ListTakenIn,
    OfficeOpened,
    PinAccepted,
    PinRefused,
    RoomListFollowed,
    RoomListRefused,
    RoomListTaken,
    SectionTaken,
    StaffChanged,
    TableEnrolled,
    TableReadmitted,
    ThresholdSet,
    Unsealed,
    VarianceClosed,
    VarianceExplained,
)
from omaha_table.office.locks import Locks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_table.office.events import OfficeEvent, Signature


@dataclass(frozen=True)
class RoomList:
    """Whose staff list this folder takes, and how far it is; or publishes."""

    key: str = ""
    """The public key of the office that publishes it; empty: the folder has a list of its own."""
    version: int = 0
    """The list of the room that is used."""
    refused: tuple[str, ...] = ()
    """What was wrong with lists that the room has offered since, each once: a room that lies all
    the time must not fill the disk."""
    published: int = 0
    """The last version that was published from this folder."""


@dataclass(frozen=True)
class Brief:
    locks: Locks = field(default_factory=Locks)
    staff: str = ""
    """The SHA-256 of the staff list as it was last changed; empty: by nobody yet."""
    taken_in: tuple[str, ...] = ()
    """Lists of 0.1.0 that were taken in, by name."""
    threshold: Cents = 0
    demo: bool = False
    room_list: RoomList = field(default_factory=RoomList)


def brief_after(brief: Brief, event: OfficeEvent) -> Brief:
    match event:
        case PinRefused():
            return replace(brief, locks=brief.locks.refused(event))
        case PinAccepted():
            return replace(brief, locks=brief.locks.accepted(event))
        case StaffChanged():
            return replace(brief, staff=event.list_sha256)
        case ListTakenIn():
            return replace(brief, taken_in=(*brief.taken_in, event.file))
        case ThresholdSet():
            return replace(brief, threshold=event.amount)
        case OfficeOpened():
            return replace(brief, demo=event.demo)
        case ListPublished() | RoomListFollowed() | RoomListTaken() | RoomListRefused():
            return _after_list(brief, event)
    return brief


def _after_list(
    brief: Brief, event: ListPublished | RoomListFollowed | RoomListTaken | RoomListRefused
) -> Brief:
    now = brief.room_list
    match event:
        case ListPublished():
            now = replace(now, published=event.version)
        case RoomListFollowed():
            now = RoomList(event.key, published=now.published)
        case RoomListRefused():
            now = replace(now, refused=(*now.refused, event.why))
        case RoomListTaken():
            now = replace(now, version=event.version, refused=())
            return replace(brief, staff=event.list_sha256, room_list=now)
    return replace(brief, room_list=now)


class CountKey(NamedTuple):
    """Which box was counted. No jackpot box: a list of 0.1.0 did not keep it."""

    log: str
    shift: str
    box: str
    jackpot_box: str | None


class Counted(NamedTuple):
    """A count, with its number in the journal of a year."""

    year: str
    seq: int
    at_us: int
    event: BoxCounted

    @property
    def variance(self) -> Cents:
        return self.event.counted - self.event.due

    @property
    def jackpot_variance(self) -> Cents:
        jackpot = self.event.jackpot
        return 0 if jackpot is None else jackpot - self.event.jackpot_due

    @property
    def needs_review(self) -> bool:
        most = max(abs(self.variance), abs(self.jackpot_variance))
        return most > self.event.threshold and not self.event.taken_in


class Signed(NamedTuple):
    """Something that was signed, and when."""

    at_us: int
    event: VarianceExplained | VarianceClosed


class Review(NamedTuple):
    """How far the review of a variance has come."""

    explained: tuple[Signed, ...] = ()
    closed: Signed | None = None

    @property
    def status(self) -> Literal["open", "explained", "closed"]:
        if self.closed is not None:
            return "closed"
        return "explained" if self.explained else "open"


class Section(NamedTuple):
    """Tables that somebody supervises, and since when."""

    tables: tuple[str, ...]
    by: Signature
    at_us: int


class Noted(NamedTuple):
    at_us: int
    event: HandNoted


class Dated(NamedTuple):
    """What else somebody may ask for later: staff, PINs, unsealings, enrollments."""

    year: str
    seq: int
    at_us: int
    event: OfficeEvent


@dataclass(frozen=True)
class Records:
    brief: Brief = field(default_factory=Brief)
    year: str = ""
    seq: int = 0
    counts: Mapping[CountKey, tuple[Counted, ...]] = field(default_factory=dict)
    """Of each box the counts in order; the last one stands."""
    reviews: Mapping[tuple[str, int], Review] = field(default_factory=dict)
    """By year and number of the count."""
    notes: Mapping[str, tuple[Noted, ...]] = field(default_factory=dict)
    tags: Mapping[str, frozenset[str]] = field(default_factory=dict)
    sections: Mapping[str, Section] = field(default_factory=dict)
    """Who supervises which tables now, by the name of the section."""
    others: tuple[Dated, ...] = ()
    damaged: tuple[str, ...] = ()
    """Journals of the office that end in damage: what follows it in them is not here."""

    def count_of(self, key: CountKey) -> Counted | None:
        """The count of a box that stands."""
        found = self.counts_of(key)
        return found[-1] if found else None

    def counts_of(self, key: CountKey) -> tuple[Counted, ...]:
        """All counts of a box in order: the last one stands, those before it were corrected."""
        older = self.counts.get(key._replace(jackpot_box=None), ())
        return older if key.jackpot_box is None else (*older, *self.counts.get(key, ()))

    def count(self, seq: int, year: str) -> Counted | None:
        for counts in self.counts.values():
            for counted in counts:
                if (counted.year, counted.seq) == (year, seq):
                    return counted
        return None

    def review_of(self, counted: Counted) -> Review:
        return self.reviews.get((counted.year, counted.seq), Review())


def key_of(event: BoxCounted) -> CountKey:
    return CountKey(event.log, event.shift, event.box, event.jackpot_box)


def sections_after(
    sections: Mapping[str, Section], event: SectionTaken, at_us: int
) -> dict[str, Section]:
    """A table is in one section: whoever takes it takes it from the one before."""
    taken, made = set(event.tables), {}
    for name, section in sections.items():
        left = tuple(table for table in section.tables if table not in taken)
        if left and name != event.section:
            made[name] = section._replace(tables=left)
    if event.tables:
        made[event.section] = Section(event.tables, event.by, at_us)
    return made


class Folder:
    """Folds a journal into records; grows in place, because a year has tens of thousands."""

    def __init__(self) -> None:
        self._brief = Brief()
        self._year, self._seq = "", 0
        self._counts: dict[CountKey, tuple[Counted, ...]] = {}
        self._reviews: dict[tuple[str, int], Review] = {}
        self._notes: dict[str, tuple[Noted, ...]] = {}
        self._tags: dict[str, frozenset[str]] = {}
        self._sections: dict[str, Section] = {}
        self._others: list[Dated] = []

    def start_from(self, brief: Brief) -> None:
        """What the year before left, where that year is not at hand."""
        self._brief = brief

    def take(self, year: str, seq: int, at_us: int, event: OfficeEvent) -> None:
        self._brief = brief_after(self._brief, event)
        self._year, self._seq = year, seq
        match event:
            case BoxCounted():
                key = key_of(event)
                counted = Counted(year, seq, at_us, event)
                self._counts[key] = (*self._counts.get(key, ()), counted)
            case VarianceExplained():
                review = self._reviews.get((event.year, event.count), Review())
                explained = (*review.explained, Signed(at_us, event))
                self._reviews[event.year, event.count] = review._replace(explained=explained)
            case VarianceClosed():
                review = self._reviews.get((event.year, event.count), Review())
                closed = Signed(at_us, event)
                self._reviews[event.year, event.count] = review._replace(closed=closed)
            case HandNoted():
                self._notes[event.about] = (*self._notes.get(event.about, ()), Noted(at_us, event))
            case HandTagged():
                tags, one = self._tags.get(event.about, frozenset()), frozenset({event.tag})
                self._tags[event.about] = tags | one if event.on else tags - one
            case SectionTaken():
                self._sections = sections_after(self._sections, event, at_us)
                self._others.append(Dated(year, seq, at_us, event))
            case (StaffChanged() | PinRefused() | PinAccepted() | Unsealed() | TableEnrolled()
                  | TableReadmitted() | ThresholdSet() | ListPublished() | RoomListFollowed()
                  | RoomListTaken() | RoomListRefused()):  # fmt: skip
                self._others.append(Dated(year, seq, at_us, event))

    @property
    def so_far(self) -> Records:
        """For a decision: without what nothing is decided by, of which there may be much."""
        return Records(
            self._brief, self._year, self._seq, self._counts, self._reviews, self._notes,
            self._tags, self._sections,
        )  # fmt: skip

    @property
    def records(self) -> Records:
        return replace(self.so_far, others=tuple(self._others))

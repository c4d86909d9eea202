"""The last name of each person of a journal: what was won under an earlier name stays theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.journal.codec import decode, type_name
from omaha_table.journal.events import DayCarried
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import record_of
from omaha_table.journal.snapshot import Snapshot
from omaha_table.table.events import (
    PlayerLeft,
    PlayerMoved,
    PlayerRenamed,
    PlayerSeated,
    TakenBack,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.journal.events import Event
    from omaha_table.journal.rows import Rows

RENAMED: Final = [type_name(PlayerRenamed)]
_SEATS: Final = [
    type_name(kind)
    for kind in (DayCarried, PlayerSeated, PlayerMoved, PlayerLeft, PlayerRenamed, TakenBack)
]


@dataclass(slots=True)
class Person:
    name: str


@dataclass(frozen=True, slots=True)
class InSeat:
    """A person in a chair, from one event to another."""

    seat: int
    first: int
    last: int
    person: Person


def renamed_since(rows: Rows, seq: int) -> bool:
    """Whether a name was changed after an event, or such a change was taken back."""
    try:
        changed = {row.seq for row in rows.since(0, RENAMED)}
        if not changed:
            return False
        gone = [record_of(row).event for row in rows.since(seq, [type_name(TakenBack)])]
    except (JournalFault, ValueError, TypeError, AttributeError):
        return False
    back = {one for event in gone if isinstance(event, TakenBack) for one in event.seqs}
    return max(changed) > seq or bool(changed & back)


def last_names(rows: Rows) -> list[InSeat]:
    """Who sat where and when, under the last name; empty where nobody was renamed.

    As far as it can be read: who reads the hands reports the rest.
    """
    try:
        if next(iter(rows.since(0, RENAMED)), None) is None:
            return []
        found = [(row.seq, record_of(row).event) for row in rows.since(0, _SEATS)]
    except (JournalFault, ValueError, TypeError, AttributeError):
        return []
    gone = {one for _, event in found if isinstance(event, TakenBack) for one in event.seqs}
    return list(_sittings([(seq, event) for seq, event in found if seq not in gone]))


def _sittings(found: list[tuple[int, Event]]) -> Iterator[InSeat]:
    there: dict[int, tuple[int, Person]] = {}
    for seq, event in found:
        match event:
            case DayCarried():
                table: Snapshot = decode(Snapshot, event.table)
                there = {seat: (seq, Person(at.name)) for seat, at in table.seats.items()}
            case PlayerSeated():
                there[event.seat] = (seq, Person(event.name))
            case PlayerRenamed() if event.seat in there:
                there[event.seat][1].name = event.name
            case PlayerMoved() if event.seat in there:
                first, person = there.pop(event.seat)
                yield InSeat(event.seat, first, seq, person)
                there[event.to] = (seq, person)
            case PlayerLeft() if event.seat in there:
                first, person = there.pop(event.seat)
                yield InSeat(event.seat, first, seq, person)
    for seat, (first, person) in there.items():
        yield InSeat(seat, first, 1 << 62, person)

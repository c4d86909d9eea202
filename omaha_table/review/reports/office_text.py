"""Entries of the office journal in plain words, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.money import format_dollars
from omaha_table.office.decisions import ACTS
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
from omaha_table.review.index.drop import over_or_short
from omaha_table.review.reports.count_text import person

if TYPE_CHECKING:
    from omaha_table.office.events import OfficeEvent, Signature

_REFUSED = {
    "wrong_pin": "wrong PIN",
    "locked": "locked after too many wrong PINs",
    "disabled": "disabled on the staff list",
    "not_allowed": "not allowed to do that",
    "taken": "somebody else has the new PIN",
}
_STAFF = {
    "init": "was made the first on the staff list",
    "add": "was added to the staff list",
    "disable": "was disabled",
    "enable": "was enabled",
    "pin": "got a new PIN",
}


def office_line(event: OfficeEvent) -> str:
    match event:
        case OfficeOpened():
            return "Office journal opened" + (" (demo)." if event.demo else ".")
        case BoxCounted():
            return _count(event)
        case VarianceExplained():
            return (
                f"Count {event.year}-{event.count} explained by {person(event.by)}: {event.reason}"
            )
        case VarianceClosed():
            return f"Count {event.year}-{event.count} closed by {person(event.by)}: {event.reason}"
        case ThresholdSet():
            return (
                f"A variance above {format_dollars(event.amount)} needs a review, set by "
                f"{person(event.by)}."
            )
        case HandNoted():
            return f"Note on {event.about}, {_by(event.by)}: {event.note}"
        case HandTagged():
            done = "set on" if event.on else "taken off"
            return f"Tag {event.tag} {done} {event.about}, {_by(event.by)}."
        case ListTakenIn():
            lines = "1 line" if event.damaged == 1 else f"{event.damaged} lines"
            lost = f", {lines} could not be read" if event.damaged else ""
            return f"{event.file} of 0.1.0 taken over: {event.entries} entries{lost}."
        case StaffChanged():
            if event.change == "taken_in":
                return "The staff list that was there before this journal is taken over."
            by = "" if event.by is None else f", by {person(event.by)}"
            return f"{event.person} {event.name} ({event.role}) {_STAFF[event.change]}{by}."
        case PinRefused():
            whose = f"PIN of {event.person}" if event.person else "PIN without a staff number"
            where = f" at {event.where}" if event.where else ""
            why, lock = _REFUSED[event.why], ""
            if event.locks_for:
                lock = f" Locked for {event.locks_for // 60} minutes."
            return f"{whose} not accepted{where} to {_title(event.purpose)}: {why}.{lock}"
        case PinAccepted():
            return f"PIN of {person(event.by)} accepted to {_title(event.purpose)}."
        case Unsealed():
            return _unsealed(event)
        case SectionTaken():
            if not event.tables:
                return f"Section {event.section} is supervised by nobody, {_by(event.by)}."
            tables = ", ".join(event.tables)
            return f"Section {event.section} ({tables}) is supervised by {person(event.by)}."
        case TableEnrolled():
            said = f"{event.table} continues in {event.log} after {event.broken}"
            return f"{said}, by {person(event.by)}: {event.reason}"
        case TableReadmitted():
            alarms = ", ".join(what.replace("_", " ") for what in event.alarms)
            said = f"{event.table} let back into the room after an alarm ({alarms})"
            return f"{said}, by {person(event.by)}: {event.reason}"
        case ListPublished() | RoomListFollowed() | RoomListTaken() | RoomListRefused():
            return _list(event)


_UNUSED = {
    "list_older": "it is older than the one that is used",
    "list_forged": "the office did not sign it",
    "list_unusable": "it cannot be used here",
}


def _list(event: ListPublished | RoomListFollowed | RoomListTaken | RoomListRefused) -> str:
    match event:
        case ListPublished():
            return f"Staff list {event.version} published for the room, by {person(event.by)}."
        case RoomListTaken():
            return f"Staff list {event.version} of the room taken."
        case RoomListRefused():
            return f"Staff list {event.version} of the room refused: {_UNUSED[event.why]}."
    by = "" if event.by is None else f", by {person(event.by)}"
    taken = "The staff list of the room is taken" if event.key else "The staff list is its own"
    return f"{taken} from now on{by}."


def _unsealed(event: Unsealed) -> str:
    hands = f"hand {event.first_hand}"
    if event.last_hand != event.first_hand:
        hands = f"hands {event.first_hand} to {event.last_hand}"
    seats = " and ".join(f"seat {seat}" if seat else "burn cards" for seat in event.seats)
    who = " and ".join(map(person, event.by))
    where = ", on the machine that deals" if event.at_the_table else ""
    line = (
        f"Cards unsealed{where}: {event.table} {event.day}, {hands}, {seats or 'all seats'}, case "
        f"{event.case}, by {who}: {event.reason}"
    )
    return f"{line}. The journal was not sound: {event.not_sound}" if event.not_sound else line


def _title(purpose: str) -> str:
    return ACTS[purpose].title if purpose in ACTS else purpose


def _by(by: Signature | None) -> str:
    return "unsigned" if by is None else f"by {person(by)}"


def _count(event: BoxCounted) -> str:
    who = " and ".join(map(person, event.by)) or "nobody"
    signed = f"unsigned, at {event.taken_in}" if event.taken_in else "signed"
    jackpot = ""
    if event.jackpot is not None:
        words = over_or_short(event.jackpot - event.jackpot_due)
        jackpot = f", jackpot box {event.jackpot_box} {format_dollars(event.jackpot)} ({words})"
    what = "corrected" if event.reason else "counted"
    why = f": {event.reason}" if event.reason else ""
    where = f"{event.table} {event.day}, shift {event.shift or '-'}"
    figures = f"{format_dollars(event.counted)} ({over_or_short(event.counted - event.due)})"
    return (
        f"Box {event.box or '-'} of {where}, {what}: {figures}{jackpot}, by {who} ({signed}){why}"
    )

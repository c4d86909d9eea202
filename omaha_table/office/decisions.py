"""What may be recorded in the office journal. Asked before it is written, and by `verify` again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.floor.staff import Role
from omaha_table.office.events import (
    OFFICE,
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
from omaha_table.office.published import is_published
from omaha_table.office.state import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.office.events import OfficeEvent, Signature
    from omaha_table.office.state import Counted, Records

_SUPERVISORS: Final = frozenset({Role.FLOOR, Role.SHIFT})
_ANYBODY: Final = frozenset(Role)


class Act(NamedTuple):
    """Something that is signed for: who may, how many persons, and who must be among them."""

    title: str
    roles: frozenset[Role]
    persons: int = 1
    among: frozenset[Role] = frozenset()
    """One of the persons has one of these roles; empty: any of `roles`."""
    once: bool = False
    """One PIN is good for a whole session; else each time."""


ACTS: Final = {
    "ruling": Act("give a ruling", _SUPERVISORS),
    "count": Act("count a box", _ANYBODY, 2, _SUPERVISORS),
    "explain": Act("explain a variance", _SUPERVISORS),
    "close": Act("close a variance", frozenset({Role.SHIFT})),
    "threshold": Act("set the threshold of a variance", frozenset({Role.SHIFT})),
    "page": Act("open the floor's page", _SUPERVISORS | {Role.AUDITOR}, once=True),
    "section": Act("supervise tables", _SUPERVISORS),
    "note": Act("write a note or set a tag", _SUPERVISORS | {Role.AUDITOR}, once=True),
    "shift": Act("open or close a shift", _SUPERVISORS),
    "sign_in": Act("sign in as a dealer", frozenset({Role.DEALER})),
    "first": Act("make the first shift manager", _SUPERVISORS),
    "staff": Act("change the staff list", frozenset({Role.SHIFT})),
    "publish": Act("publish the staff list for the tables of the room", frozenset({Role.SHIFT})),
    "follow": Act("take the staff list of the room, or no more", frozenset({Role.SHIFT})),
    "own_pin": Act("change the own PIN", _ANYBODY),
    "unseal": Act(
        "unseal face-down cards",
        _SUPERVISORS | {Role.AUDITOR},
        2,
        frozenset({Role.SHIFT, Role.AUDITOR}),
    ),
    "enroll": Act("go on after a damaged journal", _SUPERVISORS),
    "enroll_table": Act("let a table back into the room after an alarm", frozenset({Role.SHIFT})),
    "enroll_office": Act("go on after a damaged office journal", frozenset({Role.SHIFT})),
}


class OfficeRefused(Exception):  # noqa: N818 - a refusal, not an error of the program
    """Nothing was recorded; the message says why and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def check_signatures(act: str, by: Sequence[Signature]) -> None:
    """Raises OfficeRefused unless these persons may do this together."""
    rule = ACTS[act]
    if len({person.id for person in by}) < rule.persons:
        if rule.persons == 1:
            raise OfficeRefused("not_authorised", f"Nobody signed to {rule.title}.")
        raise OfficeRefused("two_persons", f"Two different persons sign to {rule.title}.")
    for person in by:
        if person.role not in rule.roles:
            raise OfficeRefused(
                "not_authorised",
                f"{person.id} may not {rule.title}: that takes {_words(rule.roles)}.",
            )
    if rule.among and not any(person.role in rule.among for person in by):
        raise OfficeRefused(
            "not_authorised", f"To {rule.title}, one of them must be {_words(rule.among)}."
        )


def _words(roles: frozenset[Role]) -> str:
    names = {
        Role.DEALER: "a dealer",
        Role.FLOOR: "a floor supervisor",
        Role.SHIFT: "a shift manager",
        Role.AUDITOR: "an auditor",
    }
    found = [name for role, name in names.items() if role in roles]
    return " or ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def check(records: Records, event: OfficeEvent) -> None:
    """Raises OfficeRefused if the event does not follow from what is recorded."""
    match event:
        case BoxCounted():
            _check_count(records, event)
        case VarianceExplained():
            check_signatures("explain", (event.by,))
            _check_reason(event.reason)
            _reviewed(records, event)
        case VarianceClosed():
            check_signatures("close", (event.by,))
            _check_reason(event.reason)
            _check_close(records, event)
        case ThresholdSet():
            check_signatures("threshold", (event.by,))
            if event.amount < 0:
                raise OfficeRefused("bad_amount", "A threshold cannot be negative.")
        case HandNoted() | HandTagged():
            if not event.taken_in:
                check_signatures("note", () if event.by is None else (event.by,))
                _check_text(event.note if isinstance(event, HandNoted) else event.tag)
        case StaffChanged():
            _check_staff(records, event)
        case PinRefused():
            _check_pin(records, event)
        case Unsealed():
            check_signatures("unseal", event.by)
            _check_reason(event.reason)
            if len(event.case.strip()) < 2:
                raise OfficeRefused("no_case", "Unsealing needs a case number.")
            _check_text(event.case)
        case TableEnrolled():
            of_office = event.table == OFFICE
            check_signatures("enroll_office" if of_office else "enroll", (event.by,))
            _check_reason(event.reason)
        case TableReadmitted():
            check_signatures("enroll_table", (event.by,))
            _check_reason(event.reason)
        case ListTakenIn():
            if event.file in records.brief.taken_in:
                raise OfficeRefused("taken_in", f"{event.file} was taken in before.")
        case SectionTaken():
            check_signatures("section", (event.by,))
            _check_section(event)
        case ListPublished() | RoomListFollowed() | RoomListTaken() | RoomListRefused():
            _check_list(records, event)
        case OfficeOpened() | PinAccepted():
            pass


MOST_TABLES: Final = 200
_LONGEST_NAME: Final = 40
_TABLE: Final = re.compile(r"[A-Za-z0-9_]{1,32}")


def _check_section(event: SectionTaken) -> None:
    name = event.section
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise OfficeRefused(
            "bad_text", f"Name the section in one line of at most {_LONGEST_NAME} letters."
        )
    if len(event.tables) > MOST_TABLES or len(set(event.tables)) < len(event.tables):
        raise OfficeRefused("bad_tables", "Name each table of a section once.")
    if not all(_TABLE.fullmatch(table) for table in event.tables):
        raise OfficeRefused("bad_tables", "A section has tables, by their names.")


LONGEST: Final = 200
"""Letters of a reason or a note."""


def _check_reason(reason: str) -> None:
    if not _is_reason(reason):
        raise OfficeRefused("no_reason", f"Give a reason of at least three letters{_NO_PIN}.")
    _check_text(reason)


_PIN: Final = re.compile(r"\d{4,12}")
_NO_PIN: Final = ", which does not begin with a number that could be a PIN"


def _is_reason(reason: str) -> bool:
    """A PIN that was typed in the wrong place must not be recorded as a reason."""
    words = reason.split()
    return sum(map(str.isalpha, reason)) >= 3 and not _PIN.fullmatch(words[0])


def _check_text(text: str) -> None:
    if len(text) > LONGEST or not text.isprintable():
        raise OfficeRefused("bad_text", f"Write one line of at most {LONGEST} letters.")


def _check_count(records: Records, event: BoxCounted) -> None:
    if event.taken_in:
        _check_taken_in(records, event)
        return
    check_signatures("count", event.by)
    if event.counted < 0 or (event.jackpot or 0) < 0:
        raise OfficeRefused("bad_amount", "A count cannot be negative.")
    if event.threshold != records.brief.threshold:
        raise OfficeRefused("threshold", "The threshold is another one.")
    if records.count_of(key_of(event)) is not None:
        if not _is_reason(event.reason):
            raise OfficeRefused(
                "counted_before",
                "This box was counted before. To correct the count, give a reason of at least "
                f"three letters{_NO_PIN}; the old figure stays.",
            )
        _check_text(event.reason)
    elif event.reason:
        raise OfficeRefused("not_counted", "A first count has no reason: nothing is corrected.")


def _check_taken_in(records: Records, event: BoxCounted) -> None:
    """A list that nobody signed never takes the place of a count that somebody did."""
    if any(not counted.event.taken_in for counted in records.counts_of(key_of(event))):
        raise OfficeRefused("counted_before", "This box was counted with signatures.")


def _reviewed(records: Records, event: VarianceExplained | VarianceClosed) -> Counted:
    counted = records.count(event.count, event.year)
    if counted is None:
        raise OfficeRefused("no_count", f"There is no count {event.count} in {event.year}.")
    if records.count_of(key_of(counted.event)) != counted:
        raise OfficeRefused("corrected", "This count was corrected: review the one that stands.")
    if not counted.needs_review:
        raise OfficeRefused("no_variance", "This count needs no review.")
    if records.review_of(counted).closed is not None:
        raise OfficeRefused("closed", "This variance is closed.")
    return counted


def _check_close(records: Records, event: VarianceClosed) -> None:
    review = records.review_of(_reviewed(records, event))
    if not review.explained:
        raise OfficeRefused("not_explained", "The variance must be explained first.")
    if review.explained[-1].event.by.id == event.by.id:
        raise OfficeRefused(
            "two_persons", "Somebody else closes a variance than the one who explained it."
        )


def _check_staff(records: Records, event: StaffChanged) -> None:
    by = () if event.by is None else (event.by,)
    if records.brief.room_list.key:
        raise OfficeRefused("room_list", ROOM_LIST)
    if event.change in ("init", "taken_in"):
        if records.brief.staff:
            raise OfficeRefused("staff", "There is a staff list already.")
        if by:
            check_signatures("first", by)
        return
    if not records.brief.staff:
        raise OfficeRefused("staff", "There is no staff list yet.")
    own = event.change == "pin" and event.by is not None and event.by.id == event.person
    check_signatures("own_pin" if own else "staff", by)


ROOM_LIST: Final = (
    "This folder takes the staff list of the room: change it in the office, and publish it there."
)


def _check_list(
    records: Records, event: ListPublished | RoomListFollowed | RoomListTaken | RoomListRefused
) -> None:
    now, has_list = records.brief.room_list, bool(records.brief.staff)
    if isinstance(event, ListPublished):
        check_signatures("publish", (event.by,))
        if now.key:
            raise OfficeRefused("room_list", ROOM_LIST)
        if not has_list or event.version <= now.published:
            raise OfficeRefused("list", "There is no list, or not a newer one, to publish.")
        key = event.key
    elif isinstance(event, RoomListFollowed):
        if has_list or event.by is not None:
            check_signatures("follow", () if event.by is None else (event.by,))
        if records.brief.demo or event.key == now.key:
            raise OfficeRefused("list", "The demo has its own staff, and takes no other list."
                                if records.brief.demo else "That changes nothing.")  # fmt: skip
        return
    else:
        if not now.key:
            raise OfficeRefused("list", "This folder has a staff list of its own.")
        if isinstance(event, RoomListRefused):
            if event.why in now.refused:
                raise OfficeRefused("list", "Such a list was refused before.")
            return
        if event.version <= now.version:
            raise OfficeRefused("list_older", "The list that is used is not older than this one.")
        key = now.key
    if not is_published(key, event.version, event.list_sha256, event.signature):
        raise OfficeRefused("list_forged", "The office did not sign this list.")


def _check_pin(records: Records, event: PinRefused) -> None:
    locks = records.brief.locks
    expected = 0 if event.why == "locked" else locks.next_lock(event.person)
    if event.locks_for != expected:
        raise OfficeRefused("lock", "The lock after this wrong PIN has another length.")

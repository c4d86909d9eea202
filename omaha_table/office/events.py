"""Events of the office journal. Nothing in it is changed: a correction is an event of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from omaha_table.money import Cents

OFFICE: Final = "office"
"""What the office journal has in the place of a table's name."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Somebody who typed a PIN, with the name and role of that moment."""

    id: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class OfficeOpened:
    """The second event of each year: what the year before left."""

    carried: dict[str, Any]
    """What every seal of the office journal has in it."""
    demo: bool = False
    """Of the demo: its staff and their PINs are printed in the README."""


@dataclass(frozen=True, slots=True)
class BoxCounted:
    """What was in a box. A later count of the same box corrects this one, which stays."""

    table: str
    day: str
    log: str
    """The journal in which the box was opened."""
    shift: str
    box: str
    jackpot_box: str | None
    """None: of a list of 0.1.0, which did not keep it."""
    counted: Cents
    jackpot: Cents | None
    """What was in the jackpot's box; None: not counted."""
    due: Cents
    jackpot_due: Cents
    """What the log said when it was counted."""
    threshold: Cents
    """A difference above it needs a review."""
    by: tuple[Signature, ...]
    reason: str = ""
    """Why an earlier count is corrected."""
    taken_in: str = ""
    """When it was counted, if it comes from a list of 0.1.0, which nobody signed with a PIN."""


@dataclass(frozen=True, slots=True)
class VarianceExplained:
    year: str
    count: int
    """The number of the count, in the journal of that year."""
    reason: str
    by: Signature


@dataclass(frozen=True, slots=True)
class VarianceClosed:
    year: str
    count: int
    reason: str
    by: Signature


@dataclass(frozen=True, slots=True)
class ThresholdSet:
    """From now on a difference above this amount needs a review."""

    amount: Cents
    by: Signature


@dataclass(frozen=True, slots=True)
class HandNoted:
    about: str
    """The table, day and number, as the review names a hand."""
    note: str
    by: Signature | None
    """None: of a list of 0.1.0."""
    taken_in: str = ""


@dataclass(frozen=True, slots=True)
class HandTagged:
    about: str
    tag: str
    on: bool
    by: Signature | None
    taken_in: str = ""


@dataclass(frozen=True, slots=True)
class ListTakenIn:
    """The end of what was taken over from a list of 0.1.0: it is not read again."""

    file: str
    sha256: str
    entries: int
    damaged: int = 0
    """Lines that could not be read and were left out."""


Change: TypeAlias = Literal["init", "taken_in", "add", "disable", "enable", "pin"]


@dataclass(frozen=True, slots=True)
class StaffChanged:
    """A change to the staff list, and the list as it is from now on."""

    change: Change
    person: str
    name: str
    role: str
    by: Signature | None
    """None for the first shift manager, and for a list that was there before this journal."""
    list_sha256: str


@dataclass(frozen=True, slots=True)
class PinRefused:
    """A PIN that was not accepted, wherever it was typed."""

    purpose: str
    """What it was for, such as 'ruling' or 'count'; never what was typed."""
    where: str
    """The table; empty: a command of the office."""
    person: str
    """The staff number that was given; empty: none, so it counts against the keypad."""
    why: Literal["wrong_pin", "locked", "disabled", "not_allowed", "taken"]
    """'taken': a new PIN that somebody has, which the one who chose it knows now."""
    at: int
    """Seconds since 1970."""
    running: int
    """Seconds since the machine was started: they do not move with the clock."""
    boot: str
    """Which start of the machine that was."""
    locks_for: int = 0
    """Seconds, if this was one too many."""


@dataclass(frozen=True, slots=True)
class PinAccepted:
    """After failures: from here they do not count any more."""

    purpose: str
    where: str
    keypad: bool
    """Whether it was typed without a staff number."""
    by: Signature


@dataclass(frozen=True, slots=True)
class Unsealed:
    """Face-down cards were opened by the surveillance office; recorded before they are shown."""

    table: str
    day: str
    log: str
    first_hand: int
    last_hand: int
    seats: tuple[int, ...]
    """Empty: all; 0: burn cards."""
    case: str
    reason: str
    by: tuple[Signature, ...]
    at_the_table: bool = False
    """Whether it was forced on the machine that deals."""
    not_sound: str = ""
    """What is wrong with the journal that the cards come from; empty: it agrees with itself."""


@dataclass(frozen=True, slots=True)
class TableEnrolled:
    """A table, or the office itself, goes on in a new journal after a damaged one."""

    table: str
    """A table, or the office."""
    log: str
    broken: str
    why_broken: str
    reason: str
    by: Signature


@dataclass(frozen=True, slots=True)
class SectionTaken:
    """From now on somebody supervises these tables, and nobody else does."""

    section: str
    tables: tuple[str, ...]
    """Empty: nobody supervises the section any more."""
    by: Signature


@dataclass(frozen=True, slots=True)
class TableReadmitted:
    """A table was let back into the room after an alarm; recorded before it is."""

    table: str
    alarms: tuple[str, ...]
    """What the room had against it."""
    reason: str
    by: Signature


@dataclass(frozen=True, slots=True)
class ListPublished:
    """The staff list of this folder, for the tables of a room, signed with the office's key."""

    version: int
    list_sha256: str
    key: str
    """The public key of the office, in hex."""
    signature: str
    by: Signature


@dataclass(frozen=True, slots=True)
class RoomListFollowed:
    """From now on the staff list is the one that the office with this key publishes."""

    key: str
    """Empty: no office's any more; the list that is here stays, and is changed here."""
    by: Signature | None
    """None: there was no list yet, so there was nobody to sign."""


@dataclass(frozen=True, slots=True)
class RoomListTaken:
    """The staff list is this one from here on."""

    version: int
    list_sha256: str
    signature: str


Unused: TypeAlias = Literal["list_older", "list_forged", "list_unusable"]


@dataclass(frozen=True, slots=True)
class RoomListRefused:
    """The room offered a list that is not used; the one that is here stays."""

    version: int
    list_sha256: str
    why: Unused


OfficeEvent: TypeAlias = (
    OfficeOpened
    | BoxCounted
    | VarianceExplained
    | VarianceClosed
    | ThresholdSet
    | HandNoted
    | HandTagged
    | ListTakenIn
    | StaffChanged
    | PinRefused
    | PinAccepted
    | Unsealed
    | TableEnrolled
    | SectionTaken
    | TableReadmitted
    | ListPublished
    | RoomListFollowed
    | RoomListTaken
    | RoomListRefused
)

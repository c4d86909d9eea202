"""What `update` takes: keys, reports, the clock, and the answers to its effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_drivers.events import Report

    from omaha_table.dealer.change import Change, Then
    from omaha_table.dealer.model import Facts, Model
    from omaha_table.floor import Identity
    from omaha_table.journal.events import Record
    from omaha_table.journal.faults import JournalFault
    from omaha_table.journal.similar_rulings import SimilarRulings
    from omaha_table.session.answer import Answer


@dataclass(frozen=True, slots=True)
class KeyPressed:
    name: str
    """As the terminal names it."""
    at: float
    """Seconds of a clock that is never moved."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A device has reported something."""

    report: Report


@dataclass(frozen=True, slots=True)
class Ticked:
    at: float


@dataclass(frozen=True, slots=True)
class Hinted:
    """A simulated player speaks; empty: no more."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What the table answered to a command, a PIN or a ruling."""

    answer: Answer
    facts: Facts
    then: Then


@dataclass(frozen=True, slots=True)
class PinLookedUp:
    identity: Identity
    then: Callable[[Model, Identity], Change]


@dataclass(frozen=True, slots=True)
class SimilarFound:
    """How a ruling was given before."""

    found: SimilarRulings
    then: Callable[[Model, SimilarRulings], Change]


@dataclass(frozen=True, slots=True)
class ReportTaken:
    """The first of the pending reports is carried out."""

    records: Sequence[Record]
    facts: Facts


@dataclass(frozen=True, slots=True)
class FactsChanged:
    facts: Facts


@dataclass(frozen=True, slots=True)
class LogStopped:
    """The log took nothing."""

    fault: JournalFault
    can_reopen: bool
    facts: Facts


@dataclass(frozen=True, slots=True)
class LogOpened:
    """At the start, or again after a fault: where the table stands."""

    facts: Facts
    records: Sequence[Record]
    """Written while it was opened."""
    hand: Sequence[Record]
    """Of the open hand, written before."""
    recovered: str
    """Where a restart found the table; empty after a clean start."""


Message = (
    KeyPressed
    | Reported
    | Ticked
    | Hinted
    | Answered
    | PinLookedUp
    | SimilarFound
    | ReportTaken
    | FactsChanged
    | LogStopped
    | LogOpened
)

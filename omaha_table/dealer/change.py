"""What `update` returns: the next model, and what must be done outside of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.events import Report

    from omaha_table.dealer.model import Mode, Model
    from omaha_table.floor import Give, Identity
    from omaha_table.journal.similar_rulings import SimilarRulings
    from omaha_table.session.answer import Answer
    from omaha_table.session.signers import Purpose
    from omaha_table.table.commands import CloseShift, OpenShift, TableCommand

_SEAT_DIGITS: Final = 2

Action: TypeAlias = "Callable[[Model], Change]"
"""What a key does."""
Then: TypeAlias = "Callable[[Model, Answer], Change]"
"""What follows when the table has answered."""


@dataclass(frozen=True, slots=True)
class Change:
    model: Model
    effects: tuple[Effect, ...] = ()


# What follows an answer


def stay(model: Model, answer: Answer) -> Change:
    """A refusal is shown; otherwise the table shows by itself what has changed."""
    refusal = answer.refusal
    return Change(model if refusal is None else model.refuse(refusal.message))


def leave_if_done(model: Model, answer: Answer) -> Change:
    return stay(model, answer) if answer.refusal is not None else Change(model.leave())


# Effects


@dataclass(frozen=True, slots=True)
class Do:
    """Carry a command out at the table."""

    command: TableCommand
    then: Then = stay


@dataclass(frozen=True, slots=True)
class LookUpPin:
    """Find out whose PIN this is. Keys pressed meanwhile wait."""

    pin: str = field(repr=False)
    then: Callable[[Model, Identity], Change]
    number: str = ""
    """The staff number that was typed before it: only that person's PIN is tried."""
    purpose: Purpose = "ruling"


@dataclass(frozen=True, slots=True)
class CheckPin:
    """See whether somebody may give rulings; a wrong PIN is recorded."""

    identity: Identity
    then: Then


@dataclass(frozen=True, slots=True)
class SignDealerIn:
    """A dealer sits down, with the PIN that was looked up."""

    dealer: str
    identity: Identity
    then: Then


@dataclass(frozen=True, slots=True)
class SignShiftChange:
    """Open or close a shift, with the PIN that was looked up."""

    command: OpenShift | CloseShift
    identity: Identity
    then: Then


@dataclass(frozen=True, slots=True)
class Rule:
    """Give a ruling."""

    ruling: Give = field(repr=False)
    then: Then


@dataclass(frozen=True, slots=True)
class FindSimilar:
    """Look in the table's logs for how a ruling was given before."""

    ruling: str
    words: tuple[str, ...]
    then: Callable[[Model, SimilarRulings], Change]


@dataclass(frozen=True, slots=True)
class TakeReport:
    """Carry out what a device has reported."""

    report: Report


@dataclass(frozen=True, slots=True)
class AcknowledgeAlarm:
    """The dealer has seen the alarm that stands."""


@dataclass(frozen=True, slots=True)
class KeyCards:
    """The dealer keys the cards of this hand: the shoe's reports no longer fit its slots."""


@dataclass(frozen=True, slots=True)
class RecordUnread:
    """The dealer records a card that the shoe has missed; its report may still come."""


@dataclass(frozen=True, slots=True)
class PutBackEarly:
    """Cards that were drawn before the hand are back in the shoe, and come again."""


@dataclass(frozen=True, slots=True)
class ReopenLog:
    """Open the log again after a fault."""


Effect = (
    Do
    | LookUpPin
    | CheckPin
    | SignDealerIn
    | SignShiftChange
    | Rule
    | FindSimilar
    | TakeReport
    | AcknowledgeAlarm
    | KeyCards
    | RecordUnread
    | PutBackEarly
    | ReopenLog
)


# Actions that many keys share


def do(command: TableCommand, then: Then = stay) -> Action:
    """Carries a command out; what was typed is used up."""
    return lambda model: Change(model.clear(), (Do(command, then),))


def enter(mode: Mode) -> Action:
    return lambda model: Change(model.enter(mode))


def instead(mode: Mode) -> Action:
    """Leaves this mode for another."""
    return lambda model: Change(model.leave().enter(mode))


def become(mode: Mode) -> Action:
    """The same mode, changed."""
    return lambda model: Change(model.become(mode))


def leave(model: Model) -> Change:
    return Change(model.leave())


def leave_all(model: Model) -> Change:
    return Change(model.leave_all())


def clear(model: Model) -> Change:
    return Change(model.clear())


def type_digit(model: Model, digit: str) -> Change:
    return Change(model.type_digit(digit))


def type_seat(model: Model, digit: str) -> Change:
    """No seat has three digits: an amount or a card that is typed too early is stopped early."""
    if len(model.typed) == _SEAT_DIGITS:
        return Change(model.refuse("A seat has two digits at most. Press . to clear."))
    return type_digit(model, digit)


def type_figure(model: Model, digit: str) -> Change:
    return Change(model.type_figure(digit))

"""What `update` returns: the next model, and what must be done outside of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.events import Report

    from omaha_table.dealer.model import Mode, Model
    from omaha_table.floor import Give, Identity
    from omaha_table.session.answer import Answer
    from omaha_table.table.commands import TableCommand

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


@dataclass(frozen=True, slots=True)
class CheckPin:
    """See whether somebody may give rulings; a wrong PIN is recorded."""

    identity: Identity
    then: Then


@dataclass(frozen=True, slots=True)
class Rule:
    """Give a ruling."""

    ruling: Give = field(repr=False)
    then: Then


@dataclass(frozen=True, slots=True)
class TakeReport:
    """Carry out what a device has reported."""

    report: Report


@dataclass(frozen=True, slots=True)
class AcknowledgeAlarms:
    """The dealer has seen the alarms."""


@dataclass(frozen=True, slots=True)
class KeyCards:
    """The dealer keys the cards of this hand: the shoe's reports no longer fit its slots."""


@dataclass(frozen=True, slots=True)
class RecordUnread:
    """The dealer records a card that the shoe has missed; its report may still come."""

    number: int


@dataclass(frozen=True, slots=True)
class ReopenLog:
    """Open the log again after a fault."""


Effect = (
    Do
    | LookUpPin
    | CheckPin
    | Rule
    | TakeReport
    | AcknowledgeAlarms
    | KeyCards
    | RecordUnread
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


def type_figure(model: Model, digit: str) -> Change:
    return Change(model.type_figure(digit))

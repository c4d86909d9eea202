"""Folds a log into the table's state, with the same `apply` that the running table uses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, get_args

from omaha_table.hand.frozen import replace
from omaha_table.journal.codec import RecordError
from omaha_table.journal.events import DayCarried, LogEvent
from omaha_table.journal.reader import record_of
from omaha_table.journal.snapshot import carry_over, restore
from omaha_table.office.events import OfficeEvent
from omaha_table.table import apply, open_table
from omaha_table.table.events import RulesChanged, TableOpened
from omaha_table.table.folding import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omaha_table.journal.events import Event
    from omaha_table.journal.rows import Rows
    from omaha_table.rules import Profile
    from omaha_table.table import TableState

OPENING = 2
"""The number of the row that opens the table; row 1 opens the day."""


def advance(state: TableState, event: Event) -> TableState:
    """The table after an event of its log.

    An event of the log itself only adds to the count, but for what a day begins with.
    """
    if isinstance(event, DayCarried):
        return carry_over(event, state.profile, state.seq + 1)
    # By sets: `isinstance` would try dozens of types for every event of a log.
    kind = type(event)
    if kind in _OF_THE_LOG:
        return replace(state, seq=state.seq + 1)
    if kind in _OF_THE_OFFICE:
        raise TypeError("an event of the office journal in a table's")
    return apply(state, event)  # type: ignore[arg-type]


_OF_THE_LOG: Final = frozenset(get_args(LogEvent))
_OF_THE_OFFICE: Final = frozenset(get_args(OfficeEvent))


def advance_all(state: TableState, events: Iterable[Event]) -> TableState:
    for event in events:
        state = advance(state, event)
    return state


def table_after(opening: Sequence[Event]) -> TableState:
    """The table after the first events of a day."""
    first, opened, *rest = opening
    assert isinstance(opened, TableOpened), first
    return advance_all(open_table(opened, OPENING), rest)


def table_before(rows: Rows, seq: int) -> TableState:
    """The table before an event, folded from the last seal or the opening.

    Raises RecordError, ValueError, KeyError or TypeError if the rows are inconsistent.
    """
    state = _sealed_table(rows, seq)
    for row in rows.since(state.seq):
        if row.seq >= seq:
            break
        state = advance(state, record_of(row).event)
    return state


def _sealed_table(rows: Rows, before: int) -> TableState:
    seal = rows.last_seal(before)
    if seal is None:
        opened = event_at(rows, OPENING)
        if not isinstance(opened, TableOpened):
            raise RecordError("event 2 does not open a table")
        return open_table(opened, OPENING)
    # A seal holds the table without the profile, which is long and rarely changes: it names the
    # event that set it.
    kept = json.loads(seal.body)["state"]
    return restore(kept["table"], profile_at(rows, int(kept["rules_seq"])), seal.seq)


def profile_at(rows: Rows, seq: int) -> Profile:
    """The rules that an event set; raises RecordError."""
    event = event_at(rows, seq)
    if not isinstance(event, TableOpened | RulesChanged):
        raise RecordError(f"event {seq} has no rules in it")
    return rules_of(event)[0]


def rules_seq(rows: Rows) -> int:
    """The number of the event that set the current profile."""
    seal = rows.last_seal()
    found = OPENING if seal is None else int(json.loads(seal.body)["state"]["rules_seq"])
    for row in rows.since(0 if seal is None else seal.seq, ("rules_changed",)):
        found = row.seq
    return found


def event_at(rows: Rows, seq: int) -> Event:
    """The event with this number; raises RecordError."""
    row = rows.get(seq)
    if row is None:
        raise RecordError(f"event {seq} is missing")
    return record_of(row).event

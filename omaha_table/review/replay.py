"""One hand again, event by event, with the table as it stood after each."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omaha_table.desk.front.sayings import say
from omaha_table.desk.logged import record_of
from omaha_table.hand.events import HandEnded
from omaha_table.journal.chain import Row
from omaha_table.journal.codec import RecordError
from omaha_table.journal.diary import Refusal, read_refusals
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.snapshot import restore
from omaha_table.journal.store import SEAL, open_for_reading, read_rows
from omaha_table.table import TableState, apply, open_table
from omaha_table.table.apply import rules_of
from omaha_table.table.events import RulesChanged, TableOpened

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.table.events import TableEvent

_COLUMNS = "seq, hand, at_us, mono_us, kind, actor, body, hash"


@dataclass(frozen=True, slots=True)
class Frame:
    """An event, when it was written, and the table after it; or what was refused in between."""

    seq: int
    """Of the event, or of the one before the refusal."""
    at_us: int
    event: TableEvent | Refusal
    state: TableState
    hash: str


def frames(path: Path, first: int) -> list[Frame]:
    """The frames of the hand that begins with an event; read from the seal before it.

    What was refused stands where it was refused; it is from the diary, which is not sealed.
    """
    connection = open_for_reading(path)
    try:
        state = _before(connection, first)
        made: list[Frame] = []
        for row in read_rows(connection, state.seq):
            event = record_of(row).event
            state = apply(state, event)
            if row.seq >= first:
                made.append(Frame(row.seq, row.at_us, event, state, row.hash.hex()))
            if row.seq >= first and isinstance(event, HandEnded):
                break
        made = _with_refusals(made, read_refusals(connection, first, state.seq - 1))
    except (RecordError, sqlite3.Error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Tampered(f"The hand cannot be played again: {type(error).__name__}.") from None
    finally:
        connection.close()
    return made


def steps_of(path: Path, first: int, last: int) -> list[tuple[int, str]]:
    """What happened in a hand, in words and with times; nothing where it cannot be read."""
    said: list[tuple[int, str]] = []
    try:
        connection = open_for_reading(path)
    except JournalFault:
        return said
    try:
        for row in read_rows(connection, first - 1):
            if row.seq > last:
                break
            said.append((row.at_us, say(record_of(row).event)))
    except (RecordError, JournalFault):
        pass
    finally:
        connection.close()
    return [(at_us, words) for at_us, words in said if words]


def _with_refusals(made: list[Frame], refusals: list[Refusal]) -> list[Frame]:
    after: defaultdict[int, list[Refusal]] = defaultdict(list)
    for refusal in refusals:
        after[refusal.after_seq].append(refusal)
    return [
        shown
        for frame in made
        for shown in (
            frame,
            *(replace(frame, at_us=r.at_us, event=r) for r in after[frame.seq]),
        )
    ]


def _before(connection: sqlite3.Connection, first: int) -> TableState:
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM event WHERE kind = ? AND seq < ? ORDER BY seq DESC LIMIT 1",
        (SEAL, first),
    ).fetchone()
    if found is None:
        opened = _event(connection, 2)
        if not isinstance(opened, TableOpened):
            raise RecordError("no opening")
        return open_table(opened, 2)
    kept = json.loads(Row._make(found).body)["state"]
    rules = _event(connection, int(kept["rules_seq"]))
    if not isinstance(rules, TableOpened | RulesChanged):
        raise RecordError("no rules")
    return restore(kept["table"], rules_of(rules)[0], int(found[0]))


def _event(connection: sqlite3.Connection, seq: int) -> TableEvent:
    found = connection.execute(f"SELECT {_COLUMNS} FROM event WHERE seq = ?", (seq,)).fetchone()
    if found is None:
        raise RecordError(f"event {seq} is missing")
    return record_of(Row._make(found)).event

"""Opening a table on its journal: a new day, or going on from where the last process stopped."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from omaha_table import __version__
from omaha_table.hand.phases import Phase
from omaha_table.journal.chain import START, follows
from omaha_table.journal.codec import Record, RecordError, from_stored, to_json
from omaha_table.journal.days import day_files, next_segment
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.journal import Clock, Entry, Journal
from omaha_table.journal.keys import verify_signature
from omaha_table.journal.snapshot import restore
from omaha_table.journal.store import SEAL, open_for_reading, read_rows
from omaha_table.table import apply, open_table
from omaha_table.table.apply import rules_of
from omaha_table.table.events import DayOpened, RulesChanged, TableOpened

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.hand import HandState
    from omaha_table.journal.chain import Row
    from omaha_table.rules import Profile
    from omaha_table.table import TableState

DAY_BEGINS = timedelta(hours=6)


def gaming_day(wall: float) -> str:
    """The gaming day runs from six in the morning."""
    return (datetime.fromtimestamp(wall, UTC).astimezone() - DAY_BEGINS).date().isoformat()


def holder() -> str:
    """Who writes: shown to a second console on the same table."""
    program = os.path.basename(sys.argv[0]) or "omaha-table"  # noqa: PTH119 - a name, not a path
    return f"{program} (process {os.getpid()} on {platform.node() or 'this machine'})"


def open_journal(folder: Path, table: str, mirror: Path | None, clock: Clock) -> Journal:
    """The day that is still open, whatever the date; else today's, or another sitting of it."""
    day = gaming_day(clock.wall())
    days = day_files(folder, table)
    left = _open_day(days)
    if left is not None and _finish_closing(left, table, mirror, clock):
        left = _open_day(days)
    if left is not None:
        day = left.stem.removeprefix(f"{table}-")
    elif days and days[-1].stem.startswith(f"{table}-{day}"):
        day = next_segment(days[-1].stem.removeprefix(f"{table}-"))
    return Journal(folder, table, day, holder=holder(), mirror=mirror, clock=clock)


def _open_day(days: list[Path]) -> Path | None:
    """The latest day without a receipt, unless another segment has taken its place.

    It need not be the last: a day may have been dealt while the clock was ahead.
    """
    for path in reversed(days):
        date = path.stem[: len(path.stem.rstrip("bcdefghijklmnopqrstuvwxyz"))]
        later = [other for other in days if other > path and other.stem.startswith(date)]
        if not path.with_suffix(".receipt").exists() and not later:
            return path
    return None


def _finish_closing(path: Path, table: str, mirror: Path | None, clock: Clock) -> bool:
    """Whether a day's last word was that it is closed; killed before its receipt, it gets that."""
    try:
        connection = open_for_reading(path)
    except JournalFault:
        return False  # told when it is opened
    try:
        [last] = connection.execute("SELECT max(seq) FROM event").fetchone()
        rows = list(read_rows(connection, (last or 0) - 2))
    except (JournalFault, sqlite3.Error, TypeError):
        return False
    finally:
        connection.close()
    if [row.kind for row in rows] != ["day_closed", SEAL]:
        return False
    path.chmod(0o600)
    day = path.stem.removeprefix(f"{table}-")
    journal = Journal(path.parent, table, day, holder=holder(), mirror=mirror, clock=clock)
    journal.close_day(json.loads(rows[-1].body))
    return True


def check_open_day(folder: Path, table: str) -> None:
    """Raises Tampered where the day that would be gone on with is not what was written.

    Opening a journal looks at its end alone; a damaged one must never be written on.
    """
    path = _open_day(day_files(folder, table))
    if path is None or not path.stat().st_size:
        return
    connection = open_for_reading(path)
    head, seq, key = START, 0, ""
    try:
        for row in read_rows(connection):
            if row.seq == 1:
                opened = json.loads(row.body)
                head, key = bytes.fromhex(opened["previous"]), opened["public_key"]
            if row.seq != seq + 1 or not follows(row, head):
                raise Tampered(f"Event {row.seq} is not what was written.")
            head, seq = row.hash, row.seq
            if row.kind == SEAL:
                seal = json.loads(row.body)
                if not verify_signature(key, seal):
                    raise Tampered(f"The seal at event {row.seq} was made with another key.")
                key = seal["next_key"]
    except (ValueError, KeyError, TypeError):
        raise Tampered(f"Event {seq + 1} is not what was written.") from None
    finally:
        connection.close()


def previous_head(journal: Journal) -> str:
    """The head of the last closed day, in hex."""
    days = day_files(journal.folder, journal.table)
    earlier = [path for path in days if path < journal.path]
    if not earlier:
        return START.hex()
    try:
        receipt = json.loads(earlier[-1].with_suffix(".receipt").read_text())
        return bytes.fromhex(receipt["head"]).hex()
    except (OSError, ValueError, KeyError, TypeError):
        said = f"The receipt of {earlier[-1].name} is missing or cannot be read."
        raise Tampered(said) from None


def first_events(journal: Journal, opened: TableOpened) -> list[DayOpened | TableOpened]:
    previous = previous_head(journal)
    journal.begin(bytes.fromhex(previous))
    return [
        DayOpened(journal.table, journal.day, previous, journal.public_key, __version__),
        opened,
    ]


def entry_of(record: Record) -> Entry:
    """A record as the journal takes it: what is in a column is not in the body."""
    data = to_json(record)
    kind = data.pop("type")
    del data["seq"], data["hand"]
    return Entry(record.seq, record.hand, kind, data)


def record_of(row: Row) -> Record:
    """The record in a row; raises RecordError."""
    return from_stored(row.seq, row.hand, row.kind, row.body)


def read_back(journal: Journal) -> TableState:
    """The table as the journal left it, from the last seal on."""
    seal = journal.last_seal()
    try:
        if seal is None:
            state, after = _from_the_start(journal)
        else:
            kept: dict[str, Any] = json.loads(seal.body)["state"]
            state = restore(kept["table"], _profile_at(journal, kept["rules_seq"]), seal.seq)
            after = seal.seq
        for row in journal.since(after):
            state = apply(state, record_of(row).event)
    except (RecordError, ValueError, KeyError, TypeError) as error:
        raise Tampered(f"The journal cannot be folded: {error}.") from None
    return state


def rules_seq(journal: Journal) -> int:
    """Where the profile in force was written."""
    seal = journal.last_seal()
    found = 2 if seal is None else int(json.loads(seal.body)["state"]["rules_seq"])
    after = 0 if seal is None else seal.seq
    for row in journal.since(after):
        if row.kind == "rules_changed":
            found = row.seq
    return found


def _from_the_start(journal: Journal) -> tuple[TableState, int]:
    row = journal.get(2)
    opened = None if row is None else record_of(row).event
    if not isinstance(opened, TableOpened):
        raise RecordError("no opening")
    return open_table(opened, 2), 2


def _profile_at(journal: Journal, seq: int) -> Profile:
    row = journal.get(seq)
    event = None if row is None else record_of(row).event
    if not isinstance(event, TableOpened | RulesChanged):
        raise RecordError(f"event {seq} holds no rules")
    return rules_of(event)[0]


def where(state: TableState) -> str:
    """'hand 118, flop, action on seat 4': for the dealer to confirm against the felt."""
    hand = state.hand
    if hand is None:
        return f"between hands, {state.hands} played"
    return f"hand {state.hands}, {hand.street.word}, {_doing(hand)}"


def _doing(hand: HandState) -> str:
    match hand.phase:
        case Phase.BETTING:
            return f"action on seat {hand.actor}"
        case Phase.DEAL:
            return f"{hand.cards_out} hole cards out"
        case Phase.BOARD:
            return f"betting over, {hand.street.following.word} due"
        case _:
            return str(hand.phase)

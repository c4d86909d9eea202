"""Opens a table's journal: a new day, or the open day where the last process stopped.

Where the day before ended without the table being closed, the new day begins with that table. A
console that deals past six in the morning closes the day and opens the next one in the same way, so
that a kill between the two changes nothing.
"""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table import __version__
from omaha_table.journal.chain import START
from omaha_table.journal.codec import RecordError
from omaha_table.journal.days import date_of, day_files, gaming_day, next_segment
from omaha_table.journal.events import DayCarried, DayOpened, JournalSealed
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.keys import has_keys, keys_beside, read_json
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.replay import event_at, table_before
from omaha_table.journal.schema import SEAL
from omaha_table.journal.snapshot import take
from omaha_table.journal.store import finish_closed
from omaha_table.journal.walk import Broken, ChainWalk, from_last_seal
from omaha_table.journal.writer import Clock, JournalWriter
from omaha_table.table.events import DevicesCarried, TableOpened

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Event
    from omaha_table.journal.reader import JournalRows
    from omaha_table.table import TableState


FINISHED = 10
"""How many of the last days are looked at for one that a reader kept from being made read-only."""


def writer_name() -> str:
    """Names this process, for the message that a second console on the same table shows."""
    program = os.path.basename(sys.argv[0]) or "omaha-table"  # noqa: PTH119 - a name, not a path
    return f"{program} (process {os.getpid()} on {platform.node() or 'this machine'})"


def open_journal(
    folder: Path, table: str, mirror: Path | None, clock: Clock, group: int | None = None
) -> JournalWriter:
    """Opens the day that is still open, whatever its date; else today, or the next segment of the
    last day: where the clock was ahead and is right again, the log still goes on after its end."""
    day = gaming_day(clock.wall())
    days = day_files(folder, table)
    for path in days[-FINISHED:]:
        finish_closed(path, group)
    still_open = _open_day(days)
    if still_open is not None and _finish_closing(still_open, table, mirror, clock, group):
        still_open = _open_day(days)
    if still_open is not None:
        day = still_open.stem.removeprefix(f"{table}-")
    elif days and not has_keys(folder, table):
        # Made here again, they would begin a day that does not fit the one before it.
        raise Tampered(f"The key that must seal what follows {days[-1].name} is missing.")
    elif days and date_of(last := days[-1].stem.removeprefix(f"{table}-")) >= day:
        day = next_segment(last)
    return JournalWriter(
        folder, table, day, holder=writer_name(), mirror=mirror, clock=clock, group=group
    )


def _open_day(days: list[Path]) -> Path | None:
    """The latest day without a receipt, unless another segment has replaced it.

    It may not be the last one: a day may have been dealt while the clock was ahead.
    """
    for path in reversed(days):
        date = date_of(path.stem)
        later = [other for other in days if other > path and other.stem.startswith(date)]
        if not path.with_suffix(".receipt").exists() and not later:
            return path
    return None


def _finish_closing(
    path: Path, table: str, mirror: Path | None, clock: Clock, group: int | None
) -> bool:
    """Writes the missing receipt of a day that was closed just before a kill; whether it was."""
    try:
        with Reader(path) as reader:
            rows = list(reader.since(reader.count() - 2))
    except JournalFault:
        return False  # opening the day reports it
    if [row.kind for row in rows] != ["day_closed", SEAL]:
        return False
    path.chmod(0o600)
    day = path.stem.removeprefix(f"{table}-")
    journal = JournalWriter(
        path.parent, table, day, holder=writer_name(), mirror=mirror, clock=clock, group=group
    )
    seal = record_of(rows[-1]).event
    assert isinstance(seal, JournalSealed)
    journal.close_day(seal)
    return True


def check_open_day(folder: Path, table: str) -> None:
    """Raises Tampered if the day that would be continued was changed or damaged.

    Opening a journal checks only its end, and a damaged journal must never be written to.
    """
    path = _open_day(day_files(folder, table))
    if path is None or not path.stat().st_size:
        return
    walk = ChainWalk()
    try:
        with Reader(path) as reader:
            for row in reader.since():
                walk.step(row)
    except Broken as broken:
        raise Tampered(f"Event {broken.event}: {broken.message}.") from None


def key_is_missing(path: Path, table: str) -> bool:
    """Whether what follows a sound journal cannot be sealed, because its folder is a copy without
    the table's keys. Raises JournalFault."""
    with Reader(path) as reader:
        walk = from_last_seal(reader)
        for row in reader.since(walk.seq):
            walk.step(row)
    return walk.key not in keys_beside(path.parent, table)


@dataclass(frozen=True, slots=True)
class DayBefore:
    """How the day before ended."""

    head: str
    table: TableState
    carried: DayCarried
    resume_points: tuple[tuple[str, str], ...]
    """Where the devices go on."""
    demo: bool


def day_before(journal: JournalWriter) -> DayBefore | None:
    """The end of a table's last day; None: this is its first. Raises Tampered."""
    earlier = [path for path in day_files(journal.folder, journal.table) if path < journal.path]
    if not earlier:
        return None
    path = earlier[-1]
    try:
        receipt = read_json(path.with_suffix(".receipt"))
        head = bytes.fromhex(receipt["head"]).hex()
    except (OSError, ValueError, KeyError, TypeError):
        raise Tampered(f"The receipt of {path.name} is missing or cannot be read.") from None
    try:
        with Reader(path) as reader:
            walk = from_last_seal(reader)
            for row in reader.since(walk.seq):
                walk.step(row)
            if walk.head.hex() != head:
                raise Tampered(f"The receipt of {path.name} does not match its end.")
            table = table_before(reader, walk.seq + 1)
            day = path.stem.removeprefix(f"{journal.table}-")
            box = ("", "") if table.shift is None else _box_opened(reader)
            carried = DayCarried(day, walk.seq, take(table), *box)
            points = tuple(reader.resume_points().items())
            return DayBefore(head, table, carried, points, is_demo(reader))
    except Broken as broken:
        raise Tampered(f"Event {broken.event} of {path.name}: {broken.message}.") from None
    except (RecordError, ValueError, KeyError, TypeError):
        raise Tampered(f"The end of {path.name} cannot be read.") from None


def is_demo(rows: JournalRows) -> bool:
    """Whether a journal is marked as the demo's in its first event."""
    opened = event_at(rows, 1)
    return isinstance(opened, DayOpened) and opened.demo


def _box_opened(rows: JournalRows) -> tuple[str, str]:
    """The day on which the boxes that are on the table were opened, and its public key."""
    *_, last = rows.since(0, ("day_carried", "shift_opened"))
    event = record_of(last).event
    if isinstance(event, DayCarried):
        return event.box_day, event.box_key
    opened = event_at(rows, 1)
    assert isinstance(opened, DayOpened)
    return opened.day, opened.public_key


def first_events(
    journal: JournalWriter, opened: TableOpened | None, before: DayBefore | None, *, demo: bool
) -> list[Event]:
    """The first events of a day; `opened` is for a table that was closed, or is new.

    A log that the demo has begun stays the demo's, and no other becomes it.
    """
    demo = demo if before is None else before.demo
    previous = START.hex() if before is None else before.head
    journal.begin(bytes.fromhex(previous))
    day = DayOpened(journal.table, journal.day, previous, journal.public_key, __version__, demo)
    if before is not None and not before.table.closed:
        return [day, _opened_again(before.table), before.carried]
    if opened is None:
        raise Tampered("The day before has no table that this day could go on with.")
    if before is not None and before.table.device_records:
        # A changed firmware is noticed although the table was closed overnight.
        return [day, opened, DevicesCarried(before.table.device_records)]
    return [day, opened]


def _opened_again(table: TableState) -> TableOpened:
    """The opening with the rules and the limit that the table has."""
    profile = table.profile
    return TableOpened(
        profile.id,
        profile.profile.version,
        table.limit.id,
        table.deck_required,
        profile.as_data(),
    )


def read_back(journal: JournalWriter) -> TableState:
    """The table as the journal left it, folded from the last seal."""
    try:
        return table_before(journal.rows, journal.seq + 1)
    except (RecordError, ValueError, KeyError, TypeError) as error:
        raise Tampered(f"The journal cannot be replayed: {error}.") from None

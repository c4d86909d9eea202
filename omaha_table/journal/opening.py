"""Opens a table's journal: a new day, or the open day where the last process stopped."""

from __future__ import annotations

import json
import os
import platform
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from omaha_table import __version__
from omaha_table.journal.chain import START
from omaha_table.journal.codec import RecordError
from omaha_table.journal.days import day_files, next_segment
from omaha_table.journal.events import DayOpened, JournalSealed
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.replay import table_before
from omaha_table.journal.schema import SEAL
from omaha_table.journal.walk import Broken, ChainWalk
from omaha_table.journal.writer import Clock, JournalWriter

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.table import TableState
    from omaha_table.table.events import TableOpened

DAY_BEGINS = timedelta(hours=6)


def gaming_day(wall: float) -> str:
    """The gaming day starts at six in the morning."""
    return (datetime.fromtimestamp(wall, UTC).astimezone() - DAY_BEGINS).date().isoformat()


def writer_name() -> str:
    """Names this process, for the message that a second console on the same table shows."""
    program = os.path.basename(sys.argv[0]) or "omaha-table"  # noqa: PTH119 - a name, not a path
    return f"{program} (process {os.getpid()} on {platform.node() or 'this machine'})"


def open_journal(folder: Path, table: str, mirror: Path | None, clock: Clock) -> JournalWriter:
    """Opens the day that is still open, whatever its date; else today, or its next segment."""
    day = gaming_day(clock.wall())
    days = day_files(folder, table)
    still_open = _open_day(days)
    if still_open is not None and _finish_closing(still_open, table, mirror, clock):
        still_open = _open_day(days)
    if still_open is not None:
        day = still_open.stem.removeprefix(f"{table}-")
    elif days and days[-1].stem.startswith(f"{table}-{day}"):
        day = next_segment(days[-1].stem.removeprefix(f"{table}-"))
    return JournalWriter(folder, table, day, holder=writer_name(), mirror=mirror, clock=clock)


def _open_day(days: list[Path]) -> Path | None:
    """The latest day without a receipt, unless another segment has replaced it.

    It may not be the last one: a day may have been dealt while the clock was ahead.
    """
    for path in reversed(days):
        date = path.stem[: len(path.stem.rstrip("bcdefghijklmnopqrstuvwxyz"))]
        later = [other for other in days if other > path and other.stem.startswith(date)]
        if not path.with_suffix(".receipt").exists() and not later:
            return path
    return None


def _finish_closing(path: Path, table: str, mirror: Path | None, clock: Clock) -> bool:
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
        path.parent, table, day, holder=writer_name(), mirror=mirror, clock=clock
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


def previous_head(journal: JournalWriter) -> str:
    """The head of the last closed day, in hex."""
    days = day_files(journal.folder, journal.table)
    earlier = [path for path in days if path < journal.path]
    if not earlier:
        return START.hex()
    try:
        receipt = json.loads(earlier[-1].with_suffix(".receipt").read_text(encoding="utf-8"))
        return bytes.fromhex(receipt["head"]).hex()
    except (OSError, ValueError, KeyError, TypeError):
        raise Tampered(f"The receipt of {earlier[-1].name} is missing or cannot be read.") from None


def first_events(journal: JournalWriter, opened: TableOpened) -> list[DayOpened | TableOpened]:
    previous = previous_head(journal)
    journal.begin(bytes.fromhex(previous))
    return [
        DayOpened(journal.table, journal.day, previous, journal.public_key, __version__),
        opened,
    ]


def read_back(journal: JournalWriter) -> TableState:
    """The table as the journal left it, folded from the last seal."""
    try:
        return table_before(journal.rows, journal.seq + 1)
    except (RecordError, ValueError, KeyError, TypeError) as error:
        raise Tampered(f"The journal cannot be replayed: {error}.") from None

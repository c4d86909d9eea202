"""What the commands of `office` find in a data folder: its records, its boxes and their sums."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_data_path

from omaha_table.cli.counting import ledger_of
from omaha_table.cli.lines import say
from omaha_table.journal.days import table_of
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.verification import files_in
from omaha_table.review.index.box_openings import OpenedBox, opened_boxes
from omaha_table.review.index.drop import Drop
from omaha_table.review.index.ledger import box_of
from omaha_table.review.index.sources import doubled, hands_of

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.office.state import Counted, CountKey
    from omaha_table.review.index.ledger import Ledger

_COUNT: Final = re.compile(r"(\d{4}[b-z]?)-(\d{1,9})")


def where_of(data: Path | None, *, journals: bool = True) -> Path:
    where = data or user_data_path("omaha-table")
    if not where.exists() or (journals and not files_in(where)):
        raise click.UsageError(f"No journals in {where}.")
    if journals:
        mixed = doubled(files_in(where))
        if mixed:
            raise click.UsageError(mixed)
    return where


def sound_ledger(where: Path) -> Ledger:
    """The records of a folder; ends with status 1 if the office journal cannot be read."""
    ledger = ledger_of(where)
    if ledger.fault:
        say(ledger.fault, err=True)
        sys.exit(1)
    return ledger


def counted_as(data: Path | None, number: str) -> tuple[Ledger, Counted]:
    ledger = sound_ledger(where_of(data, journals=False))
    match = _COUNT.fullmatch(number)
    found = None if match is None else ledger.records.count(int(match[2]), match[1])
    if found is None:
        raise click.UsageError(
            f"No count {number!r}. 'omaha-table office variances' lists them, such as 2026-17."
        )
    return ledger, found


def boxes_of(files: list[Path], shift: str, table: str, day: str) -> list[OpenedBox]:
    opened = opened_boxes(files)
    found = [
        box
        for box in opened
        if box.key.shift == shift
        and table in ("", box.table)
        and day in ("", box.day, box.day[:10])
    ]
    if not found:
        known = ", ".join(sorted({f"{box.key.shift} ({box.day})" for box in opened})[:6])
        raise click.UsageError(
            f"No box was opened for shift {shift!r} there. Shifts: {known or 'none'}."
        )
    return found


def chosen_box(found: list[OpenedBox], shift: str, boxes: str) -> OpenedBox:
    chosen = [box for box in found if boxes in ("", box.named)]
    if len(chosen) == 1:
        return chosen[0]
    listed = ", ".join(f"{box.table} {box.day} {box.named}" for box in found[:6])
    if not chosen:
        raise click.UsageError(f"Shift {shift!r} has no boxes {boxes!r}. It has: {listed}.")
    raise click.UsageError(
        f"Shift {shift!r} has {len(found)} boxes ({listed}): choose with --boxes, --table and "
        "--day."
    )


def journals_since(files: list[Path], box: OpenedBox) -> list[Path]:
    """A table's journals from the day on which a box was opened."""
    mine = [path for path in files if table_of(path) == box.table]
    return [path for path in mine if path.stem >= f"{box.table}-{box.day}"]


def drops_of(files: list[Path]) -> dict[CountKey, Drop]:
    """What went into each box; a journal that cannot be read is reported by its verdict."""
    drops: defaultdict[CountKey, Drop] = defaultdict(Drop)
    for path in files:
        try:
            for hand in hands_of(path):
                drops[box_of(hand)].add(hand)
        except JournalFault as fault:
            say(f"{path.name}: {fault.message}", err=True)
    return drops

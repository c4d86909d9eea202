"""A hand of the index as a line of the list, and as the pane beside it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omaha_table.money import format_dollars
from omaha_table.review.index.incidents import KINDS
from omaha_table.review.screens.desk import note_lines
from omaha_table.review.screens.virtual_list import Column, Line
from omaha_table.text import visible

if TYPE_CHECKING:
    import sqlite3

    from omaha_table.review.screens.desk import Desk

_USUAL: Final = frozenset(("kill", "dealer_read"))
"""Flags that a whole night can have without anything being wrong."""
_NAMES: Final = {flag: name.lower() for flag, name in KINDS.items()} | {"kill": "kill pot"}


def columns(*, tables: bool) -> tuple[Column, ...]:
    where = (Column("TABLE", 8),) if tables else ()
    return (
        Column("HAND", 6, right=True), Column("DAY", 5, wide=True), *where, Column("TIME", 8),
        Column("POT", 8, right=True), Column("WON", 6), Column("NOTE", 0),
    )  # fmt: skip


def clock(at_us: int) -> str:
    """Wall-clock time for the tape, with seconds; '-' for what did not happen."""
    return time.strftime("%H:%M:%S", time.localtime(at_us / 1e6)) if at_us else "-"


def noted(flags: str) -> list[str]:
    """What is worth knowing of a hand, in words. That the dealer read the hands is the rule at many
    tables: it is said where something else was unusual, so that the two may belong together."""
    found = set(flags.split())
    if not found - _USUAL:
        found.discard("dealer_read")
    order = [*KINDS, "kill"]
    return [_NAMES.get(flag, flag) for flag in sorted(found, key=order.index)]


def hand_line(desk: Desk, row: sqlite3.Row, *, tables: bool) -> Line:
    about = desk.key_of(row)
    tags = [f"*{tag}" for tag in sorted(desk.ledger.tags_of(about))]
    notes = ["note"] if desk.ledger.notes_of(about) else []
    where = (desk.table(row["table"], row["day"], row["log"]),) if tables else ()
    return Line(
        (
            str(row["number"]),
            row["day"][5:10],
            *where,
            clock(row["started_us"]),
            format_dollars(row["pot"]),
            "/".join(row["winners"].split()),
            ", ".join([*tags, *notes, *noted(row["flags"])]),
        ),
        "odd" if set(row["flags"].split()) - _USUAL else "",
    )


def _won(seats: list[str]) -> str:
    if not seats:
        return "nobody won"
    return f"won by seat{'s' if len(seats) > 1 else ''} {' and '.join(seats)}"


def hand_detail(desk: Desk, row: sqlite3.Row) -> list[str]:
    twice = (row["table"], row["day"]) in desk.twice
    file = Path(row["file"])
    unusual = noted(row["flags"])
    fees = f"fee {format_dollars(row['fee'])}"
    if row["jackpot"]:
        fees += f", jackpot {format_dollars(row['jackpot'])}"
    lines = [
        f"Hand {row['number']}   {row['table']}   {row['day']}",
        *([f"file {file.parent.name}/{file.name}"] if twice else []),
        f"start {clock(row['started_us'])}   flop {clock(row['flop_us'])}   "
        f"push {clock(row['ended_us'])}",
        f"pot {format_dollars(row['pot'])}   {fees}",
        f"{_won(row['winners'].split())}   {row['dealt']} dealt in   {row['seconds']:.0f} seconds",
        f"dealer {row['dealer'] or '-'}   shift {row['shift'] or '-'}   box {row['box'] or '-'}",
        *([f"unusual: {', '.join(unusual)}"] if unusual else []),
        *note_lines(desk.notes_of(row)),
    ]
    return [visible(line) for line in lines]

"""`omaha-table room fetch`: writes a table's journals again from what the room has."""

from __future__ import annotations

from pathlib import Path

import click

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_reading import reading
from omaha_table.journal.faults import JournalFault


@click.command()
@click.argument("source", metavar="TABLE")
@click.option(
    "--room",
    "bundle_file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A reader's bundle.",
)
@click.option("--day", default="", metavar="DATE", help="Only this gaming day; default: all.")
@click.option(
    "--history",
    "generation",
    type=click.IntRange(min=1),
    metavar="N",
    help="An earlier history of the day, which was put aside after an alarm; default: the newest.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to write to.",
)
def fetch(source: str, bundle_file: Path, day: str, generation: int | None, out: Path) -> None:
    """Writes the journals of TABLE, or of an office, again from the room's copy.

    They have the same events and hashes as the table's own, with receipt and cosignature beside
    them. Nothing that is there is replaced. The table's keys are not in the room: to deal on from
    such a journal, a supervisor enrolls a new segment.

    Exit status 0: done; 1: what the room has is damaged; 2: there is nothing to write, or
    something is in the way; 4: the room does not answer.

    \b
    Example:
      omaha-table room fetch t7 --day 2026-11-19 --room auditor.toml --out /srv/t7-again
    """
    if generation is not None and not day:
        raise click.UsageError("--history goes with --day: each day has histories of its own.")
    with reading(bundle_file) as link:
        from omaha_table.room.database import RoomRefused
        from omaha_table.room.fetching import fetch as write
        from omaha_table.room.fetching import histories

        try:
            listed = histories(link, source, day, generation)
        except RoomRefused as refused:
            raise Problem(str(refused)) from None
        there = [out / one.path.name for one in listed if (out / one.path.name).exists()]
        if there:
            raise Problem(f"{there[0]} is already there. Nothing was written: name a new folder.")
        try:
            for path, events in write(link, listed, out):
                say(f"{path}: {events:,} events.")
        except JournalFault as fault:
            say(f"Nothing more was written. {fault.message}", err=True)
            raise SystemExit(1) from None

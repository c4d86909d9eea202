"""`verify --room` without a folder: what the room has of every table, read and checked again."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from typing import TYPE_CHECKING

import click

from omaha_table.cli.lines import say
from omaha_table.cli.room_reading import room_store
from omaha_table.journal.verdict import as_data, count_line, damage_lines, demo_line, trust_lines

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.verdict import JournalVerdict, Verdict
    from omaha_table.room.store import RoomStore


def verify_room(bundle_file: Path, *, as_json: bool) -> int:
    """The exit status."""
    with room_store(bundle_file) as room:
        if not room.journals():
            raise click.UsageError("The room has no journal of a table yet.")
        verdict = _with_progress(room)
        alarms = room.alarms()
    if as_json:
        click.echo(json.dumps(as_data(verdict) | {"alarms": alarms}))
    else:
        _print(verdict)
    return 0 if verdict.sound and not alarms else 1


def _with_progress(room: RoomStore) -> Verdict:
    if sys.stderr is None or not sys.stderr.isatty():
        return room.verdict()
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    columns = TextColumn("{task.completed:,.0f} events"), TextColumn("{task.speed:,.0f}/s")
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        return room.verdict(progress=lambda done: bar.update(task, completed=done))


def _print(verdict: Verdict) -> None:
    say(count_line(verdict))
    lines: defaultdict[str, list[JournalVerdict]] = defaultdict(list)
    for journal in verdict.journals:
        # Offices have files of one name; they are told apart by what the room calls them.
        folder, _, file = journal.file.rpartition("/")
        lines[folder or file.partition("-")[0]].append(journal)
    for name, journals in lines.items():
        say(f"{name}: {_of_a_table(journals)}")
    if verdict.demo:
        say(demo_line(verdict))
    for line in trust_lines(verdict, given=True) if verdict.sound else verdict.remarks:
        say(line)
    for line in damage_lines(verdict):
        say(f"NOT SOUND: {line}")


def _of_a_table(journals: list[JournalVerdict]) -> str:
    days = f"{len(journals)} day{'s' if len(journals) > 1 else ''}"
    bad = [journal.file for journal in journals if not journal.sound]
    if bad:
        return f"{days}, NOT SOUND: {', '.join(bad)}"
    bare = [journal for journal in journals if not journal.anchored]
    behind = [journal for journal in journals if journal.up_to is not None]
    if bare:
        return f"{days}, sound; {len(bare)} not witnessed"
    if behind:
        hand = "" if behind[-1].hand is None else f"hand {behind[-1].hand}, "
        return f"{days}, sound, witnessed to {hand}event {behind[-1].up_to}"
    return f"{days}, sound, witnessed"

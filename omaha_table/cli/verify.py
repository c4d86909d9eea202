"""`omaha-table verify`: checks whether a log can be trusted."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click
from platformdirs import user_data_path

from omaha_table.cli.lines import say
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import Verdict, damage_lines, files_in
from omaha_table.journal.verification import verify as check


@click.command()
@click.argument("target", metavar="[DIR|FILE]", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def verify(target: Path | None, as_json: bool) -> None:
    """Checks journals: chain, seals, receipts, links, then a replay of every hand.

    Without DIR or FILE it uses the platform's user data folder.

    Exit status 0: sound; 1: not sound.

    \b
    Example:
      omaha-table verify /srv/table7
    """
    if target is None:
        target = user_data_path("omaha-table")
    files = files_in(target)
    if not target.exists() or not files:
        raise click.UsageError(f"No journals in {target}.")
    verdict = _with_progress(files)
    if as_json:
        click.echo(json.dumps(asdict(verdict) | {"sound": verdict.sound}))
    else:
        _print(verdict)
    sys.exit(0 if verdict.sound else 1)


def _with_progress(files: list[Path]) -> Verdict:
    if sys.stderr is None or not sys.stderr.isatty():
        return check(files)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    total = sum(_rows(path) for path in files)
    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} events"),
        BarColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        return check(files, lambda done: bar.update(task, completed=done))


def _rows(path: Path) -> int:
    """How many events a file has; 0 for a damaged file."""
    try:
        with Reader(path) as reader:
            return reader.count()
    except JournalFault:
        return 0


def _print(verdict: Verdict) -> None:
    click.echo(
        f"{verdict.files} journal{'s' if verdict.files != 1 else ''}, {verdict.events:,} events, "
        f"{verdict.hands:,} hands replayed, {verdict.seals:,} seals, "
        f"{verdict.opened_seats:,} tabled hands checked against the deal."
    )
    for name in verdict.open_days:
        say(f"{name} is still open: it has no receipt yet.")
    if verdict.sound:
        click.echo("Sound.")
    for line in damage_lines(verdict):
        say(f"NOT SOUND: {line}")
    if not verdict.sound:
        click.echo(
            "Keep the files as they are and compare them with the second copy. "
            "To continue in a new file, a supervisor runs 'omaha-table enroll'."
        )

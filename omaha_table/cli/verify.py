"""`omaha-table verify`: checks whether a log can be trusted."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

import click
from platformdirs import user_data_path

from omaha_table.cli.lines import say
from omaha_table.journal.anchors import AnchorError, Anchors
from omaha_table.journal.chain import words_start
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import Verdict, damage_lines, files_in, trust_lines
from omaha_table.journal.verification import verify as check


@click.command()
@click.argument("target", metavar="[DIR|FILE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--anchor",
    "given",
    multiple=True,
    metavar="WORDS|FILE",
    help="What was kept elsewhere: the four words of a slip, a copy of a receipt, or the table's "
    "first public key. May be given more than once.",
)
@click.option(
    "--mirror",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    metavar="DIR",
    help="The folder of the second copy: compare every event with it.",
)
@click.option("--words", metavar="WORDS", help="Find the event that these slip words stand for.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def verify(
    target: Path | None,
    given: tuple[str, ...],
    mirror: Path | None,
    words: str | None,
    as_json: bool,
) -> None:
    """Checks journals: chain, seals, receipts, links, then a replay of every hand.

    Without an anchor the answer says only that the log agrees with itself: whoever owns the disk
    could have made all of it again. Without DIR or FILE it uses the platform's user data folder.

    Exit status 0: sound; 1: not sound, or no such words.

    \b
    Example:
      omaha-table verify /srv/table7 --anchor "bafub-dolak-gimot-huzan"
    """
    if target is None:
        target = user_data_path("omaha-table")
    files = files_in(target)
    if not target.exists() or not files:
        raise click.UsageError(f"No journals in {target}.")
    if words is not None:
        sys.exit(0 if _find(files, words) else 1)
    anchors = _anchors(given, mirror)
    verdict = _with_progress(files, anchors)
    if as_json:
        click.echo(json.dumps(asdict(verdict) | {"sound": verdict.sound}))
    else:
        _print(verdict, anchors)
    sys.exit(0 if verdict.sound else 1)


def _anchors(given: tuple[str, ...], mirror: Path | None) -> Anchors:
    anchors = Anchors(mirror=mirror)
    for text in given:
        path = Path(text)
        try:
            if path.is_file():
                anchors.add_file(path)
            else:
                anchors.add(text)
        except AnchorError as error:
            raise click.UsageError(f"--anchor: {error}.") from None
    return anchors


def _find(files: list[Path], words: str) -> bool:
    """Prints the events that slip words stand for; whether there are any."""
    try:
        start = words_start(words)
    except ValueError as error:
        raise click.UsageError(f"--words: {error}.") from None
    found = False
    for path in files:
        try:
            with Reader(path) as reader:
                for row in reader.since():
                    if row.hash[:8] == start:
                        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.at_us / 1e6))
                        hand = "between hands" if row.hand is None else f"hand {row.hand}"
                        say(f"{path.name}, event {row.seq}, {hand}, {at}.")
                        found = True
        except JournalFault as fault:
            say(f"{path.name}: {fault.message}", err=True)
    if not found:
        click.echo("No event has these words.")
    return found


def _with_progress(files: list[Path], anchors: Anchors) -> Verdict:
    if sys.stderr is None or not sys.stderr.isatty():
        return check(files, anchors=anchors)
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
        return check(files, lambda done: bar.update(task, completed=done), anchors)


def _rows(path: Path) -> int:
    """How many events a file has; 0 for a damaged file."""
    try:
        with Reader(path) as reader:
            return reader.count()
    except JournalFault:
        return 0


def _print(verdict: Verdict, anchors: Anchors) -> None:
    click.echo(
        f"{verdict.files} journal{'s' if verdict.files != 1 else ''}, {verdict.events:,} events, "
        f"{verdict.hands:,} hands replayed, {verdict.seals:,} seals, "
        f"{verdict.opened_seats:,} tabled hands checked against the deal."
    )
    for name in verdict.open_days:
        say(f"{name} is still open: it has no receipt yet.")
    if verdict.sound:
        for line in trust_lines(verdict, given=bool(anchors)):
            say(line)
    for line in damage_lines(verdict):
        say(f"NOT SOUND: {line}")
    if not verdict.sound:
        click.echo(
            "Keep the files as they are and compare them with the second copy. "
            "To continue in a new file, a supervisor runs 'omaha-table enroll'."
        )

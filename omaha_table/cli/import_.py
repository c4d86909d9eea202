"""`omaha-table import`: plays PHH hands through the engine into a journal of their own."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table.cli.lines import say, use_folder
from omaha_table.journal.faults import JournalFault
from omaha_table.review.exchange.importing import TABLE, Importer, differs
from omaha_table.review.exchange.phh_read import PhhError, PhhHand, files_of, read_phh
from omaha_table.rules import ProfileError, load_profile

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("import")
@click.argument(
    "paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--data",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help=f"The folder for the new journal; its table is named '{TABLE}'.",
)
@click.option(
    "--rules",
    metavar="ID|FILE",
    help="The rules to play by; default: those the file names, or the usual ones of the game.",
)
def import_(paths: tuple[Path, ...], data: Path, rules: str | None) -> None:
    """Plays the Omaha hands of PHH files, or of folders with such files, into a journal.

    It plays PO, FO/8 and this program's own codes such as _F5O/8, with the stakes of the file. A
    hand that the rules or the format do not allow is refused with its file, line and reason, and no
    part of it is written; the others are imported. If the result in a file differs from the one by
    the rules, the difference is reported and the journal follows the rules.

    Exit status 0: every hand was imported; 1: some were refused.

    \b
    Example:
      omaha-table import --data /srv/imported evening.phhs more-hands/
    """
    try:
        chosen = None if rules is None else load_profile(rules)
    except ProfileError as error:
        raise click.UsageError(str(error)) from None
    files = [file for path in paths for file in files_of(path)]
    if not files:
        raise click.UsageError(f"No .phh or .phhs files in {paths[0]}.")
    if data.exists():
        # Not created: it is not needed where every hand is refused.
        use_folder(data)
    taken = refused = 0
    try:
        with closing(Importer(data, chosen)) as importer:
            for hand in _with_progress(files):
                try:
                    if isinstance(hand, PhhError):
                        raise hand
                    other = differs(hand, importer.take(hand))
                    taken += 1
                    if other:
                        say(f"Different: {hand.where}: {other}", err=True)
                except PhhError as error:
                    refused += 1
                    say(f"Refused: {error}", err=True)
    except JournalFault as fault:
        raise click.UsageError(f"{data}: {fault.message}") from None
    except OSError as error:
        raise click.UsageError(f"{data} cannot be written: {error.strerror}.") from None
    say(f"{_hands(taken)} imported into the journal of table '{TABLE}' in {data}.")
    if refused:
        click.echo(f"{refused:,} refused.", err=True)
    sys.exit(1 if refused else 0)


def _hands(count: int) -> str:
    return f"{count:,} hand{'' if count == 1 else 's'}"


def _with_progress(files: list[Path]) -> Iterator[PhhHand | PhhError]:
    if sys.stderr is None or not sys.stderr.isatty():
        for file in files:
            yield from read_phh(file)
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    columns = TextColumn("{task.completed:,.0f} hands"), TextColumn("{task.description}")
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        for file in files:
            for hand in read_phh(file):
                bar.update(task, advance=1, description=file.name)
                yield hand

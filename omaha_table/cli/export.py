"""`omaha-table export`: hands of the log, for other programs to read."""

from __future__ import annotations

import csv
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO

import click

from omaha_table.cli.lines import any_table, say
from omaha_table.cli.output import output_file, output_folder
from omaha_table.cli.room_reading import JournalsGiven, journals_given, room_option
from omaha_table.journal.days import date_of
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.verdict import damage_lines, demo_line, trust_lines
from omaha_table.review.exchange.as_json import json_of
from omaha_table.review.exchange.ohh import ohh_of
from omaha_table.review.exchange.phh import phh_of
from omaha_table.review.exchange.table_files import HEADERS, rows_of
from omaha_table.review.index.sources import doubled, hands_of
from omaha_table.text import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from omaha_table.review.index.hands import Played
    from omaha_table.review.index.store import Journal

SUFFIXES: Final = {"phh": ".phhs", "ohh": ".ohh", "json": ".jsonl"}


@click.command()
@click.argument("target", metavar="[DIR|FILE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["phh", "ohh", "csv", "json"]),
    required=True,
    help="PHH, Open Hand History 1.4.7, five CSV tables, or JSON Lines.",
)
@click.option(
    "--out",
    default="-",
    metavar="DIR|-",
    show_default=True,
    help="The folder to write to; - is standard output. CSV needs a folder.",
)
@room_option
@click.option(
    "--table", callback=any_table, default="", metavar="ID", help="Only this table's hands."
)
@click.option("--day", default="", metavar="DATE", help="Only this gaming day, as 2026-11-14.")
@click.option("--hand", "number", type=click.IntRange(min=1), metavar="N", help="Only hand N.")
def export(
    target: Path | None,
    bundle_file: Path | None,
    form: str,
    out: str,
    table: str,
    day: str,
    number: int | None,
) -> None:
    """Exports the finished hands of journals, even while a table is dealing.

    No format contains mucked or folded cards. Money is in dollars in PHH and OHH, and in cents in
    CSV (columns that end in _cents) and JSON. A journal that cannot be read is named on standard
    error; the others are still exported. The journals are verified, and the verdict is printed on
    standard error.

    Without DIR or FILE it uses the platform's user data folder; with --room, the room.

    Exit status 0: everything was exported; 1: a journal could not be read or is not sound; 4: the
    room does not answer.

    \b
    Example:
      omaha-table export --format phh --out /srv/exports /srv/table7
    """
    if form == "csv" and out == "-":
        raise click.UsageError("CSV has five tables: name a folder with --out DIR.")
    if bundle_file is not None and target is not None:
        raise click.UsageError("Name a folder or a room, not both.")
    with journals_given(target, bundle_file) as given:
        _export(given, form, out, _Asked(table, day, number))


class _Asked(NamedTuple):
    table: str
    day: str
    number: int | None

    def includes(self, hand: Played) -> bool:
        return (
            self.table in ("", hand.table)
            and self.day in ("", hand.day, date_of(hand.day))
            and self.number in (None, hand.number)
        )


def _export(given: JournalsGiven, form: str, out: str, asked: _Asked) -> None:
    target, number = given.name, asked.number
    files = given.store.near(asked.table, asked.day)
    mixed = doubled(files)
    if mixed:
        raise click.UsageError(mixed)
    reader = _Reader(files, asked)
    hands = _with_progress(reader)
    if out == "-":
        _print(form, hands, single=number is not None and len(files) == 1)
    else:
        try:
            folder = Path(out)
            output_folder(folder)
            if form == "csv":
                _write_tables(hands, folder)
            else:
                _write_files(form, hands, folder, number)
        except OSError as error:
            raise click.UsageError(f"{out} cannot be written: {error.strerror}.") from None
    if number is not None and not reader.found and not reader.faults:
        raise click.UsageError(f"No finished hand {number} in {target}.")
    if out != "-":
        hands_ = "1 hand" if reader.found == 1 else f"{reader.found:,} hands"
        say(f"{hands_} written to {out} as {form}.", err=True)
    verdict = given.store.verdict(files, offices=False)
    for line in damage_lines(verdict):
        say(f"NOT SOUND: {line}", err=True)
    if verdict.demo:
        say(demo_line(verdict), err=True)
    for line in trust_lines(verdict) if verdict.sound else ():
        say(line, err=True)
    sys.exit(0 if verdict.sound and not reader.faults else 1)


class _Reader:
    """The hands of many journals; reports one that cannot be read and continues."""

    def __init__(self, files: Sequence[Journal], asked: _Asked) -> None:
        self.files, self.asked = files, asked
        self.found = self.faults = 0

    def __iter__(self) -> Iterator[Played]:
        for journal in self.files:
            for hand in self._hands(journal):
                if self.asked.includes(hand):
                    self.found += 1
                    yield hand

    def _hands(self, journal: Journal) -> Iterator[Played]:
        read = 0
        try:
            for hand in hands_of(journal):
                read += 1
                yield hand
        except JournalFault as fault:
            self._fault(journal, fault.message, read)

    def _fault(self, journal: Journal, message: str, read: int = 0) -> None:
        self.faults += 1
        kept = f" The {read} hands before that were exported." if read else ""
        say(f"{journal.name}: {message}{kept}", err=True)


def _with_progress(hands: _Reader) -> Iterator[Played]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield from hands
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    columns = TextColumn("{task.completed:,.0f} hands"), TextColumn("{task.speed:,.0f}/s")
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        for hand in hands:
            bar.advance(task)
            yield hand


def _texts(form: str, *, single: bool) -> Callable[[Played, int], str]:
    """A function that formats a hand, given its position in the file."""

    def phh(hand: Played, place: int) -> str:
        return phh_of(hand) if single else f"[{place}]\n{phh_of(hand)}\n"

    def ohh(hand: Played, place: int) -> str:
        return escaped(json.dumps(ohh_of(hand), indent=1, ensure_ascii=False)) + "\n\n"

    def lines(hand: Played, place: int) -> str:
        return escaped(json.dumps(json_of(hand), ensure_ascii=False)) + "\n"

    return {"phh": phh, "ohh": ohh, "json": lines}[form]


def _print(form: str, hands: Iterator[Played], *, single: bool) -> None:
    """Prints UTF-8 whatever the terminal's encoding, because the formats require it."""
    text = _texts(form, single=single)
    for place, hand in enumerate(hands, start=1):
        click.echo(text(hand, place).encode(), nl=False)


def _write_files(form: str, hands: Iterator[Played], folder: Path, number: int | None) -> None:
    """Writes one file per journal, with all its hands or with the requested one."""
    text = _texts(form, single=number is not None)
    suffix = ".phh" if form == "phh" and number is not None else SUFFIXES[form]
    with ExitStack() as held:
        file: TextIO | None = None
        journal, place = "", 0
        for hand in hands:
            if hand.file != journal:
                held.pop_all().close()
                journal, place = hand.file, 0
                name = Path(journal).stem + ("" if number is None else f"-{number}") + suffix
                file = held.enter_context(output_file(folder / name))
            place += 1
            assert file is not None
            file.write(text(hand, place))


def _write_tables(hands: Iterator[Played], folder: Path) -> None:
    with ExitStack() as held:
        tables: dict[str, Any] = {}
        for name, header in HEADERS.items():
            path = folder / f"{name}.csv"
            file = held.enter_context(output_file(path, newline=""))
            tables[name] = csv.writer(file)
            tables[name].writerow(header)
        for hand in hands:
            for name, row in rows_of(hand):
                tables[name].writerow(row)

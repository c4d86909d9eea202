"""`omaha-table verify`: checks whether a log can be trusted."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_data_path

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_database import UNREACHABLE
from omaha_table.journal.anchors import AnchorError, Anchors
from omaha_table.journal.chain import words_start
from omaha_table.journal.crew import CheckLost, crew_for
from omaha_table.journal.days import is_office, table_of
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader
from omaha_table.journal.verdict import (
    Verdict,
    as_data,
    count_line,
    damage_lines,
    demo_line,
    trust_lines,
)
from omaha_table.journal.verification import files_in, office_in
from omaha_table.journal.verification import verify as check

if TYPE_CHECKING:
    from omaha_table.journal.crew import Crew
    from omaha_table.room.bundle import Bundle


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
@click.option(
    "--room",
    "bundle_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A bundle of the room: compare with what the room has and its witness has signed.",
)
@click.option("--words", metavar="WORDS", help="Find the event that these slip words stand for.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def verify(
    target: Path | None,
    given: tuple[str, ...],
    mirror: Path | None,
    bundle_file: Path | None,
    words: str | None,
    as_json: bool,
) -> None:
    """Checks journals: chain, seals, receipts, links, then a replay of every hand.

    Without an anchor the answer says only that the log agrees with itself: whoever owns the disk
    could have made all of it again. Without DIR or FILE it uses the platform's user data folder.

    With a reader's bundle and no DIR it verifies the room itself: what every table and office has
    sent, each with what the witness has signed of it.

    Exit status 0: sound; 1: not sound, no such words, or a table of the room is in alarm; 4: the
    room does not answer, after saying what the cosignatures kept at the table show.

    \b
    Example:
      omaha-table verify /srv/table7 --anchor "bafub-dolak-gimot-huzan"
      omaha-table verify --room auditor.toml
    """
    bundle = None
    if bundle_file is not None:
        from omaha_table.cli.room_reading import bundle_in

        bundle = bundle_in(bundle_file)
    if bundle is not None and bundle.kind == "reader" and target is None:
        if given or mirror or words:
            raise click.UsageError("--anchor, --mirror and --words go with a folder: name it.")
        from omaha_table.cli.room_verify import verify_room

        assert bundle_file is not None
        sys.exit(verify_room(bundle_file, as_json=as_json))
    if target is None:
        target = user_data_path("omaha-table")
    files = [*files_in(target), *office_in(target)]
    if not target.exists() or not files:
        raise click.UsageError(f"No journals in {target}.")
    if words is not None:
        sys.exit(0 if _find(files, words) else 1)
    anchors = _anchors(given, mirror)
    away = "" if bundle is None else _ask_room(anchors, bundle, target, files)
    verdict = _with_progress(files, anchors)
    if as_json:
        click.echo(json.dumps(as_data(verdict)))
    else:
        _print(verdict, anchors)
    if away:
        say(away, err=True)
    sys.exit(1 if not verdict.sound else UNREACHABLE if away else 0)


def _ask_room(anchors: Anchors, bundle: Bundle, target: Path, files: list[Path]) -> str:
    """Adds what the room has of these journals; what is wrong if it does not answer."""
    from omaha_table.room.copies import copies
    from omaha_table.room.database import RoomRefused, RoomUnreachable

    try:
        anchors.witness_key = bundle.witness_key
        found = copies(bundle, {table_of(path) for path in files}, _first_events(files))
    except RoomRefused as error:
        raise Problem(str(error)) from None
    except RoomUnreachable as away:
        return f"{away} Compared with the cosignatures kept here only."
    only = None if target.is_dir() else target.stem
    anchors.room = {name: copy for name, copy in found.items() if only in (None, name)}
    return ""


def _first_events(files: list[Path]) -> dict[str, bytes]:
    """The hashes of the first events of office journals, by the names of the journals."""
    found = {}
    for path in filter(is_office, files):
        with suppress(JournalFault), Reader(path) as reader:
            first = reader.get(1)
            if first is not None:
                found[path.stem] = first.hash
    return found


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


_BETWEEN_UPDATES: Final = 0.1
"""Seconds."""


def _with_progress(files: list[Path], anchors: Anchors) -> Verdict:
    try:
        with crew_for(files) as crew:
            return _watched(files, anchors, crew)
    except CheckLost as lost:
        raise Problem(str(lost)) from None


def _watched(files: list[Path], anchors: Anchors, crew: Crew | None) -> Verdict:
    if sys.stderr is None or not sys.stderr.isatty():
        return check(files, anchors=anchors, crew=crew)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    total = sum(_rows(path) for path in files)
    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} events"),
        BarColumn(),
        TimeRemainingColumn(),
    )
    # Without a thread of its own: processes are forked while it is shown.
    shown = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    with shown as bar:
        task = bar.add_task("", total=total)
        told = 0.0

        def tell(done: int) -> None:
            nonlocal told
            if time.monotonic() - told > _BETWEEN_UPDATES:
                told = time.monotonic()
                bar.update(task, completed=done, refresh=True)

        return check(files, tell, anchors, crew)


def _rows(path: Path) -> int:
    """How many events a file has; 0 for a damaged file."""
    try:
        with Reader(path) as reader:
            return reader.count()
    except JournalFault:
        return 0


def _print(verdict: Verdict, anchors: Anchors) -> None:
    click.echo(count_line(verdict))
    for name in verdict.open_days:
        say(f"{name} is still open: it has no receipt yet.")
    if verdict.demo:
        say(demo_line(verdict))
    if verdict.sound:
        for line in trust_lines(verdict, given=bool(anchors)):
            say(line)
    for line in damage_lines(verdict):
        say(f"NOT SOUND: {line}")
    if not verdict.sound:
        of_office = all(is_office(Path(damage.file)) for damage in verdict.damage)
        who, how = (
            ("a shift manager", "enroll --office") if of_office else ("a supervisor", "enroll")
        )
        click.echo(
            "Keep the files as they are and compare them with the second copy. "
            f"To continue in a new file, {who} runs 'omaha-table {how}'."
        )

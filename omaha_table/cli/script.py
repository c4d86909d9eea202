"""`omaha-table script`: runs a table from text; the answers are JSON Lines."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from omaha_drivers.registry import UnknownAdapterError
from omaha_drivers.transport import TransportError

from omaha_table.cli.keyfiles import read_office_key
from omaha_table.cli.lines import (
    MAX_LINE,
    Problem,
    open_source,
    read_lines,
    say,
    table_name,
    use_folder,
    use_mirror,
)
from omaha_table.cli.pins import said
from omaha_table.files import group_id
from omaha_table.floor.files import demo_staff
from omaha_table.journal.codec import to_json
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.opening import check_open_day, writer_name
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.staff_list import has_list
from omaha_table.process import protect_memory
from omaha_table.rules import Limit, Profile, ProfileError, load_profile
from omaha_table.session import Session
from omaha_table.session.config import ConfigError, TableConfig, load_table, seat_players
from omaha_table.session.device_loop import DeviceLoop
from omaha_table.session.script import run_line
from omaha_table.session.vocabulary import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.floor.staff import Staff


@click.command()
@click.argument("file", required=False)
@click.option(
    "--rules",
    default="ca_big_o",
    metavar="ID|FILE",
    show_default=True,
    help="The rule profile; 'omaha-table rules list' lists them.",
)
@click.option(
    "--limit", "limit_id", metavar="ID", help="The posted limit; default: the first of the profile."
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the journal; continues an open hand. Without it, nothing is written.",
)
@click.option(
    "--table",
    callback=table_name,
    default="table",
    metavar="NAME",
    show_default=True,
    help="The table's name in the journal.",
)
@click.option(
    "--mirror",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder for a second copy of the journal, best on another disk.",
)
@click.option(
    "--office",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The surveillance office's public key; without it a shoe only counts cards.",
)
@click.option(
    "--staff",
    "staff_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the staff file, if --data has none; without both, the demo's staff.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A table's configuration: its rules, limit, name, players, second copy and devices; "
    "replaces --rules, --limit, --table and --group.",
)
@click.option(
    "--group",
    default="",
    metavar="NAME",
    help="A group whose members may read the journal; without it, nobody else can.",
)
@click.option("--deck-required", is_flag=True, help="Every hand needs a reported and cut deck.")
@click.option("--strict", is_flag=True, help="Stop at the first refusal, with exit status 3.")
def script(
    file: str | None,
    rules: str,
    limit_id: str | None,
    data: Path | None,
    table: str,
    mirror: Path | None,
    office: Path | None,
    staff_dir: Path | None,
    config: Path | None,
    group: str,
    deck_required: bool,
    strict: bool,
) -> None:
    """Runs console commands from FILE, or from standard input, without a screen.

    Reads one command per line and prints one JSON object per line for everything that happens, and
    one of type "refused" for a command that the rules forbid. `omaha-table script help` lists the
    commands.

    \b
    Example:
      omaha-table script --rules house_omaha_hilo --data /srv/table7 evening.txt
    """
    if file == "help" and not Path(file).exists():
        click.echo(help_text())
        return
    if data is not None:
        protect_memory()
    configured = None if config is None else _config(config)
    if configured is not None:
        rules, limit_id = configured.rules, configured.table.limit
        table, deck_required = configured.table.id, configured.deck_required
        group = configured.table.group
        if configured.table.mirror:
            mirror = mirror or configured.beside(configured.table.mirror)
        if configured.table.surveillance_key:
            office = office or configured.beside(configured.table.surveillance_key)
    authority = None if configured is None else configured.signs
    dealer_pins = configured is not None and configured.table.dealer_sign_in == "pin"
    profile, limit = choose(rules, limit_id)
    staff = _staff(staff_dir, data, table)
    with open_source(file, "commands, one") as source:
        try:
            if data is None:
                session = Session(
                    profile,
                    limit,
                    staff,
                    deck_required=deck_required,
                    dealer_pins=dealer_pins,
                    authority=authority,
                )
            else:
                use_folder(data, group)
                if mirror is not None:
                    use_mirror(mirror)
                check_open_day(data, table)
                session = Session.on_journal(
                    data,
                    table,
                    profile,
                    limit,
                    staff,
                    mirror=mirror,
                    office=None if office is None else read_office_key(office),
                    deck_required=deck_required,
                    group=group_id(group),
                    dealer_pins=dealer_pins,
                    authority=authority,
                )
            with closing(session):
                status = _run(session, source, configured, strict=strict)
        except JournalFault as fault:
            raise Problem.of(fault) from None
    sys.exit(status)


def _config(path: Path) -> TableConfig:
    try:
        return load_table(path)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None


def _run(session: Session, source: BinaryIO, config: TableConfig | None, *, strict: bool) -> int:
    if session.recovered:
        click.echo(f"Recovered: {session.recovered}.", err=True)
    for record in session.opening:
        _print(to_json(record))
    mirror_fault = ""
    with ExitStack() as held:
        device_loop = None
        if config is not None:
            for record in seat_players(session, config):
                _print(to_json(record))
            if session.reopening is not None:
                click.echo(
                    f"The table was closed on {session.reopening.day}. Who is seated: "
                    "'reopen same', 'reopen file' or 'reopen empty'?",
                    err=True,
                )
            device_loop = held.enter_context(_device_loop(session, config))
        for number, line in enumerate(read_lines(source), start=1):
            for answer in _answers(session, device_loop, number, _text(number, line)):
                _print(answer)
                if strict and answer["type"] == "refused":
                    return 3
            if session.mirror_fault != mirror_fault:
                mirror_fault = session.mirror_fault
                click.echo(mirror_fault or "The second copy is written again.", err=True)
        if device_loop is not None:
            for record in device_loop.process(0):
                _print(to_json(record))
    return 0


def _answers(
    session: Session, device_loop: DeviceLoop | None, number: int, line: str
) -> Iterator[dict[str, Any]]:
    """Device reports first, then the answers to the line."""
    if device_loop is not None and line.strip() and not line.lstrip().startswith("#"):
        yield from map(to_json, device_loop.process())
    yield from run_line(session, number, line)


def _device_loop(session: Session, config: TableConfig) -> DeviceLoop:
    try:
        return DeviceLoop(session, config.device_settings())
    except (ConfigError, UnknownAdapterError, TransportError) as error:
        raise click.UsageError(str(error)) from None


def _staff(named: Path | None, data: Path | None, table: str) -> Staff | PinDesk:
    """The staff of a folder, with its office journal; the demo's where nothing is kept."""
    folder = named or data
    if folder is None:
        return demo_staff()
    if named is not None and data is not None:
        with said():
            folder = data if has_list(data) else named
    desk = PinDesk(folder, table, writer_name())
    if desk.problem:
        say(desk.problem, err=True)
    elif named is not None and not desk.staff.people:
        raise click.UsageError(
            f"No staff in {named}: create it with 'omaha-table staff init ID NAME --data DIR'."
        )
    return desk


def choose(rules: str, limit_id: str | None) -> tuple[Profile, Limit]:
    """The profile and its limit; an unknown one is a usage error that lists the known ones."""
    try:
        profile = load_profile(rules)
    except ProfileError as error:
        raise click.UsageError(str(error)) from None
    limit = profile.limits[0] if limit_id is None else profile.limit(limit_id)
    if limit is None:
        known = ", ".join(limit.id for limit in profile.limits)
        raise click.UsageError(f"{profile.id} has no limit {limit_id!r}. Its limits: {known}.")
    return profile, limit


def help_text() -> str:
    width = max(len(word.usage) for word in WORDS)
    return "\n".join(f"{word.usage:<{width}}  {word.meaning}" for word in WORDS)


def _text(number: int, line: bytes) -> str:
    if len(line) > MAX_LINE:
        raise click.UsageError(f"Line {number} is longer than {MAX_LINE:,} bytes.")
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"Line {number} is not UTF-8 text.") from None


def _print(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
    sys.stdout.flush()

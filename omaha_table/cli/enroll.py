"""`omaha-table enroll`: a supervisor starts a new segment after a damaged journal."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

import click

from omaha_table import __version__
from omaha_table.cli.lines import Problem, say, table_name, use_folder
from omaha_table.cli.script import choose
from omaha_table.files import group_id
from omaha_table.floor.files import load_staff
from omaha_table.floor.staff import MAY_RULE, StaffError
from omaha_table.journal.chain import START
from omaha_table.journal.days import day_files, next_segment
from omaha_table.journal.events import DayOpened, Event, Record, SegmentEnrolled
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.opening import writer_name
from omaha_table.journal.verification import files_in, verify
from omaha_table.journal.writer import JournalWriter
from omaha_table.process import protect_memory
from omaha_table.table.events import TableOpened


@click.command()
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder with the damaged journal.",
)
@click.option(
    "--table",
    callback=table_name,
    default="table",
    metavar="NAME",
    show_default=True,
    help="The table's id.",
)
@click.option(
    "--rules",
    default="ca_big_o",
    metavar="ID|FILE",
    show_default=True,
    help="The rules to continue with.",
)
@click.option(
    "--limit",
    "limit_id",
    metavar="ID",
    help="The limit to continue with; default: the first of the rules.",
)
@click.option(
    "--group",
    default="",
    metavar="NAME",
    help="A group whose members may read the journal; without it, nobody else can.",
)
@click.option("--reason", required=True, help="What is wrong with the journal.")
def enroll(
    data: Path, table: str, rules: str, limit_id: str | None, group: str, reason: str
) -> None:
    """Starts a new journal file, which names the damaged one. Asks for a supervisor's PIN.

    Nothing is repaired: the damaged files stay as they are, for the investigation.

    \b
    Example:
      omaha-table enroll --data /srv/table7 --table t7 --reason "power loss, tail missing"
    """
    protect_memory()
    broken = day_files(data, table)
    if not broken:
        raise click.UsageError(f"No journal of table {table} in {data}.")
    verdict = verify(files_in(broken[-1]))
    if verdict.sound:
        raise click.UsageError(f"{broken[-1].name} is sound: a new segment is not needed.")
    profile, limit = choose(rules, limit_id)
    person = _supervisor(data)
    use_folder(data, group)
    day = next_segment(broken[-1].stem.removeprefix(f"{table}-"))
    old = {
        key: key.with_name(f"{key.name}.{broken[-1].stem}")
        for key in (data / f"{table}.key", data / f"{table}.next")
        if key.exists()
    }
    for key, kept in old.items():
        key.replace(kept)
    try:
        try:
            journal = JournalWriter(data, table, day, holder=writer_name(), group=group_id(group))
        except JournalFault:
            for key, kept in old.items():
                kept.replace(key)
            raise
        opened = TableOpened(
            profile.id, profile.profile.version, limit.id, False, profile.as_data()
        )
        damage = verdict.damage[0]
        enrolled = SegmentEnrolled(broken[-1].name, damage.message, reason, (person,))
        events: tuple[Event, ...] = (
            DayOpened(table, day, START.hex(), journal.public_key, __version__),
            opened,
            enrolled,
        )
        records = [Record(seq, None, event) for seq, event in enumerate(events, start=1)]
        journal.append(records, f"floor:{person}")
        journal.close()
    except JournalFault as fault:
        raise Problem.of(fault) from None
    say(f"{broken[-1].name} stays as it is ({damage.kind}: {damage.message}).")
    say(f"{journal.path.name} continues the day, enrolled by {person}.")


def _supervisor(data: Path) -> str:
    try:
        staff = load_staff(data)
    except StaffError as error:
        raise click.UsageError(str(error)) from None
    if sys.stdin is not None and sys.stdin.isatty():
        pin = getpass.getpass("Supervisor's PIN: ")
    else:
        pin = sys.stdin.readline().strip() if sys.stdin is not None else ""
    person = staff.identify(pin)
    if person is None or person.role not in MAY_RULE:
        raise click.UsageError("Only a floor supervisor or shift manager can do this.")
    return person.id

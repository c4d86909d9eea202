"""`omaha-table room`: many tables on PostgreSQL."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Literal

import click

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_database import connected, database_option
from omaha_table.cli.room_demo import demo, demo_table
from omaha_table.cli.room_fetch import fetch
from omaha_table.cli.room_ship import ship
from omaha_table.cli.room_status import status_line
from omaha_table.cli.room_witness import witness
from omaha_table.process import protect_memory


class _Room(click.Group):
    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return super().get_command(ctx, "enroll" if name == "enrol" else name)


@click.group(cls=_Room)
def room() -> None:
    """Copies every table's log to a room on PostgreSQL, and witnesses it there.

    \b
    Examples:
      omaha-table room init --db postgresql://owner@db/room
      omaha-table room enroll t7 --db postgresql://owner@db/room --out t7-room.toml
      omaha-table room ship --data /srv/t7 --room t7-room.toml
    """
    protect_memory()
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise Problem("The room needs more libraries: pip install 'omaha-table[room]'.") from None


room.add_command(fetch)
room.add_command(ship)
room.add_command(witness)
room.add_command(demo)
room.add_command(demo_table)


@room.command()
@database_option
def init(url: str) -> None:
    """Creates the room's schema, or upgrades it; safe to run again.

    \b
    Example:
      omaha-table room init --db postgresql://owner@db/room
    """
    from omaha_table.room.database import NEWEST, upgrade

    with connected(url) as open_room:
        made = upgrade(open_room)
    done = "is up to date" if not made else "was created" if 1 in made else "was upgraded"
    say(f"The room's schema {done} (schema {NEWEST}).")


@room.command()
@click.argument("name", metavar="[TABLE]", required=False)
@database_option
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The bundle to write. Copy it to the table over a safe way, then delete it here.",
)
@click.option("--reader", metavar="NAME", help="A bundle that may read everything, write nothing.")
@click.option("--office", metavar="NAME", help="A bundle for an office journal.")
@click.option(
    "--witness-key",
    metavar="FILE",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="The public key of the witness, which the table will believe and no other.",
)
@click.option("--by", metavar="ID", default="", help="After an alarm: who answers for it.")
@click.option("--reason", default="", help="After an alarm: why.")
@click.option(
    "--staff",
    "staff_folder",
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="After an alarm: the data folder with the staff list and office journal.",
)
def enroll(
    name: str | None,
    url: str,
    out: Path,
    reader: str | None,
    office: str | None,
    witness_key: Path | None,
    by: str,
    reason: str,
    staff_folder: Path | None,
) -> None:
    """Admits a table, an office journal or a reader, and writes its bundle.

    A new bundle replaces the one before it. After an alarm a shift manager signs with a PIN.

    \b
    Example:
      omaha-table room enroll t7 --db postgresql://owner@db/room --out t7-room.toml
    """
    from dataclasses import replace

    from omaha_table.room.bundle import write_bundle
    from omaha_table.room.enrollment import alarms_of
    from omaha_table.room.enrollment import enroll as admit

    given = [(kind, each) for kind, each in
             (("table", name), ("reader", reader), ("office", office)) if each]  # fmt: skip
    if len(given) != 1:
        raise click.UsageError("Name one table, or --reader NAME, or --office NAME.")
    kind, who = given[0]
    if out.exists():
        raise click.UsageError(f"{out} is already there: name a new file.")
    with connected(url) as open_room:
        alarms = alarms_of(open_room, who)
        signed_by = _signature(who, alarms, by, reason, staff_folder) if alarms else ""
        bundle = admit(open_room, who, _kind(kind), signed_by=signed_by, reason=reason)
    if witness_key is not None:
        bundle = replace(bundle, witness_key=_public_key(witness_key))
    try:
        write_bundle(out, bundle)
    except OSError as error:
        raise Problem(f"{out} cannot be written: {error.strerror}. Enroll {who} again.") from None
    say(f"{who} is enrolled. {out} lets it in: copy it there, and delete it here.")


def _kind(kind: str) -> Literal["table", "office", "reader"]:
    return "table" if kind == "table" else "office" if kind == "office" else "reader"


def _signature(who: str, alarms: list[str], by: str, reason: str, folder: Path | None) -> str:
    """A shift manager answers for an alarm, with a PIN and a reason."""
    from omaha_table.cli.signing import sign

    if not by or folder is None or len(reason.strip()) < 3:
        raise click.UsageError(
            f"{who} is in alarm ({', '.join(alarms)}): a shift manager answers for it with --by "
            "ID, --staff DIR and --reason."
        )
    [signature] = sign(folder, "enroll_table", (by,))
    return f"{signature.id} {signature.name}"


def _public_key(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
        if len(bytes.fromhex(text)) != 32:
            raise ValueError
    except (OSError, ValueError):
        raise click.UsageError(f"{path} is not the public key of a witness.") from None
    return text


@room.command()
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per table.")
def status(url: str, as_json: bool) -> None:
    """Shows per table: day, events, how far it is witnessed, alarm, last heard, current step.

    Exit status 1: a table is in alarm.

    \b
    Example:
      omaha-table room status --db postgresql://reader@db/room
    """
    from omaha_table.room.overview import overview

    with connected(url) as open_room:
        tables = overview(open_room)
    for table in tables:
        if as_json:
            click.echo(json.dumps(asdict(table)))
        else:
            say(status_line(table))
    if not tables and not as_json:
        say("No table is enrolled yet.")
    sys.exit(1 if any(table.alarm for table in tables) else 0)

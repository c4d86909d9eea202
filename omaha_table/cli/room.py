"""`omaha-table room`: many tables on PostgreSQL."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_database import connected, database_option
from omaha_table.cli.room_demo import demo, demo_table
from omaha_table.cli.room_enroll import enroll
from omaha_table.cli.room_fetch import fetch
from omaha_table.cli.room_serve import serve
from omaha_table.cli.room_ship import ship
from omaha_table.cli.room_staff import room_staff
from omaha_table.cli.room_status import status_line
from omaha_table.cli.room_witness import witness
from omaha_table.process import protect_memory

if TYPE_CHECKING:
    from omaha_table.room.database import Connection


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


room.add_command(enroll)
room.add_command(fetch)
room.add_command(room_staff)
room.add_command(ship)
room.add_command(witness)
room.add_command(serve)
room.add_command(demo)
room.add_command(demo_table)


@room.command()
@database_option
@click.option(
    "--ca",
    "authority_folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Makes the room's certificate authority in DIR, for room enroll, if there is none.",
)
@click.option(
    "--host",
    "hosts",
    metavar="NAME",
    multiple=True,
    help="With --ca: a name or address that the server is reached by; makes its certificate.",
)
def init(url: str, authority_folder: Path | None, hosts: tuple[str, ...]) -> None:
    """Creates the room's schema, or upgrades it; safe to run again.

    Says which rules of the server would let a table in without TLS, certificate or password.

    \b
    Example:
      omaha-table room init --db postgresql://owner@db/room
      omaha-table room init --db postgresql://owner@db/room --ca room-ca --host db.example.org
    """
    from omaha_table.room.certificates import CertificateError, make_authority
    from omaha_table.room.database import NEWEST, upgrade

    if hosts and authority_folder is None:
        raise click.UsageError("--host is for the certificate of --ca DIR.")
    with connected(url) as open_room:
        made = upgrade(open_room)
        done = "is up to date" if not made else "was created" if 1 in made else "was upgraded"
        say(f"The room's schema {done} (schema {NEWEST}).")
        _warn(open_room, asked=True)
    if authority_folder is not None:
        try:
            make_authority(authority_folder, list(hosts))
        except (CertificateError, ValueError) as error:
            raise Problem(str(error)) from None
        except OSError as error:
            raise Problem(f"{authority_folder} cannot be written: {error.strerror}.") from None
        say(f"The room's certificate authority is in {authority_folder}.")


def _warn(open_room: Connection, *, asked: bool = False) -> None:
    """Says what the server's rules let in too easily; whoever may not see the rules is not told."""
    from omaha_table.room.database import RoomRefused
    from omaha_table.room.doors import open_doors

    try:
        found = open_doors(open_room)
    except RoomRefused:
        if asked:
            say(
                "Only a superuser of the server can see who may come in (pg_hba.conf): not "
                "checked.",
                err=True,
            )
        return
    for line in found:
        say(f"Warning: {line}", err=True)


@room.command()
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per table.")
def status(url: str, as_json: bool) -> None:
    """Shows per table: day, events, how far it is witnessed, alarm, last heard, current step.

    Warns if the server's rules would let a table in without TLS, certificate or password.

    Exit status 1: a table is in alarm.

    \b
    Example:
      omaha-table room status --db postgresql://reader@db/room
    """
    from omaha_table.room.overview import overview

    with connected(url) as open_room:
        tables = overview(open_room)
        _warn(open_room)
    for table in tables:
        if as_json:
            click.echo(json.dumps(asdict(table)))
        else:
            say(status_line(table))
    if not tables and not as_json:
        say("No table is enrolled yet.")
    sys.exit(1 if any(table.alarm for table in tables) else 0)

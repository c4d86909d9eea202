"""`omaha-table room staff`: one staff list for all tables of the room."""

from __future__ import annotations

from pathlib import Path

import click

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_database import connected, database_or_bundle


@click.group("staff")
def room_staff() -> None:
    """One staff list for all tables: published by the office, taken by every table.

    \b
    Examples:
      omaha-table room staff publish --data /srv/office --room office-room.toml --by S1
      omaha-table room staff status --db postgresql://owner@db/room
    """


@room_staff.command()
@click.option(
    "--data",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The office's data folder, with the staff list.",
)
@click.option(
    "--room",
    "bundle_file",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The office's bundle (room enroll --office).",
)
@click.option("--by", metavar="ID", required=True, help="The shift manager who signs with a PIN.")
def publish(data: Path, bundle_file: Path, by: str) -> None:
    """Signs the office's staff list as it is now, for every table that takes it.

    The key that signs is made with the first use (DIR/lists.key). Tables take the list within
    seconds; no table that is away takes an older one later.

    \b
    Example:
      omaha-table room staff publish --data /srv/office --room office-room.toml --by S1
    """
    from omaha_table.cli.pins import ask, pin_check, said
    from omaha_table.cli.staff import check_own_list
    from omaha_table.journal import room_list
    from omaha_table.journal.opening import writer_name
    from omaha_table.room.bundle import BundleError, read_bundle
    from omaha_table.room.staff_orders import newest_version, send

    try:
        bundle = read_bundle(bundle_file)
    except BundleError as error:
        raise Problem(str(error)) from None
    if bundle.kind != "office":
        raise Problem(f"{bundle_file} is not an office's bundle: room enroll --office NAME.")
    with connected(bundle.url) as open_room, said():
        newest = newest_version(open_room)
        check_own_list(data)
        check = pin_check(data)
        signed = check.sign("publish", ask(f"PIN of {by}: "), by, settle=False)
        settled = check.settled("publish", signed)
        made = room_list.publish(data, writer_name(), signed, newest, settled)
        send(open_room, made, signed)
    say(f"Staff list {made.version} is published.")


@room_staff.command()
@database_or_bundle
def status(url: str) -> None:
    """Shows which list each table says it uses.

    \b
    Example:
      omaha-table room staff status --db postgresql://owner@db/room
    """
    from omaha_table.room.staff_orders import lists_in_use

    with connected(url) as open_room:
        tables = lists_in_use(open_room)
    for table in tables:
        used = "none of the room" if table.version is None else f"list {table.version}"
        behind = "" if table.version == table.newest else f", newest is {table.newest}"
        say(f"{table.table:<12} {used}{behind if table.newest else ''}")
    if not tables:
        say("No table is enrolled yet.")

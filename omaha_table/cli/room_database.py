"""The `--db` and `--room` options of the room's commands, and the connection behind them."""

from __future__ import annotations

import sys
from contextlib import closing, contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omaha_table.cli.lines import Problem, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.room.database import Connection

UNREACHABLE = 4


def database_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--db",
        "url",
        envvar="OMAHA_TABLE_ROOM_DB",
        required=True,
        metavar="URL",
        help="The room's database, such as postgresql://owner@db/room; or OMAHA_TABLE_ROOM_DB.",
    )(command)


def database_or_bundle(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--db` for whoever looks after the room, `--room` for whoever was enrolled."""

    @click.option("--db", "url", envvar="OMAHA_TABLE_ROOM_DB", metavar="URL",
                  help="The room's database; or OMAHA_TABLE_ROOM_DB.")  # fmt: skip
    @click.option("--room", "bundle_file", metavar="FILE",
                  type=click.Path(dir_okay=False, path_type=Path),
                  help="Instead of --db: the bundle that room enroll wrote.")  # fmt: skip
    @wraps(command)
    def with_url(url: str | None, bundle_file: Path | None, **given: Any) -> Any:
        from omaha_table.room.bundle import BundleError, read_bundle

        try:
            # What is typed comes before what the environment says.
            found = read_bundle(bundle_file).url if bundle_file is not None else url
        except BundleError as error:
            raise Problem(str(error)) from None
        if not found:
            raise click.UsageError("Name the room with --db URL or --room FILE.")
        return command(url=found, **given)

    return with_url


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """A connection; what the room says no to ends the command with 2, silence with 4."""
    from omaha_table.room.database import RoomRefused, RoomUnreachable, connect

    try:
        with closing(connect(url)) as open_room:
            yield open_room
    except RoomRefused as refused:
        raise Problem(str(refused)) from None
    except RoomUnreachable as away:
        say(str(away), err=True)
        sys.exit(UNREACHABLE)

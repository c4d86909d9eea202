"""The `--db` option of the room's commands, and the connection behind it."""

from __future__ import annotations

import sys
from contextlib import closing, contextmanager
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

"""`omaha-table room witness`: verifies what has come in, and signs it."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_database import connected, database_or_bundle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.room.database import Connection

TOGETHER_SECONDS: Final = 0.1
"""What comes within this time is looked at together."""


@click.command()
@database_or_bundle
@click.option(
    "--key",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The witness's private key; made with the first use, with the public key in FILE.public.",
)
@click.option("--once", is_flag=True, help="Stop when everything has been looked at.")
def witness(url: str, key: Path, once: bool) -> None:
    """Verifies what has come in, and signs how far it has seen each journal.

    Run it on another machine than the room's, in other hands, such as in the surveillance office.

    Exit status with --once: 0, or 1 if a log is not sound.

    \b
    Examples:
      omaha-table room witness --room witness-room.toml --key witness.key
      omaha-table room witness --db postgresql://witness@db/room --key witness.key
    """
    from omaha_table.room.database import RoomUnreachable, check_version
    from omaha_table.room.witness import HEALING_SECONDS, open_witness
    from omaha_table.room.witness_record import WitnessError

    unsound: list[str] = []

    def said(line: str) -> None:
        unsound.append(line)
        say(line, err=True)

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        with open_witness(key, said, 0.0 if once else HEALING_SECONDS) as running:
            _write_public(key, running.public)
            while not stop.is_set():
                try:
                    with connected(url) if once else _patient(url) as open_room:
                        check_version(open_room)
                        open_room.execute("LISTEN room")
                        while not stop.is_set():
                            running.look(open_room)
                            if once:
                                sys.exit(1 if unsound else 0)
                            wait_for_news(open_room)
                except RoomUnreachable as away:
                    say(str(away), err=True)
                    stop.wait(2)
    except WitnessError as error:
        raise Problem(str(error)) from None


@contextmanager
def _patient(url: str) -> Iterator[Connection]:
    from omaha_table.room.database import RoomRefused, connect

    try:
        with closing(connect(url)) as open_room:
            yield open_room
    except RoomRefused as refused:
        raise Problem(str(refused)) from None


def wait_for_news(open_room: Connection) -> None:
    """Until a table has sent something, or a second has passed."""
    import psycopg

    from omaha_table.room.database import room_error

    try:
        if next(open_room.notifies(timeout=1.0, stop_after=1), None) is None:
            return
        # Every table is heard of once a second and more often: one look serves them all.
        time.sleep(TOGETHER_SECONDS)
        for _ in open_room.notifies(timeout=0):
            pass
    except psycopg.Error as error:
        raise room_error(error) from None


def _write_public(key: Path, public: str) -> None:
    path = key.with_name(f"{key.name}.public")
    if not path.exists():
        path.write_text(f"{public}\n", encoding="utf-8")

"""`omaha-table room demo`: a whole room on this machine, which deals by itself."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import click

from omaha_table.cli.lines import Problem, on_terminal, say
from omaha_table.cli.room_witness import wait_for_news

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.room.database import Connection
    from omaha_table.room.embedded import EmbeddedServer

MOST_TABLES: Final = 30
END_SECONDS: Final = 12.0
"""What the tables get to send their last events and end."""
_PACES: Final = ("real", "brisk", "fast")
_SETTINGS: Final = ("shared_buffers=32MB", "synchronous_commit=off")
_GUARD: Final = 'read _; kill -s KILL -- "-$1"; rm -rf -- "$2" "$3"'
"""Waits for the end of its standard input, which comes however the demo ends."""


@click.command()
@click.option(
    "--tables",
    type=click.IntRange(1, MOST_TABLES),
    default=6,
    show_default=True,
    metavar="N",
    help="How many tables deal.",
)
@click.option(
    "--pace",
    type=click.Choice(_PACES),
    default="brisk",
    show_default=True,
    help="The speed of machines, players and dealers.",
)
@click.option(
    "--port", default=8710, show_default=True, type=click.IntRange(0, 65535),
    help="Of the floor's page; another one if it is taken.",
)  # fmt: skip
def demo(tables: int, pace: str, port: int) -> None:
    """Opens a room on this machine: a PostgreSQL server, tables that deal by themselves, a witness,
    and the floor's page, at the address that is printed.

    Everything is in temporary folders, which are removed when it ends: with Ctrl-C.

    \b
    Example:
      omaha-table room demo --tables 6
    """
    from omaha_table.room.embedded import EmbeddedServer, ServerError

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    with ExitStack() as held:
        folder = Path(tempfile.mkdtemp(prefix="omaha-room-demo-"))
        held.callback(shutil.rmtree, folder, ignore_errors=True)
        try:
            server = EmbeddedServer(settings=_SETTINGS)
            held.callback(server.remove)
            server.create().start()
        except (ServerError, OSError) as error:
            raise Problem(str(error)) from None
        held.enter_context(_guarded(server, folder))
        _run(server, folder, tables, pace, port, stop, held)


@contextmanager
def _guarded(server: EmbeddedServer, folder: Path) -> Iterator[None]:
    """However this program ends, no server is left."""
    guard = subprocess.Popen(
        ["/bin/sh", "-c", _GUARD, "sh", str(server.pid), str(folder), str(server.folder)],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        yield
    finally:
        guard.kill()
        guard.communicate()


def _run(
    server: EmbeddedServer,
    folder: Path,
    count: int,
    pace: str,
    port: int,
    stop: threading.Event,
    held: ExitStack,
) -> None:
    from omaha_table.cli.room_demo_page import PINS, demo_page
    from omaha_table.room.bundle import write_bundle
    from omaha_table.room.database import connect, upgrade
    from omaha_table.room.enrollment import enroll
    from omaha_table.room.witness import open_witness

    with closing(connect(server.url())) as admin:
        admin.execute(b"CREATE DATABASE room")
    room = held.enter_context(closing(connect(server.url("room"))))
    upgrade(room)
    witness = held.enter_context(
        open_witness(folder / "witness.key", lambda line: say(line, err=True))
    )
    names = [f"t{number}" for number in range(1, count + 1)]
    for name in names:
        bundle = replace(enroll(room, name, "table"), witness_key=witness.public)
        write_bundle(folder / f"{name}.toml", bundle)
    reader = enroll(room, "demo", "reader")
    url = _as_url(server, reader.user, reader.password)
    deal = "1 table deals by itself" if count == 1 else f"{count} tables deal by themselves"
    address = held.enter_context(demo_page(url, folder / "office", port))
    say(f"The room is open: {deal}, in {folder}.")
    say("")
    say(f"  The floor's page: {address}")
    say(f"  Sign in as F1, PIN {PINS['F1']}, or as the shift manager S1, PIN {PINS['S1']}.")
    say("")
    say("Press Ctrl-C to end it; its folders are then removed. In another terminal:")
    say("")
    say(f"  export OMAHA_TABLE_ROOM_DB='{url}'")
    say(f"  {os.environ.get('OMAHA_TABLE_COMMAND', 'omaha-table')} room status")
    say("")
    with _tables(folder, names, pace) as running:
        _watch(room, lambda: witness.look(room), running, stop)


def _as_url(server: EmbeddedServer, user: str, password: str) -> str:
    host = quote(str(server.folder), safe="")
    return f"postgresql://{user}:{password}@/room?host={host}&port={server.port}"


@contextmanager
def _tables(folder: Path, names: list[str], pace: str) -> Iterator[dict[str, _Process]]:
    """A process for each table. The end of its standard input ends it."""
    running: dict[str, _Process] = {}
    try:
        for number, name in enumerate(names, start=1):
            words = [str(folder / name), name, str(number), "--pace", pace,
                     "--room", str(folder / f"{name}.toml")]  # fmt: skip
            with (folder / f"{name}.log").open("wb") as log:
                running[name] = subprocess.Popen(
                    [sys.executable, "-P", "-m", "omaha_table", "room", "demo-table", *words],
                    stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
                )  # fmt: skip
        yield running
    finally:
        for process in running.values():
            assert process.stdin is not None
            process.stdin.close()
        until = time.monotonic() + END_SECONDS
        for process in running.values():
            try:
                process.wait(max(until - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _watch(
    room: Connection,
    look: Callable[[], int],
    running: dict[str, _Process],
    stop: threading.Event,
) -> None:
    """The witness at work, until somebody ends it."""
    from omaha_table.room.database import RoomError
    from omaha_table.room.overview import overview

    room.execute("LISTEN room")
    lively, shown, ended = on_terminal(), False, set[str]()
    while not stop.is_set():
        try:
            look()
            wait_for_news(room)
        except RoomError as error:
            raise Problem(f"The room's server has ended: {error}") from None
        for name, process in running.items():
            if process.poll() is not None and name not in ended:
                ended.add(name)
                say(f"{name} has ended (status {process.returncode}).", err=True)
        if lively or not shown:
            there = overview(room)
            heard = [one for one in there if one.seq and one.seq == one.cosigned_seq]
            if lively:
                events = sum(one.seq or 0 for one in there)
                click.echo(f"\r{events:,} events, {len(heard)} of {len(there)} tables witnessed to "
                           "the last one ", nl=False)  # fmt: skip
            elif len(heard) == len(there):
                say(f"Witnessed: {len(heard)} of {len(there)} tables.")
                shown = True
    if lively:
        click.echo()


@click.command("demo-table", hidden=True)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("name")
@click.argument("number", type=int)
@click.option("--pace", type=click.Choice(_PACES), required=True)
@click.option("--room", "bundle", type=click.Path(dir_okay=False, path_type=Path), required=True)
def demo_table(folder: Path, name: str, number: int, pace: str, bundle: Path) -> None:
    """One table of the demo, in a process of its own."""
    from omaha_table.cli.lines import use_folder
    from omaha_table.cli.shipper_process import ShipperProcess
    from omaha_table.demo.room_table import RoomTable

    use_folder(folder)
    threading.Thread(target=_end_with_the_demo, daemon=True).start()
    with ShipperProcess(folder, bundle) as link:
        RoomTable(folder, name, number, pace, link).run()


def _end_with_the_demo() -> None:
    """As a dealer who shuts the console down; and if that does not end it, at once."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(1)


_Process = subprocess.Popen[bytes]

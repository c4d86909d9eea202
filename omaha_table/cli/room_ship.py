"""`omaha-table room ship`: sends a table's log to the room."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omaha_table.cli.lines import Problem, say

if TYPE_CHECKING:
    from omaha_table.room.shipping import ShipperState


@click.command()
@click.option(
    "--data",
    "folder",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The table's data folder.",
)
@click.option(
    "--room",
    "bundle_file",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The bundle that room enroll wrote.",
)
@click.option("--once", is_flag=True, help="Stop when the room has everything.")
@click.option("--json", "as_json", is_flag=True, help="Say what happens as JSON, for the console.")
def ship(folder: Path, bundle_file: Path, once: bool, as_json: bool) -> None:
    """Sends what the room does not have, as it is written.

    The console does this by itself where the table's file has [room].

    Exit status 0: done; 1: an alarm; 2: the room refuses this table; 4 with --once: no answer.

    \b
    Example:
      omaha-table room ship --data /srv/t7 --room t7-room.toml --once
    """
    from omaha_table.room.bundle import BundleError, read_bundle
    from omaha_table.room.shipping import Shipping

    try:
        bundle = read_bundle(bundle_file)
    except BundleError as error:
        raise Problem(str(error)) from None
    if bundle.kind == "reader":
        raise Problem(f"{bundle_file} is a reader's bundle: it may send nothing.")
    beats = _Beats() if as_json else None
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    shipping = Shipping(
        bundle,
        folder,
        _say_json if as_json else _say_state,
        beats.latest if beats else dict,
        lambda: stop.is_set() or (beats is not None and beats.ended),
    )
    sys.exit(shipping.run(once=once))


def _say_json(state: ShipperState) -> None:
    click.echo(json.dumps(asdict(state)))
    sys.stdout.flush()


def _say_state(state: ShipperState) -> None:
    if state.staff_list:
        say(state.staff_list, err=True)
    if state.phase == "shipped":
        say(f"{state.day}: the room has event {state.seq}, witnessed to {state.witnessed}.")
    else:
        say(f"{state.alarm or state.phase}: {state.message}", err=True)


class _Beats:
    """What the console tells of itself, a JSON object per line on standard input."""

    def __init__(self) -> None:
        self.ended = False
        self._rest = b""
        self._latest: dict[str, Any] = {}

    def latest(self) -> dict[str, Any]:
        while not self.ended and select.select([0], [], [], 0)[0]:
            given = os.read(0, 65536)
            self.ended = not given
            *lines, self._rest = (self._rest + given).split(b"\n")
            self._rest = self._rest[-65536:]
            for line in lines[-1:]:
                try:
                    found = json.loads(line)
                except ValueError:
                    continue
                self._latest = found if isinstance(found, dict) else {}
        return self._latest

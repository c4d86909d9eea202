"""`omaha-table room ship`: sends a table's log to the room."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from omaha_table.cli.lines import Problem, say

if TYPE_CHECKING:
    from omaha_table.room.shipping import ShipperState

_LONGEST_BEAT: Final = 65536
STALE_SECONDS: Final = 7.0
"""Three heartbeats are missing: the console hangs."""
LAST_SECONDS: Final = 3.0
"""What the shipper has to send the last events when the console has ended."""


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
    stop = threading.Event()
    beats = _Beats(stop) if as_json else None
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    shipping = Shipping(
        bundle,
        folder,
        _say_json if as_json else _say_state,
        beats.latest if beats else dict,
        stop,
    )
    sys.exit(shipping.run(once=once, stay=as_json))


def _say_json(state: ShipperState) -> None:
    # When nobody listens, the console is gone, and the end of standard input says so.
    with contextlib.suppress(BrokenPipeError):
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
    """What the console tells of itself, a JSON object per line on standard input.

    When that ends, the console is gone, whatever ended it, and so is the shipper soon: what waits
    for the room at that moment does not keep it.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._latest: dict[str, Any] = {}
        self._heard = time.monotonic()
        threading.Thread(target=self._read, daemon=True).start()

    def latest(self) -> dict[str, Any]:
        """What the console said last; if that is old, only that: nobody must take it for now."""
        silent = time.monotonic() - self._heard
        return self._latest if silent < STALE_SECONDS else {"console_silent": int(silent)}

    def _read(self) -> None:
        # Not sys.stdin: a thread that waits in it keeps the program from ending.
        rest = b""
        while given := os.read(0, _LONGEST_BEAT):
            *lines, rest = (rest + given).split(b"\n")
            rest = rest[-_LONGEST_BEAT:]
            for line in lines[-1:]:
                with contextlib.suppress(ValueError):
                    found = json.loads(line)
                    self._latest = found if isinstance(found, dict) else {}
                    self._heard = time.monotonic()
        self._stop.set()
        time.sleep(LAST_SECONDS)
        os._exit(0)

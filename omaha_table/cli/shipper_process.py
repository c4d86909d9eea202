"""The shipper of a table, as the console has it: a process that is started, watched and ended.

The console writes a heartbeat to its standard input as a line of JSON, and never waits: what the
pipe does not take is lost. The shipper says how far it is on its standard output. When the console
is gone, however it ended, the pipe is at its end, and the shipper ends too.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
from typing import IO, TYPE_CHECKING, Any, Final

import structlog

from omaha_table.dealer.heartbeat import MOST_BYTES
from omaha_table.dealer.room_status import KEEPS_FAILING, ShipperReport

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_log = structlog.get_logger(__name__)
WAITS: Final = (1.0, 60.0)
"""Seconds before a shipper that has died is started again: at first, and at most."""
LOOK_FOR_BUNDLE: Final = 2.0
"""How often a shipper that the room refused is given another chance, if its bundle is another."""
FAILS: Final = 3
"""Deaths in a row, after which the dealer is told."""
LONG_ENOUGH: Final = 60.0
"""A shipper that ran for so long did not die of how it was started."""
END_SECONDS: Final = 4.0
"""What a shipper gets to send the last events when the console is shut down."""
ALARM, REFUSED = 1, 2
_LOG_FILE: Final = "shipper.log"


class ShipperProcess:
    """Runs `room ship` for a table. Everything that waits is in a thread of its own."""

    def __init__(self, folder: Path, bundle: Path) -> None:
        self._folder, self._bundle = folder, bundle
        self._said = ShipperReport(since=time.time())
        self._process: subprocess.Popen[bytes] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="shipper", daemon=True)
        self._pipe = threading.Lock()
        self._into: IO[bytes] | None = None
        """The shipper's standard input, while it is open."""
        self._last_line = ""

    @property
    def said(self) -> ShipperReport:
        return self._said

    @property
    def pid(self) -> int | None:
        process = self._process
        return None if process is None else process.pid

    def beat(self, beat: Mapping[str, object]) -> None:
        line = json.dumps(beat, separators=(",", ":")).encode() + b"\n"
        if len(line) > MOST_BYTES:
            _log.error("the heartbeat is too long", bytes=len(line))
            return
        # Held for a moment only, so that no line goes to a file that has got the pipe's number.
        with self._pipe:
            if self._into is None:
                return
            # So short a line goes into the pipe whole or not at all. Not at all: the shipper waits
            # for the room, or has died, which the thread sees.
            with contextlib.suppress(OSError):
                os.write(self._into.fileno(), line)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Lets the shipper send what is left, for a few seconds, and ends it."""
        self._stop.set()
        self._close_pipe()
        self._thread.join(END_SECONDS)
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
        self._thread.join(END_SECONDS)

    def __enter__(self) -> ShipperProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # In the thread

    def _run(self) -> None:
        deaths = 0
        while not self._stop.is_set():
            bundle, began = _stamp(self._bundle), time.monotonic()
            status = self._ship()
            if self._stop.is_set():
                return
            _log.warning("the shipper has ended", status=status, said=self._last_line)
            if time.monotonic() - began > LONG_ENOUGH:
                deaths = 0
            deaths += 1
            if status == REFUSED:
                self._refused()
            elif status != ALARM and deaths >= FAILS:
                self._keeps_failing(status)
            wait = min(WAITS[0] * 2 ** (deaths - 1), WAITS[1])
            if status in (ALARM, REFUSED):
                self._wait_for_another(bundle)
            else:
                self._stop.wait(wait)

    def _ship(self) -> int:
        """Runs one shipper to its end; its exit status."""
        words = ["--log", str(self._folder / _LOG_FILE), "room", "ship", "--data",
                 str(self._folder), "--room", str(self._bundle), "--json"]  # fmt: skip
        self._last_line = ""
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "omaha_table", *words],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                # What ends the console from the keyboard does not end the shipper before it.
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self._last_line = f"It cannot be started: {error.strerror}."
            return -1
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            os.set_blocking(process.stdin.fileno(), False)
            self._process = process
            with self._pipe:
                self._into = process.stdin
            if self._stop.is_set():
                self._close_pipe()
            for line in process.stdout:
                self._hear(line)
            status = process.wait()
            self._close_pipe()
        return status

    def _close_pipe(self) -> None:
        with self._pipe:
            into, self._into = self._into, None
            if into is not None:
                into.close()

    def _hear(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").strip()
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        report = report_of(found)
        if report is not None:
            self._said = report
        elif text:
            self._last_line = text[:500]

    def _refused(self) -> None:
        """It says so itself, unless it could not even read its bundle."""
        if self._said.phase != "refused":
            message = self._last_line.removeprefix("Error: ") or "The room refuses this table."
            self._said = ShipperReport("refused", message=message, since=time.time())

    def _keeps_failing(self, status: int) -> None:
        message = f"The program that sends the log keeps failing (status {status})."
        more = f"Deal on, and have {_LOG_FILE} looked at."
        self._said = dataclasses.replace(
            self._said, phase=KEEPS_FAILING, message=f"{message} {more}"
        )

    def _wait_for_another(self, bundle: tuple[int, int]) -> None:
        """Until the bundle is another one, or it is time to ask again."""
        until = time.monotonic() + WAITS[1]
        while time.monotonic() < until and _stamp(self._bundle) == bundle:
            if self._stop.wait(LOOK_FOR_BUNDLE):
                return


def report_of(found: Any) -> ShipperReport | None:
    """What a shipper said, if it has the form of it."""
    if not isinstance(found, dict) or not isinstance(found.get("phase"), str):
        return None
    given: dict[str, Any] = {}
    for field in dataclasses.fields(ShipperReport):
        value = found.get(field.name, field.default)
        if isinstance(field.default, float) and isinstance(value, int):
            value = float(value)
        if type(value) is not type(field.default):
            return None
        given[field.name] = value
    return ShipperReport(**given)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        about = path.stat()
    except OSError:
        return (-1, -1)
    return (about.st_ino, about.st_mtime_ns)

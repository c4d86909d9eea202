"""A table whose cards come from a device, in a process of its own that is killed in the deal.

It is that process too: `python -m tests.drivers.killed_console OFFICE FOLDER PORT ADAPTER CARDS`
takes cards until so many are dealt, prints "done", and waits for the kill.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
from omaha_drivers.settings import DeviceSettings

from omaha_table.session.device_loop import DeviceLoop
from tests.drivers.plug_ins.rfid_table import OPTIONS
from tests.evenings import draw_lines
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from omaha_table.session import Session

SEATS = (1, 2, 3, 9)
"""Where the table of the proof adapter has antennas."""
RFID = "tests.drivers.plug_ins.rfid_table:RfidTable"


def loop_at(session: Session, port: Path, adapter: str) -> DeviceLoop:
    options = OPTIONS if adapter == RFID else {}
    return DeviceLoop(
        session, [DeviceSettings("shoe", "shoe", adapter, str(port), options=options)]
    )


def dealt(session: Session) -> int:
    return 0 if session.state.hand is None else session.state.hand.cards_dealt


def take_until(loop: DeviceLoop, session: Session, cards: int) -> None:
    end = time.monotonic() + 40
    while dealt(session) < cards:
        assert time.monotonic() < end, (dealt(session), session.step, loop.devices.of("shoe"))
        list(loop.process(0.0))
        time.sleep(0.005)


def start(office: X25519PublicKey, folder: Path) -> Session:
    session = open_session(folder, office=office)
    players = [f"seat {seat} P{seat} 200" for seat in SEATS]
    say(session, *players, *draw_lines(9, SEATS), "hand")
    return session


class ConsoleToKill:
    """Used as a context: at its end the console has taken so many cards, and is killed."""

    def __init__(
        self, office: X25519PublicKey, folder: Path, port: Path, adapter: str, cards: int
    ) -> None:
        given = [office.public_bytes_raw().hex(), str(folder), str(port), adapter, str(cards)]
        self._command = [sys.executable, "-m", __name__, *given]

    def __enter__(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "listening\n"

    def __exit__(self, *_: object) -> None:
        with self._process as process:
            assert process.stdout is not None
            said = process.stdout.readline()
            process.kill()
        assert (said, process.returncode) == ("done\n", -signal.SIGKILL)


if __name__ == "__main__":
    key, place, line, name, count = sys.argv[1:]
    table = start(X25519PublicKey.from_public_bytes(bytes.fromhex(key)), Path(place))
    with loop_at(table, Path(line), name) as devices:
        while name != RFID and not devices.devices.shoe_deals:
            list(devices.process(0.01))  # this reader is not there before its first card
        print("listening", flush=True)
        take_until(devices, table, int(count))
        print("done", flush=True)
        signal.pause()

"""Deals a part of a hand in a process of its own, which is then killed.

It is that process too: `python -m tests.journal.killed_dealer OFFICE FOLDER LINE…` says the lines
at the table in FOLDER, prints "done", and waits for the kill.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from tests.journal.days import open_session, say


def deal_and_be_killed(office: X25519PublicKey, folder: Path, lines: list[str]) -> None:
    """Returns when the process is gone; all lines have been answered."""
    command = [sys.executable, "-m", __name__, office.public_bytes_raw().hex(), str(folder)]
    with subprocess.Popen([*command, *lines], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        answered = process.stdout.readline()
        process.kill()
    assert (answered, process.returncode) == ("done\n", -signal.SIGKILL)


if __name__ == "__main__":
    office, folder, *lines = sys.argv[1:]
    session = open_session(
        Path(folder), office=X25519PublicKey.from_public_bytes(bytes.fromhex(office))
    )
    say(session, *lines)
    print("done", flush=True)
    signal.pause()

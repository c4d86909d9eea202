"""Output where the terminal or the pipe cannot take every sign."""

from __future__ import annotations

import os
import subprocess
import sys

FLAGS = (
    *("--rules", "ca_big_o", "--board", "7c 5h 2s Kd As", "--button", "5", "--pot", "100"),
    *("--hand", "1:Ah 3d 9c 9d Ts", "--hand", "4:Kc Kh 4d 8s Jh", "--hand", "6:3s 8d 8c 9h 2d"),
)


def showdown(encoding: str) -> subprocess.CompletedProcess[bytes]:
    env = os.environ | {"PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    return subprocess.run(
        [sys.executable, "-m", "omaha_table", "showdown", *FLAGS],
        capture_output=True,
        check=False,
        env=env,
    )


def test_fractions_are_written_in_digits_where_the_signs_cannot_be() -> None:
    done = showdown("ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"1/4" in done.stdout
    assert "¼" in showdown("utf-8").stdout.decode()

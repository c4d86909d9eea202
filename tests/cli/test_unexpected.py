"""An error that nobody has foreseen: a sentence, a status, the cause in the log, and no card."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.paths import PYTHONPATH

if TYPE_CHECKING:
    from pathlib import Path

PLANTED = """
import omaha_table.cli.calculator as calculator
def broken(line, number, rules=None):
    secret = "As Kd 7c"
    raise RuntimeError("planted " + secret)
calculator.answer_line = broken
"""


def program(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the program with a mistake planted in its calculator."""
    (folder / "sitecustomize.py").write_text(PLANTED)
    return subprocess.run(
        [sys.executable, "-m", "omaha_table", *arguments],
        input="{}\n",
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{PYTHONPATH}"},
    )


@pytest.mark.parametrize("logged", [False, True], ids=["without a log", "with a log"])
def test_the_cause_is_in_the_log_alone(tmp_path: Path, logged: bool) -> None:
    log = tmp_path / "log"
    done = program(tmp_path, *(("--log", str(log)) if logged else ()), "showdown", "-")
    assert done.returncode == 70
    assert done.stdout == ""
    assert "an unexpected error" in done.stderr
    for told in ("Traceback", "RuntimeError", "planted", "As Kd", "7c"):
        assert told not in done.stderr
    assert log.exists() == logged
    if logged:
        [entry] = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        assert "RuntimeError" in entry["exception"]
        assert "As Kd" not in json.dumps(entry)


@pytest.mark.parametrize("name", ["no/such/folder/log", "."])
def test_a_log_that_cannot_be_kept_is_bad_usage(tmp_path: Path, name: str) -> None:
    done = program(tmp_path, "--log", str(tmp_path / name), "rules", "list")
    assert done.returncode == 2
    assert "--log" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""

"""Streams and file names that no program likes: full, closed, or impossible."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "omaha_table", *arguments],
        stderr=subprocess.PIPE,
        check=False,
        **options,
    )


@pytest.mark.parametrize("name", ["a\x00.toml", "\ud800.toml"])
def test_a_name_that_is_no_file_name_is_an_answer(name: str) -> None:
    line = json.dumps({"rules": name, "board": "", "hands": {}}).encode()
    done = process("showdown", input=line, stdout=subprocess.PIPE)
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "unknown_rules"


def test_a_full_disk_and_closed_streams_are_said_in_a_sentence() -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = process("rules", "list", stdout=full)
    assert done.returncode == 1
    assert b"No space left" in done.stderr
    shell = f"{shlex.quote(sys.executable)} -m omaha_table"
    for command in ("script <&-", "showdown - <&-", "rules list >&-"):
        closed = subprocess.run(
            ["sh", "-c", f"{shell} {command}"], capture_output=True, check=False
        )
        assert closed.returncode == 2
        assert b"Traceback" not in closed.stderr

"""No other program can read the memory of a command that holds cards, PINs or keys."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# The program in one process, so that it can be asked at the end what it is; and a child of it.
RUN = """
import ctypes, resource, subprocess, sys
from click.testing import CliRunner
from omaha_table.cli import omaha_table
done = CliRunner().invoke(omaha_table, sys.argv[1:], input="step\\n")
ask = "import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
child = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True)
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), resource.getrlimit(resource.RLIMIT_CORE)[0],
      child.stdout.strip())
"""


def asked(*arguments: str) -> list[str]:
    """Whether the command can be dumped, how large its core may be, and whether a child can."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


if sys.platform == "linux":

    @pytest.mark.parametrize(
        "command",
        [
            ["script", "--data", "{}/data"],
            ["staff", "list", "--data", "{}"],
            ["keys", "new", "{}/safe"],
            ["office", "variances", "--data", "{}"],
            ["review", "--data", "{}/none"],
            ["enroll", "--data", "{}", "--reason", "test"],
            [
                *("unseal", "{}/none", "--hand", "1", "--seat", "1", "--key", "{}/k"),
                *("--case", "26-1", "--reason", "test", "--office", "{}/o"),
                *("--signed", "F1", "--signed", "S1"),
            ],
        ],
        ids=lambda command: str(command[0]),
    )
    def test_a_command_with_secrets_cannot_be_dumped_but_its_children_can(
        command: list[str], tmp_path: Path
    ) -> None:
        assert asked(*(part.format(tmp_path) for part in command)) == ["0", "0", "1"]

    def test_a_command_without_secrets_is_as_it_was() -> None:
        assert asked("rules", "list")[0] == "1"

    def test_the_memory_of_a_running_table_cannot_be_opened_by_the_same_user(
        tmp_path: Path,
    ) -> None:
        """What a debugger opens first. Root may, so as root the attack is made as nobody."""
        code = (
            "import ctypes, os, sys\n"
            "import omaha_table.process\n"
            "if os.geteuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
            "ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)\n"
            "if sys.argv[1] == 'protected': omaha_table.process.protect_memory()\n"
            "print('ready', flush=True); sys.stdin.read()\n"
        )
        found = {}
        for kind in ("as it was", "protected"):
            with subprocess.Popen(
                [sys.executable, "-c", code, kind],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd="/",
            ) as victim:
                assert victim.stdout is not None
                assert victim.stdout.readline() == b"ready\n"
                found[kind] = _can_read_environment(victim.pid)
                victim.communicate()
        assert found == {"as it was": True, "protected": False}


def _can_read_environment(pid: int) -> bool:
    """In a process of its own, as a plain user."""
    reader = os.fork()
    if reader == 0:
        try:
            if os.geteuid() == 0:
                ctypes.CDLL(None).setgroups(0, None)
                os.setgid(65534)
                os.setuid(65534)
            with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123
                file.read()
        except PermissionError:
            os._exit(1)
        except BaseException:
            os._exit(2)
        os._exit(0)
    _, status = os.waitpid(reader, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1)
    return os.waitstatus_to_exitcode(status) == 0

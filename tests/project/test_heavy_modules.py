"""A command imports no large module that it does not need: each costs tens of milliseconds."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from scripts.campaigns.simulated import Days, make

if TYPE_CHECKING:
    from pathlib import Path

SCREEN: Final = ("textual", "rich", "pygments", "asyncio", "omaha_table.dealer", "omaha_table.demo")
DISK: Final = ("sqlite3", "cryptography", "structlog", "serial", "psycopg", "jinja2", "starlette")
PROCESSES: Final = ("multiprocessing", "concurrent.futures")
TABLE: Final = ("omaha_table.hand.decisions", "omaha_table.table", "omaha_table.floor")
SHOWDOWN: Final = (
    "showdown", "--rules", "ca_big_o", "--board", "7c 5h 2s Kd As", "--button", "5",
    "--hand", "1:Ah 3d 9c 9d Ts", "--hand", "4:Kc Kh 4d 8s Jh", "--pot", "100",
)  # fmt: skip
NEEDLESS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "help": (("--help",), (*SCREEN, *DISK, *PROCESSES, *TABLE, "pydantic", "omaha_table.rules")),
    "showdown": (SHOWDOWN, ("textual", "asyncio", *DISK, *PROCESSES, *TABLE)),
    "showdowns": (("showdown", "-"), (*SCREEN, *DISK, *PROCESSES, *TABLE)),
    "rules": (("rules", "list"), ("textual", "asyncio", *DISK, *PROCESSES, *TABLE)),
    "verify": (
        ("verify", "LOG"),
        (*SCREEN, *PROCESSES, "structlog", "serial", "psycopg", "jinja2", "omaha_table.session",
         "omaha_table.review"),
    ),
    "staff": (("staff", "list", "--data", "LOG"), (*SCREEN, *PROCESSES, "jinja2", "psycopg")),
    "report": (
        ("report", "shift", "day", "--data", "LOG"),
        ("textual", "asyncio", "serial", "psycopg", "omaha_table.session", "omaha_table.demo"),
    ),
}  # fmt: skip
"""What each command is called with, and what it must not import."""
RUN: Final = """
import atexit, sys
needless = sys.argv.pop(1).split()
atexit.register(lambda: print(*[name for name in needless if name in sys.modules], file=sys.stderr))
from omaha_table.cli import main
main()
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    make(folder, Days(1, seats=2))
    return folder


def imported(log: Path, arguments: tuple[str, ...], among: tuple[str, ...]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN, " ".join(among),
         *(str(log) if one == "LOG" else one for one in arguments)],
        capture_output=True, text=True, input="", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr.split()


@pytest.mark.parametrize("command", NEEDLESS)
def test_a_command_imports_only_what_it_needs(command: str, log: Path) -> None:
    arguments, needless = NEEDLESS[command]
    assert imported(log, arguments, needless) == []


def test_an_import_is_seen(log: Path) -> None:
    assert imported(log, ("verify", "LOG"), ("sqlite3", "textual")) == ["sqlite3"]

"""Twenty keys a second on a busy machine, a long staff list, a slow disk: each key lands where
it was meant.

The events are those that the same keys make when each is typed only after the one before.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.dealer.console import Console
from omaha_table.journal.codec import to_stored
from omaha_table.journal.events import LogEvent
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.staff_list import load_staff
from omaha_table.journal.verification import files_in
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.config import load_table, seat_players
from tests.console.long_staff_list import PIN, begin_hand, thirty_people
from tests.console.terminal import PROGRAM, Terminal, table_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FAST = 0.05
DRAWN = ("enter", "1", "3", "/", "4", "*", "1", "2", "-", "+", "0")
RULING = ("/", *PIN, "enter", "1", "4", "3", "enter", "1", "enter")
"""Seat 3's hand is dead, for the first reason."""
Part = tuple[tuple[str, ...], str]
"""Keys that are typed without a look, and what is waited for then."""

NIGHTS: dict[str, Sequence[Part]] = {
    "a ruling and the next action": [((*RULING, "-", "0"), "seat 2 wins 6")],
    "an action and a ruling": [(("enter", *RULING), "FLOOR F25 dead")],
    "a wrong PIN": [(("/", *"999999", "enter"), "Wrong PIN"), ((".", "enter", "-"), "2 FOLD")],
    "what was typed is erased": [
        (("/", *"482", ".", ".", "/", "+", *"114", "enter", "-"), "1 FOLD"),
    ],
    "more rulings and a wrong one": [
        (("/", *PIN, "enter", "+", ".", "1", "9", ".", "1", "4", "2", ".", "3", "enter", "2",
          "enter"), "FLOOR F25 dead"),
    ],
}  # fmt: skip


@contextmanager
def busy_machine() -> Iterator[None]:
    """Both cores have something else to do."""
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for one in burning:
            one.kill()
            one.wait()


def events_in(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """What happened at the table, without its times."""
    [journal] = files_in(folder)
    with Reader(journal) as reader:
        found = [record_of(row).event for row in reader.since()]
    return [
        (type(event).__name__, {k: v for k, v in to_stored(event).items() if k != "at"})
        for event in found
        if not isinstance(event, LogEvent)
    ]


def typed_slowly(
    table: Path, staffed: Path, parts: Sequence[Part]
) -> list[tuple[str, dict[str, Any]]]:
    """The events of keys, each a second after the one before."""
    data = table.with_name("slow")
    keys = [*DRAWN, *(key for part, _ in parts for key in part)]
    config = load_table(table)
    profile = load_profile(config.rules)
    staff = load_staff(staffed)
    known = tuple(person for person in staff.people if person.id == "F25")
    staff = type(staff)(known, staff.pepper)
    session = Session.on_journal(data, config.table.id, profile, profile.limits[0], staff)
    seat_players(session, config)
    console = Console(session, title="T7")
    for at, key in enumerate(keys):
        console.press({".": "full_stop"}.get(key, key), float(at))
    session.close()
    return events_in(data)


def typed_fast(
    table: Path, staffed: Path, parts: Sequence[Part], program: list[str] = PROGRAM
) -> list[tuple[str, dict[str, Any]]]:
    data = shutil.copytree(staffed, table.with_name("fast"))
    given = ["console", "--table", str(table), "--data", str(data)]
    with Terminal(given, program=program) as terminal:
        begin_hand(terminal)
        for keys, shown in parts:
            terminal.press(*keys, gap=FAST)
            terminal.wait(shown, 120)
        terminal.settled(1.5, 60)
    return events_in(data)


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return thirty_people(tmp_path_factory.mktemp("staff") / "data")


@pytest.mark.parametrize("night", NIGHTS)
def test_fast_keys_on_a_busy_machine_do_what_slow_keys_do(
    tmp_path: Path, staffed: Path, night: str
) -> None:
    table = table_file(tmp_path)
    expected = typed_slowly(table, staffed, NIGHTS[night])
    with busy_machine():
        assert typed_fast(table, staffed, NIGHTS[night]) == expected


SLOW_DISK = """
import time
from omaha_table.journal import writer
right = writer.JournalWriter.append
def append(self, *given, **more):
    time.sleep(1)
    return right(self, *given, **more)
writer.JournalWriter.append = append
from omaha_table.cli import omaha_table
omaha_table()
"""


@pytest.mark.parametrize("night", ["a ruling and the next action", "an action and a ruling"])
def test_fast_keys_wait_for_a_disk_that_takes_a_second(
    tmp_path: Path, staffed: Path, night: str
) -> None:
    table, program = table_file(tmp_path), [sys.executable, "-c", SLOW_DISK]
    expected = typed_slowly(table, staffed, NIGHTS[night])
    assert typed_fast(table, staffed, NIGHTS[night], program) == expected

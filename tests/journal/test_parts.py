"""Large logs are checked in parts by several processes, and the verdict stays the same."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.anchors import Anchors
from omaha_table.journal.crew import Crew
from omaha_table.journal.days import day_files
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.reader import Reader
from omaha_table.journal.schema import SEAL
from omaha_table.journal.verification import verify
from omaha_table.journal.walk import Broken
from scripts.campaigns.damaged_logs import Inline, Tally, campaign
from scripts.campaigns.simulated import Days, make

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.journal.parts import Part, Place, Wanted
    from omaha_table.journal.table_check import DayEnd


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days of four hands; the second is still open."""
    folder = tmp_path_factory.mktemp("log")
    make(folder, Days(4, days=2, seats=4), close=False)
    return folder


@pytest.fixture
def joins(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each part that was sound by itself fitted where it belongs."""
    found: list[bool] = []
    join = FileCheck._join

    def watched(check: FileCheck, part: Part) -> bool:
        found.append(join(check, part))
        return found[-1]

    monkeypatch.setattr(FileCheck, "_join", watched)
    return found


def test_every_hand_of_a_sound_log_can_be_a_part(log: Path, joins: list[bool]) -> None:
    alone = verify(day_files(log))
    assert alone.sound
    assert verify(day_files(log), crew=Crew(Inline(), 1, size=1)) == alone
    with contextlib.ExitStack() as held:
        readers = [held.enter_context(Reader(path)) for path in day_files(log)]
        seals = [row.seq for one in readers for row in one.since(kinds=(SEAL,))]
    assert len(seals) > 8
    assert joins == [True] * len(seals)


ELSEWHERE: dict[str, Callable[[Place], Place]] = {
    "head": lambda place: place._replace(head=bytes(32)),
    "key": lambda place: place._replace(key="00" * 32),
    "rules": lambda place: place._replace(rules_seq=1),
    "ruling": lambda place: place._replace(ruling=1),
    "table": lambda place: place._replace(table=replace(place.table, hands=99)),
}


@pytest.mark.parametrize("what", ELSEWHERE)
def test_a_part_counts_only_where_the_one_before_it_ended(
    what: str, log: Path, joins: list[bool]
) -> None:
    """Each part is sound by itself; it started from somewhere else."""
    elsewhere = ELSEWHERE[what]
    pool = _Changing(lambda part: replace(part, start=elsewhere(part.start)))
    assert verify(day_files(log), crew=Crew(pool, 1, size=1)) == verify(day_files(log))
    assert joins == [False] * len(joins)
    assert joins


def test_what_is_outside_a_journal_is_compared_with_its_parts(log: Path) -> None:
    """A receipt that names another event than the one there, in the middle of a day."""
    path = day_files(log)[0]
    verdicts = []
    for crew in (None, Crew(Inline(), 1, size=1)):
        anchors = Anchors()
        anchors.receipts["t1", path.stem.removeprefix("t1-")] = {"seq": 200, "head": "00" * 32}
        verdicts.append(verify(day_files(log), anchors=anchors, crew=crew))
    [damage] = verdicts[0].damage
    assert (damage.event, damage.kind) == (200, "anchor")
    assert verdicts[0] == verdicts[1]


class _Changing(Inline):
    """Changes what was found in a part."""

    def __init__(self, change: Callable[[Part], Part]) -> None:
        self._change = change

    def submit(
        self, work: Callable[[Path, Wanted], Part | None], path: Path, wanted: Wanted, /
    ) -> Future[Part | None]:
        part = work(path, wanted)
        done: Future[Part | None] = Future()
        done.set_result(None if part is None else self._change(part))
        return done


RUN = """
import os, signal, sys
from omaha_table.journal import crew
from omaha_table.cli import main
crew.WORTH_IT = 0
def lost(path, wanted):
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[1] == "lost":
    crew._checked = lost
os.sched_getaffinity = lambda process: {0, 1}
sys.argv[:2] = ["omaha-table"]
main()
"""


def run(how: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which forks others."""
    return subprocess.run(
        [sys.executable, "-P", "-c", RUN, how, *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_says_the_same_with_several_processes(log: Path) -> None:
    done = run("parts", "verify", "--json", str(log))
    alone = CliRunner().invoke(omaha_table, ["verify", "--json", str(log)])
    assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "")


def test_a_process_that_is_killed_is_an_error_and_no_verdict(log: Path) -> None:
    done = run("lost", "verify", str(log))
    assert done.returncode == 2
    assert "Nothing was found out: run the check again." in done.stderr
    assert "ound" not in done.stdout


@pytest.mark.campaign
def test_damaged_logs_have_one_verdict() -> None:
    tally = campaign(60, seed=5, forked=20)
    assert tally.wrong() == []
    assert tally.damaged > 40
    assert tally.forked == 3
    assert len(tally.kinds) > 6


def test_the_campaign_finds_a_process_that_overlooks_damage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check(parted: FileCheck, row: Row, ends: dict[str, DayEnd]) -> None:
        try:
            FileCheck.check(parted, row, ends)
        except Broken:
            parted._walk.seq, parted._walk.head = row.seq, row.hash

    monkeypatch.setattr("omaha_table.journal.crew._PartCheck.check", check)
    assert campaign(30, seed=5, forked=99).wrong()


def test_a_campaign_without_damage_does_not_pass() -> None:
    assert Tally(logs=5).wrong()
    assert Tally(logs=5, damaged=5).wrong()

"""Two people at two machines count at once: one count stands, the other is told of it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from omaha_table.journal.office_book import read_office
from tests.counters import PINS
from tests.office.evening import run, signed

if TYPE_CHECKING:
    from pathlib import Path


def start(data: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "omaha_table", *arguments, "--data", str(data)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_two_counts_of_one_box_are_never_both_a_first_count(data: Path) -> None:
    programs = [
        start(data, "office", "count", "swing", "--box", box, *signed(floor, shift))
        for box, floor, shift in (("6", "F1", "S1"), ("9", "F2", "S2"))
    ]
    typed = [f"{PINS['F1']}\n{PINS['S1']}\n", f"{PINS['F2']}\n{PINS['S2']}\n"]
    for program, pins in zip(programs, typed, strict=True):
        assert program.stdin is not None
        program.stdin.write(pins)
        program.stdin.flush()
    ends = [(program.communicate(timeout=60), program.returncode) for program in programs]
    assert sorted(status for _, status in ends) == [0, 2], ends
    [refused] = [said for (_, said), status in ends if status]
    assert "counted before" in refused
    [counts] = read_office(data).counts.values()
    assert len(counts) == 1
    assert run("verify", data).exit_code == 0


def test_entries_of_many_programs_wait_for_each_other(data: Path) -> None:
    programs = [
        start(data, "office", "threshold", str(amount), "--by", "S1") for amount in range(1, 7)
    ]
    for program in programs:
        said, wrong = program.communicate(f"{PINS['S1']}\n", timeout=60)
        assert program.returncode == 0, wrong
        assert "from now on" in said
    assert len(read_office(data).others) == 6
    assert run("verify", data).exit_code == 0

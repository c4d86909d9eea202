from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.desk.verify import files_in, verify
from omaha_table.floor import Role
from omaha_table.floor.files import new_staff, save_staff
from omaha_table.journal.faults import JournalFault
from tests.journal.days import LINES, delete_tail, journal_file, open_desk, say

if TYPE_CHECKING:
    from pathlib import Path


def enrol(folder: Path, pin: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "omaha_table", "enrol", "--data", str(folder), "--table", "t7",
         "--reason", "tail missing after a power loss"],
        input=f"{pin}\n", capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_supervisor_starts_a_new_segment_that_names_the_broken_one(tmp_path: Path) -> None:
    staff = new_staff(tmp_path).add("F1", "Fern", Role.FLOOR, "4321")
    save_staff(tmp_path, staff.add("D1", "Dana", Role.DEALER, "1234"))
    desk = open_desk(tmp_path)
    say(desk, *LINES)
    desk.close()
    assert enrol(tmp_path, "4321").returncode == 2
    broken = journal_file(tmp_path)
    delete_tail(broken)
    before = broken.read_bytes()
    with pytest.raises(JournalFault):
        open_desk(tmp_path)
    assert enrol(tmp_path, "1234").returncode == 2
    done = enrol(tmp_path, "4321")
    assert done.returncode == 0, done.stderr
    assert broken.read_bytes() == before
    desk = open_desk(tmp_path)
    say(desk, *LINES)
    desk.close()
    files = files_in(tmp_path)
    assert [path.stem[-1].isalpha() for path in files] == [False, True]
    verdict = verify(files)
    assert [damage.file for damage in verdict.damage] == [broken.name]
    assert verify([files[1]]).sound

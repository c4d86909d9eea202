"""The office journal's folder: other names in it, a full or read-only disk, and who can read it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.files import GROUP_FOLDER, make_folder
from omaha_table.journal.days import day_files
from omaha_table.journal.faults import Full, JournalFault, Unwritable
from omaha_table.journal.office_book import open_office, read_office
from omaha_table.journal.verification import files_in, office_in, verify
from omaha_table.office.events import HandNoted, Signature
from scripts.campaigns.soak.disk import Disk
from tests.journal.days import CLOSE, LINES, check, open_session, say
from tests.journal.killed_office import in_year, write, written
from tests.office.people import check_office

if TYPE_CHECKING:
    from collections.abc import Iterator

FLOOR = Signature("F1", "Fern", "floor")


# Names


@pytest.mark.parametrize("command", ["script", "console", "enroll"])
def test_no_table_is_named_office(tmp_path: Path, command: str) -> None:
    more = ["--reason", "test"] if command == "enroll" else []
    given = [command, "--data", str(tmp_path), "--table", "office", *more]
    done = CliRunner().invoke(omaha_table, given, input="")
    assert done.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_which_an_older_version_named_a_table_office_is_refused(
    tmp_path: Path,
) -> None:
    """Both would lock and sign with the same files."""
    (tmp_path / "office-2025-11-14.journal").write_bytes(b"a table's")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(Unwritable, match="A table in this folder is named office"):
        write(tmp_path, "a note")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "name",
    ["office-2026.journal.bak", "office-2026-copy.journal", "office-copy.journal", "office.journal",
     "Office-2020.journal", "office-20266.journal", "office-2020B.journal", "xoffice-2020.journal",
     "office-2020.journal-old"],
)  # fmt: skip
def test_files_with_like_names_are_not_the_office(tmp_path: Path, name: str) -> None:
    write(tmp_path, "one", in_year(2026))
    (tmp_path / name).write_bytes(b"something else")
    write(tmp_path, "two", in_year(2026))
    write(tmp_path, "three", in_year(2027))
    assert [path.name for path in office_in(tmp_path)] == [
        "office-2026.journal", "office-2027.journal",
    ]  # fmt: skip
    assert check_office(tmp_path).sound
    assert written(tmp_path) == ["one", "two", "three"]
    assert (tmp_path / name).read_bytes() == b"something else"


@pytest.mark.parametrize("table", ["office_1", "offices", "myoffice", "t7"])
def test_a_table_beside_the_office_keeps_its_own_days(tmp_path: Path, table: str) -> None:
    given = ["script", "--data", str(tmp_path), "--table", table, "-"]
    done = CliRunner().invoke(omaha_table, given, input="seat 1 Ada\nseat 2 Ben\n")
    assert done.exit_code == 0, done.output
    write(tmp_path, "a note")
    [day] = day_files(tmp_path)
    assert day.name.startswith(f"{table}-")
    assert files_in(tmp_path) == [day]
    assert len(office_in(tmp_path)) == 1
    done = CliRunner().invoke(omaha_table, ["verify", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "2 journals" in done.output


def test_the_office_of_a_folder_does_not_disturb_its_table(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    for at, line in enumerate(LINES):
        say(session, line)
        if at % 20 == 0:
            write(tmp_path, f"at {at}")
    say(session, CLOSE)
    session.close()
    assert check(tmp_path).sound
    assert check_office(tmp_path).sound
    assert verify([*files_in(tmp_path), *office_in(tmp_path)]).sound


# The disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with ExitStack() as held:
        disk = Disk(tmp_path / "disk")
        held.callback(disk.release)
        if not disk.real:
            pytest.skip("no file system can be mounted here")
        yield disk


def fill_with_entries(folder: Path) -> int:
    """Entries until nothing fits; how many."""
    for number in range(3000):
        try:
            with open_office(folder, "a test") as book:
                note = HandNoted("t7", f"{number} " + "x" * 20_000, FLOOR)
                book.record(note, actor="office:F1")
        except Full:
            return number
    raise AssertionError("the disk is not full")


def test_on_a_full_disk_an_entry_is_refused_and_those_before_stay(
    tmp_path: Path, disk: Disk
) -> None:
    folder = tmp_path / "disk" / "office"
    write(folder, "before")
    disk.fill(0)
    recorded = fill_with_entries(folder)
    for _ in range(3):
        with pytest.raises(JournalFault):
            write(folder, "y" * 50_000)
    assert len(written(folder)) == 1 + recorded
    assert check_office(folder).sound
    disk.free()
    write(folder, "after")
    assert written(folder)[-1] == "after"
    assert check_office(folder).sound


def as_nobody(code: str, *given: str, group: int = 65534) -> subprocess.CompletedProcess[str]:
    """Runs Python as a plain user: as this one, or, if that is root, as nobody in a group."""
    root = os.geteuid() == 0
    drop = f"os.setgroups([{group}]); os.setgid(65531); os.setuid(65533)" if root else "pass"
    # All modules are loaded first: the plain user may not get to them.
    head = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from omaha_table.journal.office_book import open_office, read_office\n"
        "from omaha_table.journal.verification import office_in, verify\n"
        "read_office(Path(sys.argv[1])), verify(office_in(Path(sys.argv[1])))\n"
        "for end in ('-wal', '-shm'):\n"
        "    for path in Path(sys.argv[1]).glob(f'*{end}'): path.unlink()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", f"{head}{drop}\n{code}", *given],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that a plain user can get to, which the folders of tests are not."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


READ = """
from omaha_table.journal.office_book import read_office
from omaha_table.journal.verification import office_in, verify
folder = Path(sys.argv[1])
print(sum(len(notes) for notes in read_office(folder).notes.values()))
print(verify(office_in(folder)).sound)
"""
WRITE = """
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.office_book import open_office
try:
    with open_office(Path(sys.argv[1]), "a reviewer"):
        print("opened")
except JournalFault as fault:
    print(type(fault).__name__)
"""


def group_of_ours() -> int:
    if os.geteuid() == 0:
        return 65534
    return next((group for group in os.getgroups() if group != os.getegid()), os.getegid())


@pytest.mark.parametrize("year", [2025, 2026])
def test_the_reviewers_group_reads_the_office_journal_and_does_not_write_it(
    open_place: Path, year: int
) -> None:
    folder, group = open_place / "data", group_of_ours()
    make_folder(folder, group)
    for number in range(3):
        write(folder, f"note {number}", in_year(2025))
    write(folder, "this year", in_year(year))
    assert stat.S_IMODE(folder.stat().st_mode) == GROUP_FOLDER
    shared = (".journal", "-wal", "-shm", ".witness", ".receipt")
    for path in folder.iterdir():
        mode = stat.S_IMODE(path.stat().st_mode)
        if path.name.endswith(shared):
            assert mode & 0o037 == 0, path.name
            assert mode & 0o040, path.name
            assert path.stat().st_gid == group
        else:
            assert mode & 0o077 == 0, path.name
    if os.geteuid() == 0:
        read = as_nobody(READ, str(folder), group=group)
        assert read.stdout.split() == ["4", "True"], read.stderr
        wrote = as_nobody(WRITE, str(folder), group=group)
        assert wrote.stdout == "Unwritable\n", wrote.stderr
        stranger = as_nobody(READ, str(folder), group=65532)
        assert stranger.stdout == ""
        assert "may not read the folder" in stranger.stderr
    write(folder, "after", in_year(year))
    assert check_office(folder).sound


def test_a_folder_that_may_not_be_written_is_said_so(open_place: Path) -> None:
    folder = open_place / "data"
    write(folder, "a note")
    if os.geteuid() == 0:
        open_place.chmod(0o755)
        folder.chmod(0o755)
        done = as_nobody(WRITE, str(folder), group=65532)
        assert done.stdout == "Unwritable\n", done.stderr
    else:
        folder.chmod(0o500)
        with pytest.raises(Unwritable, match="may not write"):
            write(folder, "another")
        folder.chmod(0o700)
    write(folder, "another")
    assert written(folder) == ["a note", "another"]


def test_on_a_read_only_disk_the_office_is_read_and_not_written(tmp_path: Path, disk: Disk) -> None:
    assert disk.real
    folder = tmp_path / "disk" / "office"
    write(folder, "last year", in_year(2025))
    write(folder, "this year", in_year(2026))
    mount = ["mount", "-o", "remount,{}", str(tmp_path / "disk")]
    subprocess.run([part.format("ro") for part in mount], check=True)
    try:
        assert [len(notes) for notes in read_office(folder).notes.values()] == [2]
        assert check_office(folder).sound
        with pytest.raises(Unwritable, match="read-only"):
            write(folder, "more", in_year(2026))
    finally:
        subprocess.run([part.format("rw") for part in mount], check=True)
    write(folder, "more", in_year(2026))
    assert check_office(folder).sound

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.cli.enroll import enroll as enroll_command
from omaha_table.floor import Role
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import files_in, office_in, verify
from omaha_table.office.events import PinAccepted, PinRefused, TableEnrolled
from tests.journal.days import CLOSE, LINES, delete_tail, journal_file, open_session, say
from tests.office.people import make_staff, pins, recorded
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from pathlib import Path


def enroll(folder: Path, pin: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "omaha_table", "enroll", "--data", str(folder), "--table", "t7",
         "--reason", "tail missing after a power loss"],
        input=f"{pin}\n", capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_supervisor_starts_a_new_segment_that_names_the_broken_one(
    staff: Path, tmp_path: Path
) -> None:
    shutil.copytree(staff, tmp_path, dirs_exist_ok=True)
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    assert enroll(tmp_path, "4321").returncode == 2
    broken = journal_file(tmp_path)
    delete_tail(broken)
    before = broken.read_bytes()
    with pytest.raises(JournalFault):
        open_session(tmp_path)
    assert enroll(tmp_path, "1234").returncode == 2
    done = enroll(tmp_path, "4321")
    assert done.returncode == 0, done.stderr
    assert broken.read_bytes() == before
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    files = files_in(tmp_path)
    assert [path.stem[-1].isalpha() for path in files] == [False, True]
    verdict = verify(files)
    assert [damage.file for damage in verdict.damage] == [broken.name]
    assert verify([files[1]]).sound


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A staff list; hashing a PIN is slow on purpose, so it is made once."""
    folder = tmp_path_factory.mktemp("staff")
    put_staff(folder, (("F1", "Fern", Role.FLOOR, "4321"), ("D1", "Dana", Role.DEALER, "1234")))
    return folder


@pytest.fixture
def sound(staff: Path, tmp_path: Path) -> Path:
    """A folder with an open day."""
    shutil.copytree(staff, tmp_path, dirs_exist_ok=True)
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    return tmp_path


@pytest.fixture
def broken(sound: Path) -> Path:
    """A folder whose open day has lost its tail."""
    delete_tail(journal_file(sound))
    return sound


def options(folder: Path) -> list[str]:
    return ["--data", str(folder), "--table", "t7", "--reason", "power loss"]


def run(folder: Path, pin: str) -> tuple[int, str]:
    done = CliRunner().invoke(enroll_command, options(folder), input=f"{pin}\n")
    return done.exit_code, done.output


def of_table(folder: Path) -> dict[str, bytes]:
    """The table's files, without the one that SQLite shares among readers."""
    found = (path for path in folder.glob("t7*") if not path.name.endswith("-shm"))
    return {path.name: path.read_bytes() for path in found}


def keys(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("t7.key*")}


def test_the_old_keys_are_kept_under_the_name_of_the_broken_day(broken: Path) -> None:
    """They are evidence; the new segment seals with a key of its own."""
    name, before = journal_file(broken).stem, keys(broken)
    assert run(broken, "4321")[0] == 0
    after = keys(broken)
    assert after.pop(f"t7.key.{name}") == before["t7.key"]
    assert after["t7.key"] != before["t7.key"]


def test_a_new_segment_says_what_was_broken_why_and_who_enrolled_it(broken: Path) -> None:
    name = journal_file(broken).name
    assert run(broken, "4321")[0] == 0
    with Reader(files_in(broken)[1]) as reader:
        [*_, last] = reader.since()
    assert last.kind == "segment_enrolled"
    body = json.loads(last.body)
    assert (body["broken"], body["reason"], body["by"]) == (name, "power loss", ["F1"])


@pytest.mark.parametrize(
    ("pin", "said"),
    [("1234", "This person may not go on after a damaged journal"), ("9999", "Wrong PIN: 4 tries")],
)
def test_only_a_supervisor_can_enroll(broken: Path, pin: str, said: str) -> None:
    before = of_table(broken)
    code, output = run(broken, pin)
    assert code == 2
    assert said in output
    assert of_table(broken) == before


def test_a_pin_that_is_guessed_here_is_recorded_and_locks(broken: Path) -> None:
    for _ in range(5):
        run(broken, "9999")
    code, output = run(broken, "4321")
    assert code == 2
    assert "PINs are locked for 5 minutes" in output
    failed = [event for event in recorded(broken) if isinstance(event, PinRefused)]
    assert [event.purpose for event in failed] == ["enroll"] * 6
    assert [event.locks_for for event in failed] == [0, 0, 0, 0, 300, 0]
    assert len(files_in(broken)) == 1
    done = CliRunner().invoke(enroll_command, [*options(broken), "--by", "F1"], input="4321\n")
    assert done.exit_code == 0, done.output


def test_the_office_records_which_table_goes_on_where_why_and_by_whom(broken: Path) -> None:
    name = journal_file(broken).name
    assert run(broken, "4321")[0] == 0
    [event] = recorded(broken)
    assert isinstance(event, TableEnrolled)
    assert (event.table, event.broken, event.reason) == ("t7", name, "power loss")
    assert event.log == files_in(broken)[1].name
    assert (event.by.id, event.by.role) == ("F1", "floor")
    assert "events are missing" in event.why_broken
    assert verify(office_in(broken)).sound


def test_a_staff_list_elsewhere_takes_the_pins_and_the_data_folder_the_record(
    broken: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    office = make_staff(tmp_path_factory.mktemp("office"))
    (broken / "staff.json").unlink()
    given = [*options(broken), "--staff", str(office), "--by", "S1"]
    for typed in ("0000\n", pins("S1")):
        done = CliRunner().invoke(enroll_command, given, input=typed)
    assert done.exit_code == 0, done.output
    assert [type(event) for event in recorded(office)] == [PinRefused, PinAccepted]
    assert [type(event) for event in recorded(broken)] == [TableEnrolled]


def test_nothing_is_enrolled_that_the_office_cannot_record(broken: Path) -> None:
    of_a_table = broken / "office-2020-01-01.journal"
    of_a_table.write_bytes(b"")
    before = of_table(broken)
    code, output = run(broken, "4321")
    assert code == 2
    assert "The office journal cannot be written" in output
    assert of_table(broken) == before


def test_the_earlier_spelling_works_and_is_not_listed(broken: Path) -> None:
    done = CliRunner().invoke(omaha_table, ["enrol", *options(broken)], input="4321\n")
    assert done.exit_code == 0, done.output
    assert len(files_in(broken)) == 2
    commands = CliRunner().invoke(omaha_table, ["--help"]).output.split()
    assert "enroll" in commands
    assert "enrol" not in commands


def test_a_sound_journal_is_not_enrolled(sound: Path) -> None:
    code, output = run(sound, "4321")
    assert code == 2
    assert "is sound" in output
    assert len(files_in(sound)) == 1


def test_the_keys_stay_in_their_place_where_no_segment_could_be_made(broken: Path) -> None:
    """Another console holds the table."""
    before = keys(broken)
    with (broken / "t7.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, output = run(broken, "4321")
    assert code != 0
    assert "being written by" in output
    assert keys(broken) == before
    assert len(files_in(broken)) == 1


def test_a_broken_day_is_not_gone_on_with_after_its_new_segment_is_closed(broken: Path) -> None:
    """The broken file has no receipt and never gets one."""
    assert run(broken, "4321")[0] == 0
    session = open_session(broken)
    say(session, *LINES, CLOSE)
    session.close()
    open_session(broken).close()
    assert [path.stem[-1] for path in files_in(broken)][1:] == ["b", "c"]

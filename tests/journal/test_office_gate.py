"""PINs, locks and the staff list hang on the last seal of the office journal: it is checked before
any of them is believed, and so is that nothing after it was cut off."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor.files import STAFF_FILE
from omaha_table.journal.chain import canonical
from omaha_table.journal.faults import Tampered
from omaha_table.journal.office_book import brief_of, read_office
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.pins import PinCheck, PinNotAccepted
from omaha_table.journal.staff_list import load_staff
from tests.journal.days import raw
from tests.office.evening import count, evening, run
from tests.office.people import check_office

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose office journal names the staff list, and in which S1 is locked out."""
    folder = evening(tmp_path_factory.mktemp("made") / "data")
    assert count(folder, "6").exit_code == 0
    run("staff", "disable", "D2", "--by", "S1", "--data", folder, pins=("S1",))
    for _ in range(5):
        run("office", "threshold", "5", "--by", "S1", "--data", folder, pins=("000000",))
    assert brief_of(folder).locks.of["S1"].seconds == 300
    assert check_office(folder).sound
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "data")


def edit_last_seal(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    [year] = folder.glob("office-*.journal")
    with closing(raw(year)) as db, db:
        query = "SELECT seq, body FROM event ORDER BY seq DESC LIMIT 1"
        seq, text = db.execute(query).fetchone()
        body = json.loads(text)
        change(body["state"])
        db.execute("UPDATE event SET body = ? WHERE seq = ?", (canonical(body), seq))


def promoted(folder: Path) -> bytes:
    """The staff list with a dealer who has made herself a shift manager."""
    stored = json.loads((folder / STAFF_FILE).read_bytes())
    for person in stored["people"]:
        if person["id"] == "D1":
            person["role"] = "shift_manager"
    return json.dumps(stored, indent=1).encode()


def test_a_lock_that_was_edited_away_lets_nobody_in(folder: Path) -> None:
    staff = load_staff(folder)
    edit_last_seal(folder, lambda state: state["locks"].update(of={}))
    with pytest.raises(Tampered):
        PinCheck(folder, staff, "a test").sign("threshold", "830105", "S1")
    done = run("office", "threshold", "5", "--by", "S1", "--data", folder, pins=("S1",))
    assert done.exit_code != 0
    assert "damaged" in done.stderr


def test_a_list_that_was_named_by_hand_is_not_used(folder: Path) -> None:
    content = promoted(folder)
    (folder / STAFF_FILE).write_bytes(content)
    named = sha256(content).hexdigest()
    edit_last_seal(folder, lambda state: state.update(staff=named))
    for look in (brief_of, load_staff, read_office):
        with pytest.raises(Tampered):
            look(folder)
    desk = PinDesk(folder, "t7", "a test")
    assert desk.staff.people == ()
    assert desk.problem
    identity = desk.sign("ruling", "810101", "D1")
    assert identity.person is None
    assert identity.verdict is not None
    assert identity.verdict.message == desk.problem
    done = run("staff", "list", "--data", folder)
    assert done.exit_code == 2
    assert "Dee Poe" not in done.output


def test_a_table_says_why_it_takes_no_pin_and_counts_none(folder: Path, tmp_path: Path) -> None:
    (folder / STAFF_FILE).write_bytes(promoted(folder))
    before = brief_of(folder).locks
    ruling = tmp_path / "ruling.txt"
    ruling.write_text('floor D1 810101 close "end of day"\n' * 6, encoding="utf-8")
    done = run("script", "--table", "t7", "--data", folder, ruling)
    assert done.stdout.count("STAFF LIST changed by hand, not used") == 6
    assert brief_of(folder).locks == before


CUT = "DELETE FROM event WHERE seq > (SELECT max(seq) FROM event WHERE kind = 'staff_changed') + 1"


def test_entries_that_were_cut_off_are_missed_by_everything_that_reads(folder: Path) -> None:
    """Without the last rows S1 is not locked; the witness file still names them."""
    [year] = folder.glob("office-*.journal")
    with closing(raw(year)) as db, db:
        db.execute(CUT)
    for look in (brief_of, load_staff, read_office):
        with pytest.raises(Tampered, match="events are missing"):
            look(folder)
    for command in (
        ("office", "log"),
        ("office", "variances"),
        ("office", "threshold"),
        ("office", "sheet", "swing"),
        ("report", "shift", "swing"),
        ("staff", "list"),
    ):
        done = run(*command, "--data", folder)
        assert done.exit_code in (1, 2), command
        assert "events are missing" in done.stderr, command


def test_without_the_witness_file_nothing_is_believed_where_the_office_writes(
    folder: Path, tmp_path: Path
) -> None:
    [year] = folder.glob("office-*.journal")
    year.with_suffix(".witness").unlink()
    with pytest.raises(Tampered, match="witness"):
        brief_of(folder)
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copy(year, copy)
    assert brief_of(copy).locks.of, "an auditor's copy may come without it"


def test_a_journal_that_was_deleted_is_missed_by_what_lies_beside_it(folder: Path) -> None:
    """Without it an edited staff list would count as one of 0.1.0, which nobody signed for."""
    [year] = folder.glob("office-*.journal")
    year.unlink()
    (folder / STAFF_FILE).write_bytes(promoted(folder))
    for look in (brief_of, load_staff, read_office):
        with pytest.raises(Tampered, match="is missing"):
            look(folder)
    assert PinDesk(folder, "t7", "a test").staff.people == ()
    done = run("verify", folder)
    assert done.exit_code == 1
    assert f"{year.name}: unreadable: {year.name} is missing" in done.stdout


def test_a_staff_list_that_was_deleted_is_missed_where_the_office_writes(
    folder: Path, tmp_path: Path
) -> None:
    (folder / STAFF_FILE).unlink()
    done = run("verify", folder)
    assert done.exit_code == 1
    assert "changed by hand, put back or deleted" in done.stdout
    made = run("staff", "init", "S9", "Sly", "--data", folder, pins=("771403", "771403"))
    assert made.exit_code == 2
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in (*folder.glob("*.journal"), *folder.glob("*.witness")):
        shutil.copy(path, copy)
    assert run("verify", copy).exit_code == 0, "the journals alone, elsewhere"


# Several folders


def test_the_offices_of_tables_are_verified_beside_that_of_the_room(
    folder: Path, tmp_path: Path
) -> None:
    """The room's folder has the counts, and each table's folder its PINs."""
    room = tmp_path / "room"
    for part in (room / "t7", room / "t8", room):
        part.mkdir(exist_ok=True, parents=True)
        for path in (*folder.glob("office*"), folder / STAFF_FILE):
            shutil.copy(path, part)
    assert run("verify", room).exit_code == 0
    [year] = (room / "t8").glob("office-*.journal")
    with closing(raw(year)) as db, db:
        db.execute("UPDATE event SET actor = 'nobody' WHERE kind = 'staff_changed'")
    done = run("verify", room)
    assert done.exit_code == 1
    assert f"NOT SOUND: t8/{year.name}, event" in done.stdout
    told = json.loads(run("verify", "--json", room).stdout)
    sound = {journal["file"]: journal["sound"] for journal in told["journals"]}
    assert [name for name in sound if not sound[name]] == [f"t8/{year.name}"]
    assert f"t7/{year.name}" in sound


# Nothing can be recorded


def test_a_command_looks_at_no_pin_while_no_failure_can_be_recorded(folder: Path) -> None:
    """Somebody who keeps failures from being recorded could else try PINs without an end."""
    lock = folder / "office.lock"
    lock.unlink()
    lock.mkdir()
    answers = {
        run("office", "threshold", "5", "--by", "S2", "--data", folder, pins=(pin,)).stderr
        for pin in ("830206", "000000")
    }
    assert len(answers) == 1, "the right PIN is not told from a wrong one"
    assert "othing was recorded" in answers.pop()
    lock.rmdir()
    staff = load_staff(folder)
    check = PinCheck(folder, staff, "a test", renew=lambda: staff)
    with pytest.raises(PinNotAccepted, match="4 tries left"):
        check.sign("threshold", "000000", "S2")

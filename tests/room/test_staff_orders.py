"""One staff list for all tables: from the office through a room that is not believed."""

from __future__ import annotations

import json
import shutil
import signal
from typing import TYPE_CHECKING

import psycopg
import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.dealer.console import Console
from omaha_table.dealer.event_text import describe
from omaha_table.floor.files import PEPPER_FILE
from omaha_table.journal.office_book import brief_of
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.staff_list import load_staff
from omaha_table.journal.verification import office_in, verify
from omaha_table.review.index.incidents import incident_of
from omaha_table.room.bundle import read_bundle
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.table.events import DeviceNoted
from tests.room.witnesses import witness_in
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

    from tests.room.conftest import Room

FERN, SAM = "4711", "9000"


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def run(*words: object, typed: str = "") -> Result:
    return CliRunner().invoke(omaha_table, list(map(str, words)), input=typed)


class Lists:
    """An office that publishes, and a table with a bundle that names it."""

    def __init__(self, room: Room, folder: Path, table: Path) -> None:
        self.room, self.office, self.table = room, folder / "office", table
        self.office_bundle, self.bundle = folder / "office.toml", folder / "t7.toml"
        put_staff(self.office)
        # Named by the office journal, as from the first change on.
        self.staff("disable", "F2")
        self.run("room", "enroll", "--office", "main", "--db", room.url,
                 "--out", self.office_bundle)  # fmt: skip
        self.run("room", "enroll", "t7", "--db", room.url, "--lists-from", self.office,
                 "--out", self.bundle)  # fmt: skip

    def run(self, *words: object, typed: str = "") -> str:
        done = run(*words, typed=typed)
        assert done.exit_code == 0, done.output
        return done.stdout

    def staff(self, *words: str) -> None:
        self.run("staff", *words, "--by", "S1", "--data", self.office, typed=f"{SAM}\n")

    def publish(self) -> str:
        return self.run("room", "staff", "publish", "--data", self.office,
                        "--room", self.office_bundle, "--by", "S1", typed=f"{SAM}\n")  # fmt: skip

    def ship(self) -> Result:
        return run("room", "ship", "--data", self.table, "--room", self.bundle, "--once")

    @property
    def version(self) -> int:
        return brief_of(self.table).room_list.version

    def owner(self, statement: str, *values: object) -> None:
        """As whoever has the room's server."""
        self.room.owner.execute("ALTER TABLE room.staff_list DISABLE TRIGGER ALL")
        self.room.owner.execute(statement.encode(), values)


@pytest.fixture
def lists(room: Room, tmp_path: Path, evening: Path) -> Lists:
    return Lists(room, tmp_path, evening)


def test_a_published_list_reaches_the_table_and_the_table_answers(lists: Lists) -> None:
    assert lists.ship().exit_code == 0
    assert load_staff(lists.table).people == ()
    desk = PinDesk(lists.table, "t7", "test")
    assert lists.publish() == "Staff list 1 is published.\n"
    assert lists.ship().exit_code == 0
    assert desk.sign("ruling", FERN).person is not None
    lists.staff("disable", "F1")
    lists.publish()
    status = ("room", "staff", "status", "--db", lists.room.url)
    assert lists.run(*status) == "t7           list 1, newest is 2\n"
    lists.ship()
    assert desk.sign("ruling", FERN).person is None
    assert lists.run(*status) == "t7           list 2\n"
    assert (lists.version, lists.room.alarms()) == (2, [])
    assert verify(office_in(lists.table)).sound
    assert "list 2 of the room taken" in lists.run("office", "log", "--data", lists.table)


def test_a_running_console_answers_with_an_event_that_the_witness_signs(
    lists: Lists, tmp_path: Path
) -> None:
    profile = load_profile("ca_big_o")
    desk = PinDesk(lists.table, "t7", "test")
    session = Session.on_journal(lists.table, "t7", profile, profile.limits[0], desk)
    console = Console(session)
    used = []
    for at in range(2):
        lists.publish()
        lists.ship()
        for _ in range(2):
            console.tick(float(at))
        used.append(brief_of(lists.table).staff)
    lists.ship()
    session.close()
    found = lists.room.owner.execute(
        "SELECT body::jsonb ->> 'detail', actor FROM room.event "
        "WHERE kind = 'device_noted' AND body::jsonb ->> 'what' = 'staff_list' ORDER BY seq"
    ).fetchall()
    assert found == [(sha, "program") for sha in used]
    with witness_in(tmp_path) as witness:
        witness.look(lists.room.owner)
    # A list is no trouble that somebody has to look into.
    event = DeviceNoted("room", "staff_list", used[0])
    assert (incident_of(1, 1, event), lists.room.alarms()) == (None, [])
    text = describe(event)
    assert text is not None
    assert text.what == f"room: its staff list {used[0][:8]} is in use"


def test_no_part_of_the_pepper_is_in_the_room(lists: Lists) -> None:
    lists.publish()
    lists.ship()
    pepper = (lists.office / PEPPER_FILE).read_bytes()
    assert read_bundle(lists.bundle).pepper == pepper.hex()
    assert lists.bundle.stat().st_mode & 0o777 == 0o600
    assert pepper.hex() not in repr(read_bundle(lists.bundle))
    for (table,) in lists.room.owner.execute(
        "SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace "
        "WHERE nspname = 'room' AND relkind IN ('r', 'p')"
    ).fetchall():
        rows = lists.room.owner.execute(f"SELECT t::text FROM room.{table} t".encode()).fetchall()
        assert not any(pepper.hex() in row for (row,) in rows)


def test_whoever_has_the_room_cannot_make_a_list(lists: Lists) -> None:
    lists.publish()
    lists.ship()
    lists.owner(
        "INSERT INTO room.staff_list SELECT 2, replace(content, 'Fern', 'Eve'), "
        "repeat('0', 64), key, signature, source, signed_by FROM room.staff_list"
    )
    for _ in range(2):
        done = lists.ship()
        assert done.exit_code == 1
        assert "list_forged: The room has a staff list that the office did not sign" in done.stderr
        assert "the room has event" in done.stdout
    assert lists.version == 1
    assert lists.room.alarms() == [("t7", "list_forged")]
    assert "did not sign, not used" in PinDesk(lists.table, "t7", "test").problem
    status = run("room", "status", "--db", lists.room.url)
    assert (status.exit_code, "ALARM: list_forged" in status.stdout) == (1, True)


def test_a_new_list_answers_the_alarm_and_ends_the_line_at_the_table(lists: Lists) -> None:
    lists.publish()
    lists.ship()
    lists.owner("UPDATE room.staff_list SET signature = repeat('0', 128), version = 2")
    assert lists.ship().exit_code == 1
    assert lists.publish().endswith("Staff list 3 is published.\n")
    assert lists.ship().exit_code == 0
    assert run("room", "status", "--db", lists.room.url).exit_code == 0
    [answer] = lists.room.owner.execute(
        "SELECT e.signed_by, e.reason, a.room_seq, a.table_seq FROM room.alarm a "
        "JOIN room.enrollment e ON e.id = a.answered_by"
    ).fetchall()
    assert answer == ("S1 Sam, shift manager", "staff list 3 was published and taken", 2, 1)
    assert PinDesk(lists.table, "t7", "test").problem == ""


@pytest.mark.parametrize("left", ["older", "none"])
def test_a_room_put_back_from_a_backup_does_not_bring_an_old_list_back(
    lists: Lists, left: str
) -> None:
    lists.publish()
    lists.staff("disable", "F1")
    lists.publish()
    lists.ship()
    lists.owner(f"DELETE FROM room.staff_list WHERE version > {1 if left == 'older' else 0}")
    done = lists.ship()
    assert (done.exit_code, "publish the list again" in done.stderr) == (1, True)
    assert lists.room.alarms() == [("t7", "list_older")]
    assert load_staff(lists.table).get("F1").disabled
    assert lists.publish().endswith("Staff list 3 is published.\n")
    assert lists.ship().exit_code == 0
    assert lists.version == 3


def test_a_table_put_back_from_a_backup_takes_the_newest_list_again(
    lists: Lists, tmp_path: Path
) -> None:
    lists.publish()
    lists.ship()
    for path in lists.table.glob("t7-*"):
        path.unlink()
    shutil.copytree(lists.table, tmp_path / "backup")
    lists.staff("disable", "F1")
    lists.publish()
    lists.ship()
    shutil.rmtree(lists.table)
    shutil.copytree(tmp_path / "backup", lists.table)
    assert not load_staff(lists.table).get("F1").disabled
    lists.ship()
    assert load_staff(lists.table).get("F1").disabled


def test_a_table_with_a_list_of_its_own_keeps_it_until_its_shift_manager_signs(
    lists: Lists,
) -> None:
    own = put_staff(lists.table)
    lists.staff("disable", "F1")
    lists.publish()
    done = lists.ship()
    assert (done.exit_code, "omaha-table staff follow" in done.stderr) == (0, True)
    assert load_staff(lists.table).people == own.people
    follow = ("staff", "follow", "--room", lists.bundle, "--data", lists.table)
    assert run(*follow).exit_code == 2
    assert run(*follow, "--by", "S1", typed="1234\n").exit_code == 2
    assert run(*follow, "--by", "F1", typed=f"{FERN}\n").exit_code == 2
    lists.run(*follow, "--by", "S1", typed=f"{SAM}\n")
    lists.ship()
    assert load_staff(lists.table).get("F1").disabled
    for words in (("disable", "F2"), ("enable", "F1"), ("pin", "D1"), ("add", "X1", "X", "floor")):
        refused = run("staff", *words, "--by", "S1", "--data", lists.table, typed=f"{SAM}\n")
        assert (refused.exit_code, "change it in the office" in refused.stderr) == (2, True)
    first = run("staff", "init", "X1", "X", "--data", lists.table)
    assert (first.exit_code, "change it in the office" in first.stderr) == (2, True)
    lists.run("staff", "follow", "--off", "--by", "S1", "--data", lists.table, typed=f"{SAM}\n")
    lists.run("staff", "enable", "F1", "--by", "S1", "--data", lists.table, typed=f"{SAM}\n")
    assert verify(office_in(lists.table)).sound


def test_only_an_office_publishes_and_nobody_else_reads_the_hashes(
    lists: Lists, tmp_path: Path
) -> None:
    lists.publish()
    table = lists.room.connect(read_bundle(lists.bundle).url)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="only an office"):
        table.execute("SELECT room.publish_staff(9, '', '', '', '', '')")
    with pytest.raises(psycopg.errors.CheckViolation):
        table.execute("SELECT room.answer_staff(9, '', 'list_x', 0, '')")
    for kind in ("reader", "witness"):
        lists.run("room", "enroll", f"--{kind}", "eve", "--db", lists.room.url,
                  "--out", tmp_path / f"{kind}.toml")  # fmt: skip
        other = lists.room.connect(read_bundle(tmp_path / f"{kind}.toml").url)
        other.execute("SELECT version, list_sha256, signed_by FROM room.staff_list")
        for query in ("SELECT content FROM room.staff_list", "SELECT room.newest_staff('')",
                      "SELECT room.publish_staff(9, '', '', '', '', '')"):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                other.execute(query.encode())


def test_publishing_takes_a_shift_managers_pin_and_an_offices_bundle(lists: Lists) -> None:
    words = ("room", "staff", "publish", "--data", lists.office, "--room")
    assert run(*words, lists.office_bundle, "--by", "F1", typed=f"{FERN}\n").exit_code == 2
    assert run(*words, lists.office_bundle, "--by", "S1", typed="1234\n").exit_code == 2
    other = run(*words, lists.bundle, "--by", "S1", typed=f"{SAM}\n")
    assert "is not an office's bundle" in other.stderr
    pepper = run("room", "enroll", "--reader", "eve", "--db", lists.room.url,
                 "--lists-from", lists.office, "--out", lists.office / "x.toml")  # fmt: skip
    assert (pepper.exit_code, "nobody else has a use for the pepper" in pepper.stderr) == (2, True)
    assert lists.room.owner.execute("SELECT count(*) FROM room.staff_list").fetchone() == (0,)


def test_a_bundle_that_was_edited_is_said_to_be_wrong(lists: Lists) -> None:
    lists.publish()
    lists.bundle.write_text(lists.bundle.read_text().replace('pepper = "', 'pepper = "x'))
    done = lists.ship()
    assert (done.exit_code, "enroll again" in done.stderr) == (2, True)


def test_an_order_says_what_was_signed(lists: Lists) -> None:
    """The office's own journal has each list that it published, with the signature."""
    lists.publish()
    [row] = lists.room.owner.execute(
        "SELECT content, list_sha256, key, signature FROM room.staff_list"
    ).fetchall()
    assert json.loads(str(row[0]))["room_version"] == 1
    log = lists.run("office", "log", "--data", lists.office)
    assert "Staff list 1 published for the room, by S1" in log

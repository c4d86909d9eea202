"""The commands that read, over a room instead of a folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.office_book import read_office
from omaha_table.room.bundle import write_bundle
from omaha_table.room.enrollment import enroll
from tests.counters import PINS, hire
from tests.journal.days import open_session, say
from tests.room.reading import run

if TYPE_CHECKING:
    from tests.room.reading import ReadRoom

REPORTS = [("shift", "swing"), ("dealer", "D114"), ("day", "2025-11-16"), ("hand", "19")]
READING = [
    ("report", "day", "2025-11-16"),
    ("export", "--format", "json"),
    ("review",),
    ("verify",),
    ("room", "fetch", "t7", "--out", "here"),
]


def without_log(report: str) -> list[str]:
    """A report without the line that says what its log is worth."""
    return [line for line in report.splitlines() if not line.startswith("- Log:")]


@pytest.mark.parametrize(("kind", "name"), REPORTS)
def test_a_report_over_the_room_is_that_of_the_folder(
    read: ReadRoom, swing: Path, kind: str, name: str
) -> None:
    read.ship(swing, office="cage")
    read.witness()
    there = read.run("report", kind, name)
    here = run("report", kind, name, "--data", swing)
    assert (there.exit_code, here.exit_code) == (0, 0), there.stderr
    assert without_log(there.stdout) == without_log(here.stdout)
    [log] = [line for line in there.stdout.splitlines() if line.startswith("- Log:")]
    assert "Sound, anchored by the room's witness." in log
    assert "t7-2025-11-16.journal: not witnessed when written." in log
    told, known = (
        json.loads(done.stdout)
        for done in (
            read.run("report", kind, name, "--format", "json"),
            run("report", kind, name, "--data", swing, "--format", "json"),
        )
    )
    assert "t7-2025-11-16.journal: not witnessed when written." in told["log"].pop("remarks")
    assert told == known


def test_counts_of_the_offices_in_the_room_are_in_the_report(read: ReadRoom, swing: Path) -> None:
    read.ship(swing)
    assert "$2 short" not in read.run("report", "shift", "swing").stdout
    read.ship(swing, office="cage")
    told = read.run("report", "shift", "swing").stdout
    assert "$2 short" in told
    assert "one chip on the floor" in told


def test_an_export_of_the_room_is_that_of_the_folder(
    read: ReadRoom, swing: Path, evening: Path, tmp_path: Path
) -> None:
    read.ship(swing)
    there = read.run("export", "--format", "json")
    assert there.exit_code == 0
    assert there.stdout == run("export", "--format", "json", swing).stdout
    assert "Not anchored: whoever owns the room could have replaced" in there.stderr
    # Of many tables and days, those that are asked for.
    for path in evening.glob("t7.*"):
        path.unlink()
    [day] = [path.stem.removeprefix("t7-") for path in evening.glob("*.journal")]
    read.room.owner.execute("SELECT 1")
    only = read.run("export", "--format", "phh", "--out", tmp_path / "out", "--day", "2025-11-16")
    assert only.exit_code == 0, day
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["t7-2025-11-16.phhs"]
    none = read.run("export", "--format", "json", "--day", "2025-11-17")
    assert (none.exit_code, none.stdout) == (0, "")


@pytest.mark.parametrize("words", READING)
def test_a_room_that_does_not_answer_ends_a_command_with_4(
    read: ReadRoom, tmp_path: Path, words: tuple[str, ...]
) -> None:
    away = tmp_path / "away.toml"
    away.write_text(read.bundle.read_text().replace("omaha-room-", "no-room-"))
    away.chmod(0o600)
    done = run(*words, "--room", away)
    assert (done.exit_code, done.stdout) == (4, "")
    assert "The room does not answer" in done.stderr


@pytest.mark.parametrize("words", [words for words in READING if words != ("verify",)])
def test_a_tables_bundle_reads_nothing(
    read: ReadRoom, tmp_path: Path, words: tuple[str, ...]
) -> None:
    write_bundle(tmp_path / "t7.toml", enroll(read.room.owner, "t7", "table"))
    done = run(*words, "--room", tmp_path / "t7.toml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the bundle of the table t7" in done.stderr
    assert "room enroll --reader" in done.stderr


@pytest.mark.parametrize("words", READING)
def test_a_secret_that_was_replaced_is_refused(read: ReadRoom, words: tuple[str, ...]) -> None:
    enroll(read.room.owner, "auditor", "reader")
    done = read.run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "The room refuses this program" in done.stderr


def test_a_room_without_journals_says_so(read: ReadRoom) -> None:
    done = read.run("report", "day", "2025-11-16")
    assert (done.exit_code, "no journal of a table yet" in done.stderr) == (2, True)
    assert "no journal of a table yet" in read.run("verify").stderr
    assert "The room has nothing of t7" in read.run("room", "fetch", "t7", "--out", "x").stderr


def test_verify_reads_the_room_itself(read: ReadRoom, swing: Path, evening: Path) -> None:
    read.ship(swing, office="cage")
    bare = read.run("verify")
    assert bare.exit_code == 0
    assert "t7: 1 day, sound; 1 not witnessed" in bare.stdout
    assert "office: 1 day, sound; 1 not witnessed" in bare.stdout
    read.witness()
    done = read.run("verify")
    assert done.exit_code == 0
    assert "2 journals, " in done.stdout
    assert "t7: 1 day, sound, witnessed" in done.stdout.splitlines()
    assert "Sound, anchored by the room's witness." in done.stdout
    told = json.loads(read.run("verify", "--json").stdout)
    assert (told["sound"], told["alarms"], told["files"]) == (True, [], 2)
    assert [one["anchored"] for one in told["journals"]] == [True, True]


def test_verify_says_to_which_hand_a_table_is_witnessed(read: ReadRoom, evening: Path) -> None:
    read.ship(evening)
    read.witness()
    last = len(read.room.events())
    session = open_session(evening)
    hand = session.state.hands
    say(session, "deal", "fold")
    session.close()
    read.ship(evening)
    told = read.run("verify").stdout
    assert f"witnessed to hand {hand}, event {last}" in told
    assert f"witnessed to hand {hand} (event {last})." in told


def test_rows_that_were_changed_in_the_room_are_found(
    read: ReadRoom, evening: Path, tmp_path: Path
) -> None:
    """By whoever owns the database: triggers off, a row changed, all hashes made again or not."""
    read.ship(evening)
    read.witness()
    day = read.room.events()[0][0]
    owner = read.room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("UPDATE room.event SET body = replace(body, 'check', 'fold') WHERE seq = 40")
    owner.execute("UPDATE room.event SET at_us = at_us + 1 WHERE seq = 41")
    done = read.run("verify")
    assert done.exit_code == 1
    assert "NOT SOUND: t7" in done.stdout
    told = read.run("report", "day", day)
    assert told.exit_code in (1, 2)
    assert "was changed in the room" in told.stderr
    fetched = read.run("room", "fetch", "t7", "--out", tmp_path / "again")
    assert fetched.exit_code == 1
    assert list((tmp_path / "again").iterdir()) == []


def test_rows_that_the_room_has_lost_are_missed(read: ReadRoom, evening: Path) -> None:
    read.ship(evening)
    read.witness()
    owner = read.room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("DELETE FROM room.event WHERE seq > 100")
    assert "events are missing" in read.run("verify").stdout
    owner.execute(
        "UPDATE room.journal SET seq = 100, head = (SELECT hash FROM room.event WHERE seq = 100)"
    )
    done = read.run("verify")
    assert (done.exit_code, "the room's witness signed event" in done.stdout) == (1, True)


def test_an_alarm_is_said_and_fails_the_check(
    read: ReadRoom, evening: Path, tmp_path: Path
) -> None:
    read.ship(evening)
    read.witness()
    [(last, day)] = read.room.owner.execute("SELECT seq, day FROM room.journal").fetchall()
    read.room.owner.execute(
        "SELECT room.raise_alarm('t7', %s, 1, 'forked', %s, ''::bytea, %s, ''::bytea)",
        (day, last, last),
    )
    done = read.run("verify")
    assert done.exit_code == 1
    assert "t7 is in alarm since" in done.stdout
    told = read.run("report", "day", day)
    assert told.exit_code == 0
    assert "t7 is in alarm since" in told.stdout


def test_another_witness_proves_nothing(read: ReadRoom, evening: Path) -> None:
    read.ship(evening)
    read.witness()
    for file in ("witness.key", "witness.signed"):
        shutil.move(read.tmp_path / file, read.tmp_path / f"other.{file}")
    from dataclasses import replace

    read.bundle.unlink()
    write_bundle(read.bundle, replace(read.given, witness_key="ab" * 32))
    assert "not witnessed" in read.run("verify").stdout
    read.bundle.unlink()
    write_bundle(read.bundle, replace(read.given, witness_key=""))
    told = read.run("verify").stdout
    assert "This bundle names no witness: nothing was compared." in told


def test_an_earlier_history_is_said(read: ReadRoom, evening: Path, tmp_path: Path) -> None:
    backup = Path(shutil.copytree(evening, tmp_path / "backup"))
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    read.ship(evening)
    longer = len(read.room.events())
    with pytest.raises(Exception, match="shorter than the room's copy"):
        read.ship(backup)
    read.ship(backup)
    told = read.run("verify")
    assert told.exit_code == 0
    assert f"an earlier history of {longer} events was put aside by S1: a test." in told.stdout
    assert f"1 journal, {len(read.room.events()) - longer} events" in told.stdout


def test_a_history_that_nothing_has_replaced_yet_is_read_and_marked(
    read: ReadRoom, evening: Path, tmp_path: Path
) -> None:
    backup = Path(shutil.copytree(evening, tmp_path / "backup"))
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    read.ship(evening)
    with pytest.raises(Exception, match="shorter than the room's copy"):
        read.ship(backup)
    enroll(read.room.owner, "t7", "table", signed_by="S1", reason="new disk")
    told = read.run("verify")
    assert told.exit_code == 0
    assert f"1 journal, {len(read.room.events())} events" in told.stdout
    assert "this history was put aside by S1: new disk." in told.stdout


def test_a_box_is_counted_into_an_office_folder(
    read: ReadRoom, swing: Path, tmp_path: Path
) -> None:
    read.ship(swing)
    office = tmp_path / "floor"
    office.mkdir()
    hire(office)
    words = ("report", "shift", "swing", "--box", "5", "--signed", "F1", "--signed", "S1",
             "--data", office)  # fmt: skip
    done = read.run(*words, typed=f"{PINS['F1']}\n{PINS['S1']}\n")
    assert done.exit_code == 0, done.stderr
    [(counted,)] = read_office(office).counts.values()
    assert (counted.event.table, counted.event.counted) == ("t7", 500)
    assert "F1 Fern Hill and S1 Sam Vale" in done.stdout
    again = read.run(*words, "--reason", "typed 5 for 6", typed=f"{PINS['F1']}\n{PINS['S1']}\n")
    assert again.exit_code == 0
    assert len(read_office(office).counts) == 1
    assert "Fern Hill" not in read.run("report", "shift", "swing").stdout

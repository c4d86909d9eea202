"""What a table says to the room, and what the room makes of lies."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from omaha_table.journal.days import day_files
from omaha_table.journal.diary import Refusal
from omaha_table.journal.reader import Reader
from omaha_table.room.database import RoomRefused, upgrade
from omaha_table.room.enrollment import enroll
from omaha_table.room.shipper import Alarm, Shipper
from omaha_table.session.script import run_line
from tests.journal.days import CLOSE, LINES, link, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.room.database import Connection
    from tests.room.conftest import Room

APPEND = (
    "SELECT answer, seq FROM room.append(%s, %s, %s, %s::bigint[], %s::bigint[], %s::bigint[], "
    "%s::text[], %s::text[], %s::text[], %s::bytea[])"
)
START = bytes(32)


def rows_in(folder: Path) -> list[Row]:
    [path] = day_files(folder, "t7")
    with Reader(path) as reader:
        return list(reader.since())


def day_in(folder: Path) -> str:
    [path] = day_files(folder, "t7")
    return path.stem.removeprefix("t7-")


def append(table: Connection, day: str, after: int, previous: bytes, rows: list[Any]) -> Any:
    columns = [[row[at] for row in rows] for at in range(1, 8)]
    found = table.execute(APPEND.encode(), (day, after, previous, *columns)).fetchone()
    assert found is not None
    return found


def shipped(table: Connection, folder: Path) -> Shipper:
    shipper = Shipper(folder, "t7", "table")
    shipper.start(table)
    shipper.ship(table)
    return shipper


def test_the_room_has_every_row_as_it_is_in_the_file(room: Room, evening: Path) -> None:
    shipped(room.table(), evening)
    assert room.events() == [(day_in(evening), *row) for row in rows_in(evening)]


def test_an_event_is_sent_that_was_not_yet_committed_when_its_file_had_changed(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frames of the WAL are written first; readers see them when the disk has flushed them."""
    session = open_session(tmp_path / "data")
    table = room.table()
    shipper = shipped(table, tmp_path / "data")
    say(session, "seat 1 Ada 200")
    with monkeypatch.context() as patch:
        patch.setattr("omaha_table.room.shipper._rows_after", lambda path, known: ([], b""))
        assert shipper.ship(table) == 0
    assert shipper.ship(table) == 1
    session.close()


def test_what_is_sent_twice_is_there_once(room: Room, evening: Path) -> None:
    table, rows, day = room.table(), rows_in(evening), day_in(evening)
    assert append(table, day, 0, START, rows[:40]) == ("ok", 40)
    assert append(table, day, 0, START, rows[:40]) == ("ok", 40)
    assert append(table, day, 30, rows[29].hash, rows[30:60]) == ("ok", 60)
    assert append(table, day, 10, rows[9].hash, rows[10:20]) == ("ok", 60)
    assert room.events() == [(day, *row) for row in rows[:60]]
    assert room.alarms() == []


def test_a_shipper_that_skips_rows_is_told_where_to_go_on(room: Room, evening: Path) -> None:
    table, rows, day = room.table(), rows_in(evening), day_in(evening)
    assert append(table, day, 5, rows[4].hash, rows[5:9]) == ("gap", 0)
    assert append(table, day, 0, START, rows[:10]) == ("ok", 10)
    assert append(table, day, 20, rows[19].hash, rows[20:30]) == ("gap", 10)
    assert room.alarms() == []


@pytest.mark.parametrize("column", range(1, 7))
def test_a_row_that_does_not_fit_its_hash_is_an_alarm(
    room: Room, evening: Path, column: int
) -> None:
    table, rows, day = room.table(), rows_in(evening), day_in(evening)
    append(table, day, 0, START, rows[:10])
    wrong: list[Any] = [list(row) for row in rows[10:20]]
    given = wrong[5][column]
    wrong[5][column] = f"{given} " if isinstance(given, str) else (given or 0) + 1
    assert append(table, day, 10, rows[9].hash, wrong)[0] == "broken"
    assert len(room.events()) == 10
    assert room.alarms() == [("t7", "broken")]
    # From now on nothing is taken, true as it may be.
    assert append(table, day, 10, rows[9].hash, rows[10:20])[0] == "alarmed"


def test_rows_in_another_order_are_an_alarm(room: Room, evening: Path) -> None:
    table, rows, day = room.table(), rows_in(evening), day_in(evening)
    swapped = [*rows[:3], rows[4], rows[3], *rows[5:9]]
    assert append(table, day, 0, START, swapped)[0] == "broken"


def test_a_history_with_hashes_of_its_own_is_a_fork(room: Room, evening: Path) -> None:
    table, rows, day = room.table(), rows_in(evening), day_in(evening)
    append(table, day, 0, START, rows[:20])
    head, forged = rows[9].hash, []
    for row in rows[10:30]:
        body = row.body.replace("Ada", "Eve")
        head = link(head, row.seq, row.hand, row.at_us, 7, row.kind, row.actor, body)
        forged.append((row.seq, row.hand, row.at_us, 7, row.kind, row.actor, body, head))
    assert append(table, day, 10, rows[9].hash, forged)[0] == "forked"
    assert room.alarms() == [("t7", "forked")]
    assert room.events() == [(day, *row) for row in rows[:20]]


def test_another_tables_log_is_refused_and_stops_nothing(room: Room, evening: Path) -> None:
    other, rows, day = room.table("t8"), rows_in(evening), day_in(evening)
    assert append(other, day, 0, START, rows[:10])[0] == "foreign"
    assert append(other, "2020-01-01", 0, START, rows[:10])[0] == "foreign"
    assert room.events("t8") == []
    assert append(room.table("t7"), day, 0, START, rows[:10]) == ("ok", 10)


def test_a_day_that_does_not_continue_the_one_before_is_refused(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    table = room.table()
    shipped(table, evening)
    first = rows_in(evening)[0]
    body = first.body.replace(day_in(evening), "2099-01-01")
    forged = link(START, 1, None, first.at_us, first.mono_us, first.kind, first.actor, body)
    row = (1, None, first.at_us, first.mono_us, first.kind, first.actor, body, forged)
    assert append(table, "2099-01-01", 0, START, [row])[0] == "unlinked"


def test_a_log_that_was_cut_is_rolled_back(room: Room, tmp_path: Path, evening: Path) -> None:
    table = room.table()
    shutil.copytree(evening, tmp_path / "backup")
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    shipped(table, evening)
    shutil.rmtree(evening)
    shutil.copytree(tmp_path / "backup", evening)
    with pytest.raises(Alarm, match="shorter than the room's copy") as raised:
        shipped(table, evening)
    assert raised.value.what == "rolled_back"
    assert room.alarms() == [("t7", "rolled_back")]
    with pytest.raises(Alarm):
        shipped(table, evening)
    assert room.alarms() == [("t7", "rolled_back")]


def test_after_an_alarm_somebody_signs_and_the_evidence_stays(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    table = room.table()
    shutil.copytree(evening, tmp_path / "backup")
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    shipped(table, evening)
    longer = room.events()
    shutil.rmtree(evening)
    shutil.copytree(tmp_path / "backup", evening)
    with pytest.raises(Alarm):
        shipped(table, evening)
    with pytest.raises(RoomRefused, match="a shift manager must sign"):
        enroll(room.owner, "t7", "table")
    bundle = enroll(room.owner, "t7", "table", signed_by="S1", reason="disk replaced")
    shipped(room.connect(bundle.url), evening)
    day = day_in(evening)
    assert room.events() == longer + [(day, *row) for row in rows_in(evening)]
    [answer] = room.owner.execute(
        "SELECT e.signed_by, e.reason, a.room_seq, a.table_seq FROM room.alarm a "
        "JOIN room.enrollment e ON e.id = a.answered_by"
    ).fetchall()
    assert answer == ("S1", "disk replaced", len(longer), len(rows_in(evening)))


def test_a_room_put_back_from_a_backup_is_healed_by_the_next_contact(
    room: Room, evening: Path
) -> None:
    table, rows, day = room.table(), rows_in(evening), day_in(evening)
    append(table, day, 0, START, rows[:50])
    assert shipped(table, evening).heads[day].hash == rows[-1].hash
    assert room.events() == [(day, *row) for row in rows]
    assert room.alarms() == []


def test_a_table_can_do_nothing_but_speak_for_itself(room: Room, evening: Path) -> None:
    table = room.table()
    shipped(table, evening)
    for query in (
        "SELECT * FROM room.event", "SELECT * FROM room.source", "SELECT * FROM room.overview",
        "DELETE FROM room.event", "UPDATE room.journal SET seq = 0", "SELECT room.upgrade()",
        "SELECT room.add_cosignature('t7', 'x', 1, 'k', 1, '', 1, 's')",
        "SELECT room.raise_alarm('t8', 'x', 1, 'forked', 1, '', 1, '')",
        "SELECT room.make_partition('2026-01-01')", "CREATE TABLE room.mine(a int)",
        "SET ROLE postgres", "CREATE ROLE eve",
    ):  # fmt: skip
        with pytest.raises(psycopg.Error):
            table.execute(query.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE room.event SET body = '{}'",
        "DELETE FROM room.event",
        "TRUNCATE room.event",
        "DELETE FROM room.alarm",
        "DELETE FROM room.journal",
        "UPDATE room.enrollment SET reason = ''",
    ],
)
def test_not_even_the_owner_changes_rows_by_mistake(
    room: Room, tmp_path: Path, evening: Path, statement: str
) -> None:
    table = room.table()
    shipped(table, evening)
    append(table, day_in(evening), 3, bytes(32), rows_in(evening)[3:9])
    assert room.alarms() == [("t7", "forked")]
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="never changed"):
        room.owner.execute(statement.encode())


def test_a_closed_day_and_the_next_one_are_one_chain(room: Room, evening: Path) -> None:
    session = open_session(evening)
    say(session, CLOSE)
    session.close()
    again = open_session(evening)
    say(again, *LINES[:20])
    again.close()
    shipper = shipped(room.table(), evening)
    assert len(shipper.heads) == 2
    assert room.alarms() == []


def test_a_journal_that_changes_while_it_is_sent_arrives_whole(room: Room, tmp_path: Path) -> None:
    table = room.table()
    session = open_session(tmp_path / "data")
    shipper = Shipper(tmp_path / "data", "t7", "table")
    shipper.start(table)
    for line in LINES:
        say(session, line)
        shipper.ship(table)
    session.close()
    shipper.ship(table)
    assert room.events() == [(day_in(tmp_path / "data"), *r) for r in rows_in(tmp_path / "data")]


def test_what_was_refused_is_there_once(room: Room, evening: Path) -> None:
    table = room.table()
    session = open_session(evening)
    assert next(run_line(session, 1, "5 fold"))["type"] == "refused"
    shipped(table, evening)
    assert next(run_line(session, 1, "seat 1 Eve"))["type"] == "refused"
    session.close()
    shipped(table, evening)
    shipped(table, evening)
    with Reader(day_files(evening, "t7")[0]) as reader:
        here = reader.refusals()
    there = room.owner.execute(
        "SELECT after_seq, at_us, hand, code, message, rule, from_document, id FROM room.refusal "
        "ORDER BY id"
    ).fetchall()
    assert len(there) == 2
    assert [Refusal(*row) for row in there] == here


def test_the_upgrade_is_safe_to_run_again(room: Room) -> None:
    assert upgrade(room.owner) == []


def test_a_room_of_a_newer_program_is_left_alone(room: Room) -> None:
    room.owner.execute("INSERT INTO room.upgrade(number) VALUES (99)")
    with pytest.raises(RoomRefused, match="newer version"):
        upgrade(room.owner)


def test_a_damaged_journal_is_an_alarm_and_not_sent_on(room: Room, evening: Path) -> None:
    [path] = day_files(evening, "t7")
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TRIGGER no_update")
        file.execute("UPDATE event SET body = replace(body, 'a', 'b') WHERE seq = 30")
        file.commit()
    with pytest.raises(Exception, match=r"tables of this file|does not fit its own hashes"):
        shipped(room.table(), evening)
    assert len(room.events()) < 30

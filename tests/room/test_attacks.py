"""Insiders with root at the table, at the room or at the witness, one at a time; and bad luck."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import threading
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from omaha_table.journal.chain import START, Row, follows
from omaha_table.journal.cosignatures import kept
from omaha_table.journal.days import day_files
from omaha_table.journal.keys import public_hex
from omaha_table.journal.reader import Reader
from omaha_table.room.bundle import read_bundle, write_bundle
from omaha_table.room.database import RoomRefused, RoomUnreachable, connect, upgrade
from omaha_table.room.enrollment import enroll
from omaha_table.room.overview import overview
from omaha_table.room.shipper import Alarm, Shipper
from omaha_table.room.shipping import Shipping
from omaha_table.room.witness import witness_key
from scripts.campaigns.soak.disk import Disk
from tests.journal.days import LINES, link, open_session, say
from tests.room.witnesses import witness_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.room.database import Connection
    from omaha_table.room.embedded import EmbeddedServer
    from omaha_table.room.shipping import ShipperState
    from tests.room.conftest import Room

APPEND = (
    "SELECT answer, seq FROM room.append(%s, %s, %s, %s::bigint[], %s::bigint[], %s::bigint[], "
    "%s::text[], %s::text[], %s::text[], %s::bytea[])"
)


def rows_in(folder: Path) -> list[Row]:
    [path] = day_files(folder, "t7")
    with Reader(path) as reader:
        return list(reader.since())


def day_in(folder: Path) -> str:
    [path] = day_files(folder, "t7")
    return path.stem.removeprefix("t7-")


def append(table: Connection, day: str, after: int, previous: bytes, rows: list[Any]) -> Any:
    columns = [[row[at] for row in rows] for at in range(1, 8)]
    return table.execute(APPEND.encode(), (day, after, previous, *columns)).fetchone()


def shipper(folder: Path, name: str = "t7") -> Shipper:
    return Shipper(folder, name, "table")


def ship(table: Connection, folder: Path) -> Shipper:
    sender = shipper(folder)
    sender.start(table)
    sender.ship(table)
    return sender


def chained(rows: list[tuple[int | None, str, str, str]], like: Row) -> list[Row]:
    """Rows of somebody's own making, each with the right hash after the one before it."""
    head, made = START, []
    for seq, (hand, kind, actor, body) in enumerate(rows, 1):
        head = link(head, seq, hand, like.at_us, like.mono_us, kind, actor, body)
        made.append(Row(seq, hand, like.at_us, like.mono_us, kind, actor, body, head))
    return made


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as held:
        yield held


# Root at a table


def deep(text: str) -> str:
    return text.replace('"table"', '"deep":' + "[" * 5000 + "]" * 5000 + ',"table"', 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.replace('"table"', '"more":1,"table"', 1),
        lambda body: body.replace('"public_key":"', '"public_key":"no hex', 1),
        lambda body: json.dumps({**json.loads(body), "version": ["not", "a", "version"]}),
        deep,
    ],
)
def test_one_table_that_sends_nonsense_does_not_stop_the_witness_of_the_others(
    room: Room, tmp_path: Path, evening: Path, stack: ExitStack, change: Callable[[str], str]
) -> None:
    """The room checks hashes, not sense: what is in a row is the table's own making."""
    first = rows_in(evening)[0]
    mine = change(first.body.replace('"t7"', '"a1"'))
    rows = chained([(None, first.kind, first.actor, mine), (3, "no_such_kind", "x", "}{")], first)
    assert append(room.table("a1"), day_in(evening), 0, START, rows) == ("ok", 2)
    ship(room.table("t7"), evening)
    said: list[str] = []
    witness = stack.enter_context(witness_in(tmp_path, said))
    witness.look(room.owner)
    assert ("a1", "unsound") in room.alarms()
    found = {table.table: table for table in overview(room.owner)}
    assert found["t7"].cosigned_seq == found["t7"].seq
    assert found["a1"].cosigned_seq is None
    assert len(said) == 1


def test_no_hand_and_hand_minus_one_are_not_the_same_row(room: Room, evening: Path) -> None:
    """Both have one hash: a shipper that lies could send another row than the table wrote."""
    table, rows, day = room.table(), rows_in(evening), day_in(evening)
    assert rows[0].hand is None
    lie = rows[0]._replace(hand=-1)
    assert link(START, *lie[:-1]) == lie.hash
    assert not follows(lie, START)
    assert append(table, day, 0, START, [lie, *rows[1:5]])[0] == "broken"
    assert room.events() == []


def test_two_tables_with_one_id_are_a_fork_and_nothing_is_overwritten(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    table = room.table()
    ship(table, evening)
    before = room.events()
    session = open_session(tmp_path / "twin")
    say(session, *LINES, "deal", "fold")
    session.close()
    with pytest.raises(Alarm, match="not the one that the room has a copy of"):
        ship(table, tmp_path / "twin")
    assert room.alarms() == [("t7", "forked")]
    assert room.events() == before


def test_two_shippers_of_one_table_take_turns(room: Room, evening: Path) -> None:
    bundle = enroll(room.owner, "t7", "table")
    senders = [(shipper(evening), room.connect(bundle.url)) for _ in range(2)]
    for sender, table in senders:
        sender.start(table)
    session = open_session(evening)
    for line in ("callfloor", "callfloor off") * 5:
        say(session, line)
        running = [threading.Thread(target=sender.ship, args=(table,)) for sender, table in senders]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    session.close()
    assert room.events() == [(day_in(evening), *row) for row in rows_in(evening)]
    assert room.alarms() == []


def test_a_longer_history_that_is_put_in_place_of_the_shipped_one_is_a_fork(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    """From a backup, then played on with the table's own key: every seal is genuine."""
    backup = shutil.copytree(evening, tmp_path / "backup")
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    table = room.table()
    ship(table, evening)
    shutil.rmtree(evening)
    shutil.copytree(backup, evening)
    session = open_session(evening)
    say(session, "deal", "fold", "call", "call", "fold")
    session.close()
    assert len(rows_in(evening)) > len(room.events())
    with pytest.raises(Alarm) as raised:
        ship(table, evening)
    assert raised.value.what == "forked"


def test_a_table_cannot_fill_the_room_with_anything_but_its_log(room: Room) -> None:
    table = room.table()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        table.execute("CREATE TEMPORARY TABLE mine (a int)")
    with pytest.raises(psycopg.DataError):
        table.execute("SELECT room.beat(jsonb_build_object('a', repeat('x', 100000)))")


def test_the_table_dealing_on_after_an_alarm_is_told_once_and_waits_for_nobody(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    table = room.table()
    ship(table, evening)
    append(table, day_in(evening), 3, bytes(32), rows_in(evening)[3:9])
    session = open_session(evening)
    states: list[ShipperState] = []
    bundle = enroll(room.owner, "t8", "table")
    write_bundle(tmp_path / "b.toml", dataclasses.replace(bundle, name="t7"))
    # With another table's secret it is that table to the room, whatever the bundle calls it.
    assert Shipping(read_bundle(tmp_path / "b.toml"), evening, states.append).run(once=True) == 1
    assert states[-1].alarm == "foreign"
    assert room.events("t8") == []
    say(session, "deal", "fold")
    session.close()


# Root at the room


def lying(answers: Callable[[str], list[tuple[Any, ...]]]) -> Any:
    """A connection whose server answers as it likes."""

    class Cursor(list[tuple[Any, ...]]):
        def fetchone(self) -> Any:
            return self[0] if self else None

        def fetchall(self) -> Any:
            return self

    class Room:
        def execute(self, query: str, values: object = ()) -> Cursor:
            return Cursor(answers(query))

    return Room()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (("gap", 0, b""), RoomUnreachable),
        (("gap", 5, b"x"), RoomUnreachable),
        (("ok", 0, b""), RoomRefused),
        (("ok", -5, b""), RoomRefused),
        (("anything", 5, b""), RoomRefused),
    ],
)
def test_a_room_that_lies_does_not_keep_the_shipper_busy_for_ever(
    evening: Path, answer: tuple[str, int, bytes], error: type[Exception]
) -> None:
    def answers(query: str) -> list[tuple[Any, ...]]:
        if "heads" in query:
            return []
        return [("new", 0, b"")] if "hello" in query else [answer]

    room = lying(answers)
    sender = shipper(evening)
    sender.start(room)
    with pytest.raises(error):
        sender.ship(room)


def test_a_room_that_forgot_rows_while_a_shipper_runs_gets_them_again(
    room: Room, evening: Path
) -> None:
    table = room.table()
    sender = ship(table, evening)
    owner = room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("DELETE FROM room.event WHERE seq > 40")
    owner.execute(
        "UPDATE room.journal SET seq = 40, head = (SELECT hash FROM room.event WHERE seq = 40)"
    )
    session = open_session(evening)
    say(session, "callfloor")
    session.close()
    sender.ship(table)
    assert room.events() == [(day_in(evening), *row) for row in rows_in(evening)]
    assert room.alarms() == []


def test_a_room_put_back_from_a_backup_is_signed_on_when_its_tables_have_healed_it(
    room: Room, tmp_path: Path, evening: Path, stack: ExitStack
) -> None:
    table = room.table()
    ship(table, evening)
    said: list[str] = []
    witness = stack.enter_context(witness_in(tmp_path, said))
    witness.look(room.owner)
    signed = overview(room.owner)[0].cosigned_seq
    owner = room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("DELETE FROM room.event WHERE seq > 40")
    owner.execute("DELETE FROM room.cosignature")
    owner.execute(
        "UPDATE room.journal SET seq = 40, head = (SELECT hash FROM room.event WHERE seq = 40)"
    )
    witness.look(owner)
    assert overview(owner)[0].cosigned_seq is None
    ship(table, evening)
    witness.look(owner)
    assert overview(owner)[0].cosigned_seq == signed
    session = open_session(evening)
    say(session, "callfloor")
    session.close()
    ship(table, evening)
    witness.look(owner)
    assert overview(owner)[0].cosigned_seq == len(rows_in(evening))
    assert (said, room.alarms()) == ([], [])


def test_a_witness_reads_no_file_that_the_room_names(
    room: Room, tmp_path: Path, evening: Path, stack: ExitStack
) -> None:
    ship(room.table(), evening)
    owner = room.owner
    for name, day in (("../../etc", "2026-01-01"), ("t9", "../../x"), ("t9", "office-x")):
        owner.execute(
            "INSERT INTO room.source (name, kind, role) VALUES (%s, 'table', %s) ON CONFLICT "
            "DO NOTHING", (name, name),
        )  # fmt: skip
        owner.execute(
            "INSERT INTO room.journal (source, day, seq, head, previous) "
            "VALUES (%s, %s, 1, '', '')", (name, day),
        )  # fmt: skip
    said: list[str] = []
    witness = stack.enter_context(witness_in(tmp_path, said))
    witness.look(owner)
    witness.look(owner)
    assert len(said) == 3
    assert all("no journal can have this name" in line for line in said)
    assert owner.execute("SELECT source FROM room.cosignature").fetchall() == [("t7",)]


# Root at the witness


def test_a_witness_can_sign_only_what_is_there_and_change_nothing(
    room: Room, evening: Path
) -> None:
    ship(room.table(), evening)
    witness = room.connect(enroll(room.owner, "w1", "witness").url)
    day = day_in(evening)
    for at, head in ((len(rows_in(evening)) + 1, b"x"), (5, b"forged")):
        assert witness.execute(
            "SELECT room.add_cosignature('t7', %s, 1, 'key', %s, %s, 1, 's')", (day, at, head)
        ).fetchone() == (False,)
    for query in ("DELETE FROM room.cosignature", "UPDATE room.journal SET seq = 0",
                  "SELECT room.append('x', 0, '', '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
                  "SELECT room.beat('{}')", "UPDATE room.alarm SET answered_by = 1"):  # fmt: skip
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            witness.execute(query.encode())
    # It can raise an alarm, which stops nothing.
    witness.execute("SELECT room.report_unsound('t7', %s, 1, 1, '')", (day,))
    session = open_session(evening)
    say(session, "callfloor")
    session.close()
    ship(room.connect(enroll_again(room)), evening)
    assert len(room.events()) == len(rows_in(evening))


def enroll_again(room: Room) -> str:
    return enroll(room.owner, "t7", "table", signed_by="S1 Sam", reason="a false alarm").url


def test_a_table_keeps_no_cosignature_but_of_the_witness_that_it_was_enrolled_with(
    room: Room, tmp_path: Path, evening: Path, stack: ExitStack
) -> None:
    """Whoever writes to the room, or has another witness's key, shows a table nothing."""
    true = public_hex(witness_key(tmp_path / "true.key"))
    bundle = dataclasses.replace(enroll(room.owner, "t7", "table"), witness_key=true)
    states: list[ShipperState] = []
    Shipping(bundle, evening, states.append).run(once=True)
    stack.enter_context(witness_in(tmp_path)).look(room.owner)
    assert overview(room.owner)[0].cosigned_seq == len(rows_in(evening))
    Shipping(bundle, evening, states.append).run(once=True)
    assert states[-1].witnessed == 0
    assert kept(day_files(evening, "t7")[0]) is None


# Bad luck


def test_a_full_disk_at_the_room_loses_nothing_that_was_acknowledged(
    server: EmbeddedServer, room: Room, evening: Path
) -> None:
    folder = server.folder / "small"
    disk = Disk(folder)
    try:
        if not disk.real:
            pytest.skip("no file system can be mounted here")
        home = (server.folder / "data").stat()
        os.chown(folder, home.st_uid, home.st_gid)
        room.owner.execute(f"CREATE TABLESPACE small LOCATION '{folder}'".encode())
        with another_room(server, room, "small") as owner:
            owner.execute("ALTER DATABASE small SET default_tablespace = 'small'")
            bundle = enroll(owner, "t7", "table")
            states: list[ShipperState] = []
            rows, day = rows_in(evening), day_in(evening)
            with closing(connect(bundle.url)) as table:
                assert append(table, day, 0, START, rows[:20]) == ("ok", 20)
            disk.fill(0)
            assert Shipping(bundle, evening, states.append).run(once=True) == 4
            assert "has no space or resources left" in states[-1].message
            count = "SELECT count(*) FROM room.event"
            assert owner.execute(count.encode()).fetchone() == (20,)
            disk.free()
            assert Shipping(bundle, evening, states.append).run(once=True) == 0
            assert owner.execute(count.encode()).fetchone() == (len(rows),)
            assert owner.execute("SELECT count(*) FROM room.alarm").fetchone() == (0,)
        room.owner.execute("DROP TABLESPACE small")
    finally:
        disk.release()
        shutil.rmtree(folder)


@contextmanager
def another_room(
    server: EmbeddedServer, room: Room, name: str, owner: str = "postgres", password: str = ""
) -> Iterator[Connection]:
    """A room in a database of its own, with table t7 or none; nothing of it is left."""
    room.owner.execute(f"CREATE DATABASE {name} OWNER {owner}".encode())
    try:
        with closing(connect(server.url(name, owner, password))) as keeper:
            upgrade(keeper)
            yield keeper
    finally:
        room.owner.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
        for role in ("table_t7", "tables", "readers", "witnesses"):
            room.owner.execute(f"DROP ROLE IF EXISTS {name}_{role}".encode())


def test_an_owner_who_is_no_superuser_ends_the_sessions_of_an_old_bundle(
    server: EmbeddedServer, room: Room, evening: Path
) -> None:
    """On a server that somebody else looks after, the room's owner may create roles and no more."""
    room.owner.execute("CREATE ROLE keeper LOGIN CREATEROLE PASSWORD 'keeper'")
    try:
        with another_room(server, room, "kept", "keeper", "keeper") as keeper:
            with closing(connect(enroll(keeper, "t7", "table").url)) as thief:
                ship(thief, evening)
                enroll(keeper, "t7", "table")
                with pytest.raises(psycopg.OperationalError):
                    thief.execute("SELECT room.heads()")
            assert upgrade(keeper) == []
    finally:
        room.owner.execute("DROP ROLE keeper")

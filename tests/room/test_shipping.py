"""A shipper's life with a real room: what it says, and what it does when something is wrong."""

from __future__ import annotations

import shutil
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from omaha_table.room.enrollment import enroll
from omaha_table.room.shipping import Shipping
from tests.journal.days import open_session, say
from tests.room.at_a_table import wait_for
from tests.room.witnesses import witness_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.room.bundle import Bundle
    from omaha_table.room.shipping import ShipperState
    from tests.room.conftest import Room


class Running:
    """A shipper in a thread, as the console's runs in a process."""

    def __init__(
        self, bundle: Bundle, folder: Path, clock: Callable[[], float] = time.time
    ) -> None:
        self.said: list[ShipperState] = []
        self.beat: dict[str, Any] = {"hand": 7}
        self._stop = threading.Event()
        shipping = Shipping(
            bundle, folder, self.said.append, lambda: self.beat, self._stop, clock=clock
        )
        self._thread = threading.Thread(target=lambda: shipping.run(stay=True))
        self._thread.start()

    @property
    def last(self) -> ShipperState | None:
        return self.said[-1] if self.said else None

    def wait(self, what: Callable[[ShipperState], object]) -> None:
        wait_for(lambda: self.last is not None and what(self.last), f"it says {self.last}")

    def end(self) -> None:
        self._stop.set()
        self._thread.join(40)
        assert not self._thread.is_alive()


@contextmanager
def shipper(
    bundle: Bundle, folder: Path, clock: Callable[[], float] = time.time
) -> Iterator[Running]:
    running = Running(bundle, folder, clock)
    try:
        yield running
    finally:
        running.end()


def last_event(folder: Path) -> int:
    with Reader(day_files(folder, "t7")[-1]) as reader:
        return reader.count()


def beat_in(room: Room) -> dict[str, Any]:
    found = room.owner.execute("SELECT beat FROM room.heartbeat").fetchone()
    return {} if found is None else dict(found[0])


def let_in(room: Room, *, allowed: bool) -> None:
    limit = -1 if allowed else 0
    room.owner.execute(f"ALTER ROLE postgres_table_t7 CONNECTION LIMIT {limit}".encode())
    if not allowed:
        room.owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE usename = 'postgres_table_t7'"
        )


def test_it_says_what_the_room_has_and_tells_the_room_how_the_table_stands(
    room: Room, evening: Path
) -> None:
    with shipper(enroll(room.owner, "t7", "table"), evening) as running:
        running.wait(lambda said: said.phase == "shipped" and said.seq == last_event(evening))
        wait_for(lambda: beat_in(room).get("hand") == 7)
    assert running.last is not None
    assert not running.last.has_witness
    assert abs(running.last.clock_offset) < 1


def test_a_clock_that_is_hours_off_is_said_and_nothing_else_changes(
    room: Room, evening: Path
) -> None:
    bundle = enroll(room.owner, "t7", "table")
    with shipper(bundle, evening, lambda: time.time() - 7200) as running:
        running.wait(lambda said: -7205 < said.clock_offset < -7195)
        running.wait(lambda said: said.phase == "shipped" and said.seq == last_event(evening))
        wait_for(lambda: -7205 < (beat_in(room).get("clock_offset") or 0) < -7195)
    assert room.alarms() == []


def test_a_log_that_the_witness_finds_unsound_is_an_alarm_at_the_table(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    with shipper(enroll(room.owner, "t7", "table"), evening) as running:
        running.wait(lambda said: said.phase == "shipped" and said.seq == last_event(evening))
        head = b"\0" * 32
        day = running.said[-1].day
        room.owner.execute("SELECT room.report_unsound('t7', %s, 1, 5, %s)", (day, head))
        running.wait(lambda said: said.alarm == "unsound")
        session = open_session(evening)
        say(session, "callfloor", "callfloor off")
        session.close()
        # What is unsound stays on record, and the room goes on taking what comes.
        running.wait(lambda said: said.seq == last_event(evening) and said.alarm == "unsound")


def test_an_alarm_is_kept_up_with_heartbeats_until_somebody_has_answered(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    bundle = enroll(room.owner, "t7", "table")
    shutil.copytree(evening, tmp_path / "backup")
    session = open_session(evening)
    say(session, "callfloor", "callfloor off")
    session.close()
    with shipper(bundle, evening) as running:
        running.wait(lambda said: said.phase == "shipped" and said.seq == last_event(evening))
    shutil.rmtree(evening)
    shutil.copytree(tmp_path / "backup", evening)
    with shipper(bundle, evening) as running:
        running.wait(lambda said: (said.phase, said.alarm) == ("alarm", "rolled_back"))
        running.beat = {"hand": 8}
        wait_for(lambda: beat_in(room).get("hand") == 8)
        assert room.alarms() == [("t7", "rolled_back")]
        again = enroll(room.owner, "t7", "table", signed_by="S1", reason="disk replaced")
        # The old secret is worth nothing any more, also to who came in with it.
        running.wait(lambda said: said.phase == "refused")
    with shipper(again, evening) as running:
        running.wait(lambda said: said.phase == "shipped" and not said.alarm)
        assert running.said[-1].seq == last_event(evening)


def test_two_shippers_of_one_table_send_every_event_once(room: Room, evening: Path) -> None:
    bundle = enroll(room.owner, "t7", "table")
    session = open_session(evening)
    with shipper(bundle, evening) as one, shipper(bundle, evening) as other:
        for _ in range(60):
            say(session, "callfloor", "callfloor off")
        session.close()
        for running in (one, other):
            running.wait(lambda said: said.seq == last_event(evening))
        assert {said.phase for said in (*one.said, *other.said)} == {"shipped"}
    numbers = [row[1] for row in room.events()]
    assert numbers == list(range(1, last_event(evening) + 1))
    assert room.alarms() == []


def test_a_room_that_was_away_for_long_gets_everything_in_order(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    bundle = replace(enroll(room.owner, "t7", "table"), witness_key="")
    with shipper(bundle, evening) as running:
        running.wait(lambda said: said.phase == "shipped")
        let_in(room, allowed=False)
        running.wait(lambda said: said.phase == "away")
        session = open_session(evening)
        for _ in range(400):
            say(session, "callfloor", "callfloor off")
        # The hand that is open when the room comes back is sent as far as it is.
        say(session, "deal", "fold")
        assert len(room.events()) < last_event(evening) - 800
        let_in(room, allowed=True)
        running.wait(lambda said: said.phase == "shipped" and said.seq == last_event(evening))
        session.close()
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        assert witness.look(room.owner) == len(room.events())
    assert (said, room.alarms()) == ([], [])


def test_a_room_that_is_older_than_the_table_is_refused_at_once(room: Room, evening: Path) -> None:
    bundle = enroll(room.owner, "t7", "table")
    room.owner.execute("DELETE FROM room.upgrade WHERE number > 1")
    running = Running(bundle, evening)
    running.wait(lambda said: said.phase == "refused")
    running.end()
    assert "upgrade the room (room init)" in running.said[-1].message
    assert room.events() == []


@pytest.mark.parametrize("beat", [[1], "text", {"x": "y" * 9000}, None])
def test_what_is_no_heartbeat_is_not_stored(room: Room, beat: object) -> None:
    table = room.table()
    with pytest.raises(psycopg.DataError, match="not a heartbeat"):
        table.execute("SELECT room.beat(%s)", (Jsonb(beat),))
    assert beat_in(room) == {}


def test_a_table_speaks_for_itself_only(room: Room) -> None:
    t7, t8 = room.table("t7"), room.table("t8")
    t7.execute("SELECT room.beat(%s)", (Jsonb({"table": "t8", "hand": 1}),))
    t8.execute("SELECT room.beat(%s)", (Jsonb({"hand": 2}),))
    t7.execute("SELECT room.beat(%s)", (Jsonb({"hand": 3}),))
    found = room.owner.execute(
        "SELECT source, beat ->> 'hand' FROM room.heartbeat ORDER BY source"
    ).fetchall()
    assert found == [("t7", "3"), ("t8", "2")]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        t7.execute("SELECT beat FROM room.heartbeat")


def test_a_heartbeat_that_the_room_does_not_take_ends_nothing(room: Room, evening: Path) -> None:
    with shipper(enroll(room.owner, "t7", "table"), evening) as running:
        running.beat = {"x": "y" * 9000}
        running.wait(lambda said: said.phase == "shipped" and said.seq == last_event(evening))
        session = open_session(evening)
        say(session, "callfloor", "callfloor off")
        session.close()
        running.wait(lambda said: said.seq == last_event(evening))
        running.beat = {"hand": 9}
        wait_for(lambda: beat_in(room).get("hand") == 9)
    assert {said.phase for said in running.said} == {"shipped"}

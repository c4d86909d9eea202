"""A witness that is started again goes on after its last seal, and believes the room no more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from omaha_table.room.rows import JournalName, RoomRows
from omaha_table.room.witness_record import Checkpoint, Signed, WitnessRecord
from tests.journal.days import CLOSE, LINES, OPENING, open_session, say
from tests.room.witnesses import cosigned, last_row, shipped, witness_in

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.room.database import Connection
    from tests.room.conftest import Room


@pytest.fixture
def table(room: Room, tmp_path: Path, evening: Path) -> Connection:
    """A table whose evening was witnessed before the witness ended."""
    made = room.table()
    shipped(made, evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    return made


def go_on(evening: Path, *lines: str) -> None:
    session = open_session(evening)
    say(session, *(lines or ("callfloor", "callfloor off")))
    session.close()


def last_seal(evening: Path) -> int:
    with Reader(day_files(evening, "t7")[-1]) as reader:
        seal = reader.last_seal()
    assert seal is not None
    return seal.seq


def test_it_reads_only_what_came_after_the_last_seal(
    room: Room, tmp_path: Path, evening: Path, table: Connection
) -> None:
    sealed = last_seal(evening)
    go_on(evening)
    shipped(table, evening)
    end = last_row(evening)[0]
    with witness_in(tmp_path) as witness:
        assert witness.look(room.owner) == end - sealed < end / 2
    assert (cosigned(room)[0].seq, cosigned(room)[0].head) == last_row(evening)


def test_a_hand_that_was_open_when_it_ended_is_verified_to_its_end(
    room: Room, tmp_path: Path, evening: Path, table: Connection
) -> None:
    for line in ("deal", "fold", "fold", "fold", "leave 1", "fold"):
        go_on(evening, line)
        shipped(table, evening)
        said: list[str] = []
        with witness_in(tmp_path, said) as witness:
            witness.look(room.owner)
        assert said == []
        assert cosigned(room)[0].seq == last_row(evening)[0]


def test_it_goes_on_into_the_next_day_with_the_table_that_was_carried_over(
    room: Room, tmp_path: Path, evening: Path, table: Connection
) -> None:
    go_on(evening, CLOSE)
    shipped(table, evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    go_on(evening, *LINES[:20])
    shipped(table, evening)
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        assert witness.look(room.owner) == last_row(evening)[0]
        assert witness.look(room.owner) == 0
    assert said == []
    assert [one.seq for one in cosigned(room)][-1] == last_row(evening)[0]


@pytest.mark.parametrize("which", ["first", "rules", "seal", "after"])
def test_a_row_that_the_room_has_changed_since_is_found(
    room: Room, tmp_path: Path, evening: Path, table: Connection, which: str
) -> None:
    before = cosigned(room)
    sealed = last_seal(evening)
    seq = {"first": 1, "rules": 2, "seal": sealed, "after": sealed + 1}[which]
    go_on(evening)
    shipped(table, evening)
    room.owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    room.owner.execute(
        "UPDATE room.event SET body = regexp_replace(body, '[0-9](?=[^0-9]*$)', '?') "
        "WHERE seq = %s",
        (seq,),
    )
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        witness.look(room.owner)
    assert cosigned(room) == before
    assert len(said) == 1
    assert ("t7", "unsound") in room.alarms()


def test_a_history_hashed_anew_after_the_seal_is_not_signed(
    room: Room, tmp_path: Path, evening: Path, table: Connection
) -> None:
    """The room's owner can compute hashes; what was signed stands against it."""
    before = cosigned(room)
    go_on(evening)
    shipped(table, evening)
    owner = room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("UPDATE room.event SET at_us = at_us + 1 WHERE seq = %s", (last_seal(evening),))
    for seq in range(last_seal(evening), last_row(evening)[0] + 1):
        owner.execute(
            "UPDATE room.event e SET hash = room.link((SELECT hash FROM room.event b WHERE "
            "b.seq = e.seq - 1), seq, hand, at_us, mono_us, kind, actor, body) WHERE seq = %s",
            (seq,),
        )
    owner.execute("UPDATE room.journal SET head = (SELECT hash FROM room.event e "
                  "WHERE e.seq = room.journal.seq)")  # fmt: skip
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        witness.look(room.owner)
    assert cosigned(room) == before
    assert ("t7", "unsound") in room.alarms()


def test_what_a_seal_does_not_hold_is_looked_up_in_the_whole_day(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    """A checkpoint that leads nowhere costs time, and raises no alarm."""
    table = room.table()
    shipped(table, evening)
    name = JournalName("t7", day_files(evening, "t7")[-1].stem.removeprefix("t7-"), 1)
    rows = RoomRows(room.owner, name)
    first, rules, seal = rows.get(1), rows.get(2), rows.get(last_seal(evening))
    assert first is not None
    assert rules is not None
    assert seal is not None
    wrong = Checkpoint(seal.seq, seal.hash, first.hash, 1, first.hash, closed=False)
    with closing(WitnessRecord(tmp_path / "witness.signed")) as record:
        opened = rows.get(OPENING)
        assert opened is not None
        record.add(name, Signed(opened.seq, opened.hash, ""), wrong)
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        assert witness.look(room.owner) == last_row(evening)[0]
    assert said == []
    assert cosigned(room)[0].seq == last_row(evening)[0]


def test_what_was_signed_and_where_to_go_on_are_written_together(tmp_path: Path) -> None:
    name = JournalName("t7", "2026-11-19", 1)
    point = Checkpoint(5, b"5", b"1", 2, b"2", closed=False)
    with closing(WitnessRecord(tmp_path / "witness.signed")) as record:
        record.add(name, Signed(9, b"9", "key"), point)
        with pytest.raises(sqlite3.IntegrityError, match="never goes back"):
            record.add(name, Signed(8, b"8", "key"), Checkpoint(7, b"7", b"1", 2, b"2", True))
        assert record.checkpoint(name) == point
        assert record.of(name) == Signed(9, b"9", "key")

"""What a witness signs, what it never signs, and what it makes of a room that lies."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from omaha_table.journal.chain import START
from omaha_table.journal.cosignatures import Cosignature, is_genuine, keep, kept
from omaha_table.journal.days import day_files
from omaha_table.journal.keys import public_hex
from omaha_table.journal.reader import Reader
from omaha_table.room.enrollment import enroll
from omaha_table.room.shipper import Alarm
from omaha_table.room.witness import witness_key
from omaha_table.room.witness_record import WitnessError
from tests.journal.days import CLOSE, LINES, link, open_session, say
from tests.room.witnesses import cosigned, last_row, shipped, witness_in

if TYPE_CHECKING:
    from pathlib import Path

    from tests.room.conftest import Room


def test_the_witness_signs_the_head_with_its_own_key(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    shipped(room.table(), evening)
    with witness_in(tmp_path) as witness:
        assert witness.look(room.owner) == last_row(evening)[0]
        assert witness.look(room.owner) == 0
    [given] = cosigned(room)
    public = public_hex(witness_key(tmp_path / "witness.key"))
    assert (given.seq, given.head) == last_row(evening)
    assert is_genuine(given, public)
    for change in ({"seq": given.seq + 1}, {"day": "2026-01-01"}, {"source": "t8"}):
        other = Cosignature(**(asdict(given) | change))
        assert not is_genuine(other, public)


def test_the_key_is_its_owners_alone(tmp_path: Path) -> None:
    witness_key(tmp_path / "witness.key")
    assert (tmp_path / "witness.key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "witness.key").chmod(0o640)
    with pytest.raises(WitnessError, match="can be read by others"):
        witness_key(tmp_path / "witness.key")


def test_two_witnesses_cannot_share_a_record(tmp_path: Path) -> None:
    with (
        witness_in(tmp_path),
        pytest.raises(WitnessError, match="another witness uses it"),
        witness_in(tmp_path),
    ):
        pass


def test_it_goes_on_after_a_restart_and_over_the_days(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    table = room.table()
    shipped(table, evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    session = open_session(evening)
    say(session, CLOSE)
    session.close()
    again = open_session(evening)
    say(again, *LINES[:20])
    again.close()
    shipped(table, evening)
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        witness.look(room.owner)
    assert said == []
    assert [given.seq for given in cosigned(room)][-1] == last_row(evening)[0]
    assert len(cosigned(room)) == 2


def test_a_well_chained_log_whose_seals_do_not_fit_is_not_signed(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    """Whoever has a table's disk can hash a whole day again, but not sign its seals."""
    [path] = day_files(evening, "t7")
    with Reader(path) as reader:
        rows = list(reader.since())
    head, forged = START, []
    for row in rows:
        body = row.body.replace('"name":"', '"name":"X')
        if row.kind == "journal_sealed" or row.kind == "street_sealed":
            body = json.dumps(json.loads(body) | {"head": head.hex()}, sort_keys=True,
                              separators=(",", ":"))  # fmt: skip
        head = link(head, row.seq, row.hand, row.at_us, row.mono_us, row.kind, row.actor, body)
        forged.append((body, head, row.seq))
    with closing(sqlite3.connect(path)) as file:
        [trigger] = file.execute(
            "SELECT sql FROM sqlite_schema WHERE name = 'no_update'"
        ).fetchone()
        file.execute("DROP TRIGGER no_update")
        file.executemany("UPDATE event SET body = ?, hash = ? WHERE seq = ?", forged)
        file.execute(trigger)
        file.commit()
    shipped(room.table(), evening)
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        witness.look(room.owner)
        witness.look(room.owner)
    assert cosigned(room) == []
    assert room.alarms() == [("t7", "unsound")]
    assert len(said) == 1
    assert "the seal was made with another key" in said[0]


def test_a_history_that_the_room_shortened_is_never_signed(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    shipped(room.table(), evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    before = cosigned(room)
    # The room's own administrator: triggers off, the tail gone, the head put back.
    owner = room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("DELETE FROM room.event WHERE seq > 100")
    owner.execute(
        "UPDATE room.journal SET seq = 100, head = (SELECT hash FROM room.event WHERE seq = 100)"
    )
    said: list[str] = []
    with witness_in(tmp_path, said, healing=0) as witness:
        witness.look(room.owner)
    assert cosigned(room) == before
    assert ("t7", "unsound") in room.alarms()
    assert "shorter than what was signed" in said[0]


def test_a_history_that_the_room_replaced_is_never_signed(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    shipped(room.table(), evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    shutil.rmtree(evening)
    session = open_session(evening)
    say(session, *LINES, "deal", "fold")
    session.close()
    owner = room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("DELETE FROM room.cosignature")
    owner.execute("DELETE FROM room.event")
    owner.execute("ALTER TABLE room.journal DISABLE TRIGGER ALL")
    owner.execute("DELETE FROM room.journal")
    owner.execute("UPDATE room.source SET first_key = NULL")
    shipped(room.table(), evening)
    said: list[str] = []
    with witness_in(tmp_path, said) as witness:
        witness.look(room.owner)
    assert cosigned(room) == []
    assert "another key" in said[0]


def test_a_history_that_somebody_answered_for_is_signed_as_a_new_one(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    table = room.table()
    shutil.copytree(evening, tmp_path / "backup")
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    shipped(table, evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    shutil.rmtree(evening)
    shutil.copytree(tmp_path / "backup", evening)
    with pytest.raises(Alarm):
        shipped(table, evening)
    bundle = enroll(room.owner, "t7", "table", signed_by="S1", reason="disk replaced")
    shipped(room.connect(bundle.url), evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    longer, shorter = cosigned(room)
    assert (longer.generation, shorter.generation) == (1, 2)
    assert longer.seq > shorter.seq == last_row(evening)[0]


def test_a_kill_between_record_and_room_is_made_good(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    shipped(room.table(), evening)
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    room.owner.execute("DELETE FROM room.cosignature")
    with witness_in(tmp_path) as witness:
        witness.look(room.owner)
    assert cosigned(room)[0].seq == last_row(evening)[0]


def test_a_cosignature_is_kept_beside_the_journal(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    given = Cosignature(
        "t7", "2026-11-19", 1, 5, "00", 7, key.public_key().public_bytes_raw().hex()
    )
    journal = tmp_path / "t7-2026-11-19.journal"
    assert kept(journal) is None
    keep(journal, given)
    assert kept(journal) == given
    (tmp_path / "t7-2026-11-19.cosigned").write_text('{"seq": []}')
    assert kept(journal) is None

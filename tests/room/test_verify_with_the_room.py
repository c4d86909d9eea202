"""`verify --room`: a log compared with what the room has and its witness has signed."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.keys import public_hex
from omaha_table.review.index.ledger import Ledger
from omaha_table.room.bundle import read_bundle, write_bundle
from omaha_table.room.enrollment import enroll
from omaha_table.room.shipping import Shipping
from omaha_table.room.witness import Witness, witness_key
from omaha_table.room.witness_record import WitnessRecord
from tests.counters import ledger, signature
from tests.journal.days import CLOSE, LINES, open_session, say

if TYPE_CHECKING:
    from click.testing import Result

    from tests.room.conftest import Room
    from tests.room.reading import ReadRoom


@pytest.fixture
def bundle(room: Room, tmp_path: Path) -> Path:
    from dataclasses import replace

    key = public_hex(witness_key(tmp_path / "witness.key"))
    write_bundle(tmp_path / "t7.toml", replace(enroll(room.owner, "t7", "table"), witness_key=key))
    return tmp_path / "t7.toml"


def ship(bundle: Path, folder: Path) -> int:
    return Shipping(read_bundle(bundle), folder, lambda state: None).run(once=True)


def witnessed(room: Room, tmp_path: Path) -> None:
    with closing(WitnessRecord(tmp_path / "witness.signed")) as record:
        Witness(witness_key(tmp_path / "witness.key"), record).look(room.owner)


def verify(*words: object) -> Result:
    return CliRunner().invoke(omaha_table, ["verify", *map(str, words)])


def test_what_the_witness_signed_anchors_the_log(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    ship(bundle, evening)
    plain = verify(evening, "--room", bundle)
    assert plain.exit_code == 0
    assert "Sound, anchored by the room." in plain.output
    witnessed(room, tmp_path)
    done = verify(evening, "--room", bundle)
    assert done.exit_code == 0
    assert "Sound, anchored by the room's witness." in done.output
    found = json.loads(verify(evening, "--room", bundle, "--json").output)
    assert found["journals"][0]["anchored"] is True
    session = open_session(evening)
    say(session, "callfloor")
    session.close()
    later = verify(evening, "--room", bundle)
    assert f"anchored up to event {len(room.events())}." in later.output


def test_a_folder_that_was_put_back_is_not_sound(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    """Everything the folder holds agrees with itself: only the room knows better."""
    backup = Path(shutil.copytree(evening, tmp_path / "backup"))
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    ship(bundle, evening)
    witnessed(room, tmp_path)
    assert verify(evening, "--room", bundle).exit_code == 0
    shutil.rmtree(evening)
    shutil.copytree(backup, evening)
    assert verify(evening).exit_code == 0
    done = verify(evening, "--room", bundle)
    assert done.exit_code == 1
    assert f"events are missing: the room has {len(room.events())}" in done.output


def test_a_log_that_was_made_again_is_not_sound(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    ship(bundle, evening)
    witnessed(room, tmp_path)
    shutil.rmtree(evening)
    session = open_session(evening)
    say(session, *LINES, "deal", "fold")
    session.close()
    assert verify(evening).exit_code == 0
    done = verify(evening, "--room", bundle)
    assert done.exit_code == 1
    assert f"event {len(room.events())}: room: the room has another event here." in done.output


def test_a_day_that_is_gone_is_named(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    session = open_session(evening)
    say(session, CLOSE)
    session.close()
    open_session(evening).close()
    ship(bundle, evening)
    first = min(evening.glob("t7-*.journal"))
    for path in evening.glob(f"{first.stem}.*"):
        path.unlink()
    done = verify(evening, "--room", bundle)
    assert done.exit_code == 1
    assert f"{first.stem} is not here; the room has" in done.output


def test_without_the_room_the_cosignatures_kept_here_are_shown(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    ship(bundle, evening)
    witnessed(room, tmp_path)
    ship(bundle, evening)
    away = tmp_path / "away.toml"
    away.write_text(bundle.read_text().replace("omaha-room-", "no-room-"))
    away.chmod(0o600)
    done = verify(evening, "--room", away)
    assert done.exit_code == 4
    assert "Sound, anchored by the room's witness, as kept here." in done.output
    assert "The room does not answer" in done.output
    [kept] = evening.glob("*.cosigned")
    other = json.loads(kept.read_text())
    kept.write_text(json.dumps(other | {"signature": "00" * 64}))
    assert "Not anchored" in verify(evening, "--room", away).output
    kept.write_text(json.dumps(other | {"seq": 10_000}))
    beyond = verify(evening)
    assert beyond.exit_code == 1
    assert "the room's witness signed event 10000" in beyond.output


def test_a_reader_compares_any_tables_folder(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    ship(bundle, evening)
    room.owner.execute(
        "INSERT INTO room.source (name, kind, role) VALUES ('t9', 'table', 'nobody')"
    )
    write_bundle(tmp_path / "reader.toml", enroll(room.owner, "auditor", "reader"))
    done = verify(evening, "--room", tmp_path / "reader.toml")
    assert (done.exit_code, "anchored by the room" in done.output) == (0, True)
    shutil.rmtree(evening)
    session = open_session(evening)
    say(session, "seat 1 A 200")
    session.close()
    assert verify(evening, "--room", tmp_path / "reader.toml").exit_code == 1


def test_a_reader_compares_the_office_journal_that_begins_alike(
    read: ReadRoom, swing: Path, tmp_path: Path
) -> None:
    """The files of all offices have one name."""
    other = tmp_path / "other"
    other.mkdir()
    ledger(other).note("t7 2025-11-16 3", "other", signature("F1"))
    read.ship(other, table="", office="annex")
    read.ship(swing, office="cage")
    read.witness()
    done = read.run("verify", swing)
    assert (done.exit_code, "Not anchored" in done.output) == (0, False)
    before = shutil.copytree(swing, tmp_path / "backup")
    after = shutil.copytree(swing, tmp_path / "after")
    Ledger(after).note("t7 2025-11-16 3", "new", signature("F1"))
    read.ship(after, table="", office="cage")
    cut = read.run("verify", before)
    assert cut.exit_code == 1
    assert "office-" in cut.output
    assert "events are missing: the room has" in cut.output

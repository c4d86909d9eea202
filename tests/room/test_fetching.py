"""Journals made again from the room: the same rows, and nothing half-done."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.cosignatures import kept
from omaha_table.journal.faults import Away, Tampered
from omaha_table.journal.reader import Reader
from omaha_table.journal.rebuilding import rebuild
from tests.journal.days import CLOSE, LINES, open_session, say
from tests.room.reading import run
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.journal.chain import Row
    from tests.room.reading import ReadRoom


def rows(path: Path) -> list[Row]:
    with closing(Reader(path)) as reader:
        return list(reader.since())


def refusals(path: Path) -> list[tuple[object, ...]]:
    with closing(Reader(path)) as reader:
        return [(one.id, one.after_seq, one.at_us, one.code, one.message, one.rule, one.source)
                for one in reader.refusals()]  # fmt: skip


@pytest.fixture
def two_days(evening: Path) -> Path:
    """A closed day and one in play; in a folder of a table with its keys."""
    session = open_session(evening)
    say(session, CLOSE)
    session.close()
    session = open_session(evening)
    say(session, *LINES, "callfloor")
    session.close()
    return evening


def test_a_fetched_journal_has_the_same_rows_and_head(
    read: ReadRoom, two_days: Path, tmp_path: Path
) -> None:
    read.ship(two_days)
    read.witness()
    again = tmp_path / "again"
    done = read.run("room", "fetch", "t7", "--out", again)
    assert done.exit_code == 0, done.stderr
    first, second = sorted(two_days.glob("t7-*.journal"))
    for original in (first, second):
        copy = again / original.name
        assert rows(copy) == rows(original)
        assert refusals(copy) == refusals(original)
        assert f"{copy}: {len(rows(original))} events." in done.stdout
        beside = ".receipt" if original == first else ".witness"
        assert json.loads(copy.with_suffix(beside).read_text()) == json.loads(
            original.with_suffix(beside).read_text()
        )
        signed = kept(copy)
        assert signed is not None
        assert (signed.seq, signed.head) == (len(rows(original)), rows(original)[-1].hash.hex())
    assert {path.name for path in again.iterdir()} == {
        f"{path.stem}{end}"
        for path, side in ((first, ".receipt"), (second, ".witness"))
        for end in (".journal", ".cosigned", side)
    }
    modes = {path.stat().st_mode & 0o777 for path in again.iterdir()}
    assert modes == {0o600, 0o400}
    assert (again / first.name).stat().st_mode & 0o777 == 0o400
    sound = run("verify", again)
    assert (sound.exit_code, "2 journals" in sound.stdout) == (0, True)
    anchored = read.run("verify", again)
    assert "Sound, anchored by the room's witness." in anchored.stdout


def test_a_report_on_a_fetched_journal_is_that_on_the_original(
    read: ReadRoom, swing: Path, tmp_path: Path
) -> None:
    read.ship(swing, office="cage")
    again = tmp_path / "again"
    assert read.run("room", "fetch", "t7", "--out", again).exit_code == 0
    assert read.run("room", "fetch", "cage", "--out", again).exit_code == 0
    shutil.copy(swing / "staff.json", again)
    for words in (("shift", "swing"), ("hand", "3")):
        told = run("report", *words, "--data", again)
        assert told.exit_code == 0
        assert told.stdout == run("report", *words, "--data", swing).stdout


def test_an_earlier_history_is_fetched_by_its_number(
    read: ReadRoom, evening: Path, tmp_path: Path
) -> None:
    backup = Path(shutil.copytree(evening, tmp_path / "backup"))
    session = open_session(evening)
    say(session, "deal", "fold")
    session.close()
    read.ship(evening)
    with pytest.raises(Exception, match="shorter than the room's copy"):
        read.ship(backup)
    read.ship(backup)
    [path] = evening.glob("t7-*.journal")
    day = path.stem.removeprefix("t7-")
    words = ("room", "fetch", "t7", "--day", day)
    assert read.run(*words, "--out", tmp_path / "new").exit_code == 0
    assert rows(tmp_path / "new" / path.name) == rows(backup / path.name)
    assert read.run(*words, "--history", "1", "--out", tmp_path / "old").exit_code == 0
    assert rows(tmp_path / "old" / path.name) == rows(path)
    none = read.run(*words, "--history", "3", "--out", tmp_path / "none")
    assert (none.exit_code, "nothing of t7" in none.stderr) == (2, True)
    assert "goes with --day" in read.run("room", "fetch", "t7", "--history", "1", "--out",
                                         tmp_path).stderr  # fmt: skip


def test_nothing_that_is_there_is_replaced(read: ReadRoom, evening: Path) -> None:
    read.ship(evening)
    before = {path.name: path.read_bytes() for path in evening.iterdir()}
    done = read.run("room", "fetch", "t7", "--out", evening)
    assert (done.exit_code, "is already there" in done.stderr) == (2, True)
    assert {path.name: path.read_bytes() for path in evening.iterdir()} == before
    # Also where somebody puts it there in the meantime.
    [path] = evening.glob("*.journal")
    with pytest.raises(Exception, match="exists"):
        rebuild(path, rows(path))
    assert {path.name: path.read_bytes() for path in evening.glob("*.journal")} == {
        path.name: before[path.name]
    }


def test_what_is_cut_off_half_way_leaves_nothing(evening: Path, tmp_path: Path) -> None:
    [path] = evening.glob("*.journal")
    found = rows(path)

    def broken_off() -> Iterator[Row]:
        yield from found[:100]
        raise Away("The room does not answer.")

    out = tmp_path / "out" / path.name
    with pytest.raises(Away):
        rebuild(out, broken_off())
    assert list(out.parent.iterdir()) == []
    with pytest.raises(Tampered, match="Event 51"):
        rebuild(out, [*found[:50], found[50]._replace(actor="somebody"), *found[51:]])
    with pytest.raises(Tampered, match="no rows"):
        rebuild(out, [])
    assert list(out.parent.iterdir()) == []
    # What a kill left is written again.
    (out.parent / f".{path.name}.rebuilt").write_bytes(b"half")
    out.with_suffix(".receipt").write_text("{}")
    assert rebuild(out, found) == len(found)
    assert rows(out) == found


@pytest.mark.parametrize("closed", [True, False])
def test_a_table_whose_disk_is_gone_deals_on_from_what_the_room_has(
    read: ReadRoom, evening: Path, tmp_path: Path, closed: bool
) -> None:
    if closed:
        session = open_session(evening)
        say(session, CLOSE)
        session.close()
    read.ship(evening)
    read.witness()
    shutil.rmtree(evening)
    assert read.run("room", "fetch", "t7", "--out", evening).exit_code == 0
    # The keys are not in the room: nothing is added that could not be told from a forgery.
    with pytest.raises(Tampered, match="key that must seal"):
        open_session(evening)
    put_staff(evening)
    done = CliRunner().invoke(
        omaha_table,
        ["enroll", "--data", str(evening), "--table", "t7", "--reason", "disk lost"],
        input="4711\n",
    )
    assert done.exit_code == 0, done.output
    session = open_session(evening)
    say(session, *LINES)
    session.close()
    assert run("verify", evening).exit_code == 0
    read.ship(evening)
    assert (read.witness(), read.room.alarms()) == ([], [])
    assert "t7: 2 days, sound, witnessed" in read.run("verify").stdout.splitlines()

"""Opening a journal: what is looked at before anything is written on it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.days import gaming_day
from omaha_table.journal.faults import Busy, Full, Tampered
from omaha_table.journal.opening import check_open_day
from omaha_table.journal.verification import files_in, verify
from omaha_table.journal.writer import JournalWriter
from tests.journal.days import (
    LINES,
    Line,
    change_award,
    day_opened,
    forge,
    journal_file,
    note,
    open_session,
    raw,
    say,
)
from tests.rulings_before import DAY as A_DAY
from tests.rulings_before import dead, play_day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAY = "2026-11-14"


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """A day with six hands and a seventh begun, still open."""
    session = open_session(tmp_path)
    say(session, *LINES, "hand", "deal")
    session.close()
    return tmp_path


def change(folder: Path, statement: str, *given: object) -> None:
    with raw(journal_file(folder)) as db:
        db.execute(statement, given)
    db.close()


def test_the_witness_must_have_seen_this_very_event(day: Path) -> None:
    witness = journal_file(day).with_suffix(".witness")
    seen = json.loads(witness.read_text(encoding="utf-8"))
    witness.write_text(json.dumps(seen | {"head": "00" * 32}))
    with pytest.raises(Tampered, match=f"Event {seen['seq']} does not match the witness file"):
        open_session(day)


@pytest.mark.parametrize("content", [b"", b"\xff", b"{}", b"7", b'{"seq": Infinity, "head": ""}'])
def test_a_witness_that_cannot_be_read_stops_the_writer(day: Path, content: bytes) -> None:
    journal_file(day).with_suffix(".witness").write_bytes(content)
    with pytest.raises(Tampered, match="witness file of this journal cannot be read"):
        open_session(day)


def test_events_that_the_witness_has_seen_must_be_there(day: Path) -> None:
    witness = journal_file(day).with_suffix(".witness")
    witness.write_text(json.dumps({"seq": 9000, "head": "00" * 32}))
    with pytest.raises(
        Tampered, match="the witness file names event 9000, but the journal ends at"
    ):
        open_session(day)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM event WHERE seq = (SELECT max(seq) - 3 FROM event)", "is missing"),
        ("UPDATE event SET at_us = at_us + 1 WHERE seq = (SELECT max(seq) FROM event)", "changed"),
        (
            "UPDATE event SET at_us = at_us + 1 "
            "WHERE seq = (SELECT max(seq) FROM event WHERE kind = 'journal_sealed')",
            "was changed or damaged",
        ),
        (
            "DELETE FROM event "
            "WHERE seq = (SELECT max(seq) - 1 FROM event WHERE kind = 'journal_sealed')",
            "is missing",
        ),
    ],
)
def test_the_end_must_be_what_was_written(day: Path, statement: str, message: str) -> None:
    change(day, statement)
    with pytest.raises(Tampered, match=message):
        open_session(day)


def test_events_must_be_numbered_without_a_gap_even_where_their_hashes_fit(day: Path) -> None:
    def skip_a_number(lines: list[Line]) -> None:
        lines[-1].seq += 1

    forge(journal_file(day), skip_a_number, "link")
    with pytest.raises(Tampered, match="is missing"):
        open_session(day)


def test_a_seal_must_be_over_the_event_before_it(day: Path) -> None:
    def over_another(lines: list[Line]) -> None:
        [*_, last] = [line for line in lines if line.kind == "journal_sealed"]
        last.body["head"] = "00" * 32

    forge(journal_file(day), over_another, "leave")
    with pytest.raises(Tampered, match="the seal is for another head"):
        open_session(day)


def test_a_journal_before_its_first_seal_wants_the_key_it_was_opened_with(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, "seat 1 A")
    session.close()
    (tmp_path / "t7.key").write_bytes(os.urandom(32))
    with pytest.raises(Tampered, match="key that must seal this journal is missing"):
        open_session(tmp_path)


def test_a_journal_wants_the_key_that_its_last_seal_names(day: Path) -> None:
    (day / "t7.key").write_bytes(os.urandom(32))
    with pytest.raises(Tampered, match="key that must seal this journal is missing"):
        open_session(day)
    (day / "t7.next").write_bytes(os.urandom(32))
    with pytest.raises(Tampered, match="key that must seal this journal is missing"):
        open_session(day)


def signed_by_a_stranger(path: Path) -> None:
    """All is linked again, but for the signatures, which only the destroyed keys could make."""

    def later(lines: list[Line]) -> None:
        for line in lines:
            line.at_us += 1

    forge(path, later, "link")


def without_an_event(path: Path) -> None:
    """The first hands are linked again over a gap, and the seals with them."""

    def skip_a_number(lines: list[Line]) -> None:
        for line in lines[4:]:
            line.seq += 1

    forge(path, skip_a_number)


def with_a_last_day_of_nonsense(path: Path) -> None:
    forge(path, lambda lines: lines[0].body.update(previous="none"))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (signed_by_a_stranger, "the seal was made with another key"),
        (without_an_event, "event 5 is missing"),
        (change_award, "was changed or damaged"),
        (with_a_last_day_of_nonsense, "Event 1: this event was changed or damaged"),
    ],
)
def test_the_whole_open_day_is_checked_before_it_is_gone_on_with(
    day: Path, damage: Callable[[Path], None], message: str
) -> None:
    check_open_day(day, "t7")
    damage(journal_file(day))
    with pytest.raises(Tampered, match=message):
        check_open_day(day, "t7")


def test_every_seal_names_the_key_of_the_next(day: Path) -> None:
    """The whole day is sound with its keys in turn, and with any other in between it is not."""
    check_open_day(day, "t7")

    def another_next_key(lines: list[Line]) -> None:
        first = next(line for line in lines if line.kind == "journal_sealed")
        first.body["next_key"] = "00" * 32

    forge(journal_file(day), another_next_key, "link")
    with pytest.raises(Tampered, match="made with another key"):
        check_open_day(day, "t7")


# The lock


def test_the_name_of_the_holder_is_the_last_one_alone(tmp_path: Path) -> None:
    JournalWriter(tmp_path, "t7", DAY, holder="a console with a long name").close()
    second = JournalWriter(tmp_path, "t7", DAY, holder="script")
    with pytest.raises(Busy) as fault:
        JournalWriter(tmp_path, "t7", DAY, holder="third")
    second.close()
    assert fault.value.message == "The journal of this table is being written by script."


def test_the_holder_that_is_named_is_the_one_that_holds_the_lock_now(tmp_path: Path) -> None:
    """A process was killed, its name is still in the file, and another holds the lock."""
    code = (
        "import os, sys; from pathlib import Path\n"
        "from omaha_table.journal.writer import JournalWriter\n"
        f"folder = Path({str(tmp_path)!r})\n"
        f"JournalWriter(folder, 't7', {DAY!r}, holder='the process that was killed')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert "the process that was killed" in (tmp_path / "t7.lock").read_text(encoding="utf-8")
    living = JournalWriter(tmp_path, "t7", DAY, holder="the living")
    with pytest.raises(Busy, match="written by the living"):
        JournalWriter(tmp_path, "t7", DAY, holder="another")
    living.close()


def test_a_table_is_free_again_after_a_journal_that_could_not_be_opened(day: Path) -> None:
    witness = journal_file(day).with_suffix(".witness")
    seen = witness.read_bytes()
    witness.unlink()
    for _ in range(2):
        with pytest.raises(Tampered, match="witness"):
            open_session(day)
    witness.write_bytes(seen)
    open_session(day).close()


def test_a_table_is_free_again_after_a_journal_that_could_not_be_folded(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, "seat 1 A")
    session.close()
    forge(journal_file(tmp_path), _without_an_opening, "link")
    for _ in range(2):
        with pytest.raises(Tampered, match="cannot be replayed"):
            open_session(tmp_path)


def _without_an_opening(lines: list[Line]) -> None:
    lines[1].kind, lines[1].body = "recovered", {"where": "", "v": 1}


def test_a_closed_journal_lets_go_of_the_table(tmp_path: Path) -> None:
    for _ in range(2):
        JournalWriter(tmp_path, "t7", DAY, holder="console").close()


# Files


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_keys_lock_and_folders_are_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    data, mirror = tmp_path / "data", tmp_path / "mirror"
    session = open_session(data, mirror=mirror)
    say(session, *LINES)
    session.close()
    modes = {path.name: path.stat().st_mode & 0o777 for path in (data, mirror, *data.iterdir())}
    witness = journal_file(data).with_suffix(".witness").name
    assert (modes["data"], modes["mirror"]) == (0o700, 0o700)
    assert (modes["t7.key"], modes["t7.lock"], modes[witness]) == (0o600, 0o600, 0o600)


def test_a_file_stands_in_the_way_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(Full, match="cannot be written"):
        JournalWriter(tmp_path / "data", "t7", DAY, holder="console")


# The order of writing


def test_events_are_numbered_without_a_gap(tmp_path: Path) -> None:
    with contextlib.closing(JournalWriter(tmp_path, "t7", DAY, holder="console")) as journal:
        journal.append([day_opened(journal)])
        with pytest.raises(ValueError, match="event 3 cannot follow event 1"):
            journal.append([note(3)])
        assert journal.seq == 1


def test_a_day_begins_once(tmp_path: Path) -> None:
    with contextlib.closing(JournalWriter(tmp_path, "t7", DAY, holder="console")) as journal:
        journal.append([day_opened(journal)])
        head = journal.head
        with pytest.raises(ValueError, match="already started"):
            journal.begin(bytes(32))
        assert journal.head == head


# The gaming day


@pytest.mark.parametrize(
    ("wall", "day"),
    [
        # Winter in California is UTC-8, summer UTC-7; the day begins at six by the wall clock.
        ("2026-11-15T07:59:59+00:00", "2026-11-14"),  # 23:59:59
        ("2026-11-15T08:00:00+00:00", "2026-11-14"),  # midnight
        ("2026-11-15T13:59:59+00:00", "2026-11-14"),  # 05:59:59
        ("2026-11-15T14:00:00+00:00", "2026-11-15"),  # 06:00
        ("2026-07-04T12:59:59+00:00", "2026-07-03"),
        ("2026-07-04T13:00:00+00:00", "2026-07-04"),
        ("2026-11-01T13:59:59+00:00", "2026-10-31"),  # the night with 25 hours
        ("2026-11-01T14:00:00+00:00", "2026-11-01"),
        ("2026-03-08T12:59:59+00:00", "2026-03-07"),  # the night with 23
        ("2026-03-08T13:00:00+00:00", "2026-03-08"),
    ],
)
def test_a_night_past_midnight_belongs_to_the_day_before(
    monkeypatch: pytest.MonkeyPatch, wall: str, day: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "PST8PDT,M3.2.0,M11.1.0")
        time.tzset()
        found = gaming_day(datetime.fromisoformat(wall).timestamp())
    time.tzset()
    assert found == day


def test_a_table_that_is_busy_leaves_no_file_open(tmp_path: Path) -> None:
    """Whoever waits for a table tries again and again."""
    first = JournalWriter(tmp_path, "t7", "2026-11-14", holder="the first")
    with pytest.raises(Busy, match="the first"):
        JournalWriter(tmp_path, "t7", "2026-11-14", holder="the second")
    lock = tmp_path / "t7.lock"
    opened = [path for path in Path("/proc/self/fd").iterdir() if path.resolve() == lock.resolve()]
    assert len(opened) == 1
    first.close()


@pytest.mark.parametrize("days_back", [1, 3])
def test_a_clock_that_was_days_ahead_leaves_a_log_that_goes_on(
    tmp_path: Path, days_back: int
) -> None:
    """The day that the clock now says lies before the last one, and may be closed already."""
    ahead = datetime(2026, 11, 17, 20, 0).timestamp()
    play_day(tmp_path, ahead - A_DAY, dead(1, "fouled hand"))
    play_day(tmp_path, ahead, dead(1, "fouled hand"))
    play_day(tmp_path, ahead - days_back * A_DAY, dead(2, "clock ran out"))
    names = [path.stem for path in files_in(tmp_path)]
    assert names == ["t7-2026-11-16", "t7-2026-11-17", "t7-2026-11-17b"]
    verdict = verify(files_in(tmp_path))
    assert verdict.sound, verdict.damage

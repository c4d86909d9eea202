"""The office journal: chained, sealed entry by entry, a file a year, whole after any kill."""

from __future__ import annotations

import json
import random
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.chain import START
from omaha_table.journal.events import DayOpened, JournalSealed
from omaha_table.journal.faults import Busy, Tampered
from omaha_table.journal.keys import is_signed
from omaha_table.journal.office_book import brief_of, open_office, read_office
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import office_in, verify
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import HandNoted, Signature, ThresholdSet
from tests.journal.days import head_words, link
from tests.journal.killed_office import in_year, write, written
from tests.office.people import check_office

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.chain import Row

KILLED = "tests.journal.killed_office"
SHIFT = Signature("S1", "Sam", "shift_manager")
DEALER = Signature("D1", "Dana", "dealer")


def rows(path: Path) -> list[Row]:
    with Reader(path) as reader:
        return list(reader.since())


def names(folder: Path) -> list[str]:
    return [path.name for path in office_in(folder)]


# Chain, seals, witness


def test_every_entry_is_linked_and_sealed_with_a_key_that_is_used_once(tmp_path: Path) -> None:
    for number in range(5):
        write(tmp_path, f"note {number}", in_year(2026))
    [path] = office_in(tmp_path)
    found = rows(path)
    assert [row.kind for row in found] == [
        "day_opened", "office_opened", "journal_sealed", *["hand_noted", "journal_sealed"] * 5,
    ]  # fmt: skip
    head, key = bytes(32), ""
    used = set()
    for row in found:
        event = record_of(row).event
        if isinstance(event, DayOpened):
            assert (event.table, event.day, event.previous) == ("office", "2026", START.hex())
            key = event.public_key
        if isinstance(event, JournalSealed):
            assert event.head == head.hex()
            assert is_signed(key, event.signature, head)
            used.add(key)
            key = event.next_key
        head = link(head, row.seq, row.hand, row.at_us, row.mono_us, row.kind, row.actor, row.body)
        assert row.hash == head
    assert len(used) == 6
    witness = json.loads(path.with_suffix(".witness").read_text(encoding="utf-8"))
    assert witness == {"seq": found[-1].seq, "head": head.hex()}
    assert check_office(tmp_path).sound


def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, "a note", in_year(2026))
    before = rows(office_in(tmp_path)[0])
    good = HandNoted("t7", "a note", SHIFT)
    with open_office(tmp_path, "a test", in_year(2026)) as book:
        for bad in (HandNoted("t7", "x", DEALER), HandNoted("t7", "x", None)):
            with pytest.raises(OfficeRefused):
                book.record(good, bad, actor="office:D1")
        with pytest.raises(OfficeRefused):
            book.record(ThresholdSet(-1, SHIFT), actor="office:S1")
    assert rows(office_in(tmp_path)[0]) == before


def test_several_entries_are_recorded_together_under_one_seal(tmp_path: Path) -> None:
    with open_office(tmp_path, "a test", in_year(2026)) as book:
        first = book.record(
            HandNoted("t7", "one", SHIFT), HandNoted("t7", "two", SHIFT), actor="office:S1"
        )
    kinds = [row.kind for row in rows(office_in(tmp_path)[0])]
    assert first == 4
    assert kinds[3:] == ["hand_noted", "hand_noted", "journal_sealed"]


# The turn of the year


def test_the_year_turns_with_a_receipt_and_what_was_kept_goes_on(tmp_path: Path) -> None:
    write(tmp_path, "the first", in_year(2025))
    with open_office(tmp_path, "a test", in_year(2025)) as book:
        book.record(ThresholdSet(500, SHIFT), actor="office:S1")
    write(tmp_path, "the second", in_year(2026))
    assert names(tmp_path) == ["office-2025.journal", "office-2026.journal"]
    first, second = office_in(tmp_path)
    last, opened = rows(first)[-1], record_of(rows(second)[0]).event
    receipt = json.loads(first.with_suffix(".receipt").read_text(encoding="utf-8"))
    sealed = record_of(last).event
    assert isinstance(sealed, JournalSealed)
    assert receipt == {
        "table": "office", "day": "2025", "seq": last.seq, "head": last.hash.hex(),
        "words": head_words(last.hash), "next_key": sealed.next_key,
    }  # fmt: skip
    assert isinstance(opened, DayOpened)
    assert (opened.previous, opened.public_key) == (last.hash.hex(), sealed.next_key)
    assert stat.S_IMODE(first.stat().st_mode) == 0o400
    assert brief_of(tmp_path).threshold == 500
    assert written(tmp_path) == ["the first", "the second"]
    assert check_office(tmp_path).sound


def test_years_are_skipped_and_turn_more_than_once(tmp_path: Path) -> None:
    for year in (2023, 2024, 2027):
        write(tmp_path, f"in {year}", in_year(year))
        write(tmp_path, f"again in {year}", in_year(year, 9))
    assert names(tmp_path) == [f"office-{year}.journal" for year in (2023, 2024, 2027)]
    assert len(written(tmp_path)) == 6
    assert check_office(tmp_path).sound


def test_a_clock_that_is_moved_back_goes_on_in_the_year_that_is_open(tmp_path: Path) -> None:
    write(tmp_path, "ahead", in_year(2026))
    write(tmp_path, "back", in_year(2024))
    assert names(tmp_path) == ["office-2026.journal"]
    assert written(tmp_path) == ["ahead", "back"]
    assert check_office(tmp_path).sound


def test_the_year_begins_at_six_in_the_morning_of_its_first_day(tmp_path: Path) -> None:
    """Like a gaming day: a night is not cut in two."""
    from datetime import datetime

    from omaha_table.journal.writer import Clock

    for hour in (5, 7):
        at = datetime(2026, 1, 1, hour).astimezone().timestamp()
        write(tmp_path, f"at {hour}", Clock(lambda at=at: at, lambda: 1.0))  # type: ignore[misc]
    assert names(tmp_path) == ["office-2025.journal", "office-2026.journal"]


@pytest.mark.parametrize(
    ("what", "every"),
    [("turn", 53), ("entry", 29), ("first", 31), ("enroll", 199), ("staff", 149), ("list", 179)],
)
def test_a_kill_at_any_call_leaves_a_sound_journal_that_goes_on(
    tmp_path: Path, what: str, every: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", KILLED, str(tmp_path / "a"), what, str(every)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 20


@pytest.mark.campaign
@pytest.mark.parametrize("what", ["turn", "entry", "first", "enroll", "staff", "list"])
def test_a_kill_at_one_call_in_twenty_three(tmp_path: Path, what: str) -> None:
    subprocess.run(
        [sys.executable, "-m", KILLED, str(tmp_path / "a"), what, "23"], check=True, timeout=600
    )


def test_after_a_kill_at_any_moment_every_acknowledged_entry_is_there(tmp_path: Path) -> None:
    chance, acknowledged = random.Random(5), 0
    for _ in range(8):
        with subprocess.Popen(
            [sys.executable, "-m", KILLED, str(tmp_path), "append"],
            stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.25))
            process.kill()
            rest = process.stdout.read()
        acknowledged += 1 + rest.count("\n")
        assert check_office(tmp_path).sound
        found = len(written(tmp_path))
        assert acknowledged <= found <= acknowledged + 1
        acknowledged = found
    assert acknowledged > 20


# Two at once


def test_two_processes_lose_no_entry_and_keep_the_chain(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.journal.killed_office import write\n"
        "for number in range(100): write(Path(sys.argv[1]), f'{sys.argv[2]} {number}')\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name]) for name in ("a", "b")
    ]
    while any(writer.poll() is None for writer in writers):
        if names(tmp_path):
            assert verify(office_in(tmp_path)).sound
        time.sleep(0.05)
    assert [writer.returncode for writer in writers] == [0, 0]
    found = written(tmp_path)
    for name in ("a", "b"):
        mine = [note for note in found if note.startswith(name)]
        assert mine == [f"{name} {number}" for number in range(100)]
    assert len(found) == 200
    assert check_office(tmp_path).sound


def test_somebody_who_waits_too_long_is_told_who_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omaha_table.journal.office_book.WAIT_SECONDS", 0.1)
    with (
        open_office(tmp_path, "the other office", in_year(2026)),
        pytest.raises(Busy, match="written by the other office"),
        open_office(tmp_path, "a test", in_year(2026)),
    ):
        pass
    write(tmp_path, "now", in_year(2026))


def test_a_journal_that_cannot_be_opened_is_let_go_of(tmp_path: Path) -> None:
    """A console lives for days: its next try must not find its own lock."""
    write(tmp_path, "a note", in_year(2026))
    witness = office_in(tmp_path)[0].with_suffix(".witness")
    content = witness.read_bytes()
    witness.unlink()
    for _ in range(2):
        with pytest.raises(Tampered, match="witness file of this journal is missing"):
            write(tmp_path, "not yet", in_year(2026))
    witness.write_bytes(content)
    write(tmp_path, "now", in_year(2026))
    assert written(tmp_path) == ["a note", "now"]


def test_a_reader_needs_no_lock(tmp_path: Path) -> None:
    with open_office(tmp_path, "a test", in_year(2026)) as book:
        book.record(HandNoted("t7", "read meanwhile", SHIFT), actor="office:S1")
        assert written(tmp_path) == ["read meanwhile"]
        assert read_office(tmp_path).seq == 4
        assert check_office(tmp_path).sound

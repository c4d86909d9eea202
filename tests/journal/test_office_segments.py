"""A damaged office journal is gone on from, by a shift manager, with nothing repaired."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli.enroll import enroll
from omaha_table.cli.verify import verify
from omaha_table.floor.files import STAFF_FILE, sha256
from omaha_table.journal.faults import Tampered
from omaha_table.journal.office_book import brief_of, open_office, read_office
from omaha_table.journal.pins import PinCheck, PinNotAccepted
from omaha_table.journal.verification import office_in
from omaha_table.office.events import PinRefused, Signature, StaffChanged, TableEnrolled
from tests.journal.days import (
    LINES,
    delete_row,
    delete_tail,
    forge,
    journal_file,
    open_session,
    raw,
    say,
)
from tests.journal.killed_office import in_year, write, written
from tests.office.people import check_office, make_staff, pins, quick_staff, recorded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.journal.days import Line

SHIFT = Signature("S1", "Name of S1", "shift_manager")
LAST = 20
"""So many notes before the damage, each with a seal."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A staff list that was signed for, a person who is locked out, and twenty notes."""
    make_staff(tmp_path)
    with open_office(tmp_path, "a test") as book:
        hashed = sha256((tmp_path / "staff.json").read_bytes())
        changed = StaffChanged("taken_in", "", "", "", None, hashed)
        book.record(changed, actor="office:S1")
    check = PinCheck(tmp_path, quick_staff(), "a test")
    for _ in range(5):
        with pytest.raises(PinNotAccepted):
            check.sign("note", "0000", "F2")
    for number in range(LAST):
        write(tmp_path, f"note {number}")
    # A refusal's traceback keeps its reader; closed later, it would fold the write-ahead log in.
    gc.collect()
    return tmp_path


def the_file(folder: Path) -> Path:
    [path] = office_in(folder)
    return path


def lose_rows(folder: Path) -> None:
    """The middle of the notes is gone."""
    with raw(the_file(folder)) as db:
        db.execute("DELETE FROM event WHERE seq BETWEEN 40 AND 45")


def lose_pages(folder: Path) -> None:
    path = the_file(folder)
    path.write_bytes(b"lost" * 2000)


def add_an_unsealed_entry(folder: Path) -> None:
    def add(lines: list[Line]) -> None:
        note = next(line for line in lines if line.kind == "hand_noted")
        lines.append(replace(note, seq=len(lines) + 1, body=note.body | {"note": "forged"}))

    forge(the_file(folder), add, "leave")


def go_on(folder: Path, typed: str = "", *more: str) -> tuple[int, str]:
    given = ["--data", str(folder), "--office", "--reason", "a page is gone", *more]
    done = CliRunner().invoke(enroll, given, input=typed or pins("S1"))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("damage", [lose_rows, lose_pages, add_an_unsealed_entry])
def test_a_shift_manager_goes_on_after_damage_and_nothing_is_repaired(
    folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(folder)
    broken = the_file(folder)
    before = broken.read_bytes()
    assert not check_office(folder).sound
    with pytest.raises(Tampered):
        read_office(folder)
    code, output = go_on(folder)
    assert code == 0, output
    assert broken.read_bytes() == before
    segment = office_in(folder)[1]
    assert segment.name == f"{broken.stem}b.journal"
    assert f"{segment.name} continues the year, enrolled by S1." in output
    write(folder, "after")
    assert written(folder)[-1] == "after"
    assert [found.file for found in check_office(folder).damage] == [broken.name]
    assert read_office(folder).damaged == (broken.name,)
    [event] = [event for event in recorded(folder) if isinstance(event, TableEnrolled)]
    assert (event.table, event.log, event.broken) == ("office", segment.name, broken.name)
    assert (event.reason, event.by.id, event.by.role) == ("a page is gone", "S1", "shift_manager")


def test_what_is_refused_for_damage_says_how_to_go_on(folder: Path) -> None:
    lose_pages(folder)
    done = CliRunner().invoke(verify, [str(folder)])
    assert done.exit_code == 1
    assert "a shift manager runs 'omaha-table enroll --office'" in done.output
    given = ["--data", str(folder), "--table", "t7", "--reason", "a test"]
    session = open_session(folder)
    say(session, *LINES)
    session.close()
    delete_tail(journal_file(folder))
    done = CliRunner().invoke(enroll, given, input=pins("F1"))
    assert done.exit_code == 2
    assert "omaha-table enroll --office --data DIR" in done.output


def test_what_was_sound_is_still_read_and_what_follows_the_damage_is_not(folder: Path) -> None:
    lose_rows(folder)
    assert go_on(folder)[0] == 0
    write(folder, "after")
    found = written(folder)
    assert found[-1] == "after"
    assert found[:-1] == [f"note {number}" for number in range(len(found) - 1)]
    assert 5 < len(found) < LAST


def test_locks_and_the_staff_list_go_on_from_the_last_sound_seal(folder: Path) -> None:
    lose_rows(folder)
    assert go_on(folder)[0] == 0
    brief = brief_of(folder)
    assert brief.staff == sha256((folder / "staff.json").read_bytes())
    assert brief.locks.of["F2"].seconds == 300
    with pytest.raises(PinNotAccepted, match="F2 is locked"):
        PinCheck(folder, quick_staff(), "a test").sign("note", "1234", "F2")


@pytest.mark.parametrize(
    ("typed", "by", "said"),
    [
        ("4711\n", "", "This person may not go on after a damaged office journal: 4 tries"),
        ("4711\n", "F1", "This person may not go on after a damaged office journal: 4 tries"),
        ("0000\n", "S1", "Wrong PIN: 4 tries left"),
        ("0000\n", "", "Wrong PIN: 4 tries left"),
    ],
)
def test_only_a_shift_manager_goes_on_and_failures_count(
    folder: Path, typed: str, by: str, said: str
) -> None:
    lose_rows(folder)
    more = ("--by", by) if by else ()
    code, output = go_on(folder, typed, *more)
    assert (code, said in output) == (2, True), output
    with pytest.raises(Tampered, match="waits for a shift manager"):
        write(folder, "too early")
    assert "not enrolled" in check_office(folder).damage[1].message
    for _ in range(4):
        go_on(folder, typed, *more)
    assert "locked for 5 minutes" in go_on(folder, pins("S1"), *(more or ()))[1]
    code, output = go_on(folder, pins("S2"), "--by", "S2")
    assert code == 0, output
    write(folder, "after")
    refused = [event for event in recorded(folder) if isinstance(event, PinRefused)]
    assert len([event for event in refused if event.purpose == "enroll_office"]) == 6
    assert len(check_office(folder).damage) == 1


def test_a_sound_journal_is_not_gone_on_from(folder: Path) -> None:
    code, output = go_on(folder)
    assert (code, "is sound" in output) == (2, True)
    assert len(office_in(folder)) == 1


def test_a_folder_without_an_office_has_nothing_to_go_on_from(tmp_path: Path) -> None:
    make_staff(tmp_path)
    code, output = go_on(tmp_path)
    assert (code, "No office journal" in output) == (2, True)


def test_a_staff_list_that_nobody_signed_for_enrolls_nothing(folder: Path) -> None:
    """Else whoever damages the journal could bring a list with PINs of their own."""
    path = folder / STAFF_FILE
    content = path.read_bytes()
    path.write_bytes(content + b" ")
    code, output = go_on(folder)
    assert (code, "put that one back first" in output) == (2, True)
    lose_rows(folder)
    code, output = go_on(folder)
    assert (code, "put that one back first" in output) == (2, True)
    path.write_bytes(content)
    assert go_on(folder)[0] == 0


def test_a_segment_that_is_damaged_too_has_a_segment_after_it(folder: Path) -> None:
    lose_rows(folder)
    assert go_on(folder)[0] == 0
    first, second = office_in(folder)
    write(folder, "in the segment")
    second.write_bytes(b"lost" * 2000)
    code, output = go_on(folder)
    assert code == 0, output
    write(folder, "after")
    assert [path.stem[-1] for path in office_in(folder)][1:] == ["b", "c"]
    assert [found.file for found in check_office(folder).damage] == [first.name, second.name]
    assert written(folder)[-1] == "after"
    assert brief_of(folder).locks.of["F2"].seconds == 300
    assert (folder / f"office.key.{second.stem}").exists()


def test_a_year_can_turn_after_a_segment(folder: Path) -> None:
    lose_rows(folder)
    assert go_on(folder)[0] == 0
    broken = office_in(folder)[0]
    later = in_year(int(broken.stem[-4:]) + 1)
    write(folder, "next year", later)
    assert written(folder)[-1] == "next year"
    assert [found.file for found in check_office(folder).damage] == [broken.name]
    assert brief_of(folder).locks.of["F2"].seconds == 300


# What a forger makes of a segment


def enrolled(folder: Path) -> Path:
    lose_rows(folder)
    assert go_on(folder)[0] == 0
    return office_in(folder)[1]


def by_the_floor(lines: list[Line]) -> None:
    for line in lines:
        if line.kind == "table_enrolled":
            line.body["by"]["role"] = "floor"


def of_somebody_else(lines: list[Line]) -> None:
    for line in lines:
        if line.kind == "segment_enrolled":
            line.body["by"] = ["S2"]


def for_another_journal(lines: list[Line]) -> None:
    for line in lines:
        if line.kind in ("segment_enrolled", "table_enrolled"):
            line.body["broken"] = "office-2020.journal"


def without_the_signature(lines: list[Line]) -> None:
    lines[:] = [line for line in lines if line.kind != "table_enrolled"]
    for seq, line in enumerate(lines, start=1):
        line.seq = seq


def without_locks(lines: list[Line]) -> None:
    for line in lines:
        for kept in ("carried", "state"):
            if kept in line.body:
                line.body[kept]["locks"]["of"] = {}


def a_note_first(lines: list[Line]) -> None:
    at = next(at for at, line in enumerate(lines) if line.kind == "segment_enrolled")
    note = {"about": "t7", "note": "x", "by": {"id": "F1", "name": "F", "role": "floor"}, "v": 1}
    lines.insert(at, replace(lines[at], kind="hand_noted", body=note | {"taken_in": ""}))
    for seq, line in enumerate(lines, start=1):
        line.seq = seq


@pytest.mark.parametrize(
    ("edit", "kind", "said"),
    [
        (by_the_floor, "replay", "that takes a shift manager"),
        (of_somebody_else, "link", "not enrolled by a shift manager"),
        (for_another_journal, "link", "names another journal than the one before"),
        (without_the_signature, "link", "not enrolled by a shift manager"),
        (without_locks, "link", "does not carry on the last sound seal"),
        (a_note_first, "link", "not enrolled by a shift manager"),
    ],
)
def test_a_segment_is_decided_again(
    folder: Path, edit: Callable[[list[Line]], None], kind: str, said: str
) -> None:
    segment = enrolled(folder)
    forge(segment, edit)
    [_, damage] = check_office(folder).damage
    assert (damage.file, damage.kind) == (segment.name, kind)
    assert said in damage.message
    with pytest.raises(Tampered):
        read_office(folder)


def test_no_segment_is_named_in_the_middle_of_a_year(folder: Path) -> None:
    def named(lines: list[Line]) -> None:
        note = [line for line in lines if line.kind == "hand_noted"][3]
        note.kind, note.body = "segment_enrolled", {
            "broken": "office-2020.journal", "broken_head": "", "reason": "x", "by": ["S1"], "v": 1,
        }  # fmt: skip

    forge(the_file(folder), named)
    [damage] = check_office(folder).damage
    assert "only a new segment names a damaged journal" in damage.message


def test_a_missing_row_elsewhere_is_damage_of_that_journal_alone(folder: Path) -> None:
    segment = enrolled(folder)
    for number in range(LAST):
        write(folder, f"later {number}")
    delete_row(segment)
    assert [found.file for found in check_office(folder).damage][1] == segment.name

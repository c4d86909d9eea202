"""What somebody with the disk changes in an office journal, and `verify` finds by itself."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor.files import STAFF_FILE
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.office_book import open_office, read_office
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import office_in
from omaha_table.office.events import (
    BoxCounted,
    HandNoted,
    HandTagged,
    PinAccepted,
    PinRefused,
    Signature,
    StaffChanged,
    TableEnrolled,
    ThresholdSet,
    Unsealed,
    VarianceClosed,
    VarianceExplained,
)
from tests.journal.days import Line, forge, forge_all, raw
from tests.journal.killed_office import in_year, write
from tests.office.people import check_office

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.verdict import Damage

FLOOR = Signature("F1", "Fern", "floor")
OTHER = Signature("F2", "Finn", "floor")
SHIFT = Signature("S1", "Sam", "shift_manager")
SHIFT_2 = Signature("S2", "Sue", "shift_manager")
AUDITOR = Signature("A1", "Ann", "auditor")
DEALER = Signature("D1", "Dana", "dealer")
LIST = b'{"people": []}'
LOCKED = [PinRefused("count", "t7", "F2", "wrong_pin", 9, 9, "boot", s) for s in (0, 0, 0, 0, 300)]


def box(counted: int, reason: str = "") -> BoxCounted:
    return BoxCounted(
        "t7", "2026-06-01", "t7-2026-06-01.journal", "A", "12", "J3", counted, 0, 50_000, 0, 500,
        (DEALER, FLOOR), reason,
    )  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year of everything, and one before it."""
    folder = tmp_path_factory.mktemp("made")
    (folder / STAFF_FILE).write_bytes(LIST)
    write(folder, "last year", in_year(2025))
    with open_office(folder, "a test", in_year(2026)) as book:
        book.record(StaffChanged("init", "S1", "Sam", "shift_manager", None, "11" * 32), actor="")
        named = sha256(LIST).hexdigest()
        book.record(StaffChanged("add", "F1", "Fern", "floor", SHIFT, named), actor="")
        book.record(ThresholdSet(500, SHIFT), actor="")
        first = book.record(box(46_000), actor="")
        for event in (
            VarianceExplained(book.year, first, "a fill was not written down", FLOOR),
            VarianceClosed(book.year, first, "agreed", SHIFT),
        ):
            book.record(event, actor="", records=book.records())
        book.record(box(50_000, "counted twice"), actor="", records=book.records())
        book.record(HandNoted("t7 2026-06-01 4", "look again", AUDITOR), actor="")
        book.record(HandTagged("t7 2026-06-01 4", "odd", True, FLOOR), actor="")
        for failed in LOCKED:
            book.record(failed, actor="")
        book.record(PinAccepted("count", "t7", False, FLOOR), actor="")
        book.record(
            Unsealed("t7", "2026-06-01", "x", 1, 2, (), "26-1", "report", (FLOOR, SHIFT)), actor=""
        )
        book.record(TableEnrolled("t7", "b", "a", "gone", "a page", OTHER), actor="")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    assert check_office(tmp_path).sound
    return tmp_path


def this_year(folder: Path) -> Path:
    return office_in(folder)[-1]


def rows_of(path: Path) -> list[Any]:
    with Reader(path) as reader:
        return list(reader.since())


def the_damage(folder: Path) -> Damage:
    [damage] = check_office(folder).damage
    return damage


# Bytes and rows


@pytest.mark.parametrize("year", [0, 1])
def test_every_changed_byte_is_found_or_changes_nothing_that_is_read(
    folder: Path, year: int
) -> None:
    path = office_in(folder)[year]
    path.chmod(0o600)
    before, content = rows_of(path), path.read_bytes()
    found = 0
    for at in range(97, len(content), max(len(content) // 150, 1)):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        path.write_bytes(changed)
        if check_office(folder).sound:
            assert rows_of(path) == before
        else:
            found += 1
    assert found > 20


@pytest.mark.parametrize("column", ["seq", "at_us", "mono_us", "kind", "actor", "body", "hash"])
def test_every_changed_value_of_every_row_is_found(folder: Path, column: str) -> None:
    path = this_year(folder)
    content, last = path.read_bytes(), len(rows_of(path))
    change = {
        "seq": "seq + 1000", "at_us": "at_us + 1", "mono_us": "mono_us - 1",
        "kind": "kind || 'x'", "actor": "actor || 'x'", "hash": "zeroblob(32)",
        "body": "replace(body, '\"v\":1', '\"v\": 1')",
    }[column]  # fmt: skip
    for seq in range(1, last + 1):
        with closing(raw(path)) as db, db:
            db.execute(f"UPDATE event SET {column} = {change} WHERE seq = ?", (seq,))
        assert not check_office(folder).sound, seq
        path.write_bytes(content)
    assert check_office(folder).sound


def test_every_missing_row_is_found_and_so_is_every_cut(folder: Path) -> None:
    path = this_year(folder)
    content, last = path.read_bytes(), len(rows_of(path))
    for where in ("seq = ?", "seq >= ?"):
        for seq in range(1, last + 1):
            with closing(raw(path)) as db, db:
                db.execute(f"DELETE FROM event WHERE {where}", (seq,))
            assert not check_office(folder).sound, (where, seq)
            path.write_bytes(content)


def test_a_count_that_was_changed_is_named(folder: Path) -> None:
    with closing(raw(this_year(folder))) as db, db:
        db.execute("UPDATE event SET body = replace(body, '46000', '50000')")
    damage = the_damage(folder)
    assert "(the count of box 12, shift A, t7 2026-06-01)" in damage.message


@pytest.mark.parametrize("end", ["witness", "receipt"])
def test_the_files_beside_it_are_needed(folder: Path, end: str) -> None:
    year = 0 if end == "receipt" else 1
    office_in(folder)[year].with_suffix(f".{end}").unlink()
    assert the_damage(folder).kind == end


def test_a_tail_that_is_cut_off_with_its_witness_leaves_a_key_that_nothing_names(
    folder: Path,
) -> None:
    def cut(lines: list[Line]) -> None:
        del lines[-2:]

    forge(this_year(folder), cut, "leave")
    assert the_damage(folder).kind == "key"


def test_an_entry_without_a_seal_is_found_and_nothing_is_written_after_it(folder: Path) -> None:
    """The witness fits, and no key is needed to link a row."""

    def add(lines: list[Line]) -> None:
        note = next(line for line in lines if line.kind == "hand_noted")
        body = note.body | {"note": "nothing odd here"}
        lines.append(Line(len(lines) + 1, None, 1, 1, "hand_noted", "", body))

    forge(this_year(folder), add, "leave")
    damage = the_damage(folder)
    assert (damage.kind, "is not sealed" in damage.message) == ("seal", True)
    with pytest.raises(Tampered, match="not sealed"):
        write(folder, "more", in_year(2026))
    with pytest.raises(Tampered, match="not sealed"):
        read_office(folder)


def test_a_year_that_is_made_again_begins_with_another_key(folder: Path) -> None:
    forge(this_year(folder), lambda lines: None)
    assert (the_damage(folder).kind, the_damage(folder).event) == ("link", 1)


# Decided again: all hashes and seals are made again, from the first year on


def body(kind: str, at: int = 0, **changes: Any) -> Callable[[list[Line]], None]:
    def edit(lines: list[Line]) -> None:
        [line for line in lines if line.kind == kind][at].body.update(changes)

    return edit


def signed(kind: str, who: Signature, at: int = 0) -> Callable[[list[Line]], None]:
    return body(kind, at, by={"id": who.id, "name": who.name, "role": who.role})


def signed_by(kind: str, *who: Signature) -> Callable[[list[Line]], None]:
    return body(kind, by=[{"id": one.id, "name": one.name, "role": one.role} for one in who])


def without(kind: str) -> Callable[[list[Line]], None]:
    """An entry and its seal are left out."""

    def edit(lines: list[Line]) -> None:
        at = next(at for at, line in enumerate(lines) if line.kind == kind)
        del lines[at : at + 2]
        for seq, line in enumerate(lines, start=1):
            line.seq = seq

    return edit


def other_lock(to: int) -> Callable[[list[Line]], None]:
    """The fifth wrong PIN locked for another time; what the seals keep is made to fit."""

    def edit(lines: list[Line]) -> None:
        [line for line in lines if line.kind == "pin_refused"][4].body["locks_for"] = to
        for line in lines:
            lock = line.body.get("state", {}).get("locks", {}).get("of", {}).get("F2", {})
            if lock.get("lockouts"):
                lock.update({"seconds": to} if to else {"seconds": 0, "lockouts": 0, "failures": 5})

    return edit


def no_locks(lines: list[Line]) -> None:
    for line in lines:
        if "state" in line.body:
            line.body["state"]["locks"]["of"] = {}


CASES = {
    "a threshold set by the floor": (signed("threshold_set", FLOOR), "a shift manager"),
    "a count by one": (signed_by("box_counted", FLOOR), "Two different persons"),
    "a count by one person twice": (signed_by("box_counted", FLOOR, FLOOR), "Two different"),
    "a count by dealers": (signed_by("box_counted", DEALER, Signature("D2", "D", "dealer")),
                           "one of them must be"),
    "a count with another threshold": (body("box_counted", threshold=9_000), "threshold"),
    "a negative count": (body("box_counted", counted=-1), "cannot be negative"),
    "a correction without a reason": (body("box_counted", 1, reason=""), "box_counted"),
    "an explanation by a dealer": (signed("variance_explained", DEALER), "may not explain"),
    "an explanation without a reason": (body("variance_explained", reason=" "), "reason"),
    "a closing by who explained": (signed("variance_explained", SHIFT), "Somebody else closes"),
    "a closing by the floor": (signed("variance_closed", OTHER), "may not close a variance"),
    "a closing without explanation": (without("variance_explained"), "must be explained first"),
    "a review of no count": (body("variance_explained", count=9_999), "There is no count"),
    "a note by a dealer": (signed("hand_noted", DEALER), "may not write a note"),
    "a note by nobody": (body("hand_noted", by=None), "Nobody signed"),
    "a tag by a dealer": (signed("hand_tagged", DEALER), "may not write a note"),
    "a change of staff by the floor": (signed("staff_changed", FLOOR, 1), "a shift manager"),
    "a change of staff by nobody": (body("staff_changed", 1, by=None), "Nobody signed"),
    "a second first list": (body("staff_changed", 1, change="init"), "a staff list already"),
    "an unsealing by one": (signed_by("unsealed", SHIFT), "Two different persons"),
    "an unsealing by one person twice": (signed_by("unsealed", SHIFT, SHIFT), "Two different"),
    "an unsealing by the floor": (signed_by("unsealed", FLOOR, OTHER), "one of them must be"),
    "an unsealing by a dealer": (signed_by("unsealed", DEALER, SHIFT), "may not unseal"),
    "an unsealing without a case": (body("unsealed", case=" "), "case number"),
    "an enrollment by an auditor": (signed("table_enrolled", AUDITOR), "may not go on"),
    "an office that goes on in the middle": (body("table_enrolled", table="office"), "the office"),
    "a shorter lock": (other_lock(1), "another length"),
    "no lock": (other_lock(0), "another length"),
    "a longer lock": (other_lock(600), "another length"),
    "seals without locks": (no_locks, "the seal does not match"),
    "another staff list": (body("staff_changed", 1, list_sha256="33" * 32), "the seal does not"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_whoever_makes_all_years_again_is_found_where_no_such_entry_may_be(
    folder: Path, case: str
) -> None:
    edit, said = CASES[case]
    forge_all(folder, edit)
    damage = the_damage(folder)
    assert (damage.file, damage.kind) == (this_year(folder).name, "replay")
    assert said in damage.message


def test_what_is_forged_within_the_rules_is_found_only_with_an_anchor(folder: Path) -> None:
    """SECURITY.md says so: the owner of the disk can make all of it again."""
    forge_all(folder, body("hand_noted", note="nothing to see"))
    assert check_office(folder).sound


def test_a_year_carries_on_what_the_last_one_left(folder: Path) -> None:
    def richer(lines: list[Line]) -> None:
        opened = next(line for line in lines if line.kind == "office_opened")
        opened.body["carried"]["threshold"] = 100_000

    forge_all(folder, richer)
    damage = the_damage(folder)
    assert (damage.kind, "does not carry on what the last one left" in damage.message) == (
        "link",
        True,
    )


def test_an_event_of_a_table_does_not_belong_there(folder: Path) -> None:
    def foreign(lines: list[Line]) -> None:
        line = next(line for line in lines if line.kind == "hand_noted")
        line.kind, line.body = "player_left", {"seat": 1, "stack": None, "v": 1}

    forge_all(folder, foreign)
    assert the_damage(folder).kind == "foreign"


def test_two_folders_have_an_office_each(folder: Path, made: Path, tmp_path: Path) -> None:
    """One does not follow the other, though both are called the office."""
    both = tmp_path / "both"
    for name in ("t7", "t8"):
        shutil.copytree(made, both / name)
    assert len(office_in(both)) == 4
    assert check_office(both).sound
    with closing(raw(this_year(both / "t7"))) as db, db:
        db.execute("DELETE FROM event WHERE seq = 9")
    assert len(check_office(both).damage) == 1


@pytest.mark.parametrize("content", [b"", b"x" * 5000, b"SQLite format 3\0" + b"\0" * 4000])
def test_what_is_no_journal_is_a_fault_and_no_crash(folder: Path, content: bytes) -> None:
    path = this_year(folder)
    path.write_bytes(content)
    assert not check_office(folder).sound
    with pytest.raises(JournalFault):
        read_office(folder)
    with pytest.raises(JournalFault):
        write(folder, "more", in_year(2026))


def test_a_body_may_hold_anything(folder: Path) -> None:
    path = this_year(folder)
    content = path.read_bytes()
    for text in ("", "[]", "null", "{", '{"v":1}', "[" * 50_000, json.dumps({"v": 1, "note": 5})):
        with closing(raw(path)) as db, db:
            db.execute("UPDATE event SET body = ? WHERE kind = 'hand_noted'", (text,))
        assert not check_office(folder).sound
        path.write_bytes(content)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM event").fetchone()[0] > 30

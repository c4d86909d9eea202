"""Whoever may type a command can make a staff list with anybody's name on it. It signs nothing in
a folder that has a list of its own, and the folder's own list counts as it is when a PIN is typed.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from omaha_table.cli.pins import pin_check
from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role, Staff
from omaha_table.journal.office_book import read_office
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import ThresholdSet
from omaha_table.review.index.ledger import Ledger
from tests.counters import PINS, signature
from tests.journal.days import raw
from tests.office.evening import count, run, signed
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

MADE = {"F1": "771402", "S1": "993518"}
"""PINs on the list that somebody made, for names that are on the folder's own list."""
WHY = ("--reason", "a test")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    folder = tmp_path / "made"
    pepper = nobody_yet(folder).pepper
    people = (
        Person("F1", "Fern Hill", Role.FLOOR, PinHash.of(MADE["F1"], pepper, 8, 1)),
        Person("S1", "Sam Vale", Role.SHIFT, PinHash.of(MADE["S1"], pepper, 8, 1)),
    )
    save_staff(folder, Staff(people, pepper))
    return folder


COUNTED = ("office", "count", "swing", "--box", "9", "--jackpot-box", "3", *signed("F1", "S1"))
SIGNED: list[tuple[str, ...]] = [
    COUNTED,
    ("report", "shift", "swing", "--box", "9", "--jackpot-box", "3", *signed("F1", "S1")),
    ("office", "explain", "2026-4", "--by", "F1", *WHY),
    ("office", "close", "2026-4", "--by", "S1", *WHY),
    ("office", "threshold", "5", "--by", "S1"),
    ("enroll", "--office", "--by", "S1", *WHY),
    ("enroll", "--table", "t7", "--by", "S1", *WHY),
]


@pytest.mark.parametrize("command", SIGNED, ids=lambda words: " ".join(words[:2]))
@pytest.mark.parametrize("deleted", [False, True])
def test_another_list_signs_nothing_where_there_is_one(
    data: Path, made: Path, command: tuple[str, ...], deleted: bool
) -> None:
    assert count(data, "6").exit_code == 0
    [[counted]] = read_office(data).counts.values()
    words = [f"{counted.year}-{counted.seq}" if word == "2026-4" else word for word in command]
    if deleted:
        run("staff", "disable", "D2", "--by", "S1", "--data", data, pins=("S1",))
        run("office", "threshold", "1", "--by", "S1", "--data", data, pins=("S1",))
        (data / "staff.json").unlink()
    before = read_office(data)
    if command[0] == "enroll":
        [journal] = data.glob("office-*.journal" if "--office" in command else "t7-*.journal")
        with closing(raw(journal)) as db, db:
            db.execute("UPDATE event SET actor = 'x' WHERE seq = (SELECT max(seq) FROM event)")
    done = run(*words, "--data", data, "--staff", made, pins=(MADE["F1"], MADE["S1"]))
    assert done.exit_code == 2, done.output
    assert "has a staff list of its own" in done.stderr
    if command[0] != "enroll":
        assert read_office(data) == before


def test_a_script_takes_the_list_of_the_folder_even_if_it_was_deleted(
    data: Path, made: Path, tmp_path: Path
) -> None:
    run("staff", "disable", "D2", "--by", "S1", "--data", data, pins=("S1",))
    (data / "staff.json").unlink()
    ruling = tmp_path / "ruling.txt"
    ruling.write_text(f'floor S1 {MADE["S1"]} close "end of day"\n', encoding="utf-8")
    done = run("script", "--table", "t7", "--data", data, "--staff", made, ruling)
    assert '"code":"not_authorised"' in done.stdout
    assert '"type":"ruled"' not in done.stdout


def test_a_folder_without_a_list_takes_another_one(data: Path, made: Path) -> None:
    (data / "staff.json").unlink()
    given = (*COUNTED, "--data", data, "--staff", made)
    done = run(*given, pins=(MADE["F1"], MADE["S1"]))
    assert done.exit_code == 0, done.output


# Who was disabled in the meantime


def test_who_is_disabled_signs_nothing_in_a_review_that_runs(data: Path) -> None:
    ledger = Ledger(data)
    by = ledger.sign("note", PINS["F1"], "F1")
    ledger.note("t7 x 1", "before", by)
    run("staff", "disable", "F1", "--by", "S1", "--data", data, pins=("S1",))
    with pytest.raises(OfficeRefused, match="F1 is disabled"):
        ledger.note("t7 x 1", "after", by)
    with pytest.raises(OfficeRefused, match="This PIN is disabled"):
        ledger.sign("note", PINS["F1"], "F1")
    assert [person.id for person in ledger.staff.people if person.disabled] == ["F1"]


def test_a_count_is_not_recorded_if_a_signer_was_disabled_before_the_second_pin(
    data: Path,
) -> None:
    ledger = Ledger(data)
    run("staff", "disable", "F1", "--by", "S1", "--data", data, pins=("S1",))
    with pytest.raises(OfficeRefused, match="F1 is disabled"):
        ledger.record(ThresholdSet(500, signature("S1")), signature("F1"), signature("S1"))


def test_a_command_that_waits_for_a_pin_takes_the_list_as_it_is_then(data: Path) -> None:
    check = pin_check(data)
    run("staff", "disable", "S2", "--by", "S1", "--data", data, pins=("S1",))
    with pytest.raises(OfficeRefused, match="This PIN is disabled"):
        check.sign("threshold", PINS["S2"], "S2")

"""The staff command: who signs, what is recorded, and what is refused. No PIN is ever shown."""

from __future__ import annotations

import shutil
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.floor import Role, Staff
from omaha_table.journal.office_book import read_office
from omaha_table.journal.staff_list import load_staff
from omaha_table.office.events import PinRefused, StaffChanged
from tests.staff_files import person, put_staff, save_staff

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.office.events import OfficeEvent

PIN = "864205\n"
"""Of S1, who signs."""
FERN = "135790\n"
NEW = "246813\n"


def staff(folder: Path, *arguments: str, stdin: str = PIN + PIN) -> Result:
    words = ["staff", *arguments, "--data", str(folder)]
    done = CliRunner().invoke(omaha_table, words, input=stdin)
    assert PIN.strip() not in done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


@pytest.fixture(scope="module")
def enrolled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("enrolled") / "table"
    assert staff(made, "init", "S1", "Sam Ortiz").exit_code == 0
    added = staff(made, "add", "F1", "Fern Hill", "floor", "--by", "S1", stdin=PIN + FERN + FERN)
    assert added.exit_code == 0, added.output
    return made


@pytest.fixture
def folder(enrolled: Path, tmp_path: Path) -> Path:
    """S1 is the first shift manager and has added F1."""
    return shutil.copytree(enrolled, tmp_path / "table")


BY = ("--by", "S1")


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (("add", "", "Finn", "floor", *BY), PIN + NEW + NEW, "1 to 40 printable characters"),
        (("add", "F2", "", "floor", *BY), PIN + NEW + NEW, "1 to 40 printable characters"),
        (("add", "F2", "a\x07b", "floor", *BY), PIN + NEW + NEW, "1 to 40 printable characters"),
        (("add", "F\n2", "Finn", "floor", *BY), PIN + NEW + NEW, "1 to 40 printable characters"),
        (("add", "F2", "x" * 41, "floor", *BY), PIN + NEW + NEW, "1 to 40 printable characters"),
        (("add", "F2", "Finn", "boss", *BY), PIN + NEW + NEW, "boss"),
        (("add", "F1", "Finn", "floor", *BY), "", "The staff id F1 is already in use"),
        (("add", "F2", "Finn", "floor", *BY), PIN + NEW + FERN, "do not match. Nothing was"),
        (("add", "F2", "Finn", "floor", *BY), PIN + "13579\n13579\n", "6 to 12 digits"),
        (("add", "F2", "Finn", "floor", *BY), PIN + "123456\n123456\n", "easily guessed"),
        (("add", "F2", "Finn", "floor", *BY), "", "No PIN was entered"),
        (("add", "F2", "Finn", "floor", *BY), PIN + NEW, "No PIN was entered"),
        (("add", "F2", "Finn", "floor"), PIN + NEW + NEW, "--by"),
        (("pin", "F9"), "", "Unknown staff id 'F9'"),
        (("pin", "F1"), FERN + NEW + PIN, "do not match"),
        (("pin", "F1"), FERN + FERN + FERN, "That is the old PIN"),
        (("disable", "F9", *BY), PIN, "Unknown staff id 'F9'"),
        (("disable", "S1", *BY), PIN, "only shift manager"),
        (("init", "S2", "Sue"), NEW + NEW, "There is a staff list already"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    folder: Path, arguments: tuple[str, ...], stdin: str, message: str
) -> None:
    before = (folder / "staff.json").read_bytes()
    done = staff(folder, *arguments, stdin=stdin)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
    assert (folder / "staff.json").read_bytes() == before


def test_people_are_listed_with_role_and_without_pin(folder: Path) -> None:
    added = staff(folder, "add", "D1", "Dana", "dealer", *BY, stdin=PIN + NEW + NEW)
    assert added.exit_code == 0, added.output
    assert staff(folder, "disable", "F1", *BY).exit_code == 0
    lines = [line.split() for line in staff(folder, "list").output.splitlines()]
    assert lines == [
        ["S1", "shift_manager", "Sam", "Ortiz"],
        ["F1", "floor", "Fern", "Hill", "disabled"],
        ["D1", "dealer", "Dana"],
    ]
    assert staff(folder, "enable", "F1", *BY).exit_code == 0
    assert load_staff(folder).identify(FERN.strip()) is not None


@pytest.mark.parametrize("by", [(), BY], ids=["by the person", "by the shift manager"])
def test_a_new_pin_is_the_one_that_fits(folder: Path, by: tuple[str, ...]) -> None:
    signed = PIN if by else FERN
    assert staff(folder, "pin", "F1", *by, stdin=signed + NEW + NEW).exit_code == 0
    found = load_staff(folder).identify(NEW.strip())
    assert found is not None
    assert found.id == "F1"
    assert load_staff(folder).identify(FERN.strip()) is None


def test_an_empty_folder_has_nobody(tmp_path: Path) -> None:
    done = staff(tmp_path, "list")
    assert done.exit_code == 0
    assert "No staff yet" in done.output
    assert list(tmp_path.iterdir()) == []
    nobody = staff(tmp_path, "add", "F1", "Fern", "floor", *BY)
    assert nobody.exit_code == 2
    assert "staff init" in nobody.output


def test_a_place_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    below = staff(tmp_path / "file" / "table", "init", "S1", "Sam")
    assert below.exit_code == 2
    assert "cannot be used" in " ".join(below.output.split())
    (tmp_path / "pepper").write_bytes(b"x" * 32)
    (tmp_path / "staff.json").write_text("{")
    for words in (
        ("list",), ("disable", "F1", *BY), ("pin", "F1"), ("add", "F2", "Finn", "floor", *BY),
        ("init", "S1", "Sam"),
    ):  # fmt: skip
        done = staff(tmp_path, *words)
        assert done.exit_code == 2, words
        assert "staff.json cannot be read" in " ".join(done.output.split())


# Who signs, and what is recorded


def entries(folder: Path) -> list[OfficeEvent]:
    return [dated.event for dated in read_office(folder).others]


def changes(folder: Path) -> list[tuple[str, str, str]]:
    return [
        (event.change, event.person, "" if event.by is None else event.by.id)
        for event in entries(folder)
        if isinstance(event, StaffChanged)
    ]


def test_every_change_is_an_entry_with_its_signer_and_the_list(folder: Path) -> None:
    staff(folder, "disable", "F1", *BY)
    staff(folder, "enable", "F1", *BY)
    staff(folder, "pin", "F1", stdin=FERN + NEW + NEW)
    assert changes(folder) == [
        ("init", "S1", ""), ("add", "F1", "S1"), ("disable", "F1", "S1"),
        ("enable", "F1", "S1"), ("pin", "F1", "F1"),
    ]  # fmt: skip
    last = entries(folder)[-1]
    assert isinstance(last, StaffChanged)
    assert last.list_sha256 == sha256((folder / "staff.json").read_bytes()).hexdigest()
    assert CliRunner().invoke(omaha_table, ["verify", str(folder)]).exit_code == 0


@pytest.mark.parametrize(
    ("by", "pin"),
    [("S1", NEW), ("F1", FERN), ("F1", PIN), ("S9", PIN)],
    ids=["wrong PIN", "a supervisor", "the PIN of another", "nobody's number"],
)
def test_without_the_pin_of_a_shift_manager_nothing_changes(
    folder: Path, by: str, pin: str
) -> None:
    before = (folder / "staff.json").read_bytes()
    done = staff(folder, "add", "X1", "Mallory", "shift_manager", "--by", by, stdin=pin + NEW + NEW)
    assert done.exit_code == 2
    assert "4 tries left" in done.output
    assert (folder / "staff.json").read_bytes() == before
    assert len(changes(folder)) == 2
    last = entries(folder)[-1]
    assert isinstance(last, PinRefused)
    assert last.person == ("" if by == "S9" else by)


def test_somebody_elses_pin_does_not_change_ones_own(folder: Path) -> None:
    done = staff(folder, "pin", "F1", stdin=PIN + NEW + NEW)
    assert done.exit_code == 2
    assert "Wrong PIN" in done.output


def test_the_fifth_wrong_pin_locks_that_person_and_nobody_else(folder: Path) -> None:
    for left in ("4 tries", "3 tries", "2 tries", "1 try"):
        assert left in staff(folder, "pin", "F1", stdin=NEW + NEW + NEW).output
    assert "F1 is locked for 5 minutes" in staff(folder, "pin", "F1", stdin=NEW * 3).output
    assert "F1 is locked for 5 minutes" in staff(folder, "pin", "F1", stdin=FERN + NEW * 2).output
    assert staff(folder, "pin", "F1", *BY, stdin=PIN + NEW + NEW).exit_code == 0


def test_a_new_pin_that_somebody_has_is_a_guess_and_counts(folder: Path) -> None:
    """Whoever may change one PIN could else find out everybody's by trying them as a new one."""
    for _ in range(4):
        done = staff(folder, "pin", "F1", stdin=FERN + PIN + PIN)
        assert "This PIN cannot be used" in done.output
    staff(folder, "pin", "F1", stdin=FERN + PIN + PIN)
    done = staff(folder, "pin", "F1", stdin=FERN + NEW + NEW)
    assert done.exit_code == 2
    assert "F1 is locked" in done.output


def test_after_a_change_earlier_failures_count_no_more(folder: Path) -> None:
    staff(folder, "pin", "F1", stdin=NEW * 3)
    assert staff(folder, "pin", "F1", stdin=FERN + NEW + NEW).exit_code == 0
    assert "4 tries left" in staff(folder, "pin", "F1", stdin=FERN * 3).output


# A list of 0.1.0


def old_list(folder: Path, *people: tuple[str, str, Role, str]) -> None:
    put_staff(folder, people)


def test_a_list_from_before_is_taken_in_with_its_next_change(tmp_path: Path) -> None:
    old_list(tmp_path, ("S1", "Sam", Role.SHIFT, "9000"), ("F1", "Fern", Role.FLOOR, "4711"))
    before = sha256((tmp_path / "staff.json").read_bytes()).hexdigest()
    assert load_staff(tmp_path).identify("4711") is not None, "works until then"
    added = staff(tmp_path, "add", "F2", "Finn", "floor", *BY, stdin="9000\n" + NEW + NEW)
    assert added.exit_code == 0, added.output
    assert changes(tmp_path) == [("taken_in", "", ""), ("add", "F2", "S1")]
    first = entries(tmp_path)[0]
    assert isinstance(first, StaffChanged)
    assert first.list_sha256 == before
    assert load_staff(tmp_path).identify("4711") is not None, "old PINs go on working"


def test_a_list_without_a_shift_manager_gets_one_by_a_supervisor(tmp_path: Path) -> None:
    """`setup` of 0.1.0 made a floor supervisor."""
    old_list(tmp_path, ("F1", "Fern", Role.FLOOR, "4711"), ("D1", "Dana", Role.DEALER, "1111"))
    assert staff(tmp_path, "init", "S1", "Sam", stdin="1111\n" + NEW + NEW).exit_code == 2
    assert staff(tmp_path, "init", "S1", "Sam", stdin="4711\n" + NEW + NEW).exit_code == 0
    assert changes(tmp_path) == [("init", "S1", "F1")]
    assert [who.id for who in load_staff(tmp_path).people] == ["F1", "D1", "S1"]
    assert staff(tmp_path, "init", "S2", "Sue", stdin="4711\n" + PIN + PIN).exit_code == 2


# Somebody at the shell


def test_a_shift_manager_who_was_written_into_the_list_is_nobody(folder: Path) -> None:
    named = load_staff(folder)
    mallory = person("S6", "Mallory", Role.SHIFT, "666013", named.pepper)
    save_staff(folder, Staff((*named.people, mallory), named.pepper))
    for words in (("list",), ("add", "F2", "Finn", "floor", "--by", "S6")):
        done = staff(folder, *words, stdin="666013\n" + NEW + NEW)
        assert done.exit_code == 2
        assert "was not changed by the program" in " ".join(done.output.split())
    verdict = CliRunner().invoke(omaha_table, ["verify", str(folder)])
    assert verdict.exit_code == 1
    assert "staff" in verdict.output


def test_a_list_that_was_put_back_is_not_used(folder: Path) -> None:
    before = (folder / "staff.json").read_bytes()
    staff(folder, "disable", "F1", *BY)
    now = (folder / "staff.json").read_bytes()
    (folder / "staff.json").write_bytes(before)
    assert staff(folder, "list").exit_code == 2
    (folder / "staff.json").write_bytes(now)
    assert staff(folder, "list").exit_code == 0


def test_a_new_pin_for_the_first_shift_manager_that_somebody_has_counts_too(tmp_path: Path) -> None:
    """Of a list of 0.1.0: a supervisor could else look for other people's PINs without an end."""
    people = (("F1", "Fern", Role.FLOOR, "4711"), ("F2", "Finn", Role.FLOOR, "573914"))
    put_staff(tmp_path, people)
    tried = staff(tmp_path, "init", "S1", "Sam Ortiz", stdin="4711\n573914\n573914\n")
    assert "This PIN cannot be used. Choose another: 4 tries left." in tried.stderr
    [refused] = [event for event in entries(tmp_path) if isinstance(event, PinRefused)]
    assert (refused.purpose, refused.person, refused.why) == ("first", "F1", "taken")


def test_what_is_no_text_is_no_pin(folder: Path) -> None:
    done = CliRunner().invoke(
        omaha_table, ["staff", "pin", "F1", "--data", str(folder)], input=b"\xff\xfe\n"
    )
    assert (done.exit_code, isinstance(done.exception, SystemExit)) == (2, True), done.exception
    assert "A PIN has digits alone." in done.stderr

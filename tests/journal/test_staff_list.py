"""The staff list and the journal that names it: no kill between the two locks anybody out."""

from __future__ import annotations

import signal
import subprocess
import sys
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor import Role, StaffError
from omaha_table.journal.office_book import brief_of
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.staff_list import load_staff
from omaha_table.journal.verification import office_in, verify
from tests.staff_files import person, put_staff, save_staff

if TYPE_CHECKING:
    from pathlib import Path

SAM = "864205"
NEW = "246813"
KILLED = """
import os, signal, sys
from omaha_table.cli import omaha_table
from omaha_table.journal import staff_list
from omaha_table.journal.office_book import OfficeBook

def die(*arguments, **options):
    os.kill(os.getpid(), signal.SIGKILL)

def before(where, name):
    setattr(where, name, die)

def after(where, name):
    real = getattr(where, name)
    def act(*arguments, **options):
        real(*arguments, **options)
        die()
    setattr(where, name, act)

KILLS = {
    "before the new list is written": lambda: before(staff_list, "write_durably"),
    "before the entry": lambda: before(OfficeBook, "record"),
    "after the entry": lambda: after(OfficeBook, "record"),
    "after the list is in place": lambda: after(staff_list, "_put_in_place"),
}
KILLS[sys.argv.pop(1)]()
omaha_table()
"""
DONE = {
    "before the new list is written": False,
    "before the entry": False,
    "after the entry": True,
    "after the list is in place": True,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    words = ["staff", "init", "S1", "Sam", "--data", str(tmp_path / "data")]
    made = CliRunner().invoke(omaha_table, words, input=f"{SAM}\n{SAM}\n")
    assert made.exit_code == 0, made.output
    return tmp_path / "data"


def killed(folder: Path, when: str, *words: str, stdin: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, when, "staff", *words, "--data", str(folder)],
        input=stdin, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr


def pins(folder: Path) -> list[str]:
    staff = load_staff(folder)
    return [pin for pin in (SAM, NEW) if staff.identify(pin) is not None]


@pytest.mark.parametrize("when", DONE)
def test_a_kill_leaves_the_old_list_or_the_new_one(folder: Path, when: str) -> None:
    killed(folder, when, "pin", "S1", stdin=f"{SAM}\n{NEW}\n{NEW}\n")
    verdict = verify(office_in(folder))
    assert verdict.sound, verdict.damage
    fits = NEW if DONE[when] else SAM
    assert pins(folder) == [fits]
    named = brief_of(folder).staff
    assert sha256((folder / "staff.json").read_bytes()).hexdigest() == named
    words = ["staff", "add", "F1", "Fern", "floor", "--by", "S1", "--data", str(folder)]
    more = CliRunner().invoke(omaha_table, words, input=f"{fits}\n135790\n135790\n")
    assert more.exit_code == 0, more.output
    assert [who.id for who in load_staff(folder).people] == ["S1", "F1"]


@pytest.mark.parametrize("when", DONE)
def test_a_kill_while_the_first_one_is_made_leaves_somebody_or_nobody(
    tmp_path: Path, when: str
) -> None:
    killed(tmp_path, when, "init", "S1", "Sam", stdin=f"{SAM}\n{SAM}\n")
    assert verify(office_in(tmp_path)).sound
    assert pins(tmp_path) == ([SAM] if DONE[when] else [])
    if not DONE[when]:
        words = ["staff", "init", "S1", "Sam", "--data", str(tmp_path)]
        again = CliRunner().invoke(omaha_table, words, input=f"{SAM}\n{SAM}\n")
        assert again.exit_code == 0, again.output
        assert pins(tmp_path) == [SAM]


def test_a_new_list_that_was_laid_there_is_not_put_in_place(folder: Path) -> None:
    named = load_staff(folder)
    before = (folder / "staff.json").read_bytes()
    save_staff(folder, type(named)((person("S6", "M", Role.SHIFT, "666013", named.pepper),)))
    (folder / "staff.json").replace(folder / "staff.json.new")
    (folder / "staff.json").write_bytes(before)
    assert load_staff(folder).identify("666013") is None
    assert (folder / "staff.json").read_bytes() == before


# A running table


def test_a_change_reaches_a_table_that_runs(folder: Path) -> None:
    desk = PinDesk(folder, "t7", "test")
    assert desk.sign("ruling", NEW).person is None
    words = ["staff", "add", "F1", "Fern", "floor", "--by", "S1", "--data", str(folder)]
    made = CliRunner().invoke(omaha_table, words, input=f"{SAM}\n{NEW}\n{NEW}\n")
    assert made.exit_code == 0, made.output
    found = desk.sign("ruling", NEW).person
    assert found is not None
    assert found.id == "F1"
    words = ["staff", "disable", "F1", "--by", "S1", "--data", str(folder)]
    assert CliRunner().invoke(omaha_table, words, input=f"{SAM}\n").exit_code == 0
    gone = desk.sign("ruling", NEW)
    assert gone.verdict is not None
    assert gone.verdict.why == "disabled"
    assert "This PIN is disabled" in gone.verdict.message
    assert desk.problem == ""


def test_a_table_that_runs_keeps_its_list_when_another_is_put_in_place(folder: Path) -> None:
    desk = PinDesk(folder, "t7", "test")
    named = load_staff(folder)
    mallory = person("S6", "Mallory", Role.SHIFT, "666013", named.pepper)
    save_staff(folder, type(named)((*named.people, mallory), named.pepper))
    assert desk.look()
    assert "STAFF LIST changed by hand, not used" in desk.problem
    assert desk.sign("ruling", "666013").person is None
    assert desk.sign("ruling", SAM).person is not None
    assert not desk.look()


def test_without_its_office_journal_no_list_is_used_any_more(folder: Path) -> None:
    desk = PinDesk(folder, "t7", "test")
    for path in folder.glob("office-*"):
        path.unlink()
    put_staff(folder, (("S6", "Mallory", Role.SHIFT, "666013"),))
    desk.look()
    assert desk.problem
    assert desk.staff.identify("666013") is None


def test_a_table_that_is_opened_on_such_a_list_has_nobody(folder: Path) -> None:
    named = load_staff(folder)
    mallory = person("S6", "Mallory", Role.SHIFT, "666013", named.pepper)
    save_staff(folder, type(named)((*named.people, mallory), named.pepper))
    desk = PinDesk(folder, "t7", "test")
    assert desk.staff.people == ()
    assert "not used" in desk.problem
    with pytest.raises(StaffError, match="not changed by the program"):
        load_staff(folder)

"""The review command itself: where it cannot begin, what it keeps, and who may sign."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor.staff import Role
from omaha_table.journal.office_book import read_office
from tests.console.terminal import Terminal
from tests.counters import PINS, hire, signature
from tests.review.nights import Night
from tests.staff_files import put_staff, save_staff

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    night = Night(tmp_path_factory.mktemp("played"), "ca_big_o").seat(3)
    night.say("shift swing B7 none")
    night.play(3).say("shift close")
    return night.close().parent


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played, tmp_path / "data")


def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_without_a_terminal_it_says_what_there_is_instead(folder: Path) -> None:
    done = CliRunner().invoke(omaha_table, ["review", "--data", str(folder)])
    assert done.exit_code == 2
    assert "The review needs a terminal" in done.output


@pytest.mark.parametrize("driver", ["", "textual.drivers.linux_driver:LinuxDriver", "x:y"])
def test_no_other_driver_stands_for_a_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, driver: str
) -> None:
    monkeypatch.setenv("TEXTUAL_DRIVER", driver)
    done = CliRunner().invoke(omaha_table, ["review", "--data", str(folder)])
    assert done.exit_code == 2
    assert "The review needs a terminal" in done.output


@pytest.mark.parametrize("name", ["review-notes.jsonl", "review-counts.jsonl"])
def test_notes_or_counts_that_cannot_be_read_are_said(
    folder: Path, tmp_path: Path, name: str
) -> None:
    (folder / name).mkdir()
    with Terminal(["review", "--data", str(folder)], env=env(tmp_path)) as terminal:
        assert terminal.end(30.0) == 2
        raw = " ".join(terminal.raw.decode("utf-8", "replace").split())
    assert "cannot be read: Is a directory" in raw
    assert "Traceback" not in raw


def test_a_fresh_list_is_made_from_the_journals_and_a_kept_one_is_gone_on_with(
    folder: Path, tmp_path: Path
) -> None:
    def hands(*options: str) -> str:
        with Terminal(["review", "--data", str(folder), *options], env=env(tmp_path)) as terminal:
            shown = terminal.wait(lambda text: " hands" in text and "Leave" in text)
            terminal.press(".")
            terminal.wait("Leave the review?")
            terminal.press(".")
            assert terminal.end(30.0) == 0
        return shown

    assert "3 hands" in hands()
    [cache] = (tmp_path / "cache").rglob("*.db")
    with closing(sqlite3.connect(cache)) as db, db:
        db.execute("DELETE FROM hand")
    assert "0 hands" in hands()
    assert "3 hands" in hands("--fresh")


def test_who_may_sign_is_everybody_of_the_staff_who_is_not_disabled(
    folder: Path, tmp_path: Path
) -> None:
    names = enumerate(("Fern", "Gone", "Sam"), start=1)
    people = tuple((f"F{number}", name, Role.FLOOR, f"135{number}") for number, name in names)
    save_staff(folder, put_staff(folder, people).disable("F2"))
    with Terminal(["review", "--data", str(folder)], env=env(tmp_path)) as terminal:
        terminal.wait("3 hands")
        terminal.press("4")
        terminal.wait("not counted")
        terminal.press("+")
        terminal.wait("how much was in box B7?")
        terminal.press("5", "enter")
        shown = terminal.wait("First signature")
    assert "F1 Fern" in shown
    assert "F3 Sam" in shown
    assert "Gone" not in shown


@pytest.mark.parametrize("numlock", [True, False], ids=["numlock on", "numlock off"])
def test_a_hand_is_found_stepped_through_and_noted_with_the_pad(
    folder: Path, tmp_path: Path, numlock: bool
) -> None:
    hire(folder)
    with Terminal(["review", "--data", str(folder)], env=env(tmp_path)) as terminal:
        terminal.wait("3 hands")
        # NumLock off the pad is a compass: it goes to the line, and ENTER picks it.
        picked = ["7"] if numlock else [*"2222222", "enter"]
        terminal.press("/", *picked, "2", "enter", numlock=numlock)
        terminal.wait("1 hand ")
        terminal.press("5", numlock=numlock)
        terminal.wait("9 3 Street")
        terminal.press("6", "6", "3", "+", "1", "1", *PINS["F1"], numlock=True)
        terminal.wait("PIN of F1")
        assert PINS["F1"] not in terminal.raw.decode("utf-8", "replace")
        terminal.press("enter")
        terminal.wait("The note is written")
        terminal.press(".", numlock=numlock)
        terminal.wait("note: pull the tape (F1)")
        terminal.press(".", numlock=numlock)
        terminal.wait("Leave the review?")
        terminal.press(".", numlock=numlock)
        assert terminal.end() == 0
    [(noted,)] = read_office(folder).notes.values()
    assert (noted.event.note, noted.event.by) == ("pull the tape", signature("F1"))


def test_with_the_mouse_a_hand_is_opened_and_left(folder: Path, tmp_path: Path) -> None:
    with Terminal(["review", "--data", str(folder)], env=env(tmp_path)) as terminal:
        terminal.wait("3 hands")
        click = "\x1b[<0;10;5M\x1b[<0;10;5m"
        terminal.press(click, click)
        terminal.wait("9 3 Street")
        terminal.settled()
        x = terminal.text.splitlines()[-1].index("Back") + 1
        terminal.press(f"\x1b[<0;{x};24M\x1b[<0;{x};24m")
        terminal.wait("^p palette")
        terminal.settled()
        x = terminal.text.splitlines()[-1].index("Leave") + 1
        terminal.press(f"\x1b[<0;{x};24M\x1b[<0;{x};24m")
        terminal.wait("Leave the review?")
        terminal.press(f"\x1b[<0;{x};24M\x1b[<0;{x};24m")
        assert terminal.end() == 0
        assert b"\x1b[?1000l" in terminal.raw


def test_without_unicode_every_sign_has_another(folder: Path, tmp_path: Path) -> None:
    ascii_only = env(tmp_path) | {"LANG": "C", "LC_ALL": "C"}
    with Terminal(["review", "--data", str(folder)], env=ascii_only) as terminal:
        assert terminal.wait("3 hands").isascii()
        terminal.press("0")
        terminal.wait("Average pot by the hour")
        assert "####" in "".join(terminal.settled())
        assert terminal.text.isascii()
        terminal.press(".", "/")
        assert terminal.wait("Pot of at least").isascii()

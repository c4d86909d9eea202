"""The review command itself: where it cannot begin, what it keeps, and who may sign."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor.files import new_staff, save_staff
from omaha_table.floor.staff import Role
from tests.console.terminal import Terminal
from tests.review.nights import Night

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    night = Night(tmp_path_factory.mktemp("played"), "ca_big_o").seat(3)
    night.say("shift swing B7 none")
    return night.play(3).close().parent


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played, tmp_path / "data")


def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_without_a_terminal_it_says_what_there_is_instead(folder: Path) -> None:
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
            shown = terminal.wait(lambda text: " hands" in text and "LEAVE" in text)
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
    people = new_staff(folder)
    for number, name in enumerate(("Fern", "Gone", "Sam"), start=1):
        people = people.add(f"F{number}", name, Role.FLOOR, f"135{number}")
    save_staff(folder, people.disable("F2"))
    with Terminal(["review", "--data", str(folder)], env=env(tmp_path)) as terminal:
        terminal.wait("3 hands")
        terminal.press("4")
        terminal.wait("not counted")
        terminal.press("+")
        terminal.wait("BOX B7 COUNTED")
        terminal.press("5", "enter")
        shown = terminal.wait("FIRST WHO COUNTED")
    assert "F1 Fern" in shown
    assert "F3 Sam" in shown
    assert "Gone" not in shown

"""Journals that cannot be read, in the review: told in words, and the rest is there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.table_view import TableView
from omaha_table.floor.files import demo_staff
from omaha_table.review.counts import Counts
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.paint import paint
from omaha_table.review.projection import Projection
from omaha_table.review.trust import trust
from omaha_table.review.views import ListView
from omaha_table.rules import load_profile
from omaha_table.session import Session
from tests.console.terminal import Terminal
from tests.evening_text import evening
from tests.journal.days import change_award, empty, foreign, half, newer, raw, text
from tests.paths import PYTHONPATH
from tests.review.desk import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Damage = tuple["Callable[[Path], None]", str]
HANDS = 26
"""Of the swing shift, which is sound."""


def no_schema(path: Path) -> None:
    """A page in the middle is all zeros."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = bytes(4096)
    path.write_bytes(content)


def kind_that_is_none(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE event SET kind = 'unheard_of' WHERE seq = 40")


BAD: dict[str, Damage] = {
    "newer": (newer, "written by a newer version"),
    "empty": (empty, "is missing or empty"),
    "half copied": (half, "damaged"),
    "not a journal": (foreign, "not an omaha-table journal"),
    "not a database": (text, "damaged"),
    "a page of zeros": (no_schema, "damaged"),
    "an event of no kind": (kind_that_is_none, "cannot be read"),
}


@pytest.fixture
def folder(swing: Path, tmp_path: Path) -> Path:
    """A sound journal of t7, and one of t8 beside it."""
    data = tmp_path / "data"
    shutil.copytree(swing, data)
    other(data, 4)
    return data


def other(folder: Path, hands: int) -> Path:
    profile = load_profile("ca_big_o")
    made = Session.on_journal(folder, "t8", profile, profile.limits[0], demo_staff())
    say(made, *evening(hands, seed=3))
    made.close()
    return next(folder.glob("t8-*.journal"))


def journals(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.journal"))


def review(folder: Path, projection: Projection) -> ReviewFront:
    return ReviewFront(projection, Notes(folder / "n"), Counts(folder / "c"))


@pytest.mark.parametrize("name", BAD)
def test_a_bad_journal_is_told_wherever_it_is_looked_for_and_the_rest_works(
    folder: Path, tmp_path: Path, name: str
) -> None:
    damage, said = BAD[name]
    [bad] = folder.glob("t8-*.journal")
    damage(bad)
    cache = tmp_path / "cache.db"
    for _ in range(2):
        # The second time from what was kept: it must be told again.
        projection = Projection(cache)
        [fault] = projection.refresh(journals(folder))
        assert fault.startswith(f"{bad.name}: ")
        assert said in fault
        front = review(folder, projection)
        assert front.warning == fault
        assert f"▲ {bad.name}: " in paint(front, 80, 24).text()
        assert projection.count() >= HANDS
        front.press("-")
        assert f"NOT READ: {fault}" in " ".join(paint(front, 80, 24).text().split())
        for key in (".", "/", *"table:t7", "enter", "5", "3"):
            front.press(key)
        assert isinstance(front.view(20), TableView)
        front.press(".")
        front.press("4")
        assert "swing" in paint(front, 80, 24).text()
        projection.close()
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "report", "shift", "swing", "--data", str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_journal_that_was_put_right_is_told_no_more(folder: Path) -> None:
    [bad] = folder.glob("t8-*.journal")
    whole = bad.read_bytes()
    half(bad)
    projection = Projection()
    assert len(projection.refresh(journals(folder))) == 1
    bad.write_bytes(whole)
    assert projection.refresh(journals(folder)) == []
    assert projection.count() == HANDS + 4
    front = review(folder, projection)
    front.press("-")
    assert "NOT READ" not in paint(front, 80, 24).text()
    projection.close()


def test_a_change_that_only_the_chain_can_tell_is_found_beside_the_reading(folder: Path) -> None:
    """The review shows what is written, and finds out meanwhile whether it may be trusted."""
    trusted, said = trust(journals(folder))
    assert trusted
    assert said.startswith(f"√ chain of {_events(folder):,} events verified ")
    [bad] = folder.glob("t8-*.journal")
    change_award(bad)
    projection = Projection()
    assert projection.refresh(journals(folder)) == []
    front = review(folder, projection)
    front.checked(*trust(journals(folder)))
    assert f"Do not trust {bad.name}" in paint(front, 80, 24).text()
    projection.close()


def _events(folder: Path) -> int:
    return sum(
        sqlite3.connect(path).execute("SELECT count(*) FROM event").fetchone()[0]
        for path in journals(folder)
    )


def test_on_a_terminal_a_sound_log_is_said_to_be_verified(folder: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:
        terminal.wait(f"√ chain of {_events(folder):,} events verified")
        terminal.press(".")
        assert terminal.end() == 0


def test_an_amount_that_no_column_can_hold_is_told_and_the_rest_is_there(folder: Path) -> None:
    [bad] = folder.glob("t8-*.journal")
    with raw(bad) as db:
        change = "replace(body, '\"fee\":', '\"fee\":9223372036854775808')"
        last = "(SELECT max(seq) FROM event WHERE kind = 'hand_ended')"
        db.execute(f"UPDATE event SET body = {change} WHERE seq = {last}")
    projection = Projection()
    [fault] = projection.refresh(journals(folder))
    assert fault.startswith(f"{bad.name}: The journal is damaged")
    assert projection.count() == HANDS + 3
    projection.close()


def test_a_journal_that_is_gone_takes_its_hands_with_it(folder: Path) -> None:
    projection = Projection()
    projection.refresh(journals(folder))
    front = review(folder, projection)
    front.press("/")
    for key in (*"table:t7", "enter"):
        front.press(key)
    for path in folder.glob("t7-*"):
        path.unlink()
    front.press("5")
    assert "is missing or empty" in front.said
    projection.refresh(journals(folder))
    assert projection.count() == 4
    front.press("/")
    front.press("0")
    view = front.view(20)
    assert isinstance(view, ListView)
    assert {line.table for line in view.lines} == {"t8"}
    assert view.total == 4
    projection.close()


def test_another_journal_under_an_old_name_is_read_anew(folder: Path, tmp_path: Path) -> None:
    projection = Projection()
    projection.refresh(journals(folder))
    [old] = folder.glob("t8-*.journal")
    old.write_bytes(other(tmp_path / "new", 2).read_bytes())
    projection._connection.execute("UPDATE source SET state = ''")
    projection.refresh(journals(folder))
    assert projection.count() == HANDS + 2
    projection.close()


def test_a_broken_list_is_made_anew_and_one_in_use_is_left_alone(
    folder: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache.db"
    cache.write_bytes(b"no database at all " * 300)
    first = Projection(cache)
    first.refresh(journals(folder))
    assert first.count() == HANDS + 4
    second = Projection(cache)
    second.refresh(journals(folder))
    assert second.count() == HANDS + 4
    second.close()
    first.close()
    again = Projection(cache)
    assert again.count() == HANDS + 4
    again.close()


@pytest.mark.parametrize("where", ["nothing", "empty"])
def test_a_folder_without_a_journal_is_told(tmp_path: Path, where: str) -> None:
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "review", "--data", str(tmp_path / where)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "No journals in" in done.stderr


def planted(folder: Path, where: str) -> dict[str, str]:
    """The surroundings of a program in which a method raises an error that names cards."""
    module, name, method = where.split()
    (folder / "sitecustomize.py").write_text(
        f"from omaha_table.review.{module} import {name}\n"
        "def broken(*args, **options):\n"
        "    raise RuntimeError('planted As Kd')\n"
        f"{name}.{method} = broken\n"
    )
    return {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PYTHONPATH": f"{folder}{os.pathsep}{PYTHONPATH}",
    }


@pytest.mark.parametrize(
    ("where", "keys"),
    [
        ("statistics Statistics view", "0"),
        ("hand_list HandList _open", "5"),
        ("app Review compose", ""),
        ("app Review on_mount", ""),
    ],
)
def test_an_error_of_the_review_itself_is_told_in_words(
    folder: Path, tmp_path: Path, where: str, keys: str
) -> None:
    """No traceback, no locals, the terminal as it was."""
    env = planted(tmp_path, where)
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:
        if keys:
            terminal.wait("30 hands")
            terminal.press(keys)
        assert terminal.end(30.0) == 70
        raw = terminal.raw.decode("utf-8", "replace")
    assert "omaha-table: stopped by an unexpected error" in " ".join(raw.split())
    assert "Traceback" not in raw
    assert "planted" not in raw
    assert "\x1b[?1049l" in raw


def test_a_check_of_the_chain_that_fails_itself_is_told_and_the_review_goes_on(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import omaha_table.review.trust as trust\n"
        "def broken(files):\n"
        "    raise RuntimeError('planted As Kd')\n"
        "trust.verify = broken\n"
    )
    env = {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{PYTHONPATH}",
    }
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:
        terminal.wait("The chain could not be checked")
        terminal.press(".")
        assert terminal.end() == 0
        raw = terminal.raw.decode("utf-8", "replace")
    assert "Traceback" not in raw
    assert "planted" not in raw

"""Journals that cannot be read, in the review: told in words, and the rest is there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.index.projection import Projection
from omaha_table.review.index.soundness import trust
from omaha_table.review.screens.desk import Desk
from omaha_table.review.screens.replay import Replay
from omaha_table.rules import load_profile
from omaha_table.session import Session
from tests.console.terminal import Terminal
from tests.counters import ledger
from tests.evening_text import evening
from tests.journal.days import change_award, empty, foreign, half, newer, raw, text
from tests.paths import PYTHONPATH
from tests.review.desk import say
from tests.review.driving import Driver
from tests.staff_files import without_dealers

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
    made = Session.on_journal(folder, "t8", profile, profile.limits[0], without_dealers())
    say(made, *evening(hands, seed=3))
    made.close()
    return next(folder.glob("t8-*.journal"))


def journals(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.journal"))


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
        assert projection.count() >= HANDS
        with Driver(Desk(projection, ledger(folder)), (80, 24)) as review:
            assert review.desk.warning == fault
            assert f"▲ {bad.name}: " in review.text
            review.press("-")
            assert f"NOT READ: {fault}" in review.words("#about")
            review.press(".", "/", *"table:t7", "enter", "5", "3")
            review.page(Replay)
            review.press(".", "4")
            assert "swing" in review.text
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
    assert Desk(projection, ledger(folder)).warning == ""
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
    desk = Desk(projection, ledger(folder), check=lambda: trust(journals(folder)))
    with Driver(desk, (80, 24)) as review:
        review.wait_for(lambda: f"Do not trust {bad.name}" in review.text)


def _events(folder: Path) -> int:
    return sum(
        sqlite3.connect(path).execute("SELECT count(*) FROM event").fetchone()[0]
        for path in journals(folder)
    )


def test_on_a_terminal_a_sound_log_is_said_to_be_verified(folder: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:
        terminal.wait(f"√ chain of {_events(folder):,} events verified")
        terminal.press(".", ".")
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
    with Driver(Desk(projection, ledger(folder))) as review:
        review.press("/", *"table:t7", "enter")
        for path in folder.glob("t7-*"):
            path.unlink()
        review.press("5")
        assert "is missing or empty" in review.said
        projection.refresh(journals(folder))
        assert projection.count() == 4
        review.press("/", "0", "enter")
        assert len(review.lines) == 4
        assert "t8" in review.words("#about")


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
        f"from omaha_table.review.screens.{module} import {name}\n"
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
        ("statistics Statistics refreshed", "0"),
        ("hands Hands action_open", "5"),
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
        "import omaha_table.review.index.store as store\n"
        "def broken(files):\n"
        "    raise RuntimeError('planted As Kd')\n"
        "store.verify = broken\n"
    )
    env = {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{PYTHONPATH}",
    }
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:
        terminal.wait("The chain could not be checked")
        terminal.press(".", ".")
        assert terminal.end() == 0
        raw = terminal.raw.decode("utf-8", "replace")
    assert "Traceback" not in raw
    assert "planted" not in raw

"""Every kind of damage is named, none goes unseen, none is written on."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader
from omaha_table.journal.store import Store
from tests.journal.days import (
    LINES,
    add_row,
    change_award,
    check,
    delete_row,
    delete_tail,
    empty,
    foreign,
    half,
    journal_file,
    newer,
    open_session,
    rewrite_everything,
    say,
    swap_rows,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("damage", "kinds"),
    [
        (change_award, {"changed"}),
        (delete_row, {"missing"}),
        (delete_tail, {"truncated"}),
        (swap_rows, {"changed", "foreign"}),
        (rewrite_everything, {"seal"}),
        (newer, {"unreadable"}),
        (foreign, {"unreadable"}),
        (empty, {"unreadable"}),
        (half, {"unreadable", "truncated", "changed", "missing"}),
        (text, {"unreadable"}),
        (add_row, {"added"}),
    ],
)
def test_damage_is_named(closed: Path, damage: Callable[[Path], None], kinds: set[str]) -> None:
    damage(journal_file(closed))
    [found] = check(closed).damage
    assert found.kind in kinds, found
    assert found.message


@pytest.mark.parametrize("damage", [change_award, delete_tail, rewrite_everything, half])
def test_a_damaged_journal_is_not_written_on(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    damage(journal_file(tmp_path))
    if damage is change_award:
        # An old event is for `verify` to find; opening looks at the end alone.
        assert not check(tmp_path).sound
        return
    with pytest.raises(JournalFault):
        open_session(tmp_path).close()


def test_random_damage_never_goes_unseen(closed: Path) -> None:
    path = journal_file(closed)
    path.chmod(0o644)
    whole = path.read_bytes()
    rows = _rows(path)
    rng = random.Random(17)
    silent = 0
    for trial in range(int(os.environ.get("OMAHA_DAMAGE", "150"))):
        content = bytearray(whole)
        match trial % 3:
            case 0:
                at = rng.randrange(len(content))
                content[at] ^= 1 << rng.randrange(8)
            case 1:
                del content[rng.randrange(len(content)) :]
            case 2:
                page = rng.randrange(len(content) // 4096)
                content[page * 4096 : (page + 1) * 4096] = bytes(4096)
        path.write_bytes(content)
        if check(closed).sound and _rows(path) != rows:
            silent += 1
    assert silent == 0


def _rows(path: Path) -> list[tuple[Any, ...]]:
    try:
        with sqlite3.connect(path) as db:
            return db.execute("SELECT * FROM event ORDER BY seq").fetchall()
    except sqlite3.Error:
        return []


def test_a_write_half_done_is_taken_back_in_a_copy_and_the_file_stays_as_it_was(
    tmp_path: Path,
) -> None:
    """A hot rollback journal, as a kill in the middle of a write leaves it."""
    path = tmp_path / "t7-2026-11-16.journal"
    store = Store(path)
    store.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    for seq in range(1, 400):
        connection.execute("INSERT INTO event VALUES(?,NULL,0,0,'x','','{}',?)", (seq, bytes(3000)))
    left = tmp_path / "left"
    left.mkdir()
    for found in (path, path.with_name(path.name + "-journal")):
        (left / found.name).write_bytes(found.read_bytes())
    connection.close()
    before = {found.name: found.read_bytes() for found in left.iterdir()}
    assert len(before) == 2
    with (
        contextlib.closing(sqlite3.connect(f"file:{left / path.name}?mode=ro", uri=True)) as plain,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        plain.execute("SELECT count(*) FROM event").fetchone()
    with Reader(left / path.name) as reader:
        assert list(reader.since()) == []
    assert {found.name: found.read_bytes() for found in left.iterdir()} == before


def test_the_copy_of_a_file_that_is_no_journal_goes_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t7-2026-11-16.journal"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TABLE other(content)")
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO other VALUES(?)", [(bytes(3000),)] * 400)
    left = tmp_path / "left"
    left.mkdir()
    for found in (path, path.with_name(path.name + "-journal")):
        (left / found.name).write_bytes(found.read_bytes())
    connection.close()
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(copies))
    with pytest.raises(JournalFault, match="not an omaha-table journal"):
        Reader(left / path.name)
    assert list(copies.iterdir()) == []

"""One journal file: what SQLite is made to promise, and what happens when it cannot."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.chain import Row, link
from omaha_table.journal.diary import Refusal
from omaha_table.journal.faults import Busy, Full, Tampered, Uncertain
from omaha_table.journal.reader import Reader
from omaha_table.journal.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t7-2026-11-14.journal"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    yield store
    store.close()


def row(seq: int, body: str = "{}") -> Row:
    return Row(seq, None, 0, 0, "x", "", body, link(bytes(32), seq, None, 0, 0, "x", "", body))


def stored(path: Path) -> list[int]:
    with Reader(path) as reader:
        return [found.seq for found in reader.since()]


REFUSAL = Refusal(1, 0, None, "code", "message", "rule", "source")


@pytest.mark.parametrize("statement", ["UPDATE event SET body = '{}'", "DELETE FROM event"])
def test_what_is_written_is_neither_changed_nor_deleted(
    store: Store, path: Path, statement: str
) -> None:
    store.append([row(1)])
    with (
        contextlib.closing(sqlite3.connect(path)) as other,
        pytest.raises(sqlite3.IntegrityError, match="a journal is never changed"),
    ):
        other.execute(statement)


@pytest.mark.parametrize("column", ["at_us", "kind", "hash"])
def test_a_column_takes_only_its_own_type(store: Store, path: Path, column: str) -> None:
    values = {"at_us": "0", "kind": "'x'", "hash": "x'00'"} | {column: "'word'"}
    if column == "kind":
        values["kind"] = "x'00'"
    with (
        contextlib.closing(sqlite3.connect(path)) as other,
        pytest.raises(sqlite3.IntegrityError, match="cannot store"),
    ):
        other.execute(
            f"INSERT INTO event VALUES(1,NULL,{values['at_us']},0,{values['kind']},'','{{}}',"
            f"{values['hash']})"
        )


def test_the_promises_that_sqlite_is_asked_for(store: Store) -> None:
    """Their effect shows only in a power cut or with a hostile file, so the settings are read."""
    asked = {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "wal_autocheckpoint": 0,
        "journal_size_limit": 1 << 20,
        "trusted_schema": 0,
        "cell_size_check": 1,
    }
    for _ in range(2):
        run = store._connection.execute
        assert {name: run(f"PRAGMA {name}").fetchone()[0] for name in asked} == asked
        store.reopen()


def test_the_wal_is_not_folded_by_itself_however_long_a_hand(store: Store, path: Path) -> None:
    """Folding moves pages of earlier hands; it waits for the seal."""
    before = path.read_bytes()
    for seq in range(1, 40):
        store.append([row(seq, '"' + "x" * 200_000 + '"')])
    assert path.read_bytes() == before
    store.fold_wal()
    assert path.stat().st_size > 39 * 200_000
    assert path.with_name(path.name + "-wal").stat().st_size == 0


def test_a_connection_for_reading_can_write_nothing(store: Store, path: Path) -> None:
    store.append([row(1)])
    with (
        Reader(path) as reader,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        reader._connection.execute("INSERT INTO event VALUES(2,NULL,0,0,'x','','{}',x'00')")
    assert stored(path) == [1]


def test_a_file_of_another_program_or_of_a_later_version_is_not_opened(path: Path) -> None:
    for pragma, message in (
        ("application_id = 7", "not an omaha-table"),
        ("user_version = 2", "newer"),
    ):
        Store(path).close()
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute(f"PRAGMA {pragma}")
        with pytest.raises(Tampered, match=message):
            Store(path)
        with pytest.raises(Tampered, match=message):
            Reader(path)
        path.unlink()


def _declare(connection: sqlite3.Connection, event: str) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'event'", (event,))


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
COLUMNS = "seq, hand, at_us, mono_us, kind, actor, body, hash"


@pytest.mark.parametrize(
    "change",
    [
        f"CREATE VIEW event AS {ENDLESS} SELECT i seq, 1 hand, 1 at_us, 1 mono_us, 'x' kind, "
        "'' actor, '{}' body, x'00' hash FROM n",
        f"CREATE VIEW event AS SELECT {COLUMNS} FROM kept",
        f"CREATE TABLE event({COLUMNS})",
        f"CREATE VIRTUAL TABLE event USING fts5({COLUMNS})",
    ],
    ids=["endless view", "view", "loose table", "virtual table"],
)
def test_only_a_table_of_events_as_the_program_makes_it_is_read(path: Path, change: str) -> None:
    Store(path).close()
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE event RENAME TO kept")
        other.execute(change)
        other.commit()
    for opened in (Reader, Store):
        with pytest.raises(Tampered, match="The tables of this file are not those of a journal"):
            opened(path)


@pytest.mark.parametrize(
    "more", ["CREATE TABLE more(x)", "CREATE VIEW more AS SELECT 1", "DROP TABLE event"]
)
def test_a_file_with_other_tables_is_no_journal(path: Path, more: str) -> None:
    Store(path).close()
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute(more)
    with pytest.raises(Tampered, match="The tables of this file"):
        Reader(path)


def test_a_value_that_is_too_large_to_be_an_event_is_damage(store: Store, path: Path) -> None:
    store.append([row(1)])
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("DROP TRIGGER no_update")
        other.execute("UPDATE event SET body = printf('%.*c', 20000000, 'x')")
        other.commit()
    with Reader(path) as reader, pytest.raises(Tampered, match="a value in it is too large"):
        list(reader.since())


@pytest.mark.parametrize("name", ["a?b", "a#b", "a%41b", "a b", "é", "a&mode=rwc"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    Store(folder / "t.journal").close()
    with Reader(folder / "t.journal") as reader:
        assert reader.count() == 0
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_a_row_of_a_wrong_type_is_damage(path: Path) -> None:
    Store(path).close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        [(strict,)] = other.execute("SELECT sql FROM sqlite_schema WHERE name = 'event'")
        _declare(other, strict.replace("STRICT", ""))
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("INSERT INTO event VALUES(1,NULL,0,0,x'00','','{}','word')")
        _declare(other, strict)
    store = Store(path)
    with pytest.raises(Tampered, match="Event 1 was changed or damaged"):
        store.rows.last()
    store.close()


# When a write fails


def test_a_writer_that_finds_the_file_busy_can_try_again(store: Store, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            store.append([row(1)])
        other.execute("ROLLBACK")
    store.append([row(1)])
    assert stored(path) == [1]


def test_rows_that_could_not_all_be_written_are_not_written_at_all(
    store: Store, path: Path
) -> None:
    store.append([row(1)], [("shoe", "5")])
    with pytest.raises(Tampered):
        store.append([row(2), row(1)], [("shoe", "6")])
    with pytest.raises(Uncertain, match="accepts no more"):
        store.append([row(2)])
    store.reopen()
    assert store.rows.resume_points() == {"shoe": "5"}
    store.append([row(2)], [("shoe", "7"), ("shuffler", "3")])
    assert stored(path) == [1, 2]
    assert store.rows.resume_points() == {"shoe": "7", "shuffler": "3"}


def test_a_fenced_store_takes_neither_events_nor_refusals_until_it_is_opened_again(
    store: Store, path: Path
) -> None:
    store.append([row(1)])
    store.fence()
    with pytest.raises(Uncertain):
        store.append([row(2)])
    store.log_refusal(REFUSAL, 0)
    with Reader(path) as reader:
        assert reader.refusals() == []
    store.reopen()
    store.append([row(2)])
    assert stored(path) == [1, 2]


def test_a_refusal_that_cannot_be_noted_leaves_no_write_half_done(store: Store, path: Path) -> None:
    store.append([row(1)])
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE VIEW refusal AS SELECT 1 AS x")
    store.log_refusal(REFUSAL, 0)
    store.append([row(2)])
    assert stored(path) == [1, 2]


def test_a_long_refusal_is_cut(store: Store, path: Path) -> None:
    store.log_refusal(Refusal(1, 0, None, "code", "m" * 5000, "r" * 5000, "s" * 5000), 0)
    with Reader(path) as reader:
        [kept] = reader.refusals()
    assert (len(kept.message), len(kept.rule), len(kept.source)) == (400, 400, 400)


# A new file


def test_a_kill_while_a_file_is_made_leaves_no_journal_and_the_next_start_makes_one(
    path: Path,
) -> None:
    code = (
        "import os, sqlite3, sys; from pathlib import Path\n"
        "import omaha_table.journal.store as s\n"
        "s.SCHEMA = s.SCHEMA.replace('CREATE INDEX', 'COMMIT; SELECT die(); CREATE INDEX')\n"
        "class Dying(sqlite3.Connection):\n"
        "    def __init__(self, *given, **named):\n"
        "        super().__init__(*given, **named)\n"
        "        self.create_function('die', 0, lambda: os.kill(os.getpid(), 9))\n"
        "real = sqlite3.connect\n"
        "sqlite3.connect = lambda *a, **n: real(*a, factory=Dying, **n)\n"
        "s.Store(Path(sys.argv[1]))\n"
    )
    died = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert not path.exists()
    assert [left.name for left in path.parent.iterdir()] == [f".{path.name}.new"]
    store = Store(path)
    store.append([row(1)])
    store.close()
    assert stored(path) == [1]


def test_a_new_file_has_its_name_on_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[bool, bool]] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        folder = os.path.samestat(os.fstat(descriptor), path.parent.stat())
        synced.append((folder, path.exists()))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    Store(path).close()
    assert (True, True) in synced


def test_a_folder_that_is_not_there_is_no_room(tmp_path: Path) -> None:
    with pytest.raises(Full):
        Store(tmp_path / "gone" / "t7-2026-11-14.journal")

"""The index over a store that is no folder: the same hands, incidents, boxes and replays."""

from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.faults import Gone
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import verify
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.moments import around_hands
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.reading import hands_in
from omaha_table.review.index.replay import frames, steps_of
from omaha_table.review.index.store import Folder
from tests.counters import ledger, signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.journal.diary import Refusal
    from omaha_table.journal.rows import OpenRows
    from omaha_table.journal.verdict import Verdict
    from omaha_table.office.state import Records
    from omaha_table.review.index.store import Journal, OfficeRecords, Store

ALL = parse_filter("")


class Sheet:
    """Rows that were copied out of a journal and are kept in memory."""

    def __init__(self, rows: list[Row], refused: list[Refusal]) -> None:
        self.rows, self.refused = rows, refused

    def hold(self) -> None:
        self.rows = list(self.rows)

    def close(self) -> None:
        pass

    def since(self, seq: int = 0, kinds: Sequence[str] = ()) -> Iterator[Row]:
        return (row for row in self.rows if row.seq > seq and (not kinds or row.kind in kinds))

    def get(self, seq: int) -> Row | None:
        return next((row for row in self.rows if row.seq == seq), None)

    def last(self) -> Row | None:
        return self.rows[-1] if self.rows else None

    def last_seal(self, before: int | None = None) -> Row | None:
        found = [row for row in self.since(0, ["journal_sealed"]) if before is None
                 or row.seq < before]  # fmt: skip
        return found[-1] if found else None

    def refusals(self, first: int = 0, last: int = 1 << 62) -> list[Refusal]:
        return [one for one in self.refused if first <= one.after_seq <= last]


class InABook:
    def __init__(self, key: str, table: str, day: str, sheet: Sheet | None) -> None:
        self.key, self.table, self.day, self._sheet = key, table, day, sheet

    @property
    def name(self) -> str:
        return f"{self.table} on {self.day}"

    def state(self) -> str:
        last = None if self._sheet is None else self._sheet.last()
        return "" if last is None else last.hash.hex()

    def changed_us(self) -> int:
        return 0

    def open(self) -> OpenRows:
        if self._sheet is None:
            raise Gone(f"{self.name} is not in the book.")
        return Sheet(self._sheet.rows, self._sheet.refused)

    def of_day(self, table: str, day: str) -> str:
        return f"{table}/{day}"

    def latest(self, table: str) -> InABook:
        return self


class Book:
    """A store as the room will be one: not a path in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = Folder(folder)
        self._sheets: dict[str, tuple[str, str, Sheet]] = {}
        for journal in self._folder.journals():
            with Reader(journal.path) as reader:
                sheet = Sheet(list(reader.since()), reader.refusals())
            key = f"{journal.table}/{journal.day}"
            self._sheets[key] = journal.table, journal.day, sheet

    def journals(self) -> list[InABook]:
        return [InABook(key, *about) for key, about in self._sheets.items()]

    def near(self, table: str, day: str) -> list[InABook]:
        return self.journals()

    def journal(self, key: str) -> InABook:
        return InABook(key, *self._sheets.get(key, ("?", "?", None)))

    def verdict(
        self, journals: Iterable[Journal] | None = None, *, offices: bool = True
    ) -> Verdict:
        return self._folder.verdict()

    def office(self) -> OfficeRecords:
        return self._folder.office()


@pytest.fixture
def stores(swing: Path, tmp_path: Path) -> tuple[Folder, Book]:
    data = tmp_path / "data"
    shutil.copytree(swing, data)
    return Folder(data), Book(data)


def shown(store: Store) -> list[object]:
    """What a review shows, without the keys of journals."""
    with closing(Projection()) as index:
        assert index.refresh(store.journals()) == []
        hands = [(*row[:1], *row[2:27], *row[28:]) for row in index.page(ALL, 0, 1000)]
        lines = [tuple(row)[2:] for row in index.incidents(ALL, 0, 1000, by_time=True)]
        boxes = [(key.table, key.day, key.box, sums) for key, sums in index.box_page(0, 99)]
        [row] = index.page(parse_filter("#19"), 0, 1)
        journal = store.journal(row["file"])
        return [
            *hands, *lines, *boxes, index.statistics(ALL).result,
            [(frame.seq, frame.hash, frame.state) for frame in frames(journal, row["seq"])],
            steps_of(journal, row["seq"], row["last_seq"]),
        ]  # fmt: skip


def test_another_store_shows_what_the_folder_shows(stores: tuple[Folder, Book]) -> None:
    folder, book = stores
    assert shown(book) == shown(folder)
    [path], [kept] = folder.journals(), book.journals()
    assert [hand.number for hand in hands_in(kept)] == [hand.number for hand in hands_in(path)]
    assert [one.moment for one in around_hands(kept)] == [one.moment for one in around_hands(path)]
    assert kept.open().last() == path.open().last()


def test_a_journal_that_another_store_has_lost_is_told(stores: tuple[Folder, Book]) -> None:
    _, book = stores
    with closing(Projection()) as index:
        assert index.refresh([*book.journals(), book.journal("t9/2026-01-01")]) == [
            "? on ?: ? on ? is not in the book."
        ]
        assert index.count() == 26


def test_a_folder_gives_its_verdict_and_its_office(stores: tuple[Folder, Book]) -> None:
    folder, _ = stores
    ledger(folder.where).note("h1", "look again", signature("F1"))
    read: Records = folder.office().read()
    assert [noted.event.note for noted in read.notes["h1"]] == ["look again"]
    verdict = folder.verdict()
    assert verdict.sound
    assert verdict.files == 2
    assert [one.file for one in folder.verdict([]).journals] == [
        one.file for one in verify(list(folder.where.glob("office-*.journal"))).journals
    ]


def test_a_file_is_a_store_of_one_journal(stores: tuple[Folder, Book]) -> None:
    folder, _ = stores
    [journal] = folder.journals()
    assert [one.key for one in Folder(journal.path).journals()] == [journal.key]
    assert Folder(journal.path.with_name("nothing.journal")).journals() == []

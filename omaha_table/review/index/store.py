"""Where the review's journals are: a folder. The same protocol serves journals kept elsewhere.

The index, the reports and the checks ask a store and nothing else: which journals there are, the
records of one in order, whether they can be trusted, and what the office recorded.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from omaha_table.journal.days import day_file, day_files, office_files
from omaha_table.journal.faults import Tampered
from omaha_table.journal.office_book import OfficeReading
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import files_in, verify

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from omaha_table.journal.rows import OpenRows
    from omaha_table.journal.verdict import Verdict
    from omaha_table.office.state import Records


class Journal(Protocol):
    """One table's gaming day in a store."""

    @property
    def key(self) -> str:
        """Names it in its store; no two have the same."""

    @property
    def name(self) -> str:
        """How messages call it."""

    @property
    def table(self) -> str: ...
    @property
    def day(self) -> str: ...

    def state(self) -> str:
        """Another one as soon as anything was added; empty: gone."""

    def changed_us(self) -> int:
        """When something was last added, as far as the store knows."""

    def open(self) -> OpenRows:
        """Its records and refusals; `last` is the head. Raises JournalFault."""

    def of_day(self, table: str, day: str) -> str:
        """The key of the journal in which the boxes of an earlier day were opened."""

    def latest(self, table: str) -> Journal:
        """The newest journal of a table, where this one is kept."""


class OfficeRecords(Protocol):
    """The office journal that belongs to the journals of a store."""

    def read(self) -> Records:
        """All that is recorded by now; raises JournalFault."""


class OtherOffices(Protocol):
    """What offices have recorded whose journals are kept elsewhere."""

    fault: str
    """Why some of it is not shown."""

    def state(self) -> object:
        """Another one when there is more to read; asks nobody."""

    def read(self, own: Collection[bytes] | None = None) -> Records:
        """All that is recorded by now, beside what an own office has recorded, if there is one:
        `own` are the first events of its years, and no office that has one is read.

        Raises Away.
        """


class Store(Protocol):
    def journals(self) -> Sequence[Journal]:
        """Oldest first, table by table."""

    def near(self, table: str, day: str) -> Sequence[Journal]:
        """Those with hands of a table or a day (empty: any), and those that share a box with one.

        It may give more: whoever asks looks at the hands.
        """

    def journal(self, key: str) -> Journal:
        """One of them again; that it is gone shows when it is opened."""

    def verdict(
        self, journals: Iterable[Journal] | None = None, *, offices: bool = True
    ) -> Verdict:
        """Whether some journals, or all, are sound, and the office journal with them."""

    def office(self) -> OfficeRecords: ...


class JournalFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def key(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def table(self) -> str:
        return self.path.stem.rsplit("-", 3)[0]

    @property
    def day(self) -> str:
        return "-".join(self.path.stem.rsplit("-", 3)[1:])

    def state(self) -> str:
        """By size and time of the file and of what is written beside it."""
        found = []
        for end in ("", "-wal"):
            try:
                about = os.stat(f"{self.path}{end}")  # noqa: PTH116 - quicker, for 20,000 files
            except OSError:
                continue
            # An empty one comes and goes with whoever reads.
            if about.st_size or not end:
                found.append(f"{about.st_size} {about.st_mtime_ns}")
        return ", ".join(found)

    def changed_us(self) -> int:
        return int(self.path.stat().st_mtime * 1e6) if self.path.exists() else 0

    def open(self) -> Reader:
        if not self.path.is_file() and self.path.exists():
            raise Tampered(f"{self.name} is a folder, not a journal.")
        return Reader(self.path)

    def of_day(self, table: str, day: str) -> str:
        return str(day_file(self.path.parent, table, day))

    def latest(self, table: str) -> JournalFile:
        found = [path for path in day_files(self.path.parent, table) if path.exists()]
        return JournalFile(found[-1]) if found else self


class Folder:
    """The journals of a folder or of its subfolders, or one journal."""

    def __init__(self, where: Path) -> None:
        self.where = where

    def journals(self) -> list[JournalFile]:
        return [JournalFile(path) for path in files_in(self.where) if path.exists()]

    def near(self, table: str, day: str) -> list[JournalFile]:
        """All: a file may have been renamed, and then its name says nothing."""
        return self.journals()

    def journal(self, key: str) -> JournalFile:
        return JournalFile(Path(key))

    def verdict(
        self, journals: Iterable[Journal] | None = None, *, offices: bool = True
    ) -> Verdict:
        chosen = self.journals() if journals is None else journals
        beside = office_files(self._folder) if offices else []
        return verify([*(Path(one.key) for one in chosen), *beside])

    def office(self) -> OfficeReading:
        return OfficeReading(self._folder)

    @property
    def _folder(self) -> Path:
        return self.where if self.where.is_dir() else self.where.parent


def as_journal(given: Path | Journal) -> Journal:
    """A journal of a store, or the file that somebody named."""
    return JournalFile(given) if isinstance(given, Path) else given

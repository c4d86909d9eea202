"""A table's gaming days, and the file names of their journals."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from glob import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX: Final = ".journal"
OFFICE_JOURNAL: Final = re.compile(r"^office-\d{4}[b-z]*\.journal$")
"""The file name of a year of the office, which is no table's."""
_OFFICE_TABLE: Final = re.compile(r"^office-\d{4}-\d\d-\d\d[b-z]*\.journal$")
TABLE_NAME: Final = r"^(?!office$)[A-Za-z0-9_]{1,32}$"
"""A table's name is part of the names of its files, so it must not be a path or a pattern."""
DAY_BEGINS: Final = timedelta(hours=6)


def gaming_day(wall: float) -> str:
    """The gaming day starts at six in the morning."""
    return (datetime.fromtimestamp(wall, UTC).astimezone() - DAY_BEGINS).date().isoformat()


def day_file(folder: Path, table: str, day: str) -> Path:
    return folder / f"{table}-{day}{SUFFIX}"


def day_files(folder: Path, table: str | None = None) -> list[Path]:
    """The journals of a table in a folder, or of all its tables, oldest first."""
    found = sorted(folder.glob(f"{'*' if table is None else escape(table)}-*{SUFFIX}"))
    return found if table else [path for path in found if not is_office(path)]


def is_office(path: Path) -> bool:
    return OFFICE_JOURNAL.match(path.name) is not None


def office_files(folder: Path) -> list[Path]:
    """The office journals of a folder, oldest first."""
    return [path for path in sorted(folder.glob(f"office-*{SUFFIX}")) if is_office(path)]


def missing_offices(folder: Path) -> list[Path]:
    """Office journals that were there: what was written beside them is left.

    Without its journal a staff list would count as one of 0.1.0, and nobody would be locked out.
    """
    beside = [path for end in ("witness", "receipt") for path in folder.glob(f"office-*.{end}")]
    named = {path.with_suffix(SUFFIX) for path in beside}
    return sorted(path for path in named if is_office(path) and not path.exists())


def has_office_table(folder: Path) -> bool:
    """Whether a table was named "office" here, as an older version allowed: its lock and its keys
    have the names that those of the office journal have."""
    return any(_OFFICE_TABLE.match(path.name) for path in folder.glob(f"office-*{SUFFIX}"))


def table_of(path: Path) -> str:
    """The table that a journal is named after; its day is written with two hyphens."""
    return path.stem.rsplit("-", 3)[0]


def date_of(day: str) -> str:
    """The date of a day or of a later segment of it: 2026-11-14 for 2026-11-14b."""
    return day.rstrip("bcdefghijklmnopqrstuvwxyz")


def next_segment(day: str) -> str:
    """The name of the next file of the same day: 2026-11-14, 2026-11-14b, 2026-11-14c …"""
    last = day[-1]
    return day[:-1] + chr(ord(last) + 1) if "b" <= last < "z" else f"{day}b"

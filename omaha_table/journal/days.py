"""A table's gaming days, and the file names of their journals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from glob import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX: Final = ".journal"
TABLE_NAME: Final = r"^[A-Za-z0-9_]{1,32}$"
"""A table's name is part of the names of its files, so it must not be a path or a pattern."""
DAY_BEGINS: Final = timedelta(hours=6)


def gaming_day(wall: float) -> str:
    """The gaming day starts at six in the morning."""
    return (datetime.fromtimestamp(wall, UTC).astimezone() - DAY_BEGINS).date().isoformat()


def day_file(folder: Path, table: str, day: str) -> Path:
    return folder / f"{table}-{day}{SUFFIX}"


def day_files(folder: Path, table: str | None = None) -> list[Path]:
    """The journals in a folder, oldest first."""
    return sorted(folder.glob(f"{'*' if table is None else escape(table)}-*{SUFFIX}"))


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

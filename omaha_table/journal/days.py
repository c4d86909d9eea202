"""File names of a table's gaming days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX: Final = ".journal"


def day_file(folder: Path, table: str, day: str) -> Path:
    return folder / f"{table}-{day}{SUFFIX}"


def day_files(folder: Path, table: str | None = None) -> list[Path]:
    """The journals in a folder, oldest first."""
    return sorted(folder.glob(f"{table or '*'}-*{SUFFIX}"))


def next_segment(day: str) -> str:
    """The name of the next file of the same day: 2026-11-14, 2026-11-14b, 2026-11-14c …"""
    last = day[-1]
    return day[:-1] + chr(ord(last) + 1) if "b" <= last < "z" else f"{day}b"

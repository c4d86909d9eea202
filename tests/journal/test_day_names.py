"""The names of the files of a table's days."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.days import day_file, day_files, next_segment

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("day", "after"),
    [
        ("2026-11-14", "2026-11-14b"),
        ("2026-11-14b", "2026-11-14c"),
        ("2026-11-14y", "2026-11-14z"),
        ("2026-11-14z", "2026-11-14zb"),
    ],
)
def test_a_day_goes_on_under_the_next_letter(day: str, after: str) -> None:
    assert next_segment(day) == after


def test_the_days_of_one_table_or_of_all_are_listed_from_the_oldest(tmp_path: Path) -> None:
    days = ("2026-11-14b", "2026-11-13", "2026-11-14")
    for table in ("t7", "t8"):
        for day in days:
            day_file(tmp_path, table, day).touch()
    names = [path.name for path in day_files(tmp_path, "t7")]
    assert names == [f"t7-{day}.journal" for day in sorted(days)]
    assert len(day_files(tmp_path)) == 6

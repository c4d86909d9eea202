from __future__ import annotations

from pathlib import Path

import pytest

from omaha_table.journal.faults import Busy
from omaha_table.journal.writer import JournalWriter


def test_a_table_that_is_busy_leaves_no_file_open(tmp_path: Path) -> None:
    """Whoever waits for a table tries again and again."""
    first = JournalWriter(tmp_path, "t7", "2026-11-14", holder="the first")
    with pytest.raises(Busy, match="the first"):
        JournalWriter(tmp_path, "t7", "2026-11-14", holder="the second")
    lock = tmp_path / "t7.lock"
    opened = [path for path in Path("/proc/self/fd").iterdir() if path.resolve() == lock.resolve()]
    assert len(opened) == 1
    first.close()

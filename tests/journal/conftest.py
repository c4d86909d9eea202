from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journal.days import CLOSE, LINES, open_desk, say

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A day with six hands, closed."""
    desk = open_desk(tmp_path)
    say(desk, *LINES, CLOSE)
    desk.close()
    return tmp_path

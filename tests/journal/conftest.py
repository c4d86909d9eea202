from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journal.days import CLOSE, LINES, open_session, say

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A day with six hands, closed."""
    session = open_session(tmp_path)
    say(session, *LINES, CLOSE)
    session.close()
    return tmp_path

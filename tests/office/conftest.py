from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.office.evening import evening

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of an evening: shift swing with $9 in B7 and $3 in J7, shift late still open."""
    return evening(tmp_path / "data")

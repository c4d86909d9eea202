from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.review.e29 import play_e29
from tests.review.swing import Swing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def _universal_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture(scope="session")
def swing(_universal_time: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a shift with a bit of everything in it; not to be written to."""
    folder = tmp_path_factory.mktemp("swing")
    Swing(folder).play()
    return folder


@pytest.fixture(scope="session")
def shift(_universal_time: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of E29; not to be written to."""
    return play_e29(tmp_path_factory.mktemp("shift"))

"""The short form of `scripts/room_page`."""

from __future__ import annotations

import pytest

from scripts.campaigns.room.page_hours import run


@pytest.mark.campaign
def test_page_postgresql_and_journals_agree_after_a_shift() -> None:
    assert run(minutes=0.2, count=3, seed=2) == []

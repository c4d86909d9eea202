from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.console.autoplay import campaign

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.campaign
def test_hands_deal_themselves_through_faults_and_no_screen_shows_a_face_down_card(
    tmp_path: Path,
) -> None:
    tally = campaign(tmp_path, 6, seed=4, faults=0.01)
    assert tally.hands == 6
    assert tally.screens > 300
    assert tally.faults
    assert tally.leaks == []
    assert (tally.crashes, tally.logged, tally.sound) == (0, 0, True)

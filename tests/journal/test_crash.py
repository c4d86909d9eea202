from __future__ import annotations

from tests.crash import campaign


def test_kills_lose_nothing_and_change_nothing() -> None:
    tally = campaign(60, seed=7, most=12)
    assert tally.kills >= 12
    assert tally.acknowledged > 200
    assert (tally.lost, tally.mismatches, tally.unsound) == (0, 0, 0)

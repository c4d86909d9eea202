from __future__ import annotations

import shutil

import pytest

from tests.crash import campaign, strace_works
from tests.powerloss import explore

pytestmark = pytest.mark.campaign


def test_kills_lose_nothing_and_change_nothing() -> None:
    tally = campaign(60, seed=7, most=12)
    assert tally.kills >= 12
    assert tally.acknowledged > 200
    assert (tally.lost, tally.mismatches, tally.unsound) == (0, 0, 0)


needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None or not strace_works(),
    reason="there is no strace here that may trace",
)


@needs_strace
def test_a_power_cut_at_any_moment_leaves_a_sound_log_with_every_acknowledged_event() -> None:
    assert set(explore(150, seed=3)) == {""}


@needs_strace
def test_the_exploration_of_power_cuts_finds_a_disk_that_lies() -> None:
    assert len([found for found in explore(60, seed=3, lying=True) if found]) > 10

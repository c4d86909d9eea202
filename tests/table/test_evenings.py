"""Whole evenings at random: players come and go, hands are played, the floor rules."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from omaha_table.rules import load_profile, shipped_ids
from omaha_table.table.events import Ruled
from tests.evenings import profile_with
from tests.table.random_evening import Night

if TYPE_CHECKING:
    from omaha_table.rules import Profile

EVENINGS = int(os.environ.get("OMAHA_EVENINGS", "60"))


def profiles() -> list[tuple[Profile, str]]:
    found = [(load_profile(i), limit.id) for i in shipped_ids() for limit in load_profile(i).limits]
    dead = profile_with("house_omaha_hilo", button={"method": "dead"})
    return [*found, (dead, dead.limits[0].id)]


@settings(max_examples=EVENINGS, deadline=None)
@given(st.sampled_from(profiles()), st.integers(0, 2**32))
def test_an_evening_keeps_every_chip_and_every_rule(game: tuple[Profile, str], seed: int) -> None:
    night = Night(*game, seed)
    night.play(12)
    ruled = [r for r in night.evening.log if isinstance(r.event, Ruled)]
    for record in ruled:
        assert isinstance(record.event, Ruled)
        assert set(record.event.by) <= {"F1", "S1"}

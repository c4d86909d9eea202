"""A hand as it stands after a script, for tests that look at the state itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.desk import Desk
from omaha_table.desk.script import run_line
from omaha_table.floor.files import demo_staff
from omaha_table.rules import load_profile
from tests.evenings import codes

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.rules import Profile


def hand_after(script: str, rules: str | Profile = "ca_omaha_hilo") -> HandState:
    """The hand that is being played when a script without a refusal ends."""
    profile = load_profile(rules) if isinstance(rules, str) else rules
    desk = Desk(profile, profile.limits[0], demo_staff(), lambda: 1_800_000_000.0)
    for number, line in enumerate(script.splitlines(), start=1):
        assert not codes(list(run_line(desk, number, line))), line
    assert desk.state.hand is not None
    return desk.state.hand

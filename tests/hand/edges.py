"""A hand as it stands after a script, for tests that look at the state itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.files import demo_staff
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import PLACED_HILO, codes

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.rules import Profile


def hand_after(script: str, rules: str | Profile = PLACED_HILO) -> HandState:
    """The hand that is being played when a script without a refusal ends."""
    profile = load_profile(rules) if isinstance(rules, str) else rules
    session = Session(profile, profile.limits[0], demo_staff(), lambda: 1_800_000_000.0)
    for number, line in enumerate(script.splitlines(), start=1):
        assert not codes(list(run_line(session, number, line))), line
    assert session.state.hand is not None
    return session.state.hand

"""Which rulings are offered at a moment: those that would not be refused then."""

from __future__ import annotations

import pytest

from omaha_table.desk import Desk
from omaha_table.desk.script import run_line
from omaha_table.floor.files import demo_staff
from omaha_table.floor.fitting import fitting
from omaha_table.rules import load_profile

SEATED = "seat 1 A 100\nseat 2 B 100\nseat 3 C 100\nbutton 3\n"
DEALT = SEATED + "deal\n"
FLOP = DEALT + "3 call\n1 call\n2 check\nflop 7c 5h 2s\n"
SHOWN = FLOP + "check around\nturn Kd\ncheck around\nriver As\ncheck around\n"
PUSHED = SHOWN + "high 1\nlow 2\npush\n"


@pytest.mark.parametrize(
    ("script", "some", "none"),
    [
        ("", "device close", "stack button misdeal void waive refund restore deck"),
        (SEATED, "stack button device close", "misdeal award dead refund amend restore pay"),
        (DEALT, "misdeal void dead waive clock binding backup premature", "stack close award live"),
        (FLOP, "board void pot backup dead", "misdeal exposed missing award release stack"),
        (SHOWN, "award board void dead", "binding clock premature stack refund"),
        (PUSHED, "refund amend impound stack button close", "pay award void clock"),
    ],
)
def test_what_fits_the_moment(script: str, some: str, none: str) -> None:
    profile = load_profile("ca_big_o")
    desk = Desk(profile, profile.limits[0], demo_staff())
    for line in script.splitlines():
        assert all(answer["type"] != "refused" for answer in run_line(desk, 1, line))
    offered = {ruling.name for ruling in fitting(desk.state)}
    assert set(some.split()) <= offered
    assert not set(none.split()) & offered

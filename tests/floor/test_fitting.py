"""The rulings that fit the moment: what is offered can be given, what is not would be refused."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from omaha_table.floor import RULINGS, Give, fitting, propose
from omaha_table.floor.files import demo_staff
from omaha_table.hand import Refused
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evening_text import evening
from tests.evenings import placed, profile_with
from tests.ruling_words import random_words

if TYPE_CHECKING:
    from omaha_table.floor.spec import Ruling
    from omaha_table.table import TableState

SEATED = "seat 1 A 100\nseat 2 B 100\nseat 3 C 100\nbutton 3\n"
DEALT = SEATED + "deal\n"
FLOP = DEALT + "3 call\n1 call\n2 check\nflop 7c 5h 2s\n"
SHOWN = FLOP + "check around\nturn Kd\ncheck around\nriver As\ncheck around\n"
PUSHED = SHOWN + "high 1\nlow 2\npush\n"
HANDS = int(os.environ.get("OMAHA_EVENINGS", "30")) // 10
TRIES = 60


def can_be_given(state: TableState, ruling: Ruling, rng: random.Random, tries: int) -> bool:
    """Whether some words, of many chosen at random, are not refused."""
    for _ in range(tries if ruling.params else 1):
        try:
            propose(state, Give((), ruling.name, random_words(ruling, state, rng)))
        except Refused:
            continue
        return True
    return False


@pytest.mark.parametrize("rules", ["ca_big_o", "nj_big_omaha_hilo", "house_omaha_hilo"])
def test_a_ruling_is_offered_just_where_it_can_be_given(rules: str) -> None:
    rng = random.Random(rules)
    profile = load_profile(rules)
    session = Session(profile, profile.limits[0], demo_staff())
    offered: Counter[str] = Counter()
    for line in evening(HANDS + 1, seed=11, rules=rules, seats=5):
        for answer in run_line(session, 1, line):
            assert answer["type"] != "refused", answer
        state = session.state
        fits = fitting(state)
        offered.update(ruling.name for ruling in fits)
        for ruling in RULINGS:
            if ruling in fits:
                assert can_be_given(state, ruling, rng, 40 * TRIES), (line, ruling.name)
            else:
                assert not can_be_given(state, ruling, rng, TRIES), (line, ruling.name)
    assert len(offered) > 20, offered


def test_a_refund_is_offered_for_a_fee_of_fifty_cents() -> None:
    limit = {
        "id": "test", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
        "small_blind": "2.00", "big_blind": "4.00", "fees": [{"players": "2+", "fee": "0.50"}],
    }  # fmt: skip
    profile = profile_with("ca_omaha_hilo", odd_chip={"unit": "0.50"}, limit=limit)
    session = Session(profile, profile.limits[0], demo_staff())
    script = (
        "seat 1 A 100\nseat 2 B 100\nbutton 1\ndeal\ncall\ncheck\nflop 2c 7d 9h\ncheck\ncheck\n"
        "turn Kd\ncheck\ncheck\nriver Ks\ncheck\ncheck\nhigh 1\nlow none\npush"
    )
    for line in script.splitlines():
        for answer in run_line(session, 1, line):
            assert answer["type"] != "refused", (line, answer)
    assert session.state.results[-1].fee == 50
    assert "refund" in [ruling.name for ruling in fitting(session.state)]
    given = session.rule(Give(("4711",), "refund", ("1", "2", "0.50", "taken by mistake")))
    assert given.refusal is None


def test_a_closed_table_takes_no_ruling() -> None:
    profile = placed("ca_big_o")
    session = Session(profile, profile.limits[0], demo_staff())
    assert [ruling.name for ruling in fitting(session.state)] == [
        "device",
        "limit",
        "rules",
        "close",
    ]
    assert session.rule(Give(("4711",), "close", ("end of the day",))).refusal is None
    assert fitting(session.state) == []


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
    profile = placed("ca_big_o")
    session = Session(profile, profile.limits[0], demo_staff())
    for line in script.splitlines():
        assert all(answer["type"] != "refused" for answer in run_line(session, 1, line))
    offered = {ruling.name for ruling in fitting(session.state)}
    assert set(some.split()) <= offered
    assert not set(none.split()) & offered

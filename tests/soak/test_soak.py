from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from omaha_table.rules import load_profile
from scripts.campaigns.soak.campaign import campaign
from scripts.campaigns.soak.checks import cards_in
from scripts.campaigns.soak.process import Wrong
from scripts.campaigns.soak.tally import CHECKS, Tally, report
from scripts.campaigns.truth import Felt, low

if TYPE_CHECKING:
    from pathlib import Path

HANDS = int(os.environ.get("OMAHA_SOAK", "16"))


@pytest.mark.campaign
def test_two_short_days_of_the_whole_house(tmp_path: Path) -> None:
    tally = campaign(tmp_path, HANDS, seed=7, a_day=HANDS // 2, kills=0.4)
    assert tally.hands == HANDS
    assert tally.kills >= HANDS // 8
    assert tally.faults.total() >= 1
    assert tally.disk_full == 2
    assert tally.day_changes >= 1
    assert tally.clock_steps == 2
    assert tally.uncompared() == []
    assert tally.wrong.total() == 0
    assert tally.accounted == tally.dealt > 0
    # After every kill that found something acknowledged; once a hand; at every answer.
    assert tally.compared["heads after a kill"] == tally.kills
    assert tally.compared["stacks"] == HANDS
    assert tally.compared["screens searched"] > tally.keys / 4


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("sabotage", "found"),
    [
        ("split", "the awards are not what the rules give"),
        ("leak", "do not lie face up"),
        ("forget", "was acknowledged and is not there"),
        ("drop", "the sealed state of the table does not match the events"),
        ("twice", "cards are told and"),
        ("place", "came back elsewhere"),
        ("freeze", "the screen does not show how the table is"),
        ("blank", "the board is not on the screen"),
    ],
)
def test_a_house_that_is_not_right_is_found_out(tmp_path: Path, sabotage: str, found: str) -> None:
    with pytest.raises(Wrong, match=found):
        campaign(tmp_path, 12, seed=3, a_day=12, kills=0.9, sabotage=sabotage)


def test_a_soak_that_compared_nothing_does_not_say_that_nothing_is_wrong() -> None:
    tally = Tally(hands=40, kills=3)
    assert tally.uncompared() == list(CHECKS)
    assert report(tally).endswith("compared: nothing")
    tally.check("awards", True, "")
    with pytest.raises(Wrong, match="a sentence"):
        tally.check("awards", False, "a sentence")
    assert "awards" not in tally.uncompared()
    assert report(tally).endswith("compared: awards 2 (wrong 1)")


def test_the_soak_counts_as_the_rules_do() -> None:
    """The quartered pot of the README, and an odd dollar: both by hand."""
    board = "7c 5h 2s Kd As".split()
    hole = {
        1: "Ah 3d 9c 9d Ts".split(),
        4: "Kc Kh 4d 8s Jh".split(),
        6: "3s 8d 8c 9h 2d".split(),
    }
    felt = Felt(
        button=5,
        dealt=[6, 1, 4],
        stacks=dict.fromkeys(hole, 0),
        put={1: 3300, 4: 3300, 6: 3300},
        dead={1: 200, 4: 0, 6: 0},
        at_start={},
    )
    awards = felt.awards(load_profile("ca_big_o"), 0, board, hole)
    assert awards == {1: 2500, 4: 5000, 6: 2600}
    assert low(board, hole[1]) == (7, 5, 3, 2, 1)
    assert low("7c 8h Ts Kd As".split(), hole[4]) is None


def test_money_above_the_last_live_bet_goes_back_or_stays() -> None:
    felt = Felt(1, [2, 3], {2: 0, 3: 500}, {2: 300, 3: 900}, {2: 0, 3: 0}, {})
    felt.give_back_uncalled()
    assert (felt.put[3], felt.stacks[3]) == (300, 1100)
    folded = Felt(1, [2, 3], {2: 0, 3: 500}, {2: 300, 3: 900}, {2: 0, 3: 0}, {}, folded={3})
    folded.give_back_uncalled()
    assert folded.pots() == [(1200, [2])]


def test_cards_are_found_wherever_an_event_names_one() -> None:
    body = {"seat": 4, "cards": ["As", "Td"], "said": "the 7h was turned", "key": "Ah+" * 30}
    assert set(cards_in(body)) == {"As", "Td", "7h"}

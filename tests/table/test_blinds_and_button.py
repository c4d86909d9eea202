"""Button and blinds while players come, go and change chairs, and the draw for the button."""

from __future__ import annotations

import pytest

from tests.evenings import codes, draw_lines, of_type, placed, profile_with, run
from tests.floor.four_players import RULES, S4, play

DRAWN = "ca_big_o"
"""A game that opens with the draw for the button."""


def test_blinds_missed_at_once_are_owed_too() -> None:
    five = S4 + "seat 5 E 200\n"
    dead = profile_with(button={"method": "dead"})
    answers = play(five + "deal\nfold to 3\npush\naway 3\nhand", dead)
    assert [(m["seat"], m["small"]) for m in of_type(answers, "blinds_missed")] == [(3, True)]
    first = of_type(play(five + "away 3\nhand"), "blinds_missed")
    assert [(m["seat"], m["big"]) for m in first] == [(3, True)]


def test_two_players_who_change_chairs_still_take_turns_with_the_big_blind() -> None:
    script = "seat 1 A 200\nseat 2 B 200\nbutton 1\ndeal\nfold\npush\nmove 2 5\nhand"
    assert of_type(play(script), "hand_started")[-1]["big_blind"] == 1


@pytest.mark.parametrize("method", ["moving", "dead"])
def test_a_third_player_comes_in_with_a_place_of_his_own(method: str) -> None:
    profile = profile_with(button={"method": method})
    two = "seat 1 A 200\nseat 2 B 200\nbutton 1\n"
    for hands in (1, 2, 3):
        third = "seat 5 E 200\npost 5\n" + "deal\nfold\nfold\npush\n" * 3
        answers = run(two + "deal\nfold\npush\n" * hands + third, profile)
        later = of_type(answers, "hand_started")[hands:]
        for hand in later:
            places = {hand["button"], hand["small_blind"], hand["big_blind"]} - {None}
            assert len(places) >= min(len(hand["dealt"]), 3) - (hand["small_blind"] is None)
        assert 5 in later[-1]["dealt"]


def test_a_game_that_has_broken_up_is_drawn_for_again() -> None:
    leave = "".join(f"leave {n}\n" for n in (1, 2, 3, 4))
    four = "".join(f"seat {n} P{n} 200\n" for n in (1, 2, 3, 4))
    four += "\n".join(draw_lines(1, (1, 2, 3, 4))) + "\n"
    script = four + "deal\nfold\nfold\nfold\npush\n" + leave
    answers = run(script + "seat 2 X 50\nseat 5 Y 50\ndraw 2 Kc\ndraw 5 As\nhand", DRAWN)
    assert not codes(answers)
    assert of_type(answers, "hand_started")[-1]["button"] == 5


def test_the_first_small_blind_between_two_has_passed_nobody() -> None:
    script = "seat 4 A 200\nseat 7 B 200\nseat 9 C 200\naway 9\nbutton 4\nhand"
    answers = run(script, RULES)
    assert not codes(answers)
    assert not [missed for missed in of_type(answers, "blinds_missed") if missed["small"]]


def test_nobody_has_the_big_blind_twice_running_when_three_become_two() -> None:
    script = (
        "seat 1 A 8\nseat 2 B 100\nseat 3 C 100\nbutton 1\ndeal\n1 raise\n2 fold\n3 call\n"
        "flop KhTc4d\nturn 7s\nriver 2c\nshow 3 KsKd9d9c\nmuck 1\npush\nhand"
    )
    first, second = of_type(run(script, placed("ca_omaha_high")), "hand_started")
    assert (first["big_blind"], second["big_blind"]) == (3, 2)
    assert second["button"] == second["small_blind"] == 3


def test_a_dead_button_may_fall_on_an_empty_chair() -> None:
    profile = profile_with("ca_omaha_high", button={"method": "dead"})
    script = (
        "seat 1 A\nseat 2 B\nseat 3 C\nseat 4 D\nbutton 1\ndeal\nfold to 3\npush\nleave 2\nhand"
    )
    _, second = of_type(run(script, profile), "hand_started")
    assert (second["button"], second["small_blind"], second["big_blind"]) == (2, 3, 4)


def test_the_draw_ends_when_everybody_left_has_a_card() -> None:
    start = "seat 1 A\nseat 2 B\nseat 3 C\ndraw 1 As\ndraw 2 Ks\n"
    for end in ("leave 3", "away 3"):
        [placed] = of_type(run(start + end, DRAWN), "button_placed")
        assert (placed["seat"], placed["how"]) == (1, "drawn")
    assert not of_type(run("seat 1 A\ndraw 1 2c", DRAWN), "button_placed")
    answers = run("seat 1 A\ndraw 1 2c\nseat 2 B\ndraw 2 2s", DRAWN)
    assert of_type(answers, "button_placed")[0]["seat"] == 2

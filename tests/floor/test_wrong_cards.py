"""Cards that were exposed, misread or dealt by mistake, and what the floor does about them."""

from __future__ import annotations

from tests.evenings import codes, of_type, run
from tests.floor.four_players import REST, RULES, S4, F, play


def test_a_replaced_card_is_not_held_against_the_hand() -> None:
    three = "seat 1 A\nseat 2 B\nseat 3 C\nbutton 3\nhand\n"
    deck = "2c 3c 4c 2d 5c 7c 2h 8c Tc 2s Jc Qc".split()
    script = three + "".join(f"card {card}\n" for card in deck) + f'{F} exposed 2 "turned"\n'
    script += "3 call\n1 call\n2 check\nflop Kh Qh 9h\ncheck around\nturn 9d\ncheck around\n"
    script += "river 4d\ncheck around\nshow 2 Ad 5c 8c Jc"
    assert not codes(play(script))


def test_backing_up_the_deal_takes_its_cards_back() -> None:
    three = "seat 1 A\nseat 2 B\nseat 3 C\nbutton 3\nhand\n"
    deck = "2c 3c 4c 2d 5c 7c 2h 8c Tc 2s Jc".split()
    script = three + "".join(f"card {card}\n" for card in deck) + f'{F} backup 1 "misread"\n'
    script += "card Js\ncard Qc\n3 call\n1 call\n2 check\nflop Kh Qh 9h\ncheck around\nturn 9d\n"
    answers = play(script + "check around\nriver 4d\ncheck around\nshow 2")
    assert not codes(answers)
    assert "Js" in of_type(answers, "tabled")[0]["cards"]


def test_a_flop_is_taken_back_whatever_was_ruled_since() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\n"
    ruled = limp + f'flop 2c 3c 4c\n{F} waive "slow"\n{F} fourcards "four"\nflop 5c 6c 7c'
    assert not codes(play(ruled))
    shoe = limp + f'card ??\ncard 2c\ncard 3c\n{F} fourcards "four"\nflop 5c 6c 7c'
    assert not codes(play(shoe))


def test_a_second_exposed_card_and_a_tabled_winner_are_refused() -> None:
    twice = S4 + f'deal\n{F} exposed 2 "turned"\n{F} exposed 3 "turned"'
    assert codes(play(twice)) == ["wrong_phase"]
    shown = S4 + "deal\n4 call\n1 fold\n2 call\n3 check\nflop 2c 3c 4c\ncheck around\n" + REST
    assert codes(play(shown + f'show 3 AhAd5h6h\n{F} dead 3 "no"')) == ["cards_speak"]


def test_nothing_is_pushed_over_trouble_that_waits_for_the_floor() -> None:
    start = S4 + "deal\n4 call\n1 call\n2 call\n3 check\n"
    start += "flop 7c 5h 2s\ncheck around\nturn Kd\ncheck around\nriver As\ncard 9h\ncheck around\n"
    start += "high 1\nlow 2\n"
    answers = run(start + "push", RULES)
    assert of_type(answers, "irregularity")
    assert codes(answers) == ["not_authorised"]
    assert not of_type(answers, "hand_ended")
    assert of_type(run(start + f'{F} playon "a stray card"\npush', RULES), "hand_ended")

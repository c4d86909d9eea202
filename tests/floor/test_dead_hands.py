"""Hands that the floor declares dead or live again: their bets, their readings, the next raise."""

from __future__ import annotations

from tests.evenings import codes, no_limit, of_type, profile_with, run
from tests.floor.four_players import REST, S4, F, play


def test_a_dead_hand_that_was_read_as_winner_wins_nothing() -> None:
    start = S4 + "deal\n4 call\n1 fold\n2 call\n3 check\nflop 2c 3c 4c\ncheck around\n" + REST
    answers = play(start + f'high 3\n{F} dead 3 "five cards"\nlow 4\npush\nhigh 4\nlow 2\npush')
    assert codes(answers) == ["wrong_phase"]
    assert set(of_type(answers, "hand_ended")[0]["awards"]) == {"2", "4"}


def test_readings_do_not_outlive_the_pots_they_were_made_for() -> None:
    start = S4.replace("seat 4 D 200", "seat 4 D 4")
    script = start + "deal\n4 allin\n1 raise\n2 call\n3 call\nflop 2c 3d Kh\ncheck around\n"
    script += "turn 9c\ncheck around\nriver 8d\ncheck around\nhigh 1\nhigh 4\n"
    assert not codes(play(script + f'{F} dead 4 "five cards"\nshow 2 AhAd4h5h'))


def test_a_bet_of_a_dead_hand_leaves_the_street_as_before_it() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4c\n"
    answers = play(limp + f'2 bet\n{F} dead 2 "swept"\n3 bet\nstep')
    assert not codes(answers)
    assert of_type(answers, "acted")[-1]["to"] == 400
    assert "uncalled $4 goes back" in of_type(answers, "ruled")[0]["effect"]
    raised = play(S4 + f'deal\n4 raise\n{F} dead 4 "swept"\nstep')
    choices = {c["word"]: c["least"] for c in of_type(raised, "step")[0]["choices"]}
    assert (choices["call"], choices["raise"]) == (400, 800)


def test_a_blind_of_a_dead_hand_stays() -> None:
    answers = play(S4 + f'deal\n{F} dead 3 "six cards"\n4 call\n1 call\n2 call')
    assert of_type(answers, "street_closed")[0]["pot"] == 1600


def test_a_dead_hand_can_lift_the_cap_like_a_fold() -> None:
    script = S4 + f'deal\n4 raise\n1 raise\n2 fold\n{F} dead 3 "swept"\n4 raise\n1 raise\n4 raise'
    assert not codes(play(script))


def test_who_has_not_called_does_not_live_again_for_less() -> None:
    script = S4 + f'deal\n4 call\n1 call\n2 fold\n3 check\n{F} live 2 "retrieved"'
    earlier = S4 + f'deal\n4 call\n1 call\n2 fold\n3 check\nflop 2c 3c 4h\n{F} live 2 "retrieved"'
    for line in (script, earlier):
        [refused] = of_type(play(line), "refused")
        assert "back up to its fold" in refused["message"]


def test_a_dead_raise_leaves_the_least_raise_as_it_was() -> None:
    """Bet 100, raise to 300, raise to 600 declared dead: the next raise is to 500 at least."""
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit("5.00"))
    script = "".join(f"seat {n} P{n} 2000\n" for n in (1, 2, 3, 4)) + "button 1\ndeal\n"
    script += "4 call\n1 call\n2 call\n3 check\nflop 7c 5h 2s\n"
    script += f'2 bet 100\n3 raise 300\n4 raise 600\n{F} dead 4 "five cards"\n'
    [refused] = of_type(run(script + "1 raise 310", profile), "refused")
    assert "from $500" in refused["message"]
    assert not codes(run(script + "1 raise 500", profile))


def test_an_all_in_hand_killed_by_ruling_gets_back_what_nobody_called() -> None:
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    script = "seat 1 A 20\nseat 2 B 50\nseat 3 C 50\nbutton 3\ndeal\n3 raise 30\n"
    answers = run(script + 'floor 4711 dead 3 "dealer swept the hand"\nstep', profile)
    assert not codes(answers)
    assert of_type(answers, "step")[0]["seat"] == 1

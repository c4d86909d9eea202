"""What is posted before a hand and what falls due in it, at the edge of their rules."""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import (
    PLACED_BIG_O,
    PLACED_HILO,
    codes,
    hand_end,
    no_limit,
    of_type,
    placed,
    profile_with,
    run,
)
from tests.hand.lines import choices, seats

FLOP, TURN = "flop Kh Jc 9d", "turn 8s"
THREE = f"{seats([1, 2, 3])}\nbutton 3\ndeal\n"
LIMPED = f"{THREE}call\ncall\ncheck\n{FLOP}\n"


@pytest.mark.parametrize(
    ("big_blind", "small_bet", "least"), [("2.00", "1.00", 400), ("2.00", "5.00", 700)]
)
def test_the_first_raise_is_the_big_blind_or_the_least_bet_more(
    big_blind: str, small_bet: str, least: int
) -> None:
    """A raise is at least the largest bet so far, which the blind is; and never below the least."""
    limit = no_limit("1.00", big_blind=big_blind, small_bet=small_bet)
    profile = profile_with(betting={"max_raises": 0}, limit=limit)
    [step] = of_type(run(THREE + "step", profile), "step")
    assert choices(step)["raise"] == least


def test_nothing_is_posted_by_who_has_nothing_left_for_it() -> None:
    """Seat 1 has its ante of 1 and no chip for the small blind."""
    profile = profile_with("nj_big_omaha_hilo", limit=no_limit("2.00", ante="1.00"))
    answers = run(f"seat 1 A 1\n{seats([2, 3])}\nbutton 3\ndeal", profile)
    posted = [(post["seat"], post["kind"], post["amount"]) for post in of_type(answers, "posted")]
    assert posted == [(1, "ante", 100), (2, "ante", 100), (3, "ante", 100), (2, "big_blind", 200)]
    assert [post["all_in"] for post in of_type(answers, "posted")] == [True, False, False, False]


def game(fee: str, jackpot: str, trigger: str = "flop") -> Any:
    fees = [{"players": "2+", "fee": fee, "jackpot": jackpot}]
    return profile_with(fee={"trigger": trigger}, limit=no_limit("4.00", fees=fees))


def due(script: str, profile: Any) -> list[tuple[int, int, int]]:
    answers = run(script, profile)
    assert not codes(answers), of_type(answers, "refused")
    return [(d["fee"], d["jackpot"], d["hands_dealt"]) for d in of_type(answers, "fee_due")]


def test_a_game_without_a_fee_has_none_due() -> None:
    assert due(LIMPED, game("0.00", "0.00")) == []
    assert due(LIMPED, game("3.00", "0.00")) == [(300, 0, 3)]
    assert due(LIMPED, game("0.00", "1.00")) == [(0, 100, 3)]
    assert due(LIMPED, game("3.00", "1.00")) == [(300, 100, 3)]


def test_no_flop_no_drop() -> None:
    folded = THREE + "fold\nfold\npush"
    assert due(folded, game("3.00", "1.00")) == []
    ended = hand_end(run(folded, game("3.00", "1.00")))
    assert (ended["fee"], ended["jackpot"], ended["waived"]) == (0, 0, 0)


def test_a_fee_of_the_turn_is_not_due_on_the_flop() -> None:
    profile = game("3.00", "1.00", "turn")
    assert due(LIMPED, profile) == []
    ended = hand_end(run(LIMPED + "1 bet 4\n2 fold\n3 fold\npush", profile))
    assert (ended["fee"], ended["jackpot"], ended["awards"]) == (0, 0, {"1": 1200})
    assert due(LIMPED + f"check around\n{TURN}", profile) == [(300, 100, 3)]


def test_a_street_closes_with_what_is_in_the_pot_and_not_with_what_goes_back() -> None:
    """Three put 4 in, seat 1 bets 8 that nobody calls."""
    answers = run(LIMPED + "1 bet 8\n2 fold\n3 fold", game("3.00", "0.00"))
    before, flop = of_type(answers, "street_closed")
    assert (before["pot"], before["returned"]) == (1200, {})
    assert (flop["pot"], flop["returned"]) == (1200, {"1": 800})


def test_dead_money_is_in_the_pot_when_the_street_closes() -> None:
    """Seat 3 was away for both blinds: 4 live and 2 dead, 2 of the small blind, 4 of the big."""
    script = f"{seats([1, 2, 3, 4])}\nbutton 4\naway 3\n"
    script += "".join(f"deal\nfold to {big}\npush\n" for big in (2, 4, 1))
    script += "back 3\npost 3\ndeal\n3 check\n4 fold\n1 fold\n2 check"
    answers = run(script, PLACED_HILO, "4-8")
    assert not codes(answers), of_type(answers, "refused")
    assert of_type(answers, "street_closed")[-1]["pot"] == 1200


def test_a_spread_game_has_the_same_bets_on_every_street() -> None:
    script = f"{seats([1, 2, 3])}\nbutton 3\ndeal\ncall\ncall\ncheck\n{FLOP}\nstep\ncheck around\n"
    for step in of_type(run(script + f"{TURN}\nstep", PLACED_BIG_O, "5-100"), "step"):
        [bet] = [choice for choice in step["choices"] if choice["word"] == "bet"]
        assert (bet["least"], bet["most"]) == (500, 10000)


@pytest.mark.parametrize("out", ["3 fold", "3 call"])
def test_a_street_that_two_begin_has_no_cap_whether_the_third_folded_or_is_all_in(out: str) -> None:
    """8-16: seat 3 has 16 in all and gives up, or is all in, on the flop."""
    script = f"{seats([1, 2])}\nseat 3 P3 16\nbutton 3\ndeal\ncall\ncall\ncheck\n{FLOP}\n"
    script += f"1 bet\n2 call\n{out}\n{TURN}\n1 bet\n" + "2 raise\n1 raise\n" * 3
    answers = run(script, profile_with(betting={"heads_up_uncapped": "street_start"}), "8-16")
    assert not codes(answers), of_type(answers, "refused")
    assert of_type(answers, "acted")[-1]["to"] == 7 * 1600


def test_a_street_that_three_begin_has_a_cap() -> None:
    script = f"{seats([1, 2, 3])}\nbutton 3\ndeal\ncall\ncall\ncheck\n{FLOP}\n"
    script += "1 bet\n2 raise\n3 raise\n1 raise\n2 raise"
    assert codes(run(script, PLACED_HILO, "8-16")) == ["raise_cap"]


def test_a_fee_that_would_take_the_whole_pot_is_waived_and_the_game_goes_on() -> None:
    script = (
        "seat 1 A 1.50\nseat 2 B 1.50\nbutton 1\ndeal\nflop 2c3c9d\nturn Ts\nriver Kd\n"
        "show 1 AsAd4h4s\nshow 2 QsQd5h5s\npush\nbuy 2 100\nhand"
    )
    answers = run(script, placed("ca_omaha_high"))
    assert not codes(answers)
    ended = of_type(answers, "hand_ended")[0]
    assert (ended["fee"], ended["waived"], ended["awards"]) == (0, 300, {"1": 300})


def test_dead_money_that_is_all_of_a_stack_can_be_won_by_who_put_it_in() -> None:
    """A big blind of 5 with 3 chips for an ante of 5: it plays for those 3."""
    limit = no_limit("5.00", ante="5.00", ante_by="big_blind")
    profile = profile_with("nj_big_omaha_high", betting={"max_raises": 0}, limit=limit)
    script = "seat 1 A 100\nseat 2 B 3\nseat 3 C 100\nbutton 3\ndeal\n3 call\n1 call\n"
    script += "flop 7c 5h 2s\ncheck around\nturn Kd\ncheck around\nriver As\ncheck around\n"
    ended = hand_end(run(script + "high 2\nhigh 1\npush", profile))
    assert [(pot["amount"], pot["eligible"]) for pot in ended["pots"]] == [
        (300, [1, 2, 3]),
        (1000, [1, 3]),
    ]
    assert ended["awards"] == {"1": 1000, "2": 300}


def test_before_everybody_has_acted_dead_money_is_in_the_one_pot_there_is() -> None:
    limit = no_limit("5.00", ante="5.00", ante_by="big_blind")
    profile = profile_with("nj_big_omaha_high", betting={"max_raises": 0}, limit=limit)
    script = "seat 1 A 100\nseat 2 B 100\nseat 3 C 100\nbutton 3\ndeal\n3 fold\n1 fold\npush"
    assert hand_end(run(script, profile))["awards"] == {"2": 1500}


def test_while_somebody_has_yet_to_act_dead_money_is_no_pot_of_its_own() -> None:
    limit = no_limit("5.00", ante="5.00", ante_by="big_blind")
    profile = profile_with("nj_big_omaha_high", betting={"max_raises": 0}, limit=limit)
    session = Session(profile, profile.limits[0])
    for line in ("seat 1 A 100", "seat 2 B 100", "seat 3 C 100", "button 3", "deal"):
        list(run_line(session, 1, line))
    assert session.state.hand is not None
    assert [(pot.amount, pot.eligible) for pot in session.state.hand.pots()] == [(1500, (1, 2))]

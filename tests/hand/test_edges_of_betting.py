"""Betting at the edge of its rules: exactly enough, one chip less, nobody left to answer.

Amounts are worked out by hand; dollars in the scripts, cents in what is expected.
"""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.hand import Refused, decide
from omaha_table.hand.betting import misdeal_window_open, options
from omaha_table.hand.commands import Act
from omaha_table.hand.events import Acted
from tests.evenings import PLACED_HILO, codes, no_limit, of_type, profile_with, run
from tests.hand.edges import hand_after
from tests.hand.lines import BOARD, choices, seats

FLOP, TURN, RIVER = BOARD
THREE = f"{seats([1, 2, 3])}\nbutton 3\ndeal\n"
POT = no_limit("5.00", structure="pot_limit", big_blind="10.00", small_bet="10.00")
BIG_POT = no_limit("100.00", structure="pot_limit", big_blind="200.00", small_bet="200.00")


def uncapped(limit: dict[str, Any], rules: str = "ca_omaha_hilo", **changes: Any) -> Any:
    return profile_with(rules, betting={"max_raises": 0}, limit=limit, **changes)


def steps(script: str, rules: Any = PLACED_HILO, limit: str | None = None) -> list[Any]:
    answers = run(script, rules, limit)
    assert not codes(answers), of_type(answers, "refused")
    return of_type(answers, "step")


def sized(step: dict[str, Any]) -> tuple[int | None, int | None]:
    """The least and the greatest bet or raise that a step offers."""
    [choice] = [c for c in step["choices"] if c["word"] in ("bet", "raise")]
    return choice["least"], choice["most"]


# Who has to act


def test_a_blind_that_already_covers_an_all_in_needs_no_answer() -> None:
    """The small blind is all in for 2: of the big blind's 4, 2 go back, and the flop is due."""
    answers = run("seat 1 A 2\nseat 2 B 100\nbutton 1\ndeal\nstep", PLACED_HILO, "4-8")
    [closed] = of_type(answers, "street_closed")
    assert (closed["returned"], closed["pot"]) == ({"2": 200}, 400)
    assert of_type(answers, "step")[0]["what"] == "flop"


def test_a_hand_that_lives_again_acts_though_those_behind_it_have_acted() -> None:
    script = f"{seats([1, 2, 3, 4])}\nbutton 4\ndeal\ncall\ncall\ncall\ncheck\n{FLOP}\n"
    script += '1 check\n2 check\nfloor 4711 dead 3 "mixed"\nfloor 4711 live 3 "told apart"\n'
    [step] = steps(script + "4 check\nstep")
    assert (step["what"], step["seat"]) == ("act", 3)


def test_nobody_has_options_when_nobody_is_to_act() -> None:
    hand = hand_after(THREE + "call\ncall\ncheck")
    with pytest.raises(ValueError, match="nobody is to act"):
        options(hand)


# Who may raise


@pytest.mark.parametrize("stack", [3, 4])
def test_who_has_no_more_than_a_call_may_call_all_in_or_fold(stack: int) -> None:
    script = f"{seats([1, 2, 4])}\nseat 3 P3 {stack}\nbutton 4\ndeal\nstep\n3 raise\n3 call"
    answers = run(script, PLACED_HILO, "4-8")
    [step], [refused] = of_type(answers, "step"), of_type(answers, "refused")
    assert choices(step) == {"fold": None, "call": 100 * stack, "allin": 100 * stack}
    assert refused["code"] == "bet_size"
    assert "does not have enough to raise" in refused["message"]
    [called] = of_type(answers, "acted")
    assert (called["action"], called["to"], called["all_in"]) == ("call", 100 * stack, True)


def test_one_chip_more_than_a_call_is_a_raise_all_in() -> None:
    script = f"{seats([1, 2, 4])}\nseat 3 P3 5\nbutton 4\ndeal\nstep\n3 raise"
    [step] = steps(script, PLACED_HILO, "4-8")
    assert choices(step) == {"fold": None, "call": 400, "raise": 500, "allin": 500}


def test_against_a_folded_and_an_all_in_hand_nobody_is_left_to_raise() -> None:
    script = f"{seats([1, 3])}\nseat 2 P2 20\nbutton 3\ndeal\n3 call\n1 fold\n2 allin\n"
    answers = run(script + "step\n3 raise 60", uncapped(no_limit()))
    assert choices(of_type(answers, "step")[0]) == {"fold": None, "call": 1900, "allin": None}
    assert codes(answers) == ["nobody_to_call"]


def test_why_a_seat_may_not_raise_is_a_word_or_empty() -> None:
    script = f"{seats([1, 2, 4])}\nseat 3 P3 1\nbutton 4\ndeal"
    may = options(hand_after(script))
    assert (may.least, may.most, may.barred) == (None, None, "")


# Sizes


def test_the_greatest_bet_is_the_rules_or_all_chips_whichever_is_less() -> None:
    start = "seat 1 A 500\nseat 2 B 500\nseat 3 C {}\nseat 4 D 500\nbutton 4\ndeal\nstep"
    assert sized(steps(start.format(500), uncapped(POT))[0]) == (2000, 3500)
    assert sized(steps(start.format(30), uncapped(POT))[0]) == (2000, 3000)
    assert sized(steps(start.format(15), uncapped(POT))[0]) == (1500, 1500)
    [fixed] = steps(start.format(500), PLACED_HILO, "4-8")
    assert sized(fixed) == (800, 800)


def test_a_pot_sized_raise_by_the_blinds() -> None:
    """5/10: after a call the small blind faces 5: 25 + 5 = 30, so to 40; so may the big blind."""
    start = f"{seats([1, 2, 3])}\nbutton 3\ndeal\n3 call\nstep\n1 call\nstep"
    small, big = steps(start, uncapped(POT))
    assert sized(small) == (2000, 4000)
    assert sized(big) == (2000, 4000)


def test_a_pot_sized_bet_on_the_flop_is_what_lies_there() -> None:
    """Blinds of 100 and 200, the small one short by 50: 450 lie there, and no more counts."""
    start = f"seat 1 A 50\n{seats([2, 3])}\nbutton 3\ndeal\n3 call\n2 check\n{FLOP}\nstep"
    assert sized(steps(start, uncapped(BIG_POT))[0]) == (20000, 45000)


@pytest.mark.parametrize("stack", [50, 99, 100, 5000])
def test_a_short_small_blind_counts_in_full_for_the_first_raise(stack: int) -> None:
    """100/200: to 700, whatever the small blind could post."""
    start = f"seat 1 A {stack}\nseat 2 B 9000\n{seats([3, 4])}\nbutton 4\ndeal\nstep"
    assert sized(steps(start, uncapped(BIG_POT))[0]) == (40000, 70000)


def test_a_small_blind_that_nobody_posts_counts_in_full_too() -> None:
    dead = uncapped(BIG_POT, button={"method": "dead"})
    start = f"{seats([1, 2, 3, 4, 5])}\nbutton 5\ndeal\nfold to 2\npush\nleave 2\ndeal\nstep"
    answers = run(start, dead)
    second = of_type(answers, "hand_started")[1]
    assert (second["small_blind"], second["big_blind"]) == (None, 3)
    assert sized(of_type(answers, "step")[0]) == (40000, 70000)


@pytest.mark.parametrize("stack", [5, 10, 60, 5000])
def test_an_ante_is_paid_before_a_short_blind(stack: int) -> None:
    """Of 60, 10 are the ante and 50 the blind. Two or three antes more than 700."""
    limit = BIG_POT | {"ante": "10.00"}
    start = f"seat 1 A {stack}\n{seats([2, 3])}\nbutton 3\ndeal\nstep"
    [step] = steps(start, uncapped(limit, "nj_big_omaha_hilo"))
    assert sized(step) == (40000, 70000 + 2000 + 100 * min(stack, 10))


# What counts as a raise


def test_after_a_short_all_in_the_least_raise_stays_the_last_full_one() -> None:
    """A bet of 100, all in for 125, a raise to 225: the next is to 325."""
    start = f"{seats([1, 3, 4])}\nseat 2 P2 126\nbutton 4\ndeal\ncall\ncall\ncall\ncheck\n{FLOP}\n"
    first, second = steps(
        start + "1 bet 100\n2 allin\nstep\n3 raise 225\nstep", uncapped(no_limit())
    )
    assert sized(first)[0] == 22500
    assert sized(second)[0] == 32500


def test_the_least_raise_counts_towards_the_cap() -> None:
    profile = profile_with(betting={"max_raises": 3}, limit=no_limit())
    start = f"{seats([1, 2, 3])}\nbutton 3\ndeal\ncall\ncall\ncheck\n{FLOP}\n"
    start += "1 bet 1\n2 raise 2\n3 raise 3\n1 raise 4\n"
    assert codes(run(start + "2 raise 5", profile)) == ["raise_cap"]


def test_all_in_leaves_two_who_can_bet_and_lifts_the_cap_as_a_fold_does() -> None:
    """8-16 turn: seat 5 calls the bet with its last chips, before the cap."""
    start = (
        f"{seats([2, 9])}\nseat 5 P5 24\nbutton 9\ndeal\ncall\ncall\ncheck\n{FLOP}\ncheck around\n"
    )
    start += f"{TURN}\n2 bet\n5 call\n9 raise\n2 raise\n9 raise\n2 raise\n9 raise"
    acted = of_type(run(start, PLACED_HILO, "8-16"), "acted")
    assert [act["to"] for act in acted][-5:] == [3200, 4800, 6400, 8000, 9600]


def test_a_fold_that_leaves_three_does_not_lift_the_cap() -> None:
    start = (
        f"{seats([2, 5, 7, 9])}\nbutton 9\ndeal\ncall\ncall\ncall\ncheck\n{FLOP}\ncheck around\n"
    )
    start += f"{TURN}\n2 bet\n5 raise\n7 fold\n9 raise\n2 raise\n5 raise"
    assert codes(run(start, PLACED_HILO, "8-16")) == ["raise_cap"]


# What is said of an action


def acted(script: str, rules: Any = PLACED_HILO, limit: str | None = None) -> Any:
    """The last action: what it was, to how much, and whether it was all in."""
    answers = run(script, rules, limit)
    assert not codes(answers), of_type(answers, "refused")
    last = of_type(answers, "acted")[-1]
    return last["action"], last["to"], last["all_in"]


def test_all_in_is_a_call_a_raise_or_a_bet() -> None:
    three = f"{seats([1, 2])}\nseat 3 P3 {{}}\nbutton 1\ndeal\n"
    raised = three + "1 raise 9\n2 call\n3 allin"
    assert acted(raised.format(5), uncapped(no_limit())) == ("call", 500, True)
    assert acted(raised.format(30), uncapped(no_limit())) == ("raise", 3000, True)
    limped = three.format(30) + f"1 call\n2 call\n3 check\n{FLOP}\n2 check\n3 allin"
    assert acted(limped, uncapped(no_limit())) == ("bet", 2900, True)


def refusal(script: str, rules: Any = PLACED_HILO, limit: str | None = None) -> tuple[str, str]:
    [refused] = of_type(run(script, rules, limit), "refused")
    return refused["code"], refused["message"]


def test_a_call_of_another_amount_is_refused_and_the_right_one_taken() -> None:
    hand = hand_after(THREE)
    with pytest.raises(Refused, match=r"A call is to \$4\.") as refused:
        decide(hand, Act("call", 600))
    assert refused.value.code == "bet_size"
    [called] = decide(hand, Act("call", 400)).events
    assert called == Acted(3, "call", 400, 400, all_in=False, entry=hand.entry + 1)


def test_where_bets_are_not_fixed_a_raise_says_how_much() -> None:
    code, message = refusal(THREE + "3 raise", uncapped(no_limit()))
    assert (code, "how much to raise: at least $2" in message) == ("bet_size", True)


def test_a_raise_below_the_least_is_refused_with_the_least() -> None:
    code, message = refusal(THREE + "3 raise 1.50", uncapped(no_limit()))
    assert (code, message.endswith("at least $2.")) == ("bet_size", True)


@pytest.mark.parametrize("amount", [3, 4])
def test_all_in_for_no_more_than_lies_in_front_is_refused(amount: int) -> None:
    code, message = refusal(THREE + f"3 raise\n1 fold\n2 allin {amount}", limit="4-8")
    assert (code, message.endswith("more than $4.")) == ("bet_size", True)


def test_all_in_for_more_than_may_be_bet_is_refused_and_for_just_that_taken() -> None:
    deep = f"{seats([1, 2])}\nseat 3 P3 100\nbutton 3\ndeal\n3 allin"
    code, message = refusal(deep, limit="4-8")
    assert (code, "all in for $100 is more than may be bet" in message.lower()) == (
        "bet_size",
        True,
    )
    exact = f"{seats([1, 2])}\nseat 3 P3 8\nbutton 3\ndeal\n3 allin"
    assert acted(exact, limit="4-8") == ("raise", 800, True)


def test_what_bars_a_raise_bars_an_all_in_raise_too_and_says_why() -> None:
    """8-16 flop: all in for 2 more than the bet does not let the bettor raise again."""
    start = f"{seats([2, 9])}\nseat 5 P5 18\nbutton 9\ndeal\ncall\ncall\ncheck\n{FLOP}\n"
    start += "2 bet\n5 allin\n9 call\n"
    code, message = refusal(start + "2 allin 40", limit="8-16")
    assert code == "not_reopened"
    assert "too small to reopen the betting: seat 2 may" in message
    alone = f"{seats([1, 3])}\nseat 2 P2 20\nbutton 3\ndeal\n3 call\n1 fold\n2 allin\n3 allin 60"
    code, message = refusal(alone, uncapped(no_limit()))
    assert (code, "is left who could call a raise" in message) == ("nobody_to_call", True)


def test_who_says_bet_with_nothing_to_call_is_told_so() -> None:
    code, message = refusal(THREE + "3 call\n1 call\n2 bet", limit="4-8")
    assert (code, message.endswith("nothing to call.")) == ("cannot_bet", True)


# Rulings


def test_an_action_out_of_turn_binds_the_next_turn_and_no_other() -> None:
    start = f"{seats([1, 2, 3, 4])}\nbutton 4\ndeal\ncall\ncall\ncall\ncheck\n{FLOP}\n1 bet\n"
    start += 'floor 4711 binding 3 call "before seat 2"\n2 call\n3 call\n'
    start += 'floor 4711 dead 3 "mixed"\nfloor 4711 live 3 "told apart"\n4 call\n'
    assert acted(start + "3 check", limit="8-16") == ("check", 800, False)


def test_no_misdeal_once_a_card_of_the_flop_lies_there_though_nobody_has_acted() -> None:
    blinds = "seat 1 A 2\nseat 2 B 2\nbutton 1\nhand\n" + "card ??\n" * 8
    assert misdeal_window_open(hand_after(blinds)) is True
    assert misdeal_window_open(hand_after(blinds + "card ??\ncard 7c")) is False
    assert misdeal_window_open(hand_after(blinds + "flop 7c5h2s")) is False


def test_one_cent_is_chips_in_the_pot() -> None:
    """Two actions of which one put chips in are substantial."""
    profile = profile_with("ca_omaha_hilo", misdeal={"window": "tda_substantial"})
    start = f"{seats([1, 2, 4, 5])}\nseat 3 P3 0.01\nbutton 5\ndeal\n3 call\n"
    assert misdeal_window_open(hand_after(start, profile)) is True
    assert misdeal_window_open(hand_after(start + "4 fold", profile)) is False

"""Cases that a second pair of eyes found around rulings and between hands, as they were played."""

from __future__ import annotations

import json

import pytest

from omaha_table.rules import load_profile
from omaha_table.shipped import config_dir
from tests.evenings import check_sums, codes, no_limit, of_type, profile_with, run

S4 = "seat 1 A 200\nseat 2 B 200\nseat 3 C 200\nseat 4 D 200\nbutton 1\n"
F = "floor 4711"
FOLDED = "deal\nfold\nfold\nfold\npush\n"
RULES = "ca_omaha_hilo"
REST = "turn Kc\ncheck around\nriver Kd\ncheck around\n"


def play(script: str, rules: object = RULES) -> list[dict[str, object]]:
    answers = run(script, rules)  # type: ignore[arg-type]
    for ended in of_type(answers, "hand_ended"):
        check_sums(ended)
        assert all(pot["amount"] >= 0 for pot in ended["pots"])
    return answers


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


@pytest.mark.parametrize("seat", [2, 3])
def test_who_posts_a_blind_cannot_be_named_to_sit_out(seat: int) -> None:
    nine = "".join(f"seat {n} P{n} 200\n" for n in range(1, 10)) + "button 1\n"
    rules = load_profile(str(config_dir() / "examples" / "rulings" / "nine_by_the_floor.toml"))
    answers = play(nine + f'{F} nohand {seat} "tired"\ndeal\n{F} nohand 6 "tired"\ndeal', rules)
    assert codes(answers) == ["wrong_phase"]
    assert of_type(answers, "hand_started")[0]["no_hand"] == [6]
    [step] = of_type(play(nine + "step", rules), "step")
    assert (step["who"], step["what"]) == ("floor", "nohand")


def test_nothing_goes_back_from_a_pot_that_is_not_there() -> None:
    dead = profile_with(RULES, button={"method": "dead"})
    assert codes(play(S4 + FOLDED + f'leave 3\nhand\n{F} pot 4 back 1 "what"', dead)) == ["chips"]
    big = profile_with(RULES, betting={"max_raises": 0}, limit=no_limit())
    raised = "seat 1 A 200\nseat 2 B 200\nseat 3 C 200\nseat 5 E 200\nbutton 1\ndeal\n5 raise 100\n"
    answers = play(raised + '1 call\nfloor 4711 4712 pot 5 back 90 "what"', big)
    assert "main pot holds" in of_type(answers, "refused")[0]["message"]


def test_a_seat_in_a_hand_keeps_a_chip_whatever_is_ruled() -> None:
    script = S4 + 'deal\n4 raise\n1 call\nfloor 4711 4712 pot 2 add 198 "light"\n2 check'
    assert codes(play(script)) == ["chips", "cannot_check"]


def test_a_button_put_right_after_a_misdeal_is_used() -> None:
    script = S4 + f'deal\n{F} misdeal "button was wrong"\n{F} button 3 "correct"\nhand'
    assert of_type(play(script), "hand_started")[-1]["button"] == 3


@pytest.mark.parametrize("between", ["leave 5", "limit 8-16"])
def test_a_hand_called_off_moves_neither_button_nor_blinds(between: str) -> None:
    script = S4 + f'seat 5 E 200\ndeal\n{F} misdeal "exposed"\n{between}\nhand'
    first, second = of_type(play(script), "hand_started")
    places = ("button", "small_blind", "big_blind")
    assert [first[key] for key in places] == [second[key] for key in places]


def test_a_debt_that_came_back_with_a_misdeal_is_owed_again() -> None:
    lap = "".join(f"deal\nfold to {big}\npush\n" for big in (3, 4, 5, 6, 1, 2))
    six = S4 + "seat 5 E 200\nseat 6 F 200\n"
    script = six + lap + "leave 6\nseat 6 N 100\npost 6\nhand\n" + f'{F} misdeal "exposed"\nhand'
    hands = of_type(play(script), "hand_started")
    assert hands[-1]["posts"] == hands[-2]["posts"]
    assert [post for post in hands[-1]["posts"] if post["kind"] == "late"]


def test_a_bet_of_a_dead_hand_leaves_the_street_as_before_it() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4c\n"
    answers = play(limp + f'2 bet\n{F} dead 2 "swept"\n3 bet\nstep')
    assert not codes(answers)
    assert of_type(answers, "acted")[-1]["to"] == 400
    assert "$4 that nobody called goes back" in of_type(answers, "ruled")[0]["effect"]
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


def test_an_action_out_of_turn_binds_one_turn() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4c\n"
    script = limp + f'{F} binding 4 check "early"\n' + "check around\nturn 5c\n"
    assert not codes(play(script + "2 check\n3 check\n4 bet"))
    assert codes(play(S4 + f'deal\n{F} binding 2 check "early"')) == ["wrong_phase"]


HAND = "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4h\ncheck around\n" + REST
HAND += "high 2\nlow 3\npush\n"


def test_a_fee_goes_back_once_and_from_its_own_box() -> None:
    refund = f'{F} refund 1 2 3 "taken twice"\n'
    assert codes(play("shift day B1 J1\n" + S4 + HAND + refund * 2)) == ["chips"]
    swung = "shift day B1 J1\n" + S4 + HAND + "shift swing B2 J2\n" + refund
    assert codes(play(swung)) == ["wrong_phase"]


def test_an_amendment_does_not_reach_the_next_player_in_the_chair() -> None:
    script = S4 + HAND + "leave 2\nseat 2 Zoe 50\n"
    for ruling in ("amend 1 2 4 5", "impound 2 5"):
        assert codes(play(script + f'{F} {ruling} "wrong push"')) == ["no_such_seat"]


def test_both_halves_of_a_pot_can_be_held() -> None:
    script = S4 + HAND + f'{F} impound 2 6 "camera"\n{F} impound 3 6 "camera"\n'
    assert not codes(play(script + f'{F} pay 1 4 12 "camera"'))


def test_a_misdeal_does_not_end_the_time_for_amending() -> None:
    script = S4 + HAND + f'deal\n{F} misdeal "exposed"\n{F} amend 1 2 3 5 "misread"'
    assert not of_type(play(script), "chips_transferred")[0]["adjusting"]
    assert codes(play(S4 + HAND + f'{F} amend 1 2 2 0 "nothing"')) == ["chips"]


SCOOP = (
    "".join(f"seat {n} P{n} 300\n" for n in (1, 2, 3, 4))
    + "button 4\ndeal\n3 raise\n4 fold\n1 call\n2 raise\n3 call\n1 call\nflop 2c 3c Kh\n1 check\n"
    "2 bet\n3 call\n1 call\nturn Kc\n1 check\n2 bet\n3 fold\n1 fold\npush\n"
)


def test_a_scoop_that_is_split_after_all_sets_no_kill() -> None:
    answers = play(SCOOP + f'{F} amend 1 2 3 30 "split pot"\nhand', "house_omaha_hilo")
    assert of_type(answers, "hand_ended")[0]["kill"] == 2
    assert of_type(answers, "hand_started")[-1]["killer"] is None


def test_a_kill_that_was_missed_is_paid_before_playing_on() -> None:
    script = SCOOP + "away 2\ndeal\nfold\nfold\npush\nback 2\n" + "deal\nfold\nfold\npush\n" * 3
    answers = play(script + "hand", "house_omaha_hilo")
    posts = [p for h in of_type(answers, "hand_started") for p in h["posts"] if p["seat"] == 2]
    assert {"seat": 2, "kind": "dead", "amount": 900} in posts


def test_blinds_missed_at_once_are_owed_too() -> None:
    five = S4 + "seat 5 E 200\n"
    dead = profile_with(RULES, button={"method": "dead"})
    answers = play(five + "deal\nfold to 3\npush\naway 3\nhand", dead)
    assert [(m["seat"], m["small"]) for m in of_type(answers, "blinds_missed")] == [(3, True)]
    first = of_type(play(five + "away 3\nhand"), "blinds_missed")
    assert [(m["seat"], m["big"]) for m in first] == [(3, True)]


def test_two_players_who_change_chairs_still_take_turns_with_the_big_blind() -> None:
    script = "seat 1 A 200\nseat 2 B 200\nbutton 1\ndeal\nfold\npush\nmove 2 5\nhand"
    assert of_type(play(script), "hand_started")[-1]["big_blind"] == 1


@pytest.mark.parametrize(
    "line",
    [
        'flor 4711 misdeal "x x"', "floor: 4711 misdeal", "floor '4711' misdeal xxx",
        'floor 4711, misdeal "xxx"', "floor PIN 4711 4712 void", 'floor "4711 misdeal "x x"',
        "floor ask 4711 misdeal", 'floor 4711 4712 9000 void "x x"', 'floor 4711 void 4712 "foul"',
    ],
)  # fmt: skip
def test_no_pin_is_repeated_wherever_it_was_typed(line: str) -> None:
    text = json.dumps(play(S4 + "deal\n" + line))
    for pin in ("4711", "4712", "9000"):
        assert pin not in text


def test_two_persons_cannot_be_got_round() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4h\n"
    assert codes(play(limp + f'{F} backup 1 "alone"\n{F} void "alone"')) == ["two_persons"]
    twice = f'{F} pot 4 add 60 "light"\n{F} pot 1 add 60 "light"'
    assert codes(play(limp + twice)) == ["two_persons"]


def test_a_flop_is_taken_back_whatever_was_ruled_since() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\n"
    ruled = limp + f'flop 2c 3c 4c\n{F} waive "slow"\n{F} fourcards "four"\nflop 5c 6c 7c'
    assert not codes(play(ruled))
    shoe = limp + f'card ??\ncard 2c\ncard 3c\n{F} fourcards "four"\nflop 5c 6c 7c'
    assert not codes(play(shoe))


def test_only_a_single_last_action_is_corrected() -> None:
    assert codes(play(S4 + f'deal\ncall to 3\n{F} bet 4 8 "said raise"')) == ["wrong_phase"]
    untracked = "seat 1 A\nseat 2 B\nseat 3 C\nbutton 3\ndeal\n3 raise\n1 allin 6\n"
    answers = play(untracked + f'{F} bet 1 7 "really seven"')
    assert not codes(answers)
    assert (of_type(answers, "acted")[-1]["to"], of_type(answers, "acted")[-1]["all_in"]) == (
        700,
        True,
    )
    assert codes(play(S4 + f'deal\n4 raise\n1 call\n{F} bet 1 2 "less"')) == ["bet_size"]


def test_a_device_that_is_out_of_use_is_not_heard() -> None:
    script = S4 + f'hand\ncard 2c\ncard 3c\n{F} device shoe "jammed"\ncard 4c\ndeal\n4 call'
    assert codes(play(script)) == ["wrong_phase"]
    big = S4 + f'{F} device shuffler "jammed"\ndeck ok\ndeck manual'
    assert codes(play(big, "ca_big_o")) == ["deck_not_ready"]


def test_a_deck_reported_during_a_hand_is_for_the_next() -> None:
    profile = load_profile("ca_big_o")
    assert profile.shuffle.allowed
    answers = play(S4 + "deal\ndeck bad 51\nfold\nfold\nfold\npush\nhand", "ca_big_o")
    assert codes(answers) == ["deck_not_ready"]


def test_after_closing_the_books_can_be_closed_too() -> None:
    script = (
        "shift day B1 J1\ndown D1\n" + S4 + f'{F} close "break"\nshift close\ndown out\nleave 1'
    )
    assert not codes(play(script))


def test_a_second_exposed_card_and_a_tabled_winner_are_refused() -> None:
    twice = S4 + f'deal\n{F} exposed 2 "turned"\n{F} exposed 3 "turned"'
    assert codes(play(twice)) == ["wrong_phase"]
    shown = S4 + "deal\n4 call\n1 fold\n2 call\n3 check\nflop 2c 3c 4c\ncheck around\n" + REST
    assert codes(play(shown + f'show 3 AhAd5h6h\n{F} dead 3 "no"')) == ["cards_speak"]


@pytest.mark.parametrize("method", ["moving", "dead"])
def test_a_third_player_comes_in_with_a_place_of_his_own(method: str) -> None:
    profile = profile_with(RULES, button={"method": method})
    two = "seat 1 A 200\nseat 2 B 200\nbutton 1\n"
    for hands in (1, 2, 3):
        third = "seat 5 E 200\npost 5\n" + "deal\nfold\nfold\npush\n" * 3
        answers = run(two + "deal\nfold\npush\n" * hands + third, profile)
        later = of_type(answers, "hand_started")[hands:]
        for hand in later:
            places = {hand["button"], hand["small_blind"], hand["big_blind"]} - {None}
            assert len(places) >= min(len(hand["dealt"]), 3) - (hand["small_blind"] is None)
        assert 5 in later[-1]["dealt"]

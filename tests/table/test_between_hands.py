"""Players come and go: who is dealt in, who posts what, where the button and the blinds are."""

from __future__ import annotations

import pytest

from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import PLACED_BIG_O, PLACED_HILO, codes, of_type, placed, profile_with, run
from tests.table.places import folded, posts, seats, started

FOUR = seats(1, 2, 3, 4) + "button 4\n"


def test_button_and_blinds_go_round() -> None:
    hands = started(FOUR + folded(2) + folded(3) + folded(4) + folded(1) + "hand")
    assert [hand["button"] for hand in hands] == [4, 1, 2, 3, 4]
    assert [hand["big_blind"] for hand in hands] == [2, 3, 4, 1, 2]


def test_who_sits_down_later_waits_for_the_big_blind() -> None:
    script = FOUR + folded(2) + folded(3) + "seat 8 New\n" + folded(4) + "hand"
    hands = started(script)
    assert 8 not in hands[2]["dealt"]
    assert hands[3]["big_blind"] == 8
    assert 8 in hands[3]["dealt"]


def test_a_table_that_has_emptied_begins_a_new_game_in_which_nobody_owes() -> None:
    script = FOUR + folded(2) + "leave 1\nleave 2\nleave 3\nleave 4\n"
    hands = started(script + seats(1, 3, 4, 6, 7) + "button 7\nhand")
    assert hands[-1]["dealt"] == [1, 3, 4, 6, 7]
    assert posts(hands[-1]) == [(1, "small_blind", 200), (3, "big_blind", 400)]


def test_or_posts_a_big_blind_and_is_dealt_in_at_once() -> None:
    lap = folded(2) + folded(3) + folded(4) + folded(1)
    hands = started(FOUR + lap + "seat 8 New\npost 8\nhand")
    # The button is on 4 again: seat 8 sits between it and the big blind and has to wait.
    assert 8 not in hands[-1]["dealt"]
    hands = started(FOUR + lap + folded(2) + "seat 8 New\npost 8\nhand")
    assert hands[-1]["button"] == 1
    assert 8 in hands[-1]["dealt"]
    assert posts(hands[-1])[-1] == (8, "late", 400)


def test_a_late_post_is_live_and_has_the_option() -> None:
    lap = folded(2) + folded(3) + folded(4) + folded(1) + folded(2)
    script = FOUR + lap + "seat 8 New\npost 8\ndeal\n4 fold\nstep\n8 check\n"
    answers = run(script, PLACED_HILO)
    assert not codes(answers)
    step = of_type(answers, "step")[0]
    assert step["seat"] == 8
    assert [choice["word"] for choice in step["choices"]][:3] == ["fold", "check", "raise"]


def test_a_later_arrival_whose_chair_no_blind_has_passed_owes_nothing() -> None:
    hands = started(seats(1, 2, 3, 6) + "button 6\n" + folded(2) + "seat 5 New\nhand")
    assert 5 in hands[1]["dealt"]
    assert posts(hands[1]) == [(2, "small_blind", 200), (3, "big_blind", 400)]


AWAY = FOUR + "away 3\n" + folded(2) + folded(4)


def test_who_was_away_owes_the_big_blind_that_passed_and_is_not_dealt_in() -> None:
    answers = run(AWAY + "back 3\nhand", PLACED_HILO)
    [missed] = of_type(answers, "blinds_missed")
    assert (missed["seat"], missed["small"], missed["big"]) == (3, False, True)
    assert of_type(answers, "hand_started")[-1]["dealt"] == [4, 1, 2]


def test_missed_blinds_are_made_up_the_big_one_live_and_the_small_one_dead() -> None:
    answers = run(AWAY + folded(1) + "back 3\npost 3\nhand", PLACED_HILO)
    assert [(m["small"], m["big"]) for m in of_type(answers, "blinds_missed")] == [
        (False, True),
        (True, False),
    ]
    last = of_type(answers, "hand_started")[-1]
    assert last["dealt"] == [1, 2, 3, 4]
    assert posts(last) == [
        (1, "small_blind", 200),
        (2, "big_blind", 400),
        (3, "late", 400),
        (3, "dead", 200),
    ]


def test_the_big_blind_in_its_turn_pays_for_everything_missed() -> None:
    script = FOUR + folded(2) + "away 3\n" + folded(4) + folded(1) + folded(2) + "back 3\nhand"
    last = started(script)[-1]
    assert posts(last) == [(2, "small_blind", 200), (3, "big_blind", 400)]
    assert last["dealt"] == [2, 3, 4, 1]


def test_dead_money_is_in_the_main_pot_and_no_part_of_the_bet() -> None:
    script = AWAY + folded(1) + "back 3\npost 3\ndeal\n3 check\n4 fold\n1 fold\n2 check\n"
    script += (
        "flop KhQcJd\ncheck around\nturn 9s\ncheck around\nriver 2c\ncheck around\nhigh 2\npush"
    )
    ended = of_type(run(script, PLACED_HILO), "hand_ended")[-1]
    assert ended["invested"] == {"1": 200, "2": 400, "3": 600, "4": 0}
    assert ended["awards"] == {"2": 900}


def test_after_three_missed_big_blinds_the_seat_may_be_picked_up() -> None:
    script = seats(1, 2, 3) + "button 3\n" + folded(2) + "away 3\n"
    lap = "deal\nfold\npush\n"
    missed = of_type(run(script + lap * 12, PLACED_HILO), "blinds_missed")
    big = [event for event in missed if event["big"]]
    assert [event["pick_up"] for event in big][:3] == [False, False, True]


def test_the_moving_button_takes_two_big_blinds_rather_than_spare_one() -> None:
    five = seats(1, 2, 3, 4, 5) + "button 1\n"
    hands = started(five + folded(3) + "leave 2\nhand")
    assert (hands[1]["button"], hands[1]["small_blind"], hands[1]["big_blind"]) == (3, 4, 5)
    assert posts(hands[1]) == [(4, "big_blind", 400), (5, "big_blind", 400)]


@pytest.mark.parametrize("leaver", [1, 2, 3])
def test_with_a_dead_button_every_big_blind_comes_in_its_turn(leaver: int) -> None:
    profile = profile_with("ca_omaha_hilo", button={"method": "dead"})
    five = seats(1, 2, 3, 4, 5) + "button 1\n"
    hands = started(five + folded(3) + f"leave {leaver}\n" + folded(4) + "hand", profile)
    assert [hand["big_blind"] for hand in hands] == [3, 4, 5]
    assert hands[1]["button"] == 2
    small = None if leaver == 3 else 3
    assert hands[1]["small_blind"] == small
    assert hands[2]["small_blind"] == 4


def test_heads_up_the_small_blind_is_on_the_button_or_not_by_profile() -> None:
    script = seats(4, 7) + "button 4\n" + "deal\nfold\npush\nhand"
    first, second = started(script)
    assert (first["button"], first["small_blind"], first["big_blind"]) == (4, 4, 7)
    assert (second["button"], second["small_blind"], second["big_blind"]) == (7, 7, 4)
    literal = profile_with("ca_omaha_hilo", button={"heads_up_small_blind_on_button": False})
    first = started(seats(4, 7) + "button 4\nhand", literal)[0]
    assert first["button"] == first["big_blind"]


def test_a_player_without_chips_gets_no_hand_and_owes_what_passes() -> None:
    script = (
        "seat 1 A 8\nseat 2 B 100\nseat 3 C 100\nseat 4 D 100\nbutton 4\ndeal\n3 fold\n4 fold\n"
        "1 raise\n2 call\nflop KhTc4d\nturn 7s\nriver 2c\nhigh 2\nlow none\npush\n"
    )
    answers = run(script + "hand", PLACED_HILO)
    assert 1 not in of_type(answers, "hand_started")[1]["dealt"]


def test_everybody_sits_out_once_a_lap_of_nine() -> None:
    nine = seats(*range(1, 10)) + "button 9\n"
    order = [2, 3, 4, 5, 6, 7, 8, 9, 1]
    hands = started(nine + "".join(map(folded, order)) + "hand", PLACED_BIG_O)
    assert [hand["no_hand"] for hand in hands] == [[n] for n in (9, *range(1, 10))]


def test_under_the_gun_sits_out_where_the_profile_says_so() -> None:
    profile = profile_with("ca_big_o", seats={"no_hand_seat": "under_the_gun"})
    [hand] = started(seats(*range(1, 10)) + "button 3\nhand", profile)
    assert hand["no_hand"] == [6]
    assert 3 in hand["dealt"]


def test_moving_towards_the_blind_is_free_and_away_from_it_waits() -> None:
    five = seats(1, 2, 3, 4, 6) + "button 6\n" + folded(2)
    towards = started(five + "move 6 5\nhand")
    assert 5 in towards[1]["dealt"]
    away = started(five + "move 3 5\nhand")
    assert 5 not in away[1]["dealt"]


def test_a_table_goes_over_to_other_rules_between_hands() -> None:
    other = 'floor 4711 rules ca_big_o 8-16 "players agreed"\n'
    answers = run(FOUR + folded(2) + other + "hand\nrules ca_omaha_hilo", PLACED_HILO)
    last = of_type(answers, "hand_started")[-1]
    assert (last["rules"], last["limit"], last["button"]) == ("ca_big_o", "8-16", 1)
    assert codes(answers) == ["wrong_phase"]
    small = run("seat 10 J\nrules ca_big_o", PLACED_HILO)
    assert codes(small) == ["no_such_seat"]


def test_where_a_deck_is_required_every_hand_needs_one_shuffled_and_cut() -> None:
    lines = ["hand", "deck manual", "hand", "cut", *folded(2).splitlines(), "hand"]
    session = Session(placed("ca_omaha_hilo"), placed("ca_omaha_hilo").limits[0],
                deck_required=True)  # fmt: skip
    answers = [a for line in (*FOUR.splitlines(), *lines) for a in run_line(session, 1, line)]
    assert codes(answers) == ["deck_not_ready"] * 3
    assert len(of_type(answers, "hand_started")) == 1


def test_who_stays_away_too_long_may_be_picked_up() -> None:
    ticks = [1_800_000_000.0]

    def clock() -> float:
        ticks[0] += 600
        return ticks[0]

    answers = run(FOUR + "away 3\nstep\nstep\nstep\nback 3\nstep", PLACED_HILO, clock=clock)
    assert [step["pick_up"] for step in of_type(answers, "step")] == [[], [], [3], []]
    never = profile_with("ca_omaha_hilo", absent={"max_minutes": 0})
    answers = run(FOUR + "away 3\nstep\nstep\nstep\nstep", never, clock=clock)
    assert not any(step["pick_up"] for step in of_type(answers, "step"))


def test_chips_added_to_an_untracked_stack_leave_it_untracked() -> None:
    answers = run("seat 1 A\nseat 2 B\nbuy 1 3\nbutton 1\ndeal\nraise", placed("ca_omaha_high"))
    assert not codes(answers)

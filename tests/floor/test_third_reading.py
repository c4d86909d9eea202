"""Cases that a stranger found in the core, as they were played."""

from __future__ import annotations

from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import codes, hand_end, no_limit, of_type, profile_with, run

S4 = "seat 1 A 200\nseat 2 B 200\nseat 3 C 200\nseat 4 D 200\nbutton 1\n"
F = "floor 4711"
RULES = "ca_omaha_hilo"


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


def test_a_dead_raise_leaves_the_least_raise_as_it_was() -> None:
    """Bet 100, raise to 300, raise to 600 declared dead: the next raise is to 500 at least."""
    profile = profile_with(RULES, betting={"max_raises": 0}, limit=no_limit("5.00"))
    script = "".join(f"seat {n} P{n} 2000\n" for n in (1, 2, 3, 4)) + "button 1\ndeal\n"
    script += "4 call\n1 call\n2 call\n3 check\nflop 7c 5h 2s\n"
    script += f'2 bet 100\n3 raise 300\n4 raise 600\n{F} dead 4 "five cards"\n'
    [refused] = of_type(run(script + "1 raise 310", profile), "refused")
    assert "from $500" in refused["message"]
    assert not codes(run(script + "1 raise 500", profile))


def test_a_hand_called_off_is_not_dealt_again_to_somebody_else() -> None:
    lap = "deal\nfold\nfold\nfold\npush\n" * 4
    off = f'hand\ndeal\n{F} misdeal "boxed cards"\n'
    *_, first, second = of_type(run(S4 + lap + off + "hand", RULES), "hand_started")
    assert second["dealt"] == first["dealt"]
    *_, third = of_type(
        run(S4 + lap + off + "leave 4\nseat 4 New 100\nhand", RULES), "hand_started"
    )
    assert 4 in first["dealt"]
    assert 4 not in third["dealt"]


def test_two_wrong_pins_on_a_line_are_two() -> None:
    script = S4 + 'floor 1234 2345 void "no"\n' * 2 + 'floor 9999 void "no"\nfloor 4711 clock 2 "x"'
    answers = run(script, RULES)
    assert len(of_type(answers, "authority_refused")) == 6
    assert [answer["code"] for answer in of_type(answers, "refused")][-2:] == ["locked", "locked"]


def test_a_game_that_has_broken_up_is_drawn_for_again() -> None:
    leave = "".join(f"leave {n}\n" for n in (1, 2, 3, 4))
    script = S4 + "deal\nfold\nfold\nfold\npush\n" + leave
    answers = run(script + "seat 2 X 50\nseat 5 Y 50\ndraw 2 Kc\ndraw 5 As\nhand", RULES)
    assert not codes(answers)
    assert of_type(answers, "hand_started")[-1]["button"] == 5


def test_nothing_is_pushed_over_trouble_that_waits_for_the_floor() -> None:
    start = S4 + "deal\n4 call\n1 call\n2 call\n3 check\n"
    start += "flop 7c 5h 2s\ncheck around\nturn Kd\ncheck around\nriver As\ncard 9h\ncheck around\n"
    start += "high 1\nlow 2\n"
    answers = run(start + "push", RULES)
    assert of_type(answers, "irregularity")
    assert codes(answers) == ["not_authorised"]
    assert not of_type(answers, "hand_ended")
    assert of_type(run(start + f'{F} playon "a stray card"\npush', RULES), "hand_ended")


def test_the_first_small_blind_between_two_has_passed_nobody() -> None:
    script = "seat 4 A 200\nseat 7 B 200\nseat 9 C 200\naway 9\nbutton 4\nhand"
    answers = run(script, RULES)
    assert not codes(answers)
    assert not [missed for missed in of_type(answers, "blinds_missed") if missed["small"]]


def test_a_reason_is_echoed_as_it_was_written() -> None:
    [refused] = of_type(run(S4 + f'{F} refund 1 2 1 "the reader failed"', RULES), "refused")
    assert refused["command"] == "floor ▒▒ refund 1 2 1 the reader failed"


def test_who_leaves_without_having_been_in_it_changes_nothing_of_a_hand_that_is_dealt_again() -> (
    None
):
    lap = "deal\nfold\nfold\nfold\npush\n" * 4
    off = f'hand\ndeal\n{F} misdeal "boxed cards"\n'
    came = "seat 5 New 100\npost 5\nseat 6 Other 100\nleave 6\n"
    answers = run(S4 + lap + off + came + "hand", RULES)
    assert not codes(answers)
    *_, first, second = of_type(answers, "hand_started")
    assert second["dealt"] == first["dealt"]


def test_while_somebody_has_yet_to_act_dead_money_is_no_pot_of_its_own() -> None:
    limit = no_limit("5.00", ante="5.00", ante_by="big_blind")
    profile = profile_with("nj_big_omaha_high", betting={"max_raises": 0}, limit=limit)
    session = Session(profile, profile.limits[0])
    for line in ("seat 1 A 100", "seat 2 B 100", "seat 3 C 100", "button 3", "deal"):
        list(run_line(session, 1, line))
    assert session.state.hand is not None
    assert [(pot.amount, pot.eligible) for pot in session.state.hand.pots()] == [(1500, (1, 2))]

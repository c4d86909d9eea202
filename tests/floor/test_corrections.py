"""Chips and actions that the floor puts right in the middle of a hand."""

from __future__ import annotations

from tests.evenings import codes, no_limit, of_type, profile_with
from tests.floor.four_players import FOLDED, S4, F, play


def test_nothing_goes_back_from_a_pot_that_is_not_there() -> None:
    dead = profile_with(button={"method": "dead"})
    assert codes(play(S4 + FOLDED + f'leave 3\nhand\n{F} pot 4 back 1 "what"', dead)) == ["chips"]
    big = profile_with(betting={"max_raises": 0}, limit=no_limit())
    raised = "seat 1 A 200\nseat 2 B 200\nseat 3 C 200\nseat 5 E 200\nbutton 1\ndeal\n5 raise 100\n"
    answers = play(raised + '1 call\nfloor 4711 4712 pot 5 back 90 "what"', big)
    assert "main pot has only" in of_type(answers, "refused")[0]["message"]


def test_a_seat_in_a_hand_keeps_a_chip_whatever_is_ruled() -> None:
    script = S4 + 'deal\n4 raise\n1 call\nfloor 4711 4712 pot 2 add 198 "light"\n2 check'
    assert codes(play(script)) == ["chips", "cannot_check"]


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

"""A hand that is called off: who gets the next one, from where, and who owes what."""

from __future__ import annotations

import pytest

from tests.evenings import codes, of_type, run
from tests.floor.four_players import RULES, S4, F, play


def test_a_button_put_right_after_a_misdeal_is_used() -> None:
    script = S4 + f'deal\n{F} misdeal "button was wrong"\n{F} button 3 "correct"\nhand'
    assert of_type(play(script), "hand_started")[-1]["button"] == 3


@pytest.mark.parametrize("between", ["leave 5", f'{F} limit 8-16 "players agreed"'])
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

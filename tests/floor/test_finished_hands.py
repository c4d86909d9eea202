"""Rulings on hands that are over: which hand is meant, who was in it, and until when."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evenings import codes, of_type, placed, run
from tests.floor.four_players import HAND, S4, SCOOP, F, play

FIVE = "".join(f"seat {n} P{n} 200\n" for n in (1, 2, 3, 5, 6)) + "button 6\n"
FOLDED = "deal\n" + "fold\n" * 4 + "push\n"


def messages(answers: list[dict[str, Any]]) -> list[str]:
    return [answer["message"] for answer in of_type(answers, "refused")]


def adjusting(answers: list[dict[str, Any]]) -> list[bool]:
    return [moved["adjusting"] for moved in of_type(answers, "chips_transferred")]


def two_hands() -> str:
    """Two hands; seat 3 leaves after the first, in which five were dealt."""
    return FIVE + FOLDED + "leave 3\ndeal\n" + "fold\n" * 3 + "push\n"


def test_the_hand_that_is_named_is_the_one_that_is_amended() -> None:
    answers = run(two_hands() + f'{F} amend 2 1 2 1 "misread"\n{F} amend 1 1 2 1 "misread"\n')
    assert not codes(answers)
    assert [moved["of_hand"] for moved in of_type(answers, "chips_transferred")] == [2, 1]
    # Only the last hand can still be amended with chips.
    assert adjusting(answers) == [False, True]


def test_only_who_had_a_hand_in_it_is_amended() -> None:
    newcomer = FIVE + FOLDED + "seat 4 P4 200\n"
    for seats in ("4 1", "1 4", "9 1", "1 9"):
        answers = run(newcomer + f'{F} amend 1 {seats} 1 "misread"\n')
        assert codes(answers) == ["no_such_seat"]
        assert "both seats must have been dealt into hand 1" in messages(answers)[0].lower()
    gone = run(two_hands() + f'{F} amend 2 3 1 1 "misread"\n')
    assert "both seats must have been dealt into hand 2" in messages(gone)[0].lower()


@pytest.mark.parametrize(
    ("actions", "late"),
    [
        ("", False),
        ("fold\n", False),
        ("call\n", False),
        ("fold\nfold\n", False),
        ("fold\nfold\nfold\n", True),
        ("fold\ncall\n", True),
        ("call\nfold\n", True),
    ],
)
def test_substantial_action_is_three_actions_or_two_with_chips(actions: str, late: bool) -> None:
    """As the rules of tournament directors have it; blinds are no action."""
    answers = run(FIVE + FOLDED + "deal\n" + actions + f'{F} amend 1 1 2 1 "misread"\n')
    assert not codes(answers)
    assert adjusting(answers) == [late]


@pytest.mark.parametrize(
    ("number", "code"),
    [("999999", "wrong_phase"), ("1000000", "bad_command"), ("٣", "bad_command")],
)
def test_a_number_has_up_to_six_digits(number: str, code: str) -> None:
    assert codes(run(FIVE + f'deal\n{F} backup {number} "too many"')) == [code]


@pytest.mark.parametrize(("amount", "code"), [("0", ["chips"]), ("200", []), ("201", ["chips"])])
def test_a_seat_pays_up_to_its_last_chip_between_hands(amount: str, code: list[str]) -> None:
    assert codes(run(FIVE + f'{F} stack 1 2 {amount} "a debt"')) == code


def test_a_hand_that_was_not_played_is_not_too_long_ago() -> None:
    answers = run(FIVE + f'{F} refund 1 1 1 "taken twice"')
    assert codes(answers) == ["no_such_hand"]
    assert "hand 1 has not been played" in messages(answers)[0].lower()


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


def test_a_scoop_that_is_split_after_all_sets_no_kill() -> None:
    answers = play(SCOOP + f'{F} amend 1 2 3 30 "split pot"\nhand', placed("house_omaha_hilo"))
    assert of_type(answers, "hand_ended")[0]["kill"] == 2
    assert of_type(answers, "hand_started")[-1]["killer"] is None

"""Rulings on hands that are over: which hand is meant, who was in it, and until when."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evenings import codes, of_type, run

F = "floor 4711"
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
        assert "name seats that had a hand in hand 1" in messages(answers)[0].lower()
    gone = run(two_hands() + f'{F} amend 2 3 1 1 "misread"\n')
    assert "name seats that had a hand in hand 2" in messages(gone)[0].lower()


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

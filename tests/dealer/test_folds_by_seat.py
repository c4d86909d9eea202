"""A seat and then `-`: everyone before it folds or it alone did, and which is always asked."""

from __future__ import annotations

import pytest

from tests.console.scenes import Table

LIMIT = ("ca_big_o", None)
POT_LIMIT = ("ca_omaha_hilo", "5-5")


def six(game: tuple[str, str | None] = LIMIT) -> Table:
    """Six players, the button on 1: seats 2 and 3 have posted, seat 4 is to act."""
    rules, limit = game
    return Table(rules, limit, players=6, button=1).keys("+", "0")


def folded(made: Table) -> list[int]:
    hand = made.session.state.hand
    assert hand is not None
    return sorted(seat for seat, at in hand.seats.items() if at.folded)


def label(made: Table, cap: str) -> str:
    return next((key.label for key in made.console.prompt.keys if key.cap == cap), "")


@pytest.mark.parametrize("game", [LIMIT, POT_LIMIT])
def test_a_seat_and_minus_fold_nobody_and_ask_who_is_meant(game: tuple[str, str | None]) -> None:
    made = six(game).keys("1")
    assert label(made, "-") == "FOLD TO 1 / 1 ALONE"
    made.keys("-")
    assert folded(made) == []
    assert made.console.prompt.title == "WHO FOLDS?"
    assert made.console.prompt.detail == "All before seat 1 (4 5 6), or seat 1 alone out of turn?"
    assert (label(made, "ENTER"), label(made, "+")) == ("FOLD 4 5 6", "SEAT 1 OUT OF TURN")


@pytest.mark.parametrize("game", [LIMIT, POT_LIMIT])
def test_enter_folds_all_before_the_seat(game: tuple[str, str | None]) -> None:
    made = six(game).keys("1", "-", "enter")
    assert (folded(made), made.session.step.seat) == ([4, 5, 6], 1)


def test_who_has_matched_the_bet_is_not_named_among_those_who_fold() -> None:
    """Only the big blind is left to act: the betting closes before it comes to seat 2."""
    made = six().keys("+", "enter", "enter", "enter", "enter")
    assert made.session.step.seat == 3
    made.keys("2", "-")
    assert label(made, "ENTER") == "FOLD 3"
    assert made.console.prompt.detail == "All before seat 2 (3), or seat 2 alone out of turn?"
    made.keys("enter")
    assert (folded(made), made.session.step.what) == ([3], "flop")


def test_a_seat_that_is_bound_to_call_is_not_folded_with_the_others() -> None:
    made = six().run('floor 4711 binding 6 call "acted out of turn"').keys("1", "-")
    assert label(made, "ENTER") == ""
    assert made.console.prompt.detail == "Seat 1 alone, out of turn?"
    made.keys("enter")
    assert folded(made) == []
    said = "The floor has ruled that seat 6's call out of turn stands."
    assert made.console.model.answer.text == said


@pytest.mark.parametrize("game", [LIMIT, POT_LIMIT])
def test_plus_records_the_fold_of_that_seat_and_the_turn_stays(
    game: tuple[str, str | None],
) -> None:
    made = six(game).keys("1", "-", "+")
    assert (folded(made), made.session.step.seat) == ([1], 4)
    assert "seat 1 FOLD OUT OF TURN" in made.console.model.story.log[0]
    seat = made.console.view().seats[0]
    assert (seat.last[0], seat.dim, seat.backs) == ("FOLD OUT OF TURN", True, 0)


@pytest.mark.parametrize("key", ["-", "*"])
def test_another_key_folds_nobody(key: str) -> None:
    made = six().keys("1", "-", key)
    assert folded(made) == []
    assert made.console.prompt.title == "WHO FOLDS?"
    assert made.console.model.answer.level == "refused"


def test_a_card_that_is_keyed_while_betting_is_open_folds_nobody() -> None:
    """6 of diamonds, ten of clubs: the digit after the suit leaves the question."""
    made = six(POT_LIMIT).keys(*"6-10")
    assert (folded(made), made.console.model.typed) == ([], "10")


def test_one_key_goes_back_and_nothing_is_typed_any_more() -> None:
    made = six().keys("1", "-", ".")
    assert (folded(made), made.console.model.typed) == ([], "")
    assert made.console.prompt.title == "SEAT 4 ACTS"


def test_a_seat_that_is_gone_is_only_a_place_to_fold_up_to() -> None:
    made = six().keys("1", "-", "+", "1", "-")
    assert label(made, "+") == ""
    made.keys("+")
    assert "already folded" in made.console.model.answer.text
    made.keys("enter")
    assert (folded(made), made.session.step.seat) == ([1, 4, 5, 6], 2)


def test_the_fold_is_taken_back_as_any_other() -> None:
    made = six().keys("1", "-", "+", ".")
    assert made.console.prompt.title == "UNDO FOLD?"
    assert "Takes back: seat 1 FOLD OUT OF TURN." in made.console.prompt.detail
    assert folded(made.keys("+")) == []


def test_between_streets_the_menu_has_it() -> None:
    made = six().around().keys(*"/*+1", "5")
    assert label(made, "+") == "SEAT 5 FOLDED"
    made.keys("+")
    assert folded(made) == [5]
    assert made.session.step.what == "flop"
    assert "seat 5 FOLD OUT OF TURN" in made.console.model.story.log[0]


def test_without_a_hand_the_menu_says_so() -> None:
    made = Table().keys(*"/*+1")
    assert made.console.model.answer.text == "No seat can fold out of turn now."


def test_many_seats_are_named_in_the_question_and_counted_on_the_cap() -> None:
    made = Table("ca_omaha_hilo", players=9, button=9).keys("+", "0", "2", "-")
    assert label(made, "ENTER") == "FOLD 3 4 5 6 7 8 9 1"
    assert "(3 4 5 6 7 8 9 1)" in made.console.prompt.detail
    assert len(made.console.prompt.detail) <= 78

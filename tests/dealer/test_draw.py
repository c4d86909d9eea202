"""The draw for the button at the console: in dealing order, with a way back to the seats."""

from __future__ import annotations

import pytest

from tests.console.scenes import SCENES, Table
from tests.dealer.keyboard import typed

KING = ("1", "3", "*")


def begun(*seats: int) -> Table:
    """The draw between these seats, before its first card."""
    made = Table(players=9, button=None)
    for seat in {*range(1, 10)} - {*seats}:
        typed(made.keys("colon"), f"leave {seat}", "enter")
    return made.keys("enter")


def title(table: Table) -> str:
    return table.console.prompt.title


def test_the_cards_are_asked_for_from_the_dealers_left() -> None:
    made = begun(2, 5, 8)
    titles = []
    for rank in "234":
        titles.append(title(made))
        made.keys(rank, "+")
    assert titles == ["CARD TO SEAT 2", "CARD TO SEAT 5", "CARD TO SEAT 8"]
    assert made.session.state.button == 8


def test_who_sits_down_during_the_draw_is_asked_for_in_turn() -> None:
    made = begun(2, 5, 8).keys(*KING, "-")
    assert title(made) == "DRAW FOR BUTTON"
    assert "the next card is seat 5's" in made.console.prompt.detail
    made.keys("1", "enter", "2", "0", "0", "+")
    assert 1 in made.session.state.seats
    assert title(made) == "CARD TO SEAT 1"
    made.keys("2", "+")
    assert title(made) == "CARD TO SEAT 5"


def test_who_leaves_during_the_draw_is_passed_over() -> None:
    made = begun(2, 5, 8).keys(*KING, "-", "5", "enter", "/", "+")
    assert 5 not in made.session.state.seats
    assert title(made) == "CARD TO SEAT 8"


def test_the_draw_goes_on_where_it_was_left_for_the_seats() -> None:
    made = begun(2, 5, 8).keys(*KING, "-", "enter")
    assert title(made) == "CARD TO SEAT 5"


def test_a_rank_that_was_typed_is_cleared_before_the_seats_are_shown() -> None:
    made = begun(2, 5, 8).keys(*KING, "9", ".")
    assert (title(made), made.console.model.typed) == ("CARD TO SEAT 5", "")


@pytest.mark.parametrize("name", sorted(name for name in SCENES if "draw" in name))
def test_no_key_places_the_button_in_a_drawn_game(name: str) -> None:
    caps = [key.label for key in SCENES[name]().console.prompt.keys]
    assert caps
    assert not [cap for cap in caps if "BUTTON" in cap]


def test_a_button_placed_from_the_keyboard_is_refused_with_what_to_do() -> None:
    made = typed(begun(2, 5, 8).keys("colon"), "button 5", "enter")
    answer = made.console.model.answer
    assert answer.level == "refused"
    assert "use 'draw', or call the floor" in answer.text
    assert made.session.state.button is None


def test_a_card_out_of_order_from_the_keyboard_is_refused_with_the_seat_that_is_next() -> None:
    made = typed(begun(2, 5, 8).keys(*KING, "colon"), "draw 8 As", "enter")
    answer = made.console.model.answer
    assert answer.level == "refused"
    assert "seat 5 gets the next card" in answer.text


def test_no_key_of_the_draw_has_two_caps() -> None:
    made = begun(2, 5, 8)
    caps = [key.cap for key in made.console.prompt.keys]
    assert len(caps) == len(set(caps))
    assert title(made.keys("-")) == "DRAW FOR BUTTON"

"""One seat between hands, by keys: names, counts of chips, slips, and chips that are picked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.console.scenes import SCENES, Table, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.table import SeatAtTable

FOLDED = ("deal", *["fold"] * 7, "push")
"""Of nine players, of whom one gets no hand."""


def at(made: Table, seat: int) -> SeatAtTable:
    return made.session.state.seats[seat]


def answer(made: Table) -> str:
    return made.console.model.answer.text


def title(made: Table) -> str:
    return made.console.prompt.title


# An open seat


@pytest.mark.parametrize("key", ["enter", "."])
def test_a_seat_that_was_opened_by_mistake_is_one_key_away_from_gone(key: str) -> None:
    made = Table(players=3).keys("5", "enter")
    assert title(made) == "SEAT 5 IS OPEN"
    made.keys(key)
    assert title(made) == "START HAND"
    assert sorted(made.session.state.seats) == [1, 2, 3]


def test_enter_never_seats_a_player_without_a_name() -> None:
    """Seat 5 was opened by mistake, and then seat 7 typed: nobody sits down with 7 dollars."""
    made = Table(players=3).keys("5", "enter", "7", "enter")
    assert answer(made) == "Press + to seat a player without a name, or type the name."
    assert sorted(made.session.state.seats) == [1, 2, 3]


@pytest.mark.parametrize(("keys", "stack"), [((), None), (("9", "0"), 90_00)])
def test_a_player_without_a_name_takes_a_key_of_its_own(
    keys: tuple[str, ...], stack: int | None
) -> None:
    made = Table(players=3).keys("5", "enter", *keys, "+")
    assert (at(made, 5).name, at(made, 5).stack) == ("Seat 5", stack)


def test_who_moved_without_a_name_does_not_take_it_from_the_next_one() -> None:
    made = Table(players=3).keys("5", "enter", "9", "0", "+", "5", "enter", "7", "/")
    made.keys("5", "enter", "8", "0", "+")
    assert at(made, 7).name == "Seat 5"
    assert at(made, 5).name == "Seat 5 2"


def test_a_name_and_chips_go_in_with_enter() -> None:
    made = Table(players=3).keys("5", "enter", *"Eve", "9", "0", "enter")
    assert (at(made, 5).name, at(made, 5).stack) == ("Eve", 90_00)


# Names


def test_letters_give_a_player_another_name_and_enter_keeps_the_seat_open() -> None:
    made = Table(players=3).keys("2", "enter", *"Benjamin")
    assert title(made) == "SEAT 2: NAME"
    made.keys("enter")
    assert at(made, 2).name == "Benjamin"
    assert title(made) == "SEAT 2"
    made.keys("enter", ".", "+")
    assert at(made, 2).name == "Ben"


def test_the_old_name_is_kept_with_a_point() -> None:
    made = Table(players=3).keys("2", "enter", *"Xy", ".")
    assert at(made, 2).name == "Ben"
    assert title(made) == "SEAT 2"


def test_a_name_that_is_taken_is_refused_and_can_be_typed_on() -> None:
    made = Table(players=3).keys("2", "enter", *"ada", "enter")
    assert "'ada' is in seat 1" in answer(made)
    assert title(made) == "SEAT 2: NAME"
    made.keys("space", *"B", "enter")
    assert at(made, 2).name == "ada B"


def test_the_same_name_twice_is_the_same_person_moving() -> None:
    made = Table(players=3).keys("5", "enter", *"ben", *"200", "enter")
    assert title(made) == "SAME NAME TWICE"
    assert made.console.prompt.detail == "ben is in seat 2 with 160. Has this player moved?"
    made.keys("*")
    assert sorted(made.session.state.seats) == [1, 3, 5]
    assert (at(made, 5).name, at(made, 5).stack) == ("Ben", 160_00)
    assert title(made) == "START HAND"


def test_or_another_person_who_is_named_apart() -> None:
    made = Table(players=3).keys("5", "enter", *"Ben", *"200", "enter", "+")
    assert at(made, 2).name == "Ben"
    assert (at(made, 5).name, at(made, 5).stack) == ("Ben 2", 200_00)


def test_or_a_slip_that_enter_takes_back_to_the_name() -> None:
    made = Table(players=3).keys("5", "enter", *"Ben", "enter", "enter")
    assert title(made) == "SEAT 5 IS OPEN"
    made.keys(*"ny", "enter")
    assert at(made, 5).name == "Benny"


# Chips


def test_the_whole_stack_is_typed_where_the_first_count_was_wrong() -> None:
    made = Table().keys("4", "enter", *"300", "*")
    assert at(made, 4).stack == 300_00
    assert made.console.model.story.log[0].endswith("seat 4 stack counted: 300, was 80")


def test_after_the_first_hand_the_key_says_whose_matter_it_is() -> None:
    made = Table().run(*FOLDED).keys("4", "enter", *"300", "*")
    assert answer(made) == "Seat 4 has played: the floor corrects its stack with / and 52."
    made.keys(".", "0", "*")
    assert answer(made) == "Seat 4 has played: the floor stops tracking it with / and 57."
    assert at(made, 4).stack == 80_00
    assert "*" not in [key.cap for key in made.console.prompt.keys]


def test_a_stack_that_is_not_tracked_is_counted_and_the_other_way() -> None:
    made = Table(stacks={4: None}).run(*FOLDED).keys("4", "enter", *"300", "*")
    assert at(made, 4).stack == 300_00
    fresh = Table().keys("4", "enter", "0", "*")
    assert at(fresh, 4).stack is None


def test_chips_added_to_a_stack_that_is_not_tracked_are_said_to_be_noted_only() -> None:
    made = SCENES["noted_only"]()
    assert at(made, 4).stack is None
    assert answer(made).startswith("Noted: seat 4 adds 300. Its stack is not tracked")


# Away too long


def test_chips_are_picked_up_with_a_key_and_a_question() -> None:
    made = Table().run("away 4").wait(30 * 60)
    assert "Seat 4 is away too long" in made.console.prompt.detail
    made.keys("*")
    assert title(made) == "PICK UP SEAT 4?"
    assert made.console.prompt.detail.startswith("Dov, away 30 min. 80 in chips")
    made.keys("enter")
    assert 4 in made.session.state.seats
    made.keys("*", "+")
    assert 4 not in made.session.state.seats
    made.keys(".")
    assert title(made) == "UNDO PICK-UP?"
    made.keys("+")
    assert at(made, 4).stack == 80_00


def test_a_minute_before_there_is_no_such_key() -> None:
    made = Table().run("away 4").wait(29 * 60)
    assert "*" not in [key.cap for key in made.console.prompt.keys]


def test_in_the_seat_itself_the_key_that_leaves_picks_up() -> None:
    made = SCENES["away_too_long"]().keys("4", "enter", "/", "+")
    assert 4 not in made.session.state.seats
    assert "away too long, 80 in chips picked up" in made.console.model.story.log[0]


# Opened again


@pytest.mark.parametrize(
    ("key", "seats"), [("+", [1, 3, 4, 9]), ("*", [1, 2, 3, 4, 5, 6]), ("-", [])]
)
def test_one_key_says_who_is_seated(key: str, seats: list[int], tmp_path: Path) -> None:
    made = reopened(tmp_path)
    assert title(made) == "SAME PLAYERS?"
    made.keys("enter", "7")
    assert sorted(made.session.state.seats) == []
    made.keys(key)
    assert sorted(made.session.state.seats) == seats
    made.keys(".", "+")
    assert title(made) == "SAME PLAYERS?"
    made.session.close()


def test_a_seat_without_chips_is_freed_and_not_said_to_be_away() -> None:
    """Seat 1 loses its last 4 as the big blind and stays; three rounds later it may be freed."""
    made = Table("ca_omaha_hilo", "4-8", players=4, button=3, stacks={1: 400})
    made.run("deal", "2 call", "3 fold", "4 fold", "flop 2c 3c 4h", "turn Kc", "river Kd")
    made.run("high 2", "low 2", "push")
    for _ in range(10):
        made.run("deal", "fold", "fold", "push")
    assert at(made, 1).stack == 0
    assert "Seat 1 has had no chips for too long: * frees the seat." in made.console.prompt.detail
    made.keys("*")
    assert title(made) == "FREE SEAT 1?"
    assert "ask for a buy-in" in made.console.prompt.detail
    made.keys("+")
    assert 1 not in made.session.state.seats

"""The push by keys: number, PIN where the table asks for it, and what is passed on."""

from __future__ import annotations

import pytest

from omaha_table.floor import Staff
from omaha_table.floor.files import demo_staff
from omaha_table.floor.staff import Role
from tests.console.scenes import SCENES, Table, dealer_table

SUPERVISORS = Staff(tuple(who for who in demo_staff().people if who.role is not Role.DEALER))


def checked(made: Table) -> tuple[str, str] | None:
    down = made.session.state.down
    return None if down is None else (down.dealer, down.checked)


def test_a_number_on_the_staff_list_is_all_that_is_asked_for() -> None:
    made = dealer_table().keys("/", "+", *"114", "enter")
    assert checked(made) == ("D114", "list")
    assert made.console.prompt.title == "START HAND", "nothing is passed on, so nothing is asked"
    assert made.console.model.answer.text == "D114 is in."


@pytest.mark.parametrize("pins", [False, True])
def test_a_number_that_is_not_on_the_list_is_not_let_in(pins: bool) -> None:
    made = dealer_table(pins=pins).keys("/", "+", *"999", "enter")
    assert checked(made) is None
    assert "'D999' is not on the staff list: call the floor" in made.console.model.answer.text


def test_without_a_list_of_dealers_the_screen_says_that_nobody_was_checked() -> None:
    made = Table(staff=SUPERVISORS).keys("/", "+", *"114", "enter")
    assert checked(made) == ("D114", "no")
    assert "Identity not checked" in made.console.model.answer.text
    assert "dealer D114 in, identity not checked" in made.console.model.story.log[0]
    assert "dealer      D114, not checked" in made.console.view().collection


@pytest.mark.parametrize("pins", [False, True])
def test_a_disabled_dealer_does_not_get_in(pins: bool) -> None:
    made = dealer_table(pins=pins).keys("/", "+", *"200", "enter")
    assert checked(made) is None
    assert "disabled" in made.console.model.answer.text


def test_where_the_table_asks_for_it_the_pin_is_typed_after_the_number() -> None:
    made = dealer_table(pins=True).keys("/", "+", *"114", "enter")
    assert made.console.prompt.title == "DEALER PIN"
    assert checked(made) is None
    made.keys(*"482155", "enter")
    assert checked(made) == ("D114", "pin")
    assert made.console.model.answer.text == "D114 is in, PIN checked."


@pytest.mark.parametrize("pin", ["9999", "4711"], ids=["nobody's", "a supervisor's"])
def test_a_wrong_pin_seats_nobody_and_counts(pin: str) -> None:
    made = dealer_table(pins=True).keys("/", "+", *"114", "enter", *pin, "enter")
    assert checked(made) is None
    assert made.session.state.pin_count("D114").failures == 1
    assert made.session.state.pin_failures == 0, "it is the dealer's alone"
    assert made.console.prompt.title == "DEALER PIN", "and may be typed again"
    assert "PIN of D114 refused (wrong pin)" in made.console.model.story.log[0]
    for _ in range(4):
        made.keys(*pin, "enter")
    assert "locked" in made.console.model.answer.text
    made.keys(*"482155", "enter")
    assert checked(made) is None, "locked for the right one too"


def test_a_dealers_pin_does_not_start_the_count_of_wrong_ones_over() -> None:
    made = dealer_table(pins=True).keys("/", *"9999", "enter", ".")
    made.keys("/", "+", *"114", "enter", *"482155", "enter")
    assert checked(made) == ("D114", "pin")
    assert made.session.state.pin_failures == 1


def test_without_a_list_no_pin_can_be_asked_for() -> None:
    made = Table(staff=SUPERVISORS, dealer_pins=True).keys("/", "+", *"114", "enter")
    assert checked(made) == ("D114", "no")


def test_the_push_and_its_pin_work_during_a_hand() -> None:
    made = dealer_table(pins=True).to_flop()
    seat = made.session.step.seat
    made.keys("/", "+", *"114", "enter", *"482155", "enter")
    assert checked(made) == ("D114", "pin")
    assert made.session.step.seat == seat
    assert made.console.prompt.title == f"SEAT {seat} ACTS"


# What is passed on


def page(made: Table) -> list[str]:
    shown = made.console.prompt.page
    assert shown is not None
    return [" ".join(line.split()) for line in shown.lines]


def test_what_is_owed_and_open_is_on_one_page() -> None:
    """Seats 6 and 2 are away as the blinds pass: seat 6 misses both, seat 2 none."""
    made = SCENES["handover"]()
    assert page(made) == [
        "Floor called 1:15",
        "Owes blinds seat 6 SB+BB",
        "Away seat 2: 37 min, seat 6: 37 min, seat 8: 12 min",
        "Away too long seats 2, 6",
        "Decks out red",
    ]


def test_the_page_is_passed_with_one_key_which_is_not_the_one_before() -> None:
    made = SCENES["handover"]()
    seq = made.session.state.seq
    made.hammer("enter", times=4).keys("0", "+")
    assert made.console.prompt.title == "PUSH: READ THIS"
    assert made.session.state.seq == seq
    made.keys(".")
    assert made.console.prompt.title == "ANOTHER DECK"


def test_a_kill_is_passed_on_with_its_price_and_its_seat() -> None:
    made = Table("house_omaha_hilo", "6-12", players=5, button=5)
    kill = made.session.state.limit.kill
    assert kill is not None
    board = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")
    made.run("deal", "raise", *["call"] * 4, *board, "high 3", "low none", "push")
    made.keys("/", "+", "9", "enter")
    assert page(made) == [f"Kill seat 3 posts {kill.blind // 100} in the next hand"]
    made.keys(".").run("hand").keys("/", "+", "8", "enter")
    assert page(made) == [f"Kill pot seat 3 posted {kill.blind // 100}"]


def test_a_player_without_chips_is_passed_on() -> None:
    """Seat 1 is all in with its small blind, and loses it to the big blind."""
    made = Table("ca_big_o", players=4, button=4, stacks={1: 200})
    made.run("deal", "3 fold", "4 fold", "flop 2c 3c 4h", "turn Kc", "river Kd")
    made.run("high 2", "low none", "push")
    made.keys("/", "+", "9", "enter")
    assert "No chips seat 1" in page(made)


# In words


def test_a_pin_is_not_shown_or_taken_on_the_command_line() -> None:
    from tests.dealer.keyboard import typed

    made = typed(dealer_table(pins=True).keys("colon"), "down D114 482155")
    assert "482155" not in made.console.prompt.detail
    made.keys("enter")
    assert checked(made) is None
    assert "no PIN here" in made.console.model.answer.text
    made.keys("escape", "colon")
    typed(made, "down D114", "enter")
    assert checked(made) is None
    assert "asks dealers for their PIN" in made.console.model.answer.text

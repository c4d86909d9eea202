"""What is typed: how long it may be, when it counts, and what it is never taken for."""

from __future__ import annotations

import pytest

from tests.console.scenes import SCENES, Table, choose


def pot_limit(*keys: str) -> Table:
    """Blinds 5 and 5, six players: 5 to call, 10 the least raise, 20 the pot."""
    return Table("ca_omaha_hilo", "5-5", players=6, button=1).keys("+", "0", *keys)


def enter_label(made: Table) -> str:
    [label] = [key.label for key in made.console.prompt.keys if key.cap == "ENTER"]
    return label


# Amounts


@pytest.mark.parametrize("typed", ["1", "3", "4"])
def test_less_than_the_price_and_enter_is_no_call(typed: str) -> None:
    made = pot_limit(typed)
    seq, actor = made.session.state.seq, made.session.step.seat
    assert enter_label(made) == ""
    made.keys("enter")
    assert (made.session.state.seq, made.session.step.seat) == (seq, actor)
    assert made.console.model.answer.level == "refused"


def test_the_price_itself_and_enter_is_the_call() -> None:
    made = pot_limit("5")
    assert enter_label(made) == "CALL 5"
    made.keys("enter")
    assert made.console.model.story.log[0].endswith("CALL 5")


@pytest.mark.parametrize(("typed", "why"), [("9", "minimum is 10"), ("21", "maximum is 20")])
def test_a_raise_outside_its_bounds_is_not_offered(typed: str, why: str) -> None:
    made = pot_limit(*typed)
    seq = made.session.state.seq
    assert enter_label(made) == ""
    made.keys("enter")
    assert made.session.state.seq == seq
    assert why in made.console.model.answer.text


def test_a_number_has_six_digits_at_most() -> None:
    made = pot_limit(*"123456")
    made.keys("7")
    assert made.console.model.typed == "123456"
    assert made.console.model.answer.level == "refused"


@pytest.mark.parametrize(("stack", "filled"), [(1050, "10.50"), (124000, "1,240")])
def test_typing_takes_the_place_of_an_amount_that_was_filled_in(stack: int, filled: str) -> None:
    stacks: dict[int, int | None] = {4: stack, 1: 500000, 2: 500000, 3: 500000}
    made = Table("ca_omaha_hilo", "2-5", players=4, button=1, stacks=stacks)
    made.keys("+", "0", "*")
    assert (made.console.model.typed, made.console.model.amount) == (filled, stack)
    made.keys("1", "0")
    assert (made.console.model.typed, made.console.model.amount) == ("10", 1000)


def test_a_typed_amount_that_is_no_seat_folds_nobody() -> None:
    made = pot_limit("9", "-")
    hand = made.session.state.hand
    assert hand is not None
    assert [seat for seat, at in hand.seats.items() if at.folded] == []
    assert "9 is typed. Press . to clear it first." in made.console.model.answer.text


def test_an_amount_that_was_filled_in_is_no_seat_to_fold_to() -> None:
    made = Table(stacks={1: 600}, players=6, button=4).keys("+", "0", "*")
    assert made.console.model.typed == "6"
    made.keys("-")
    hand = made.session.state.hand
    assert hand is not None
    assert [seat for seat, at in hand.seats.items() if at.folded] == [1]


# Seats, names and cards


def test_a_seat_that_the_table_does_not_have_is_not_opened() -> None:
    made = Table().keys("4", "4")
    assert enter_label(made) == ""
    title = made.console.prompt.title
    made.keys("enter")
    assert made.console.prompt.title == title


def test_a_player_moves_to_a_free_seat_only() -> None:
    made = Table(players=4, button=1).keys("2", "enter", "3")
    assert "/" not in [key.cap for key in made.console.prompt.keys]
    made.keys("/")
    assert made.console.model.answer.level == "refused"
    made.keys(".", "7", "/")
    assert sorted(made.session.state.seats) == [1, 3, 4, 7]


def test_a_name_has_24_letters_at_most() -> None:
    made = Table(players=3).keys("5", "enter", *"a" * 30, "enter")
    assert made.session.state.seats[5].name == "a" * 24
    made.keys("5", "enter", *"b" * 30, "enter")
    assert made.session.state.seats[5].name == "b" * 24


def test_a_rank_is_one_of_thirteen() -> None:
    made = SCENES["burn_and_flop"]().keys("1", "4")
    assert made.console.model.typed == "1"
    assert "A rank is" in made.console.model.answer.text
    made.keys(".", "0")
    assert made.console.model.typed == ""


def test_half_a_flop_is_forgotten_with_its_hand() -> None:
    made = SCENES["flop_half_typed"]().keys(".", "/", *"4711", "enter")
    choose(made, "void").keys("1", "enter", "+")
    assert made.session.state.hand is None
    made.keys("+", "0")
    assert made.session.state.hands == 2
    made.around().keys("5", "*", "2", "/")
    assert made.session.step.what == "flop", "two cards are no flop"


# The command line


def test_the_command_line_ends_with_the_band() -> None:
    made = Table().keys("colon", *"x" * 90)
    assert made.console.prompt.detail == f": {'x' * 70}_"


def test_the_command_line_opens_at_the_table_only() -> None:
    made = SCENES["pin"]().keys("colon")
    assert made.console.prompt.title == "FLOOR: PIN"
    assert made.console.model.answer.level == "refused"


def test_no_ruling_is_given_on_the_command_line() -> None:
    made = Table().keys("+", "0", "colon")
    seq = made.session.state.seq
    names = {" ": "space", '"': "quotation_mark"}
    for letter in '"floor" 4711 misdeal "dealer error"':
        made.keys(names.get(letter, letter))
    assert "4711" not in made.console.prompt.detail
    made.keys("enter")
    assert made.session.state.seq == seq
    assert "only in a script" in made.console.model.answer.text


def test_the_console_remembers_a_screenful_of_events_and_no_more() -> None:
    made = Table(players=3, button=3)
    for _ in range(40):
        made.keys("4", "enter", "2", "0", "0", "+", "4", "enter", "/", "+")
    assert len(made.console.model.story.log) == 60


def test_the_star_fills_and_never_commits() -> None:
    made = Table("ca_omaha_hilo", "2-5", players=4, button=1).keys("+", "0")
    seq = made.session.state.seq
    made.keys("*")
    assert made.session.state.seq == seq
    assert made.console.prompt.keys[0].label == "ALL-IN 80"
    made.keys("enter")
    assert made.console.model.story.log[0].endswith("seat 4 RAISE TO 80, ALL-IN")


def test_a_typed_seat_at_the_cut_is_one_enter_and_shown() -> None:
    made = SCENES["cut"]().keys("4")
    assert [key.label for key in made.console.prompt.keys if key.cap == "ENTER"] == ["OPEN SEAT 4"]
    assert made.console.prompt.number == "4"


def test_folding_up_to_a_seat_works_when_nobody_may_raise_any_more() -> None:
    made = Table(players=6, button=1).keys("+", "0", "+", "+", "+", "3", "-", "enter")
    hand = made.session.state.hand
    assert hand is not None
    assert {seat for seat, at in hand.seats.items() if at.folded} == {1, 2}


def test_a_number_that_is_a_name_keeps_its_noughts() -> None:
    table = Table().keys("/", "+", "0", "0", "7", "enter")
    assert table.session.state.down is not None
    assert table.session.state.down.dealer == "D007"


def test_amounts_with_cents_are_filled_to_the_cent() -> None:
    stacks: dict[int, int | None] = {4: 1050, 1: 50000, 2: 50000, 3: 50000}
    made = Table("ca_omaha_hilo", "5-5", players=4, button=1, stacks=stacks)
    made.keys("+", "0", "*", "enter", "*")
    pot = made.console.prompt.keys[0].label
    made.keys("enter")
    assert pot.startswith("RAISE TO")
    assert pot.removeprefix("RAISE TO ") in made.console.model.story.log[0]


# A number at the wrong step


@pytest.mark.parametrize("suit", ["-", "+", "enter"])
def test_a_card_keyed_while_betting_is_open_folds_and_raises_nothing(suit: str) -> None:
    for made in (Table(players=6, button=1).keys("+", "0", "1", "3"), pot_limit("1", "3")):
        if made.session.state.limit.structure == "pot_limit" and suit == "enter":
            continue  # There 13 is an amount.
        seq = made.session.state.seq
        made.keys(suit)
        assert made.session.state.seq == seq
        assert ". to clear" in made.console.model.answer.text
        assert "13" in made.console.model.answer.text


def test_a_seat_typed_in_a_limit_game_is_not_raised_for() -> None:
    made = Table(players=6, button=1).keys("+", "0", "6", "+")
    hand = made.session.state.hand
    assert hand is not None
    assert hand.raises == 0
    assert "6 is typed" in made.console.model.answer.text
    assert made.keys(".", "+").session.state.seq > hand.entry


def test_nobody_is_folded_up_to_the_seat_that_acts_already() -> None:
    made = Table(players=6, button=2).keys("+", "0", "5")
    assert not [key for key in made.console.prompt.keys if "FOLD TO SEAT " in key.label]
    assert "already on seat 5" in made.console.prompt.detail


def test_the_pot_can_be_read_before_a_fold() -> None:
    made = pot_limit("*")
    seat = made.session.step.seat
    made.keys("-")
    assert made.console.model.story.log[0].endswith(f"seat {seat} FOLD")


def test_a_raise_over_the_cap_is_refused_with_the_cap() -> None:
    made = Table(players=6, button=1).keys("+", "0", "+", "+", "+", "+")
    assert made.console.model.answer.text == (
        "The street is capped at a bet and 3 raises: seat 1 may call or fold."
    )


def test_in_a_limit_game_a_raise_has_one_size() -> None:
    made = Table(players=6, button=1).keys("+", "0")
    assert "   raise to 8   " in made.console.prompt.detail
    assert "   min raise to 10   max 20   " in pot_limit().console.prompt.detail


# Cards


def test_a_suit_without_a_rank_is_answered_with_what_comes_first() -> None:
    made = Table().keys("+", "0").around().keys("*")
    assert made.console.model.answer.text == "Type the rank first, then the suit."
    made.keys("7", "enter")
    assert "Press the suit" in made.console.model.answer.text


def test_the_key_that_takes_a_card_off_names_it() -> None:
    made = Table().keys("+", "0").around().keys(*"7+5*")
    [label] = [key.label for key in made.console.prompt.keys if key.cap == "."]
    assert label == "CLEAR 5h"

"""The floor at the pad: PINs, lists, reasons and questions that are asked once more."""

from __future__ import annotations

import pytest

from tests.console.scenes import SCENES, Table, choose


def at_list() -> Table:
    return Table().to_flop().keys("/", *"4711", "enter")


def dots(made: Table) -> int:
    page = made.console.prompt.page
    assert page is not None
    assert page.dots is not None
    return page.dots


# PINs


def test_a_wrong_pin_is_wiped_and_the_right_one_may_follow_at_once() -> None:
    made = Table().to_flop().keys("/", *"9321", "enter")
    assert (made.console.prompt.title, dots(made)) == ("FLOOR: PIN", 0)
    made.keys(*"4711")
    assert dots(made) == 4
    made.keys("enter")
    assert made.console.prompt.title == "WHICH RULING?"


def test_a_wrong_pin_opens_no_list_of_rulings() -> None:
    made = Table().to_flop().keys("/", *"9321", "enter", "1", "1")
    assert made.console.prompt.title == "FLOOR: PIN"
    assert made.session.state.hand is not None


def test_enter_after_a_staff_number_asks_for_the_pin() -> None:
    made = Table().to_flop().keys("/", "1", "*", "enter")
    assert made.console.model.answer.text == "Type 1 to 2."
    made.keys("1", "enter")
    assert made.console.model.answer.text == "Type the PIN first."


def test_a_spade_keyed_while_betting_is_open_counts_as_no_wrong_pin() -> None:
    """The dealer looks at the deck and keys the seven of spades, right, right again."""
    made = Table().to_flop().keys("7", "/", "0", "enter", "enter", "0", "enter")
    assert made.console.model.answer.text == "A PIN has at least 4 digits. Press . to erase."
    assert made.session.state.pin_failures == 0


def test_the_floor_says_that_what_was_typed_at_the_table_is_gone() -> None:
    made = Table().to_flop().keys("7", "/")
    assert made.console.model.answer.text == "What was typed at the table is cleared."
    assert made.keys(".").console.model.typed == ""


def test_a_pin_has_twelve_digits_at_most() -> None:
    made = Table().to_flop().keys("/", *"1234567890123")
    assert dots(made) == 12


def test_a_wrong_second_pin_is_wiped_and_rules_nothing() -> None:
    made = SCENES["two_persons"]().keys(*"9321", "enter")
    assert made.session.state.hand is not None, "not void"
    assert (made.console.prompt.title, dots(made)) == ("SECOND PIN", 0)
    made.keys(*"4712", "enter")
    assert made.session.state.hand is None


def test_the_same_person_twice_is_not_two_persons() -> None:
    made = SCENES["two_persons"]().keys(*"4711", "enter")
    assert made.session.state.hand is not None
    assert made.console.model.answer.level == "refused"


# Lists


@pytest.mark.parametrize("digit", "0456789")
def test_there_are_three_shifts(digit: str) -> None:
    made = Table().keys("/", "+", "*", digit)
    assert made.console.prompt.title == "WHICH SHIFT?"
    assert "from 1 to 3" in made.console.model.answer.text


# Reasons


def test_a_reason_in_words_has_three_letters_at_least_and_sixty_at_most() -> None:
    made = choose(at_list(), "dead").keys("4", "enter", *"ab", "enter")
    assert made.console.prompt.title == "REASON?"
    assert "three letters" in made.console.model.answer.text
    made.keys(*"c" * 70)
    page = made.console.prompt.page
    assert page is not None
    assert f"► ab{'c' * 58}_" in page.lines


# Asked once more


def test_dealing_by_hand_past_the_shoe_is_asked_once_more() -> None:
    made = SCENES["pitch_from_the_shoe"]().keys("0")
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 17
    made.keys("enter").cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 18, "the shoe goes on"
    made.keys("0", "0")
    assert made.session.step.what == "deal", "not with the key that asks"
    made.keys("+")
    assert made.session.step.what == "act"


def test_a_player_who_leaves_is_asked_for_once_more() -> None:
    made = Table().keys("4", "enter", "/")
    assert 4 in made.session.state.seats
    made.keys("enter")
    assert 4 in made.session.state.seats
    made.keys("/", "+")
    assert 4 not in made.session.state.seats


def test_a_card_that_lies_face_up_cannot_be_dealt_unread() -> None:
    made = SCENES["flop_from_the_shoe"]().unreadable()
    assert made.session.step.what == "check_cards"
    assert "+" not in [key.cap for key in made.console.prompt.keys]
    seq = made.session.state.seq
    made.keys("+")
    assert made.session.state.seq == seq


def test_what_the_floor_must_rule_on_offers_the_dealer_no_key_to_go_on() -> None:
    made = SCENES["premature"]()
    assert made.console.prompt.title == "CALL THE FLOOR"
    assert [key.cap for key in made.console.prompt.keys] == ["ENTER", "/"]
    assert made.console.prompt.keys[0].label == "CALL THE FLOOR"


def test_acknowledging_says_so_where_there_is_no_alarm() -> None:
    made = Table(devices=True).live().keys("/", "*", "7")
    assert made.console.model.answer.text == "There is no alarm."


def test_too_many_wrong_second_pins_close_the_floor() -> None:
    made = SCENES["two_persons"]()
    for _ in range(5):
        made.keys(*"9321", "enter")
    assert "locked" in made.console.model.answer.text
    assert made.console.prompt.title == "SEAT 8 ACTS", "neither the list nor another try"
    assert made.session.state.hand is not None


def test_a_bouncing_digit_gives_no_ruling() -> None:
    made = Table().keys("+", "0", "/", *"4711", "enter")
    seq = made.session.state.seq
    made.console.press("1", 1000.0)
    made.console.press("1", 1000.02)
    assert made.session.state.seq == seq
    assert made.console.prompt.title == "WHICH RULING?", "no number has the same digit twice"


def test_a_reason_in_words_may_hold_digits_and_commas_and_can_be_corrected() -> None:
    made = choose(Table().keys("+", "0", "/", *"4711", "enter"), "misdeal")
    made.keys(*"seat", "space", *"4", "comma", "space", *"carx", "backspace", *"ds", "enter")
    assert "misdeal: seat 4, cards" in "\n".join(made.console.model.story.log)

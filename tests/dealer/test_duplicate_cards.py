"""A card that is keyed twice is refused as it is typed, with where the first one lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.cards import DECK, parse_cards
from omaha_table.dealer.messages import FactsChanged
from omaha_table.hand.commands import Show
from tests.console.scenes import SCENES, Table, choose
from tests.dealer.careful import card_keys
from tests.dealer.keyboard import typed as typed_on

if TYPE_CHECKING:
    from collections.abc import Callable


def flop_due() -> Table:
    return Table().keys("+", "0").around()


def typed(table: Table, line: str) -> Table:
    return typed_on(table.keys("colon"), line, "enter")


def answer(table: Table) -> str:
    return table.console.model.answer.text


def refused(table: Table, why: str) -> None:
    assert (table.console.model.answer.level, answer(table)) == ("refused", why)


def test_a_card_keyed_twice_for_one_board_is_the_one_just_keyed() -> None:
    table = flop_due().keys(*"7+5*7+")
    refused(table, "You have just keyed the 7c.")
    assert table.console.model.half.cards == ("7c", "5h"), "the others stay"
    table.keys(*"2/0")
    assert table.session.step.what == "act"


def test_a_card_of_the_board_is_refused_for_a_later_street() -> None:
    table = Table().to_flop().around().keys(*"5*")
    refused(table, "The 5h is on the board.")
    assert table.console.model.half.cards == ()


def test_a_card_of_the_board_is_refused_for_a_hand() -> None:
    refused(SCENES["show"]().keys("+", *"13-"), "The Kd is on the board.")


def test_a_card_that_a_seat_has_tabled_is_refused_for_another() -> None:
    table = Table().to_river()
    assert table.session.do(Show(4, parse_cards("As 3d 9c 9d Ts"))).refusal is None
    table.console.send(FactsChanged(table.console.facts()))
    refused(table.keys("+", *"4+", *"9-"), "Seat 4 has tabled the 9d.")
    assert table.console.model.half.cards == ("4c",)


def test_a_card_that_the_shoe_has_turned_is_refused_when_the_rest_is_keyed() -> None:
    table = Table(devices=True).live().deck().keys("enter", "+").cards(40).around().cards(2)
    hand = table.session.state.hand
    assert hand is not None
    [first] = hand.turned
    refused(table.keys("0", *card_keys(first.text)), f"The shoe has turned the {first}.")


def test_a_card_of_the_draw_is_refused_with_the_seat_that_has_it() -> None:
    table = Table(button=None).keys("enter", *"13*", *"4+", *"13*")
    refused(table, "Seat 1 has drawn the Kh.")
    assert table.console.prompt.title == "CARD TO SEAT 3"


def test_the_floor_cannot_correct_the_board_to_a_card_that_lies_on_it() -> None:
    table = choose(Table().to_flop().keys("/", *"4711", "enter"), "board")
    table.keys("1", *"5*")
    assert "The 5h is on the board." in answer(table)
    assert table.session.state.hand is not None
    assert [card.text for card in table.session.state.hand.board] == ["7c", "5h", "2s"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("turn 5h", "The 5h is on the board."),
        ("turn 5H", "The 5h is on the board."),
    ],
)
def test_after_the_colon_a_board_card_is_refused_with_where_it_lies(line: str, why: str) -> None:
    refused(typed(Table().to_flop().around(), line), why)


def test_after_the_colon_a_hand_is_compared_with_board_and_tabled_hands() -> None:
    table = Table().to_river()
    table.session.do(Show(4, parse_cards("As 3d 9c 9d Ts")))
    refused(typed(table, "show 5 Kd Qh Qs Jh Jd"), "The Kd is on the board.")
    table.keys("escape")
    refused(typed(table, "show 5 Kc Qh Qs Jh 9d"), "Seat 4 has tabled the 9d.")
    table.keys("escape")
    refused(typed(table, "show 5 Kc Qh Qs Qh 9h"), "The Qh is in this entry twice.")


# Never compared with what lies face down


def shoe_flop_by_hand() -> Table:
    """All hole cards came from the shoe; the flop is keyed."""
    return Table(devices=True).live().deck().keys("enter", "+").cards(40).around().keys("0")


def shoe_turn_by_hand() -> Table:
    table = Table(devices=True).live().deck().keys("enter", "+").cards(40).around().cards(4)
    return table.around().keys("0")


def shoe_show_by_hand() -> Table:
    """At the showdown a hand is keyed although the shoe has read it."""
    table = Table(devices=True).live().deck().keys("enter", "+").cards(40)
    for count in (4, 2, 2):
        table.around().cards(count)
    return table.around().keys("+")


@pytest.mark.parametrize("moment", [shoe_flop_by_hand, shoe_turn_by_hand, shoe_show_by_hand])
def test_the_answer_to_a_typed_card_is_the_same_for_every_card_that_is_not_face_up(
    moment: Callable[[], Table],
) -> None:
    """In hands, burned, in the stub: nothing on the pad tells them apart as they are typed."""
    answers = set()
    for card in DECK:
        table = moment()
        hand = table.session.state.hand
        assert hand is not None
        seq = table.session.state.seq
        table.keys(*card_keys(card.text))
        if card in hand.board:
            refused(table, f"The {card} is on the board.")
            continue
        answers.add((table.console.model.answer, table.console.model.half.cards == (card.text,)))
        assert table.session.state.seq == seq
    [(answered, kept)] = answers
    assert answered.level == "none"
    assert kept

"""A keyboard beside the pad: names, and commands in the words of a script."""

from __future__ import annotations

from omaha_table.dealer.screen.drawing import draw
from tests.console.scenes import Table
from tests.dealer.keyboard import typed


def test_a_keyboard_gives_a_newcomer_a_name_and_the_pad_the_chips() -> None:
    made = Table(players=3).keys("5", "enter", *"AdaX", "backspace", "space", *"Lovelace")
    made.keys("2", "0", "0", "enter")
    at = made.session.state.seats[5]
    assert (at.name, at.stack) == ("Ada Lovelace", 20000)
    made.keys("6", "enter", "+")
    assert made.session.state.seats[6].name == "Seat 6"


def test_a_keyboard_gives_commands_in_the_words_of_a_script() -> None:
    table = typed(Table(players=3, button=3).keys("colon"), "seat 5 Alma 82.50", "enter")
    assert table.session.state.seats[5].stack == 8250
    assert table.console.prompt.title != "COMMAND"
    typed(table.keys("colon"), "set 5", "enter")
    assert "Did you mean" in table.console.model.answer.text
    assert table.console.prompt.title == "COMMAND"
    typed(table, "", "escape")
    typed(table.keys("colon"), "leave 9", "enter")
    assert table.console.model.answer.level == "refused"
    assert ": leave 9_" in table.console.prompt.detail


def test_no_pin_and_no_face_down_card_can_be_read_off_the_command_line() -> None:
    table = typed(Table().keys("colon"), "floor")
    assert table.console.prompt.title != "COMMAND"
    table = typed(Table().keys("enter", "colon"), "card AsKd")
    shown = draw(table.console.view(), 80, 24).text()
    assert "As" not in shown
    assert "Kd" not in shown

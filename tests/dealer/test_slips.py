"""Shift slips by keys: shown when a shift closes, called up again, and the one before."""

from __future__ import annotations

import re

from omaha_drivers import events as said

from omaha_table.dealer.modes.at_table import AtTable
from tests.console.scenes import Table

OPEN_SWING = ("/", "+", "*", "2", "7", "1", "enter")
CLOSE = ("/", "+", "*", "-", "+")
FOLDED = ("+", "0", "-", "0")
"""Heads up the button folds; Big O at 5-5 takes no fee without a flop."""
TO_THE_FLOP = ("+", "0", "enter", "enter", "2", "/", "3", "/", "4", "/", "0")


def table() -> Table:
    return Table(players=2, button=1).keys(*OPEN_SWING)


def page(made: Table) -> tuple[str, tuple[str, ...]]:
    shown = made.console.prompt.page
    assert shown is not None
    return shown.title, shown.lines


def test_opening_a_shift_says_what_was_opened() -> None:
    made = table()
    assert made.console.model.answer.text == "Swing shift open: box 71."
    assert made.console.model.story.log[0].endswith("swing shift opened, box 71")


def test_closing_a_shift_shows_its_slip_and_the_same_slip_can_be_called_up_again() -> None:
    made = table().keys(*FOLDED, *FOLDED, *CLOSE)
    title, lines = page(made)
    assert title == "SLIP OF THE SWING SHIFT"
    assert lines[0] == "table T7"
    assert lines[2:] == ("Hands         2", "Box 71        0")
    assert made.console.model.story.log[0].endswith("swing shift closed, box 71: 2 hands, drop 0")
    made.keys("enter")
    assert isinstance(made.console.model.mode, AtTable)
    assert page(made.keys("/", "*", "5")) == (title, lines)


def test_the_slip_names_each_waiver_and_each_refund_with_its_hand() -> None:
    made = table().run(
        "hand", "deal", "call", "check", "flop 2c 3c 4c", "check around", "turn 5d",
        "check around", "river 9h", "check around", "high 1", "low none", "push",
        'floor 4711 refund 1 2 1 "the reader failed"',
        "hand", "deal", "call", "check", 'floor 4711 waive "a long delay"', "flop 2c 3c 4c",
        "check around", "turn 5d", "check around", "river 9h", "check around", "high 1",
        "low none", "push",
    )  # fmt: skip
    fee = made.session.state.limit.bracket(2)
    assert fee is not None
    taken, back = fee.fee // 100, 1
    _, lines = page(made.keys(*CLOSE))
    assert f"Box 71        {taken - back}   ({taken} taken, {back} given back)" in lines
    assert f"Given back    {back} of hand 1" in lines
    assert f"Waived        {taken} of hand 2" in lines


def test_while_a_shift_is_open_its_slip_so_far_is_shown_and_those_before_follow() -> None:
    made = table().keys(*FOLDED, "/", "+", "*", "3", "8", "8", "enter")
    assert page(made)[0] == "SLIP OF THE SWING SHIFT", "the boxes that have just come off"
    made.keys("/")
    title, lines = page(made)
    assert title == "SLIP SO FAR: GRAVEYARD SHIFT"
    assert lines[2:] == ("Hands         0", "Box 88        0")
    made.keys("enter", "/", "*", "5", "*")
    assert page(made)[0] == "SLIP OF THE SWING SHIFT"
    made.keys("enter", *CLOSE, "*")
    assert page(made)[0] == "SLIP OF THE SWING SHIFT"
    assert page(made.keys("/"))[0] == "SLIP OF THE GRAVEYARD SHIFT"


def test_a_slip_with_many_exceptions_goes_on_for_pages() -> None:
    made = table()
    for _ in range(40):
        made.run(
            "hand", "deal", "call", "check", "flop 2c 3c 4c", 'floor 4711 waive "slow"',
            "1 fold" if made.session.step.seat == 1 else "fold", "push",
        )  # fmt: skip
    made.keys(*CLOSE)
    first, lines = page(made)
    assert first.endswith("1 of 2")
    again, more = page(made.keys("+"))
    assert again.endswith("2 of 2")
    text = "\n".join((*lines, *more, ""))
    assert all(re.search(rf"of hand {number}\b", text) for number in range(1, 41))
    assert page(made.keys("-")) == (first, lines)


def test_a_table_without_shifts_says_so() -> None:
    _, lines = page(Table().keys("/", "*", "5"))
    assert lines == ("table T7", "No shift has been open at this table.", "Drop without a box: 0")


def test_the_slip_has_what_the_devices_counted_and_that_service_is_due() -> None:
    made = Table(players=2, button=1, devices=True).live().keys(*OPEN_SWING)
    made.deck("red", 1)
    for _ in range(2):
        made.say("shoe", said.ShoeLoaded(52)).say("shoe", said.CardUnreadable(1))
    made.say("shuffler", said.Jammed("exit"))
    _, lines = page(made.keys("/", "*", "5"))
    assert "Shuffler      1 good shuffle, 1 bad shuffle, 1 jam" in lines
    assert "Shoe          2 decks dealt, 2 unread cards, SERVICE DUE" in lines


def test_the_handover_says_which_device_is_not_right() -> None:
    made = Table(devices=True).live().say("shoe", said.LinkChanged(said.Link.DOWN, "cable out"))
    _, lines = page(made.keys("*", "/", "+", "1", "1", "4", "enter"))
    assert "Devices        SHOE down" in lines

"""`/` and a PIN are typed in one go: no question and no page may send the digits to the table."""

from __future__ import annotations

import pytest

from tests.console.scenes import SCENES, Table, choose

PIN = ("/", *"4711", "enter")


def opened(what: str) -> Table:
    """A question or a page that stands in front of the table."""
    match what:
        case "an undo":
            return SCENES["preflop"]().keys("enter", ".")
        case "a remedy":
            return Table().keys("+", "0", *PIN, *"12", "1", "enter", "1", "enter")
        case "who folds":
            return Table().keys("+", "0", "3", "-")
        case "who wins":
            return Table().to_river().around().keys("enter")
        case "a shift":
            return Table().keys("/", "+", "*")
        case "a box":
            return Table().keys("/", "+", "*", "1", "7")
        case "a player leaves":
            return Table().keys("3", "enter", "/")
    menu = {
        "the menu": "/*", "the keys": "/*1", "the slip": "/*5", "shutting down": "/*9",
        "an early fold": "/*+1", "which seat": "//", "a dealer push": "/+",
        "a dealer's number": "/+7",
    }  # fmt: skip
    return Table().to_flop().keys(*menu[what])


@pytest.mark.parametrize(
    "what",
    [
        "an undo", "a remedy", "who folds", "who wins", "a shift", "a box", "a player leaves",
        "the menu", "the keys", "the slip", "shutting down", "an early fold", "which seat",
        "a dealer push", "a dealer's number",
    ],
)  # fmt: skip
def test_a_pin_typed_at_a_question_or_a_page_is_taken_by_the_floor(what: str) -> None:
    made = opened(what)
    assert len(made.console.model.modes) > 1, "something stands in front of the table"
    assert "/" in [key.cap for key in made.console.prompt.keys]
    seq = made.session.state.seq
    made.keys("/")
    assert (made.console.prompt.title, made.console.model.typed) == ("FLOOR: PIN", "")
    made.keys(*PIN[1:])
    assert made.console.prompt.title == "WHICH RULING?"
    assert made.session.state.seq == seq, "nothing was recorded"
    made.keys("*")
    assert len(made.console.model.modes) == 1, "the question was left unanswered"


def test_a_pin_that_is_typed_again_with_its_slash_stays_hidden() -> None:
    made = Table().to_flop().keys("/", *"9321", "enter").keys("/", *"4711")
    page = made.console.prompt.page
    assert page is not None
    assert page.dots == 4
    assert made.keys("enter").console.prompt.title == "WHICH RULING?"


def test_a_pin_typed_between_hands_is_not_shown_as_a_seat() -> None:
    made = Table().keys(*"482155")
    assert made.console.model.typed == "48"
    assert "Seats are 1 to" in made.console.model.answer.text


@pytest.mark.parametrize(
    ("ruling", "begun"),
    [
        ("", ()), ("dead", ()), ("dead", ("4", "enter")), ("dead", ("4", "enter", "2")),
        ("pot", ("4", "enter")), ("pot", ("4", "enter", "1", "5")), ("board", ("2",)),
        ("backup", ()), ("void", ("1", "enter")),
    ],
)  # fmt: skip
def test_a_pin_typed_once_more_in_the_middle_of_a_ruling_chooses_nothing(
    ruling: str, begun: tuple[str, ...]
) -> None:
    made = Table().to_flop().keys("/", *"4711", "enter")
    if ruling:
        choose(made, ruling).keys(*begun)
    before, seq = made.console.model.modes, made.session.state.seq
    made.keys("/")
    assert made.console.prompt.title == "FLOOR: PIN"
    assert made.keys(".").console.model.modes == before, "the ruling waits under it"
    made.keys(*PIN)
    assert made.console.prompt.title == "WHICH RULING?"
    assert len(made.console.model.modes) == 2, "and is given up for a new PIN"
    assert made.session.state.seq == seq


def test_a_wrong_pin_over_a_ruling_asks_again_and_keeps_it() -> None:
    made = choose(Table().to_flop().keys("/", *"4711", "enter"), "dead").keys("4", "enter")
    made.keys("/", *"9999", "enter")
    assert "Wrong PIN" in made.console.model.answer.text
    made.keys("/", ".")
    assert made.console.prompt.title == "REASON?"

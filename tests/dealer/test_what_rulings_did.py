"""What is left of a ruling on the screen: log lines with content, chips held, pushes, no drop."""

from __future__ import annotations

import pytest

from omaha_table.dealer.screen.drawing import draw
from tests.console.scenes import SCENES, Table, choose


def floor(made: Table) -> Table:
    return made.keys("/", *"4711", "enter")


def log(made: Table, lines: int = 1) -> list[str]:
    """The latest lines, without their time, oldest first."""
    return [line[10:] for line in made.console.model.story.log[:lines]][::-1]


def status(made: Table, width: int = 80, height: int = 24) -> str:
    canvas = draw(made.console.view(), width, height)
    assert canvas.clipped == []
    return canvas.text().splitlines()[0]


def pushed() -> Table:
    """Three players put 4 in each and the drop is 3: seat 3 is pushed 9."""
    made = Table("ca_big_o", players=3, button=3).to_river()
    made.keys("enter", "3", "enter", "3", "enter")
    while made.session.step.what == "push":
        made.keys("0")
    return made


# The log


def test_the_line_of_a_ruling_is_followed_by_what_it_moved() -> None:
    made = choose(floor(Table()), "stack").keys("1", "enter", "2", "enter", *"50", "enter")
    made.keys("1", "enter")
    assert log(made, 2) == ["! FLOOR F1 stack: wrong change", "stack: $50 from seat 1 to seat 2"]


@pytest.mark.parametrize(("ruling", "keys", "line"), [
    ("dead", ("4", "enter", "1", "enter"), "dead: hand of seat 4"),
    ("pot", ("4", "enter", "1", *"10", "enter", "1", "enter"), "pot: $10 from seat 4"),
    ("pot", ("4", "enter", "2", *"2", "enter", "1", "enter"), "pot: $2 back to seat 4"),
    ("binding", ("4", "enter", "2", "1", "enter"), "binding: check of seat 4"),
    ("waive", ("1", "enter"), "waive: no drop from this hand"),
    ("board", ("2", *"9*", "1", "enter"), "board: card 2 is 9h"),
])  # fmt: skip
def test_a_ruling_on_the_flop_says_in_the_log_what_it_did(
    ruling: str, keys: tuple[str, ...], line: str
) -> None:
    made = choose(floor(Table().to_flop()), ruling).keys(*keys)
    assert line in log(made, 2)


def test_entries_that_the_floor_takes_back_are_named() -> None:
    made = choose(floor(Table().to_flop().keys("enter", "+")), "backup").keys("1", "1", "enter")
    assert log(made) == ["« backup: seat 9 BET 4 is taken back"]
    made = choose(floor(Table().to_flop().keys("enter", "+")), "backup").keys("2", "1", "enter")
    assert log(made) == ["« backup: 2 entries, from seat 8 CHECK, are taken back"]


def test_a_hand_that_was_pushed_wrong_is_named_with_the_chips() -> None:
    made = choose(floor(pushed()), "amend").keys("1", "3", "enter", "1", "enter", "4", "enter")
    made.keys("1", "enter")
    assert log(made) == ["amend: $4 from seat 3 to seat 1, hand 1"]


# Chips held


def holding() -> Table:
    return choose(floor(pushed()), "impound").keys("3", "enter", "4", "enter", "1", "enter")


def test_chips_that_are_held_stay_on_the_screen_until_they_are_paid() -> None:
    made = holding()
    assert log(made) == ["impound: $4 of seat 3 held from hand 1"]
    assert "HELD 4" in status(made)
    assert "held 4 of seat 3 (hand 1)" in made.console.view().felt.lines
    made.keys("+")
    assert made.session.state.hand is not None
    assert "HELD 4" in status(made), "in the next hand too"
    made.keys("0", "/", *"4711")
    assert "HELD 4" in status(made), "and under the dialog"
    made.keys("enter")
    choose(made, "pay").keys("1", "1", "enter", "4", "enter", "1", "enter")
    assert log(made) == ["pay: $4 to seat 1, held from hand 1"]
    assert "HELD" not in status(made)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
def test_there_is_room_for_chips_held_beside_a_call_of_the_floor(size: tuple[int, int]) -> None:
    made = holding().keys("/", "enter", ".").wait(725)
    shown = status(made, *size)
    assert "HELD 4" in shown
    assert "FLOOR CALLED 12:05" in shown


# No drop


def test_a_fee_that_was_waived_before_the_flop_is_not_due_on_it() -> None:
    made = choose(floor(Table().keys("+", "0")), "waive").keys("1", "enter")
    assert "DROP WAIVED" in status(made)
    made.around().keys(*"7+5*2/", "0")
    assert log(made) == ["drop waived"]
    assert not any("due" in line for line in made.console.model.story.log)
    assert "DROP WAIVED" in status(made)


def test_a_fee_of_each_player_that_was_waived_is_not_asked_for() -> None:
    made = choose(floor(SCENES["fees_not_paid"]()), "waive").keys("1", "enter")
    assert "FEES WAIVED" in status(made)
    assert not any("FEE NOT PAID" in seat.last for seat in made.console.view().seats)


# An award


def awarded() -> Table:
    """Three players put 4 in each and the drop is 3: seat 2 gets 5, seat 1 gets 4."""
    made = Table("ca_big_o", players=3, button=3).to_river()
    return choose(floor(made), "award").keys("2", "enter", "5", "enter", "1", "enter", "4", "enter",
                                             "1", "enter")  # fmt: skip


def test_an_award_is_pushed_seat_by_seat() -> None:
    made = awarded()
    assert made.session.state.hand is None, "in the log the hand has ended"
    assert made.console.prompt.title == "PUSH 4 > SEAT 1"
    assert made.console.prompt.detail == "As the floor ruled.  Push 1 of 2.  Drop 3 first."
    seq = made.session.state.seq
    made.keys("enter")
    assert made.console.model.answer.text == "Press 0 when the chips are pushed."
    made.keys("0")
    assert made.console.prompt.title == "PUSH 5 > SEAT 2"
    made.keys(".")
    assert made.console.prompt.title == "PUSH 4 > SEAT 1", "one back"
    made.keys("0", "0")
    assert made.console.prompt.title == "START HAND"
    assert made.session.state.seq == seq, "nothing more is recorded"


def test_the_floor_can_be_called_between_two_pushes_of_an_award() -> None:
    made = choose(floor(awarded().keys("0")), "refund").keys("1", "1", "enter", "1", "enter")
    made.keys("1", "enter")
    assert made.console.prompt.title == "PUSH 5 > SEAT 2"


def test_enter_pushes_nothing_of_an_award() -> None:
    made = awarded().hammer()
    assert made.console.prompt.title == "PUSH 4 > SEAT 1"

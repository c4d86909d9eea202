"""The clock on a seat at the console: what is shown, when it rings, and which keys end it."""

from __future__ import annotations

import pytest

from tests.console.scenes import Table, on_the_clock


def label(made: Table, cap: str) -> str:
    return next((key.label for key in made.console.prompt.keys if key.cap == cap), "")


def waited(made: Table, seconds: float) -> Table:
    """So much later, with a tick of the screen every second as it has it."""
    for second in range(int(seconds)):
        made.wait(1).console.tick(second)
    return made


def test_the_seconds_are_the_large_number_and_the_seat_has_all_its_choices() -> None:
    made = waited(on_the_clock(), 6)
    prompt = made.console.prompt
    assert (prompt.title, prompt.number, prompt.caption) == ("SEAT 1 ON CLOCK", "25", "SECONDS")
    assert (label(made, "ENTER"), label(made, "-"), label(made, "+")) == (
        "CALL 4",
        "FOLD",
        "RAISE TO 8",
    )


def test_it_rings_once_at_ten_seconds_and_twice_at_the_end() -> None:
    made = on_the_clock()
    rung = []
    for second in range(1, 41):
        before = made.console.model.bells
        waited(made, 1)
        rung += [(second, made.console.model.bells - before)]
    assert [at for at in rung if at[1]] == [(21, 1), (31, 2)]


def test_a_screen_that_was_busy_rings_late_and_not_twice() -> None:
    made = on_the_clock()
    before = made.wait(33).console.model.bells
    made.console.tick(1)
    made.console.tick(2)
    assert made.console.model.bells - before == 2


@pytest.mark.parametrize("key", ["enter", "-", "+"])
def test_the_seat_acting_ends_it(key: str) -> None:
    made = waited(on_the_clock(), 20).keys(key)
    assert not made.console.clock_runs
    assert made.console.prompt.caption != "SECONDS"
    before = made.console.model.bells
    assert waited(made, 20).console.model.bells == before


def test_one_key_calls_it_off_and_the_next_one_is_not_an_undo() -> None:
    made = on_the_clock()
    assert label(made, ".") == "CALL THE CLOCK OFF"
    made.keys(".")
    assert not made.console.clock_runs
    assert made.console.prompt.title == "SEAT 1 ACTS"
    assert "clock on seat 1 called off" in made.console.model.story.log[0]


def test_when_the_time_is_up_nothing_happens_by_itself() -> None:
    made = on_the_clock()
    seq = made.session.state.seq
    waited(made, 300)
    assert made.session.state.seq == seq
    assert made.session.step.seat == 1
    assert (made.console.prompt.title, made.console.prompt.number) == ("SEAT 1 TIME UP", "0")


def test_facing_a_bet_the_fold_is_the_clocks() -> None:
    made = waited(on_the_clock(), 31)
    assert (label(made, "-"), label(made, "ENTER")) == ("FOLD: TIME IS UP", "CALL 4")
    made.keys("-")
    assert made.session.step.seat == 2
    assert [line[10:] for line in made.console.model.story.log[:2]] == [
        "seat 1 FOLD",
        "! seat 1 time is up",
    ]


def test_facing_no_bet_the_check_is_the_clocks() -> None:
    made = on_the_clock(flop=True)
    assert label(waited(made, 31), "ENTER") == "CHECK: TIME IS UP"
    assert label(made, "-") == "FOLD"
    made.keys("enter")
    assert "time is up" in made.console.model.story.log[1]


def test_a_call_in_the_last_moment_is_still_a_call() -> None:
    made = waited(on_the_clock(), 31).keys("enter")
    assert made.console.model.story.log[0].endswith("seat 1 CALL 4")


def test_an_amount_that_is_typed_is_shown_and_can_be_cleared() -> None:
    made = waited(on_the_clock(), 5).keys("8")
    assert (made.console.prompt.number, made.console.prompt.caption) == ("8", "TYPED")
    assert label(made, ".") == "CLEAR 8"
    made.keys(".")
    assert made.console.clock_runs


def test_under_a_menu_the_alarm_line_has_it() -> None:
    made = waited(on_the_clock().keys("/", "*"), 6)
    assert made.console.view().alarm.text == "Clock on seat 1: 25 seconds left."


def test_an_undo_of_what_the_clock_did_asks_by_that_name() -> None:
    made = waited(on_the_clock(), 31).keys("-", ".")
    assert made.console.prompt.title == "UNDO CLOCK?"
    assert "Takes back: seat 1 time is up." in made.console.prompt.detail
    made.keys("+")
    assert (made.session.step.seat, made.console.clock_runs) == (1, False)

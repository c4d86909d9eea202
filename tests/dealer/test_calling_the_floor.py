"""Calling the floor by keys: `/` `ENTER`, shown to the whole table, and never in the way."""

from __future__ import annotations

import pytest

from omaha_table.dealer.screen.drawing import draw
from tests.console.scenes import SCENES, Table


def shown(made: Table, width: int = 80, height: int = 24) -> str:
    return draw(made.console.view(), width, height).text()


def called(made: Table) -> bool:
    return made.session.state.floor_call is not None


@pytest.mark.parametrize("scene", ["idle", "flop", "show", "push", "cut", "premature", "jam"])
def test_slash_and_enter_call_the_floor_at_any_time(scene: str) -> None:
    made = SCENES[scene]().keys("/", "enter")
    assert called(made)
    assert made.console.prompt.title == "FLOOR CALLED"


def test_the_table_sees_how_long_it_waits() -> None:
    made = Table().to_flop().keys("/", "enter").wait(83)
    prompt = made.console.prompt
    assert (prompt.title, prompt.number, prompt.caption) == ("FLOOR CALLED", "1:23", "WAITING")
    made.keys(".")
    assert made.console.view().called == "FLOOR CALLED 1:23"
    assert made.console.view().alarm.text == "FLOOR CALLED 1:23"


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
def test_a_refused_key_or_a_device_does_not_hide_the_call(size: tuple[int, int]) -> None:
    made = Table().to_flop().keys("/", "enter", ".", "escape").wait(5)
    assert made.console.view().alarm.level == "refused"
    assert "■ FLOOR CALLED 0:05" in shown(made, *size)
    made = SCENES["jam"]().keys("/", "enter", ".").wait(65)
    assert "jam" in made.console.view().alarm.text.lower()
    assert "■ FLOOR CALLED 1:05" in shown(made, *size)


def test_dealing_goes_on_while_the_floor_is_called() -> None:
    made = Table().to_flop().keys("/", "enter", ".")
    seat = made.session.step.seat
    made.keys("enter")
    assert made.session.step.seat != seat
    assert called(made)


def test_enter_held_down_calls_once_and_reaches_no_player() -> None:
    made = Table().to_flop()
    seat, seq = made.session.step.seat, made.session.state.seq
    made.keys("/").hammer("enter", times=6)
    assert made.session.state.seq == seq + 1, "one call, and no check"
    assert made.session.step.seat == seat
    assert "Press . to go on" in made.console.model.answer.text


def test_a_call_by_mistake_is_taken_back_with_one_key() -> None:
    made = Table().to_flop()
    made.keys("/", "enter", "-")
    assert not called(made)
    seat, seq = made.session.step.seat, made.session.state.seq
    made.keys("-", "-")
    assert (made.session.step.seat, made.session.state.seq) == (seat, seq), "nobody folds by it"
    made.keys(".")
    assert made.console.prompt.title == f"SEAT {seat} ACTS"


def test_a_second_press_shows_since_when_and_offers_the_end() -> None:
    made = Table().to_flop().keys("/", "enter", ".").wait(200).keys("/")
    assert made.console.prompt.number == "3:20"
    assert "END THE CALL" in [key.label for key in made.console.prompt.keys]
    made.keys("enter")
    assert made.session.state.seq == Table().to_flop().keys("/", "enter").session.state.seq


def test_the_supervisor_types_the_pin_where_the_call_is_shown() -> None:
    made = Table().to_flop().keys("/", "enter").wait(61).keys(*"4711")
    page = made.console.prompt.page
    assert page is not None
    assert page.dots == 4
    made.keys("enter")
    call = made.session.state.floor_call
    assert call is not None
    assert (call.arrived, call.waited) == ("F1", 61)
    made.keys("*")
    assert made.console.view().called == "FLOOR IS HERE", "the wait is over, the call is not"
    made.keys("/")
    assert made.console.prompt.detail.startswith("F1 came after 1:01.")
    made.keys("-")
    assert not called(made)


def test_a_ruling_ends_the_call_at_the_table() -> None:
    made = Table().keys("+", "0", "/", "enter", *"4711", "enter")
    assert called(made)
    made.keys("1", "0", "1", "enter")
    assert not called(made)
    assert made.console.view().called == ""


def test_where_only_the_floor_can_help_one_key_calls_it() -> None:
    made = SCENES["premature"]()
    assert made.console.prompt.title == "CALL THE FLOOR"
    made.hammer("enter", times=4)
    assert called(made)
    assert "is called" in made.console.model.answer.text
    assert made.console.prompt.title == "CALL THE FLOOR"


def test_a_pin_that_is_being_typed_is_not_a_call() -> None:
    made = Table().to_flop().keys("/", *"0000", "enter")
    assert not called(made)
    assert "wrong PIN" in made.console.model.answer.text.replace("Wrong", "wrong")

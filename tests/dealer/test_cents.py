"""Amounts with cents on the number pad: at tables with small chips, and in every ruling."""

from __future__ import annotations

from omaha_table.session.config import demo_table
from tests.console.scenes import Table, choose


def caps(table: Table) -> dict[str, str]:
    return {key.cap: key.label for key in table.console.prompt.keys}


def asked(table: Table) -> tuple[str, ...]:
    page = table.console.prompt.page
    assert page is not None
    return page.lines


def test_a_pot_with_fifty_cents_is_awarded_from_the_pad() -> None:
    """Three players all in for $7.50 make $22.50; the fee of $3 leaves $19.50."""
    table = Table("nj_big_omaha_hilo", "5-10", players=0, button=None)
    for seat in ("1", "2", "3"):
        table.keys(seat, "enter", "7", ".", "5", "0", "+")
    assert [at.stack for at in table.session.state.seats.values()] == [750, 750, 750]
    table.keys("3", "enter", "+", "0")
    while table.session.step.what == "act":
        table.keys("*", "enter")
    table.keys("7 + 5 * 2 / 0", "1 3 - 0", "9 / 0")
    assert table.session.step.what == "show"
    choose(table.keys("/ 4 7 1 1", "enter"), "award")
    table.keys("1", "enter", "1", "0", "enter")
    assert "Award chips to which seat?" in asked(table), "$9.50 are left"
    table.keys("2", "enter", "9", ".", "5", "0")
    assert table.console.prompt.detail == "Seat 1   Amount 10   Seat 2"
    assert caps(table)["ENTER"] == "AMOUNT 9.50"
    table.keys("enter", "3", "enter")
    [result] = table.session.state.results
    assert result.awards == {1: 1000, 2: 950}
    assert result.fee == 300


def test_point_and_clear_are_on_the_key_that_says_so() -> None:
    table = Table("nj_big_omaha_hilo", "5-10", players=3, button=3).keys("1", "enter")
    assert caps(table)["."] == "BACK"
    table.keys("4")
    assert caps(table)["."] == "CENTS"
    table.keys(".")
    assert table.console.model.typed == "4."
    assert caps(table)["."] == "CLEAR"
    table.keys("2")
    assert table.console.model.amount == 420
    table.keys("5", "9")
    assert table.console.model.typed == "4.25"
    assert "two digits" in table.console.view().alarm.text
    table.keys(".")
    assert table.console.model.typed == ""


def test_what_is_too_much_is_cleared_at_once_with_the_key_that_is_named() -> None:
    stacks: dict[int, int | None] = dict.fromkeys((1, 2, 3), 100_50)
    table = Table("ca_omaha_hilo", "5-5", players=3, stacks=stacks, button=3).keys("+", "0")
    table.keys("9", "9", "enter")
    assert table.console.model.answer.text.endswith("Press . and type the amount again.")
    assert caps(table)["."] == "CLEAR 99"
    assert table.keys(".").console.model.typed == ""
    choose(table.keys("/ 4 7 1 1", "enter"), "pot").keys("1", "enter", "1", *"999")
    assert caps(table)["."] == "CLEAR"
    assert table.keys(".").console.model.typed == ""


def test_where_chips_are_whole_dollars_the_point_clears_at_once() -> None:
    table = Table("ca_big_o", players=3, button=3).keys("1", "enter", "4")
    assert caps(table)["."] == "CLEAR"
    table.keys(".")
    assert table.console.model.typed == ""


def test_a_ruling_takes_cents_at_any_table() -> None:
    table = Table("ca_big_o", players=3, button=3)
    choose(table.keys("/ 4 7 1 1", "enter"), "stack")
    table.keys("1", "enter", "2", "enter", "2", ".", "2", "5", "enter", "3", "enter")
    before = {player.seat: player.stack for player in demo_table().players}
    stacks = {seat: at.stack for seat, at in table.session.state.seats.items()}
    assert stacks[1] == (before[1] or 0) - 225
    assert stacks[2] == (before[2] or 0) + 225

"""The menu of a seat while a hand is played: the keys from between hands, and one more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.rules import load_profile
from tests.console.scenes import Table, on_the_clock
from tests.evenings import profile_with

if TYPE_CHECKING:
    from omaha_table.dealer.table_view import SeatView


def asked(table: Table) -> list[tuple[str, int]]:
    return [(one.change.what, one.change.seat) for one in table.session.state.asked]


def seat(table: Table, number: int) -> SeatView:
    return next(seat for seat in table.console.view().seats if seat.number == number)


def test_a_player_leaves_with_one_key_more_than_between_hands() -> None:
    Table().keys("3", "enter", "/", "+")
    table = Table().keys("+", "0").keys("/", "/", "3", "/", "+")
    assert asked(table) == [("leave", 3)]
    assert seat(table, 3).waits == ("LEAVES",)


@pytest.mark.parametrize("keys", [("-",), ("5", "0", "+"), ("/", "+")])
def test_after_a_seat_change_the_betting_has_the_keys_again(keys: tuple[str, ...]) -> None:
    table = Table().keys("+", "0")
    before = table.console.prompt
    table.keys("/", "/", "3", *keys)
    assert len(asked(table)) == 1
    assert table.console.prompt.title == before.title == "SEAT 1 ACTS"
    table.keys("enter")
    assert table.session.step.seat == 2


@pytest.mark.parametrize(
    "step",
    [
        lambda: Table().keys("+"),
        lambda: Table().keys("+", "0"),
        lambda: Table().keys("+", "0").around(),
        lambda: Table().to_flop(),
        lambda: Table().to_river(),
        lambda: Table().to_river().keys("enter", "4", "enter", "4", "enter"),
    ],
    ids=["pitch", "act", "flop", "act on the flop", "show", "push"],
)
def test_a_seat_is_opened_at_every_step_of_a_hand(step: object) -> None:
    assert callable(step)
    table = step()
    before = table.console.prompt
    table.keys("/", "/", "3", "-")
    assert asked(table) == [("away", 3)]
    assert table.console.prompt.title == before.title
    table.keys("/", "/", ".")
    assert table.console.prompt.title == before.title


def test_a_seat_is_opened_while_a_shoe_deals_and_the_clock_runs() -> None:
    table = on_the_clock().wait(10).keys("/", "/", "3", "-")
    assert asked(table) == [("away", 3)]


def test_seats_ten_and_eleven_have_a_key_each() -> None:
    rules = profile_with(seats={"max": 11}, button={"initial": "placed"})
    assert rules.seats.max == 11
    table = Table(rules, players=3, button=1).keys("+", "0")
    for key, number in (("0", 10), ("+", 11), ("1", 1)):
        table.keys("/", "/", key)
        assert str(number) in table.console.prompt.title
        table.keys(".")


def test_there_is_no_seat_beyond_the_last() -> None:
    table = Table(load_profile("ca_big_o")).keys("+", "0", "/", "/", "0")
    assert "Seats are 1 to 9." in table.console.view().alarm.text


def test_a_held_digit_types_no_chips() -> None:
    table = Table().keys("+", "0", "/", "/")
    now = 100.0
    for _ in range(5):
        now += 0.05
        table.console.press("3", now)
    assert table.console.prompt.title == "SEAT 3"
    assert table.console.prompt.number == ""


def test_a_newcomer_is_named_and_shown_at_the_open_seat() -> None:
    table = Table(players=8).keys("+", "0", "/", "/", "9").keys(*"kim", "5", "0", "enter")
    assert asked(table) == [("seat", 9)]
    assert seat(table, 9).waits[0] == "NEW: KIM 50"
    assert table.console.prompt.title == "SEAT 2 ACTS"


def test_a_chair_that_is_given_up_can_be_given_away_but_not_by_one_enter_too_many() -> None:
    table = Table().keys("+", "0").run("leave 3").keys("/", "/", "3", "enter")
    assert asked(table) == [("leave", 3)]
    table.keys("/", "/", "3", *"kim", "enter")
    assert asked(table) == [("leave", 3), ("seat", 3)]
    assert seat(table, 3).waits[0] == "NEW: KIM"


def test_what_waits_is_taken_back_with_one_key_and_a_plain_question() -> None:
    table = Table().keys("+", "0").run("leave 3", "buy 4 50").keys("enter", "/", "/", "3", "*")
    prompt = table.console.prompt
    assert (prompt.title, prompt.detail) == (
        "UNDO LEAVING?", "Takes back: seat 3 leaves when the hand ends.",
    )  # fmt: skip
    table.keys("enter")
    assert asked(table) == [("leave", 3), ("buy", 4)]
    table.keys("*", "+")
    assert asked(table) == [("buy", 4)]
    assert table.console.prompt.title == "SEAT 2 ACTS"


def test_the_step_back_key_takes_back_what_was_asked_for_last() -> None:
    table = Table().keys("+", "0", "-", "/", "/", "3", "/", "+", ".")
    assert table.console.prompt.detail.startswith("Takes back: seat 3 leaves when the hand ends.")
    table.keys("+")
    assert not table.session.state.asked
    table.keys(".")
    assert table.console.prompt.title == "UNDO FOLD?"


def test_blinds_and_moves_are_not_offered_in_a_hand() -> None:
    table = Table(players=8).keys("+", "0", "/", "/", "3")
    assert [key.cap for key in table.console.prompt.keys] == ["ENTER", "-", "/", "0-9", "."]
    table.keys("9")
    assert "MOVES" not in " ".join(key.label for key in table.console.prompt.keys)


@pytest.mark.parametrize(
    ("lines", "forms"),
    [
        (("away 3",), ("AWAY NEXT", "AWAY")),
        (("away 3", "back 3"), ("STAYS",)),
        (("buy 3 50", "buy 3 25.50"), ("+75.50",)),
        (("seat 9 Kim 100", "buy 9 20"), ("NEW: KIM 120", "NEW: KIM", "NEW: KIM")),
        (("seat 9 Kim 100", "leave 9"), ("STAYS OPEN",)),
        (("buy 3 50", "leave 3"), ("LEAVES",)),
        (("buy 3 50", "leave 3", "seat 3 Kim 100"), ("NEW: KIM 100", "NEW: KIM", "NEW: KIM")),
    ],
)
def test_what_waits_is_added_up(lines: tuple[str, ...], forms: tuple[str, ...]) -> None:
    table = Table(players=8).keys("+", "0").run(*lines)
    assert seat(table, int(lines[0].split()[1])).waits == forms


def test_nothing_waits_at_a_seat_once_the_hand_has_ended() -> None:
    table = Table(players=3).keys("+", "0", "/", "/", "3", "5", "0", "+")
    table.keys("-", "-", "0")
    assert table.session.state.hand is None
    assert not any(seat.waits for seat in table.console.view().seats)
    assert "seat 3 adds 50, asked for in hand 1" in table.console.view().log[0]


def test_an_incoming_dealer_reads_what_waits_for_the_end_of_the_hand() -> None:
    table = (
        Table().keys("+", "0").run("leave 3", "buy 4 200").keys("/", "+", "1", "1", "4", "enter")
    )
    page = table.console.prompt.page
    assert page is not None
    assert "After the hand seat 3 leaves, seat 4 adds 200" in page.lines

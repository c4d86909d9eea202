"""The middle of the table: cards as they are typed, lamps, and what there is room for."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.console import Console
from omaha_table.dealer.event_text import action_forms
from omaha_table.dealer.screen.drawing import draw
from omaha_table.hand.events import Acted
from omaha_table.table.commands import SeatPlayer
from tests.console.scenes import SCENES, Table
from tests.evenings import draw_lines
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from pathlib import Path


def section(table: Table, title: str) -> tuple[str, ...]:
    found = [part for part in table.console.view().felt.sections if part.title == title]
    return found[0].lines if found else ()


def plain(lines: tuple[str, ...]) -> list[str]:
    return [line.replace("\u00a0", " ") for line in lines]


# The board


def test_cards_of_a_board_appear_as_they_are_typed_and_go_when_they_are_taken_off() -> None:
    table = Table().keys("+", "0").around()
    shown = [table.console.view().felt.keyed]
    for key in "7+5*":
        table.keys(key)
        shown.append(table.console.view().felt.keyed)
    assert shown == [(), (), ("7c",), ("7c",), ("7c", "5h")]
    assert "7♣" in draw(table.console.view(), 80, 24).text()
    table.keys(".")
    assert table.console.view().felt.keyed == ("7c",)


def test_typed_cards_are_not_the_board_until_all_are_there() -> None:
    table = Table().keys("+", "0").around().keys(*"7+5*")
    assert table.console.view().felt.board == ()
    table.keys(*"2/")
    view = table.console.view().felt
    assert (view.board, view.keyed) == ((), ("7c", "5h", "2s")), "not before it is confirmed"
    table.keys("0")
    view = table.console.view().felt
    assert (view.board, view.keyed) == (("7c", "5h", "2s"), ())


# Lamps


def lamps(table: Table) -> tuple[str, ...]:
    return table.console.view().felt.lamps


def test_no_raise_cap_is_shown_only_while_somebody_can_raise() -> None:
    table = Table(players=2, button=1).keys("+", "0")
    assert "NO RAISE CAP" in lamps(table)
    table.around()
    assert "NO RAISE CAP" not in lamps(table), "the betting is over"
    table = Table(players=2, button=1, stacks={1: 400, 2: 20000}).keys("+", "0")
    assert "NO RAISE CAP" not in lamps(table), "seat 1 has no more than the price"


# Seats


def test_an_all_in_in_little_room_keeps_its_amount_whole() -> None:
    """Seat 2 calls 61 of 61 with five cards before it: there are eight columns for the words."""
    stacks: dict[int, int | None] = {1: 50000, 2: 6600, 3: 50000}
    table = Table("ca_omaha_hilo", "5-5", players=3, button=3, stacks=stacks)
    table.keys("+", "0", *"20", "enter", "enter")
    table.keys(*"66", "enter", "enter")
    text = draw(table.console.view(), 80, 24).text()
    assert "ALL IN" in text
    for line in text.splitlines():
        assert not line.rstrip().endswith((" A", " AL", " ALL-", "ALL-I"))


@pytest.mark.parametrize(
    ("acted", "words"),
    [
        (Acted(1, "call", 6100, 6600, True, 1), "CALL 61, ALL-IN"),
        (Acted(1, "raise", 124000, 124000, False, 1), "RAISE TO 1,240"),
        (Acted(1, "raise", 124000, 124000, True, 1), "RAISE TO 1,240, ALL-IN"),
        (Acted(1, "bet", 11250, 11250, False, 1), "BET 112.50"),
        (Acted(1, "fold", 0, 0, False, 1), "FOLD"),
    ],
)
def test_an_amount_is_shown_whole_or_not_at_all(acted: Acted, words: str) -> None:
    """Under the seat's stack of 76 and five cards, at each size of the screen."""
    view = Table().keys("+", "0").console.view()
    seats = tuple(replace(at, last=action_forms(acted), bet="", chips="") for at in view.seats)
    assert action_forms(acted)[0] == words
    amount = words.removesuffix(", ALL-IN").split()[-1]
    for size in ((80, 24), (100, 30), (120, 40)):
        rows = draw(replace(view, seats=seats, log=()), *size).text().splitlines()
        shown = [row for row in rows if words.split()[0] in row]
        assert shown
        for row in shown:
            figures = set(re.findall(r"[0-9][0-9,.]*", row.replace(words, amount)))
            assert figures <= {amount, *"0123456789"}, row


def test_after_a_restart_seats_still_show_what_they_did(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    seated = [f"seat {seat} P{seat} 200" for seat in range(1, 5)]
    say(session, *seated, *draw_lines(4, range(1, 5)), "hand", "deal", "fold", "raise")
    before = {seat.number: seat.last for seat in Console(session).view().seats}
    session.close()
    session = open_session(tmp_path)
    console = Console(session)
    after = {seat.number: seat.last for seat in console.view().seats}
    assert after[3] == ("FOLD",)
    assert after[4][0].startswith("RAISE TO")
    assert before[3] == (), "a console that was not there has seen nothing"
    console.press("enter", 1.0)
    console.press(".", 2.0)
    assert "seat 4 RAISE TO" in console.prompt.detail
    session.close()


# Sections


def test_actions_are_listed_by_street_the_latest_first() -> None:
    table = SCENES["flop"]()
    assert plain(section(table, "ACTIONS")) == [
        "FLOP  8 check · 9 bet 4",
        "PREFLOP  1 2 3 4 5 6 call 4 · 8 call 2 · 9 check",
    ]


def test_what_was_taken_back_is_no_action() -> None:
    table = Table(players=3, button=3).keys("+", "0", "-", ".", "+")
    assert section(table, "ACTIONS") == ()


def test_the_pot_is_counted_out_by_seats_and_amounts() -> None:
    assert section(Table().keys("+", "0").around(), "THE POT") == ("32 = 8 x 4",)


def test_side_pots_are_counted_out_one_by_one() -> None:
    """Seat 3 has 8, seats 1 and 2 have 24 in front: 3 x 8, then 2 x 16."""
    stacks: dict[int, int | None] = {1: 20000, 2: 20000, 3: 800}
    table = Table("ca_omaha_hilo", "5-5", players=3, button=3, stacks=stacks)
    table.keys("+", "0", "*", "enter", *"24", "enter", "enter")
    assert table.session.step.what == "flop"
    assert section(table, "THE POTS") == ("MAIN  24 = 3 x 8", "SIDE 1  32 = 2 x 16")


def test_tabled_hands_are_read_and_pushes_listed_where_there_is_room() -> None:
    table = SCENES["push"]()
    assert section(table, "HANDS")[:2] == (
        "1  Pair of aces, king-ten-seven kickers",
        "   low: 7-5-3-2-A",
    )
    assert section(table, "PUSHES") == (
        "4 to seat 2   HIGH half",
        "5 to seat 1   LOW half, odd chip",
    )
    large, little = (draw(table.console.view(), *size).text() for size in ((120, 40), (80, 24)))
    assert "Pair of aces" in large
    assert "low: 8-5-4-2-A" in large
    assert "Pair of aces" not in little, "half of the hands would be read as all of them"


def test_a_hand_that_is_not_tabled_is_read_nowhere() -> None:
    assert section(Table().to_river(), "HANDS") == ()


def test_an_event_too_long_for_its_column_goes_on_in_the_next_line() -> None:
    text = draw(SCENES["show"]().console.view(), 120, 40).text()
    rows = text.splitlines()
    assert "…" not in "".join(row[88:] for row in rows)
    at = next(y for y, row in enumerate(rows) if "tables As 3d" in row[88:])
    assert rows[at + 1][88:].split() == "9c 9d Ts".split()


def test_the_seats_of_a_pot_are_shown_whole_at_a_full_table() -> None:
    table = Table("house_omaha_hilo", players=9)
    table.session.do(SeatPlayer(10, "Jo", 30000))
    table.keys("+", "0").around()
    for size in ((80, 24), (100, 30), (120, 40)):
        canvas = draw(table.console.view(), *size)
        assert "1 2 3 4 5 6 7 8 9 10" in canvas.text()


def test_between_hands_the_seat_that_gets_no_hand_is_named() -> None:
    table = Table()
    assert "no hand for seat 7" in table.console.view().felt.lines
    [note] = [seat.note for seat in table.console.view().seats if seat.number == 7]
    assert note == "NOT DEALT IN"
    table = Table(players=8)
    assert not [line for line in table.console.view().felt.lines if "no hand" in line]

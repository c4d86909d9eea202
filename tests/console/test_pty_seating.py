"""Who sits where, with which name and chips, at a real terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in, verify
from omaha_table.journal.writer import Clock
from omaha_table.table.events import (
    ChipsBought,
    PlayerLeft,
    PlayerMoved,
    PlayerRenamed,
    PlayerSeated,
    StackSet,
    TableReopened,
)
from tests.console.terminal import Terminal, table_file
from tests.evenings import draw_lines
from tests.journal.days import CLOSE, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Event

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])


def console(folder: Path, size: tuple[int, int] = (80, 24)) -> Terminal:
    """Ada, Ben and Carmen at Big O, 4-8, with 200 each, unless the log says otherwise."""
    table = table_file(folder)
    arguments = ["console", "--table", str(table), "--data", str(folder / "data")]
    return Terminal(arguments, size)


def before(folder: Path, *lines: str, seconds: float = 3600) -> None:
    """What was recorded at this table some time ago."""
    then = time.time() - seconds
    session = open_session(folder / "data", clock=Clock(lambda: then, lambda: then))
    say(session, *lines)
    session.close()


def last_day(folder: Path) -> list[Event]:
    journals = files_in(folder / "data")
    verdict = verify(journals)
    assert verdict.sound, verdict.damage
    with Reader(journals[-1]) as reader:
        return [record_of(row).event for row in reader.since()]


def shut_down(terminal: Terminal) -> None:
    terminal.press("/", "*", "9")
    assert terminal.end() == 0


@SIZES
def test_a_player_gets_another_name(size: tuple[int, int], tmp_path: Path) -> None:
    with console(tmp_path, size) as terminal:
        terminal.wait("players.  Type a seat")
        terminal.press("2", "enter", *"Benjamin")
        terminal.wait("is the new name of Ben")
        terminal.press("enter")
        terminal.wait("BENJAMIN")
        terminal.wait("Benjamin: 200 in chips.")
        terminal.press(".")
        shut_down(terminal)
    [named] = [event for event in last_day(tmp_path) if isinstance(event, PlayerRenamed)]
    assert (named.seat, named.name) == (2, "Benjamin")


@SIZES
def test_a_seat_opened_by_mistake_seats_nobody(size: tuple[int, int], tmp_path: Path) -> None:
    with console(tmp_path, size) as terminal:
        terminal.wait("players.  Type a seat")
        terminal.press("7", "enter")
        terminal.wait("NOBODY SITS DOWN")
        terminal.press("enter")
        terminal.wait("players.  Type a seat")
        terminal.press("7", "enter")
        terminal.wait("NO NAME, NOT TRACKED")
        terminal.press("9", "0", "enter")
        terminal.wait("Press + to seat a player without a name")
        terminal.press("+")
        terminal.wait("SEAT 7")
        shut_down(terminal)
    seated = [event for event in last_day(tmp_path) if isinstance(event, PlayerSeated)]
    assert [event.seat for event in seated] == [1, 2, 3, 7]


@SIZES
def test_a_name_that_sits_here_already_is_asked_about(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with console(tmp_path, size) as terminal:
        terminal.wait("players.  Type a seat")
        terminal.press("7", "enter", *"Ben", "enter")
        terminal.wait("Ben is in seat 2 with 200. Has this player moved?")
        terminal.press("*")
        terminal.wait("2 open")
        terminal.press("2", "enter", *"Ben", *"80", "enter")
        terminal.wait("Ben is in seat 7")
        terminal.press("+")
        terminal.wait("BEN 2")
        shut_down(terminal)
    events = last_day(tmp_path)
    assert [(one.seat, one.to) for one in events if isinstance(one, PlayerMoved)] == [(2, 7)]
    seated = [event for event in events if isinstance(event, PlayerSeated)]
    assert (seated[-1].seat, seated[-1].name, seated[-1].stack) == (2, "Ben 2", 80_00)


@SIZES
def test_a_wrong_slip_is_typed_over_until_the_seat_has_played(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with console(tmp_path, size) as terminal:
        terminal.wait("players.  Type a seat")
        terminal.press("2", "enter", *"300")
        terminal.wait("HAS 300 IN ALL")
        terminal.press("*")
        terminal.wait("Ben: 300 in chips.")
        terminal.press(".", "enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("0")
        terminal.wait("hole cards out")
        terminal.press("-", "-")
        terminal.wait("PUSHED")
        terminal.press("0")
        terminal.wait("START HAND 2")
        terminal.press("2", "enter", *"500", "*")
        terminal.wait("Seat 2 has played: the floor corrects its stack with / and 52.")
        terminal.press(".", ".")
        shut_down(terminal)
    [counted] = [event for event in last_day(tmp_path) if isinstance(event, StackSet)]
    assert (counted.seat, counted.stack, counted.was) == (2, 300_00, 200_00)


@SIZES
def test_a_stack_is_counted_down_and_before_that_a_buy_in_is_only_noted(
    size: tuple[int, int], tmp_path: Path
) -> None:
    before(tmp_path, "seat 1 Ada 200", "seat 2 Ben", "seat 3 Carmen 200")
    with console(tmp_path, size) as terminal:
        terminal.wait("players.  Type a seat")
        terminal.press("2", "enter")
        terminal.wait("chips not tracked.   Count them all, then *.")
        terminal.press(*"100", "+")
        terminal.wait("Noted: seat 2 adds 100. Its stack is not tracked")
        terminal.press(*"340", "*")
        terminal.wait("Ben: 340 in chips.")
        terminal.press(".")
        shut_down(terminal)
    events = last_day(tmp_path)
    [bought] = [event for event in events if isinstance(event, ChipsBought)]
    assert (bought.amount, bought.tracked) == (100_00, False)
    [counted] = [event for event in events if isinstance(event, StackSet)]
    assert (counted.stack, counted.was) == (340_00, None)


@SIZES
def test_chips_of_a_player_who_is_away_too_long_are_picked_up(
    size: tuple[int, int], tmp_path: Path
) -> None:
    players = ("seat 1 Ada 200", "seat 2 Ben 200", "seat 3 Carmen 200")
    before(tmp_path, *players, *draw_lines(1, (1, 2, 3)), "away 2")
    with console(tmp_path, size) as terminal:
        terminal.wait("Seat 2 is away too long: * picks the chips up.")
        terminal.press("*")
        terminal.wait("Ben, away 60 min. 200 in chips: count, bag and call the floor.")
        terminal.press("+")
        terminal.wait("2 open")
        shut_down(terminal)
    [left] = [event for event in last_day(tmp_path) if isinstance(event, PlayerLeft)]
    assert (left.seat, left.stack, left.picked_up) == (2, 200_00, True)


@SIZES
@pytest.mark.parametrize(
    ("key", "how", "sign", "there"),
    [
        ("+", "same", "DOV", [(4, "Dov", 312_50), (6, "Eve", None)]),
        ("*", "file", "CARMEN", [(1, "Ada", 200_00), (2, "Ben", 200_00), (3, "Carmen", 200_00)]),
        ("-", "empty", "WAITING FOR PLAYERS", []),
    ],
    ids=["same players", "table file", "empty table"],
)
def test_a_closed_table_asks_who_is_seated(
    key: str,
    how: str,
    sign: str,
    there: list[tuple[int, str, int | None]],
    size: tuple[int, int],
    tmp_path: Path,
) -> None:
    before(tmp_path, "seat 4 Dov 312.50", "seat 6 Eve", CLOSE)
    with console(tmp_path, size) as terminal:
        shown = terminal.wait(lambda text: "with 2 players." in text and "EMPTY TABLE" in text)
        for said in ("Dov", "312.50", "Eve", "not tracked", "Ada", "Carmen", "EMPTY TABLE"):
            assert said in shown
        terminal.press(key)
        terminal.wait(sign)
        shut_down(terminal)
    events = last_day(tmp_path)
    [reopened] = [event for event in events if isinstance(event, TableReopened)]
    assert (reopened.how, reopened.players) == (how, len(there))
    seated = [event for event in events if isinstance(event, PlayerSeated)]
    assert [(one.seat, one.name, one.stack) for one in seated] == there

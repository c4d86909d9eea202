"""What can go wrong between players, on a real terminal: turns, clocks, chips, the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.floor.staff import Role
from omaha_table.hand.events import Acted, FoldedOutOfTurn
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in, verify
from omaha_table.table.events import ClockCalled, ClockCancelled, LimitChanged, Ruled, StackAdjusted
from tests.console.terminal import Terminal, table_file
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Event


PIN = "482155"


@pytest.fixture(autouse=True)
def staff(tmp_path: Path) -> None:
    put_staff(tmp_path / "data", (("F1", "Fern Hill", Role.FLOOR, PIN),))


def open_table(folder: Path) -> Terminal:
    """Three players at Big O, 4-8."""
    table = table_file(folder)
    return Terminal(["console", "--table", str(table), "--data", str(folder / "data")])


def begin_hand(terminal: Terminal) -> None:
    """Seat 1 has the button, so it is the first to act."""
    terminal.wait("BUTTON DRAW")
    terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
    terminal.wait("START HAND 1")
    terminal.press("+")
    terminal.wait("CARDS ARE OUT")
    terminal.press("0")
    terminal.wait("hole cards out")


def events_in(data: Path) -> list[Event]:
    [journal] = files_in(data)
    assert verify([journal]).sound
    with Reader(journal) as reader:
        return [record_of(row).event for row in reader.since()]


def test_a_seat_that_folds_out_of_turn_is_asked_about_and_recorded(tmp_path: Path) -> None:
    with open_table(tmp_path) as terminal:
        begin_hand(terminal)
        terminal.press("3", "-")
        shown = terminal.wait("SEAT 3 OUT OF TURN")
        assert "FOLD 1 2" in shown
        terminal.press("+")
        terminal.wait("seat 3 FOLD OUT OF TURN")
        terminal.wait("to call")
        terminal.press("enter")
        terminal.wait("seat 1 CALL")
    folded = [event for event in events_in(tmp_path / "data") if type(event) is FoldedOutOfTurn]
    assert [event.seat for event in folded] == [3]


def rule(terminal: Terminal, number: str, *keys: str) -> None:
    """A ruling by its number, with the keys that answer its questions."""
    terminal.press("/", *PIN, "enter")
    terminal.wait("RULINGS   Fern Hill", 60)
    terminal.press(*number, *keys)


def test_a_clock_counts_down_on_the_screen_and_one_key_calls_it_off(tmp_path: Path) -> None:
    with open_table(tmp_path) as terminal:
        begin_hand(terminal)
        rule(terminal, "17", "enter", "1", "enter")
        shown = terminal.wait("CALL THE CLOCK OFF")
        assert "SECONDS" in shown
        band = shown.splitlines()[17:20]
        terminal.wait(lambda text: text.splitlines()[17:20] != band)
        terminal.press(".")
        terminal.wait("clock on seat 1 called off")
        terminal.wait("to call")
    events = events_in(tmp_path / "data")
    assert [event.seat for event in events if isinstance(event, ClockCalled)] == [1]
    assert [event.seat for event in events if isinstance(event, ClockCancelled)] == [1]
    assert not [event for event in events if isinstance(event, Acted)]


def test_a_stack_is_corrected_at_the_pad(tmp_path: Path) -> None:
    with open_table(tmp_path) as terminal:
        begin_hand(terminal)
        rule(terminal, "52", "2", "enter", "1", *"80", "enter")
        terminal.wait("from $198 to $278")
        terminal.press("2", "enter")
        terminal.wait("seat 2 stack up by 80")
    events = events_in(tmp_path / "data")
    changed = [event for event in events if isinstance(event, StackAdjusted)]
    assert [(event.seat, event.amount) for event in changed] == [(2, 8000)]


def test_another_limit_takes_a_pin_and_leaving_a_hand_a_key_of_its_own(tmp_path: Path) -> None:
    with open_table(tmp_path) as terminal:
        begin_hand(terminal)
        terminal.press("/", "*", "9")
        terminal.wait("YES, SHUT DOWN")
        terminal.press("enter")
        terminal.wait("to call")
        terminal.press("-")
        terminal.wait("seat 1 FOLD")
        terminal.press("-")
        terminal.wait("PUSHED")
        terminal.press("0")
        terminal.wait("START HAND 2")
        rule(terminal, "71", "2", "1", "enter")
        terminal.wait("limit 8-16")
        terminal.wait("BIG O 8-16")
        terminal.press(".")
        terminal.wait("START HAND 2")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("/", "*", "9")
        terminal.wait("YES, SHUT DOWN")
        terminal.press("+")
        assert terminal.end() == 0
    events = events_in(tmp_path / "data")
    assert [event.limit for event in events if isinstance(event, LimitChanged)] == ["8-16"]
    assert [event.ruling for event in events if isinstance(event, Ruled)] == ["limit"]

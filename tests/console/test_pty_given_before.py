"""The floor at a real terminal: how a ruling was given before, and an award pushed seat by seat."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role
from omaha_table.journal.days import day_files
from omaha_table.journal.verification import files_in, verify
from tests.console.terminal import Terminal, table_file
from tests.journal.days import raw
from tests.rulings_before import DAY, dead, play_day
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

PIN = "482155"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A staff of one, and three earlier gaming days; somebody has changed the first of them."""
    folder = tmp_path / "data"
    staff = nobody_yet(folder)
    person = Person("F15", "Fern Hill", Role.FLOOR, PinHash.of(PIN, staff.pepper))
    save_staff(folder, type(staff)((person,), staff.pepper))
    now = time.time()
    play_day(folder, now - 4 * DAY, dead(1, "fouled hand"))
    play_day(folder, now - 3 * DAY, dead(2, "clock ran out"))
    play_day(folder, now - 2 * DAY, dead(3, "two hands to a player"), dead(1, "cards on the floor"))
    with raw(day_files(folder, "t7")[0]) as log:
        log.execute("UPDATE event SET body = replace(body, 'fouled hand', 'as a favor')")
    return folder


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_similar_rulings_are_shown_while_the_hand_waits_and_an_award_is_pushed(
    tmp_path: Path, data: Path, size: tuple[int, int]
) -> None:
    first, second, third = (path.stem.removeprefix("t7-") for path in day_files(data, "t7"))
    table = str(table_file(tmp_path))
    with Terminal(["console", "--table", table, "--data", str(data)], size) as terminal:
        terminal.wait("TABLE FILE'S PLAYERS")
        terminal.press("*")
        terminal.wait("BUTTON DRAW")
        terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("0", "enter", "enter", "enter", *"7+5*2/0", "enter", "enter", "enter")
        terminal.wait("Burn 1.")
        terminal.press("/", *PIN, "enter")
        terminal.wait("14  Dead hand")
        terminal.press("1", "4")
        terminal.wait("Whose hand is dead?")
        terminal.press("3", "enter")
        shown = terminal.wait("Given before, the most similar first:")
        for line in (
            f"{third}  #2     Seat 1   cards on the floor",
            f"{third}  #1     Seat 3   two hands to a player",
        ):
            assert line in shown
        assert f"the log is not sound: {first}." in shown
        assert "as a favor" not in shown
        assert "POT 12" in shown
        assert "7♣ 5♥ 2♠" in shown
        terminal.press("*")
        assert f"{second}  #1     Seat 2   clock ran out   F1" in terminal.wait("GO ON")
        terminal.press("enter")
        terminal.wait("1-6  REASON")
        terminal.press("1", "enter")
        terminal.wait("dead: hand of seat 3")
        # The two others show down, and the floor says who is paid what.
        terminal.press("8", "/", "0", "enter", "enter", "9", "/", "0", "enter", "enter")
        terminal.wait("WHO WINS?")
        terminal.press("/", *PIN, "enter")
        terminal.wait("14  Dead hand")
        terminal.press("2", "4")
        terminal.wait("Award chips to which seat?")
        terminal.press("2", "enter", "5", "enter", "1", "enter", "*", "enter", "2", "enter")
        terminal.wait("Push 1 of 2.  Drop 3 first.")
        terminal.press("0")
        terminal.wait("Push 2 of 2.")
        terminal.press("0")
        terminal.wait("START HAND")
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    verdict = verify(files_in(data))
    assert [damage.file for damage in verdict.damage] == [f"t7-{first}.journal"]

"""Seats, chips and what is taken back, at a real terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in, verify
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Event


def events_in(data: Path) -> list[Event]:
    verdict = verify(files_in(data))
    assert verdict.sound, verdict.damage
    [journal] = files_in(data)
    with Reader(journal) as reader:
        return [record_of(row).event for row in reader.since()]


def kinds_in(data: Path) -> list[str]:
    return [type(event).__name__ for event in events_in(data)]


def draw(terminal: Terminal) -> None:
    terminal.wait("BUTTON DRAW")
    terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
    terminal.wait("START HAND 1")


def test_a_seat_and_the_start_of_a_hand_are_taken_back(tmp_path: Path) -> None:
    table, data = table_file(tmp_path), tmp_path / "data"
    with Terminal(["console", "--table", str(table), "--data", str(data)]) as terminal:
        draw(terminal)
        terminal.press("7", "enter")
        terminal.wait("Letters give a name")
        terminal.press("5", "0", "+")
        terminal.wait("seat 7 sits down with 50")
        terminal.press(".")
        terminal.wait("Takes back: seat 7 sits down with 50.")
        terminal.press("enter")
        terminal.wait("START HAND 1")
        terminal.press(".")
        terminal.wait("Takes back: seat 7 sits down with 50.")
        terminal.press("+")
        terminal.wait("« taken back: seat 7 sits down with 50")
        terminal.wait("START HAND 1")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press(".")
        terminal.wait("the start of hand 1; all posts and fees go back")
        terminal.press("+")
        terminal.wait("START HAND 2")
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    kinds = kinds_in(data)
    assert kinds.count("TakenBack") == 1
    assert kinds[-2:] == ["Posted", "HandTakenBack"]

"""Seats and chips asked for while a hand is dealt, at a real terminal, through a kill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in, verify
from omaha_table.table.events import ChipsBought, SeatChangeAsked
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Record


def records_in(data: Path) -> list[Record]:
    verdict = verify(files_in(data))
    assert verdict.sound, verdict.damage
    [journal] = files_in(data)
    with Reader(journal) as reader:
        return [record_of(row) for row in reader.since()]


def actors_in(data: Path) -> dict[int, str]:
    [journal] = files_in(data)
    with Reader(journal) as reader:
        return {row.seq: row.actor for row in reader.since()}


def start_hand(terminal: Terminal) -> None:
    """Carmen's king is the button: Ada is the small blind, Ben the big one, Carmen acts."""
    terminal.wait("BUTTON DRAW")
    terminal.press("enter", "3", "/", "4", "*", "1", "3", "-")
    terminal.wait("START HAND 1")
    terminal.press("+")
    terminal.wait("CARDS ARE OUT")
    terminal.press("0")
    terminal.wait("Carmen   to call")


def test_what_was_asked_for_survives_a_kill_and_happens_when_the_pot_is_pushed(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    console = ["console", "--table", str(table_file(tmp_path)), "--data", str(data)]
    with Terminal(console) as terminal:
        start_hand(terminal)
        terminal.press("/")
        terminal.wait("/  SEATS")
        terminal.press("/")
        terminal.wait("1-9  SEAT MENU")
        terminal.press("2")
        terminal.wait("Ben: 196 in chips.")
        terminal.press("/")
        terminal.wait("The hand is played on. When it ends the seat is free.")
        terminal.press("+")
        terminal.wait("seat 2 leaves when the hand ends")
        terminal.wait("Carmen   to call")
        terminal.press("/", "/", "3", "5", "0", "+")
        terminal.wait("seat 3 adds 50 when the hand ends")
        terminal.press("/", "/", "7", *"kim", "9", "0", "enter")
        terminal.wait("NEW: KIM 90")
        terminal.press("/", "/", "1", "-")
        terminal.wait("ADA   AWAY")
        terminal.kill()
    with Terminal(console) as terminal:
        terminal.wait("THE FELT AGREES")
        terminal.press("enter")
        shown = terminal.wait("Carmen   to call")
        for word in ("LEAVES", "+50", "NEW: KIM 90", "ADA   AWAY"):
            assert word in shown
        terminal.press(".")
        terminal.wait("Takes back: seat 1 AWAY when the hand ends.")
        terminal.press("+")
        terminal.wait("seat 1 AWAY when the hand ends: taken back")
        terminal.press("-")
        terminal.wait("seat 3 FOLD")
        terminal.press("-")
        terminal.wait("PUSHED")
        terminal.press("0")
        terminal.wait("START HAND 2")
        shown = terminal.wait("seat 7 kim sits down with 90, asked for in hand 1")
        assert "NEW:" not in shown
        assert "BEN" not in shown
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    records = records_in(data)
    names = [type(record.event).__name__ for record in records]
    asked = [record for record in records if isinstance(record.event, SeatChangeAsked)]
    assert [record.hand for record in asked] == [1] * 4
    assert {actors_in(data)[record.seq] for record in asked} == {"dealer"}
    at = names.index("HandEnded")
    assert names[at + 1 : at + 4] == ["PlayerLeft", "ChipsBought", "PlayerSeated"]


def test_the_sheet_of_the_hand_says_what_was_asked_for_and_taken_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    console = ["console", "--table", str(table_file(tmp_path)), "--data", str(data)]
    with Terminal(console, size=(120, 40)) as terminal:
        start_hand(terminal)
        terminal.press("/", "/", "3", "5", "0", "+")
        terminal.wait("+50")
        terminal.press(":", *"leave", " ", "1", "enter")
        terminal.wait("LEAVES")
        terminal.press("/", "/", "1", "*")
        terminal.wait("Takes back: seat 1 leaves when the hand ends.")
        terminal.press("+")
        terminal.wait("Carmen   to call")
        terminal.wait(lambda shown: "LEAVES" not in shown)
        terminal.press("-", "-", "0")
        terminal.wait("START HAND 2")
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    done = CliRunner().invoke(omaha_table, ["report", "hand", "1", "--data", str(data)])
    assert done.exit_code == 0, done.output
    assert "seat 3 adds 50 when the hand ends" in done.stdout
    assert "« seat 1 leaves when the hand ends: taken back" in done.stdout
    [bought] = [r.event for r in records_in(data) if isinstance(r.event, ChipsBought)]
    assert bought == ChipsBought(3, 50_00, asked_in=1)

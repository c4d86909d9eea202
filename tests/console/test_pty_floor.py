"""The floor at a real terminal with a long staff list: a PIN takes seconds, and no key is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.staff import Role
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in
from omaha_table.table.events import Ruled
from tests.console.long_staff_list import PIN, begin_hand, thirty_people
from tests.console.terminal import Terminal, table_file
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from pathlib import Path


def test_every_key_typed_during_a_long_pin_check_lands_where_it_was_meant(
    tmp_path: Path,
) -> None:
    data = thirty_people(tmp_path / "data")
    table = table_file(tmp_path)
    with Terminal(["console", "--table", str(table), "--data", str(data)]) as terminal:
        begin_hand(terminal)
        terminal.press("/", *PIN, "enter", gap=0.05)
        terminal.wait("Checking the PIN")
        terminal.wait("14  Dead hand", 120)
        terminal.press("*")
        terminal.wait("to call")
        # The whole ruling in one go, twenty keys a second: PIN, which, seat 3, reason.
        terminal.press("/", *PIN, "enter", "1", "4", "3", "enter", "1", "enter", gap=0.05)
        assert "Checking the PIN" in terminal.text
        terminal.wait("FLOOR F25 dead: fouled hand", 120)
        terminal.wait("to call")
        terminal.press("/", "*", "9", "+")
        assert terminal.end() == 0
    [journal] = files_in(data)
    with Reader(journal) as reader:
        events = [record_of(row).event for row in reader.since()]
    [ruled] = [event for event in events if isinstance(event, Ruled)]
    assert (ruled.ruling, ruled.words, ruled.by) == ("dead", ("3",), ("F25",))
    kinds = [type(event).__name__ for event in events]
    assert "Acted" not in kinds, "no key of the dialog reached the table"


def test_a_second_ruling_right_after_a_remedy_lands_in_its_dialog(tmp_path: Path) -> None:
    """Nobody reads the remedy's page first: its ENTER must not let a PIN through to the table."""
    data = thirty_people(tmp_path / "data")
    table = table_file(tmp_path)
    with Terminal(["console", "--table", str(table), "--data", str(data)]) as terminal:
        begin_hand(terminal)
        terminal.press("/", *PIN, "enter", "1", "2", "3", "enter", "1", "enter", gap=0.05)
        terminal.wait("1  Finish the deal.", 120)
        terminal.press("/", *PIN, "enter", "1", "7", "enter", "1", "enter", gap=0.05)
        terminal.wait("CALL THE CLOCK OFF", 120)
    [journal] = files_in(data)
    with Reader(journal) as reader:
        events = [record_of(row).event for row in reader.since()]
    ruled = [event.ruling for event in events if isinstance(event, Ruled)]
    assert ruled == ["exposed", "clock"]
    assert "Acted" not in [type(event).__name__ for event in events]


def test_two_supervisors_void_a_hand_and_no_step_back_or_second_slash_loses_it(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    two = (("F1", "Fern", Role.FLOOR, PIN), ("F2", "Finn", Role.FLOOR, "739146"))
    put_staff(data, two)
    table = str(table_file(tmp_path))
    with Terminal(["console", "--table", table, "--data", str(data)]) as terminal:
        begin_hand(terminal)
        terminal.press("enter", "enter", "enter", gap=0.3)
        terminal.wait("RANK OF THE CARD")
        terminal.press(*"7+5*2/0")
        terminal.wait("FLOP 7c 5h 2s")
        terminal.press("/", *PIN, "enter")
        terminal.wait("RULINGS   Fern")
        terminal.press("1", "8")
        terminal.wait("18  CORRECT THE POT")
        terminal.press(".", ".", ".")
        terminal.wait("Press * to leave the floor")
        terminal.press("1", "9", "1", "enter")
        terminal.wait("YES, VOID HAND")
        terminal.press("enter")
        terminal.wait("1-5  REASON")
        terminal.press("enter")
        terminal.wait("YES, VOID HAND")
        terminal.press("+")
        terminal.wait("A second supervisor must agree")
        terminal.press("/", *"739147", "enter")
        terminal.wait("Wrong PIN: 4 tries left")
        assert "A second supervisor must agree" in terminal.text
        terminal.press(*"739146", "enter")
        terminal.wait("FLOOR F1+F2 void: hand cannot be reconstructed")
        terminal.wait("START HAND 2")
    [journal] = files_in(data)
    with Reader(journal) as reader:
        events = [record_of(row).event for row in reader.since()]
    [ruled] = [event for event in events if isinstance(event, Ruled)]
    assert (ruled.ruling, ruled.by) == ("void", ("F1", "F2"))


def test_a_pin_typed_once_more_in_the_middle_of_a_ruling_chooses_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    put_staff(data, (("F1", "Fern", Role.FLOOR, PIN),))
    table = str(table_file(tmp_path))
    with Terminal(["console", "--table", table, "--data", str(data)]) as terminal:
        begin_hand(terminal)
        terminal.press("/", *PIN, "enter", "1", "4")
        terminal.wait("Whose hand is dead?")
        terminal.press("/", *PIN, "enter", gap=0.05)
        terminal.wait("RULINGS   Fern")
        terminal.press("*")
        terminal.wait("to call")
        # The dealer keys a spade too early, and goes on to ENTER: no PIN was tried.
        terminal.press("7", "/", "0", "enter")
        terminal.wait("A PIN has at least 4 digits.")
    [journal] = files_in(data)
    with Reader(journal) as reader:
        kinds = {type(record_of(row).event).__name__ for row in reader.since()}
    assert not kinds & {"Acted", "Ruled", "AuthorityRefused"}

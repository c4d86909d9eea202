"""Five wrong PINs at a real terminal: a restart clears nothing, and a staff number gets in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor import Role
from omaha_table.journal.staff_list import load_staff
from omaha_table.journal.verification import files_in, office_in, verify
from tests.console.terminal import Terminal, table_file
from tests.staff_files import PEOPLE, person, put_staff, save_staff

if TYPE_CHECKING:
    from pathlib import Path


def opened(folder: Path) -> Terminal:
    if not (folder / "t7.toml").exists():
        table_file(folder)
    data = str(folder / "data")
    return Terminal(["console", "--table", str(folder / "t7.toml"), "--data", data])


def shut(terminal: Terminal) -> None:
    terminal.press("/", "*", "9")
    assert terminal.end() == 0


def test_after_five_wrong_pins_and_a_restart_a_staff_number_gets_in(tmp_path: Path) -> None:
    put_staff(tmp_path / "data")
    with opened(tmp_path) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.press("/")
        terminal.wait("Or your staff number")
        for left in ("4 tries left", "3 tries left", "2 tries left", "1 try left"):
            terminal.press(*"5550", "enter")
            terminal.wait(left)
        terminal.press(*"5550", "enter")
        terminal.wait("PINs are locked for 5 minutes")
        terminal.press(".")
        terminal.wait("BUTTON DRAW")
        shut(terminal)
    with opened(tmp_path) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.press("/", *"4711", "enter")
        terminal.wait("PINs are locked")
        terminal.press("1", "*")
        shown = terminal.wait("Which of them are you?")
        assert "1  F1" in shown
        assert "2  S1" in shown
        terminal.press("2")
        terminal.wait("S1: type your PIN")
        terminal.press(*"9001", "enter")
        terminal.wait("Wrong PIN: 4 tries left")
        terminal.press(*"9000", "enter")
        terminal.wait("RULINGS   Sam")
        assert b"9000" not in terminal.raw
        assert b"5550" not in terminal.raw
        terminal.press("*")
        terminal.wait("BUTTON DRAW")
        terminal.press("/", "2", "*")
        terminal.wait("F2: type your PIN")
        terminal.press(*"4712", "enter")
        terminal.wait("RULINGS   Finn")
        terminal.press("*")
        terminal.wait("BUTTON DRAW")
        shut(terminal)
    data = tmp_path / "data"
    assert verify([*files_in(data), *office_in(data)]).sound


def test_a_running_console_takes_a_change_and_no_list_that_was_edited(tmp_path: Path) -> None:
    data = tmp_path / "data"
    put_staff(data)
    with opened(tmp_path) as terminal:
        terminal.wait("BUTTON DRAW")
        words = ["staff", "add", "F7", "Faye", "floor", "--by", "S1", "--data", str(data)]
        made = CliRunner().invoke(omaha_table, words, input="9000\n482155\n482155\n")
        assert made.exit_code == 0, made.output
        terminal.press("/", *"482155", "enter")
        terminal.wait("RULINGS   Faye")
        terminal.press("*")
        terminal.wait("BUTTON DRAW")
        named = load_staff(data)
        mallory = person("S6", "Mallory", Role.SHIFT, "666013", named.pepper)
        save_staff(data, type(named)((*named.people, mallory), named.pepper))
        terminal.press("/", *"666013", "enter")
        terminal.wait("Wrong PIN: 4 tries left")
        terminal.press(".")
        terminal.wait("STAFF LIST changed by hand, not used. Put back the signed one.")
        terminal.press("/", *"4711", "enter")
        terminal.wait("RULINGS   Fern")
        terminal.press("*")
        shut(terminal)


def test_the_demo_is_marked_and_takes_no_folder_of_a_real_table(tmp_path: Path) -> None:
    demo = tmp_path / "demo"
    with Terminal(["console", "--data", str(demo), "--pace", "fast"]) as terminal:
        terminal.wait("Demo table")
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    done = CliRunner().invoke(omaha_table, ["verify", str(demo)])
    assert done.exit_code == 0, done.output
    assert "DEMO: " in done.output
    put_staff(tmp_path / "real", PEOPLE)
    with Terminal(["console", "--data", str(tmp_path / "real")], size=(120, 40)) as terminal:
        assert terminal.end() == 2
        assert "is the folder of a real table" in " ".join(terminal.text.split())

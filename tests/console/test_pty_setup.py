"""Setting up a table on a terminal, from the first question to the console's first screen."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from omaha_drivers.emulate import EmulatedShoe

from omaha_table.cli.keyfiles import make_pair
from omaha_table.journal.staff_list import load_staff
from omaha_table.session.config import load_table
from tests.console.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

PIN = "482915"


def setup(folder: Path, *options: str) -> Terminal:
    env = {"XDG_DATA_HOME": str(folder / "share"), "OMAHA_TABLE_COMMAND": "omaha-table"}
    return Terminal(["setup", *options], (80, 60), env)


def answer(terminal: Terminal, question: str, given: str = "") -> None:
    """Types an answer once its question is the last thing on the screen."""
    terminal.wait(lambda shown: shown.rstrip().endswith(question), 60)
    os.write(terminal.fd, given.encode() + b"\r")


def test_every_answer_leads_to_the_console_of_the_table_that_was_described(tmp_path: Path) -> None:
    _, public = make_pair(tmp_path / "safe")
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    file, data = tmp_path / "t9.toml", tmp_path / "data"
    try:
        with setup(tmp_path, "--table", str(file), "--data", str(data)) as terminal:
            answer(terminal, "(ENTER for none):", "Lucky Club")
            answer(terminal, "Table id [t9]:")
            answer(terminal, "[Table 9]:")
            answer(terminal, "rules file of your own [1]:", "4")
            answer(terminal, "Number [1]:", "1")
            answer(terminal, "Number, or a port [1]:", "1")
            terminal.wait("Which port is the shoe on?")
            answer(terminal, "Number, or a port [1]:", str(tmp_path / "shoe"))
            terminal.wait("Which protocol does the shoe speak?")
            answer(terminal, "Number [1]:")
            terminal.wait("It answers", 60)
            answer(terminal, "serial number SHOE-EMU-1? [Y/n]:")
            answer(terminal, "key (ENTER for none):", str(public))
            answer(terminal, "Name:", "Fern Hill")
            answer(terminal, "Staff number [S1]:")
            answer(terminal, "(it is not shown):", PIN)
            answer(terminal, "The same PIN again:", PIN)
            assert PIN not in terminal.text
            answer(terminal, "Write this? [Y/n]:", "y")
            signs = ("Table 9", "OMAHA 8/B 6-12", "● SHOE", "No alarms")
            terminal.wait(lambda text: all(sign in text for sign in signs), 60)
            terminal.press("/", "*", "9")
            assert terminal.end() == 0
    finally:
        shoe.stop()
    config = load_table(file)
    assert (config.table.room, config.table.surveillance_key) == ("Lucky Club", str(public))
    who = load_staff(data).identify(PIN)
    assert who is not None
    assert who.name == "Fern Hill"
    [given] = config.device_settings()
    assert (given.kind, given.serial) == ("shoe", "SHOE-EMU-1")


def test_a_table_without_devices_is_a_name_and_a_pin_away(tmp_path: Path) -> None:
    file = tmp_path / "t1.toml"
    with setup(tmp_path, "--table", str(file), "--no-console") as terminal:
        for question in (
            "(ENTER for none):", "Table id [t1]:", "[Table 1]:", "rules file of your own [1]:",
            "Number [1]:", "Number, or a port [1]:",
        ):  # fmt: skip
            answer(terminal, question)
        terminal.wait("Which port is the shoe on?")
        answer(terminal, "Number, or a port [1]:")
        answer(terminal, "omaha-table/t1]:")
        answer(terminal, "Name:")
        terminal.wait("printable characters.")
        answer(terminal, "Name:", "Fern Hill")
        answer(terminal, "Staff number [S1]:")
        answer(terminal, "(it is not shown):", PIN)
        answer(terminal, "The same PIN again:", PIN)
        answer(terminal, "Write this? [Y/n]:")
        assert terminal.end() == 0
        said = " ".join(terminal.text.split())
    data = tmp_path / "share" / "omaha-table" / "t1"
    with Terminal(["console", "--table", str(file), "--data", str(data)]) as terminal:
        terminal.wait("WAITING FOR PLAYERS")
    command = shlex.join(["omaha-table", "console", "--table", str(file), "--data", str(data)])
    assert command.replace(" ", "") in said.replace(" ", "")


def test_ctrl_c_at_the_pin_leaves_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with setup(tmp_path, "--table", str(tmp_path / "t1.toml"), "--data", str(data)) as terminal:
        for question in (
            "(ENTER for none):", "Table id [t1]:", "[Table 1]:", "rules file of your own [1]:",
            "Number [1]:", "Number, or a port [1]:",
        ):  # fmt: skip
            answer(terminal, question)
        terminal.wait("Which port is the shoe on?")
        answer(terminal, "Number, or a port [1]:")
        answer(terminal, "Name:", "Fern Hill")
        answer(terminal, "Staff number [S1]:")
        terminal.wait("(it is not shown):")
        os.write(terminal.fd, PIN.encode() + b"\x03")
        assert terminal.end() == 1
        assert "Nothing was written." in terminal.text
        assert PIN not in terminal.text
    assert list(tmp_path.iterdir()) == []

"""Devices on the command line: what they send is made safe to show, and what is wrong is named."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from omaha_drivers import events as said
from omaha_drivers.emulate import EmulatedShoe
from omaha_drivers.sealed import Sealed
from omaha_drivers.tdp_codec import CARDS

from omaha_table.cli import omaha_table
from omaha_table.cli.device_watch import in_words
from tests.console.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path


def words(event: said.DeviceEvent) -> str:
    return in_words(said.Report("shoe", event, "", 0.0))


def test_a_card_is_no_part_of_what_is_shown() -> None:
    shown = words(said.CardDrawn(3, Sealed("As"), in_game=True))
    assert shown == "card drawn, number 3, in game True"


def test_what_a_device_sends_cannot_command_the_terminal() -> None:
    assert words(said.Fault("E7\x1b[2J\x07")) == "fault, code E7?[2J?"
    assert len(words(said.Fault("x" * 5000))) < 250


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "cannot be read"),
        ("[table", "is not a TOML file"),
        ('[devices.shoe]\nadapter = "vendor"\nport = "/dev/null"\n', "Unknown adapter 'vendor'"),
        ('[devices.shoe]\nadapter = "tdp"\nport = "spy:///x"\n', "use a path, or an address"),
        ('[devices.shoe]\nadapter = "angel_eye"\nport = "/x"\nkey_file = "k"\n', "cannot be read"),
        ('[devices.shuffler]\nadapter = "angel_eye"\nport = "/x"\n', "is for a shoe"),
    ],
)
def test_a_table_whose_devices_cannot_be_asked_is_named(
    tmp_path: Path, content: str, why: str
) -> None:
    path = tmp_path / "t7.toml"
    if content:
        table = "" if content == "[table" else '[table]\nid = "t7"\nrules = "ca_big_o"\n'
        path.write_text(table + content)
    done = CliRunner().invoke(omaha_table, ["devices", "list", "--table", str(path)])
    assert done.exit_code == 2
    assert why in " ".join(done.output.split())


def test_watching_ends_when_nobody_reads_any_more(tmp_path: Path) -> None:
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    try:
        shoe.load(CARDS)
        program = f"{shlex.quote(sys.executable)} -u -m omaha_table devices watch"
        process = subprocess.Popen(
            ["sh", "-c", f"exec {program} {shlex.quote(str(tmp_path / 'shoe'))}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        while "link live" not in process.stdout.readline():
            pass
        process.stdout.close()
        end = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < end:
            shoe.draw()
            time.sleep(0.1)
        ended = process.poll() is not None
        process.kill()
        assert ended
        assert "Traceback" not in process.stderr.read()
        process.stderr.close()
        process.wait()
    finally:
        shoe.stop()


def test_a_number_too_many_at_the_emulator_is_a_deck_and_no_more(tmp_path: Path) -> None:
    arguments = ["devices", "emulate", "shoe", "--link", str(tmp_path / "shoe")]
    with Terminal(arguments) as terminal:
        terminal.wait("Commands: ")
        terminal.press(*"999999999", "enter")
        terminal.wait("Card 52 drawn.")
        terminal.press("enter")
        terminal.wait("The shoe is empty")
        terminal.press(*"new", "enter")
        terminal.wait("Loaded a shuffled deck.")
        terminal.press("\x04")
        assert terminal.end() == 0
        assert b"Traceback" not in terminal.raw
    assert not (tmp_path / "shoe").is_symlink()

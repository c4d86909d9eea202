"""A table whose keys, ports and folders are not there, on a terminal: it opens and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers.emulate import EmulatedShoe

from omaha_table.journal.verification import files_in, verify
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path

SHOE = '[devices.shoe]\nadapter = "tdp"\n'


def console(folder: Path, extra: str, devices: str = "") -> Terminal:
    path = table_file(folder, extra)
    with path.open("a", encoding="utf-8") as file:
        file.write(devices)
    return Terminal(["console", "--table", str(path), "--data", str(folder / "data")])


@pytest.mark.parametrize(
    ("extra", "devices", "alarm", "page"),
    [
        (
            "",
            f'{SHOE}port = "/dev/not-there"\n',
            "SHOE down: No device at this port. Deal by hand.",
            "No device at this port",
        ),
        ("", SHOE, "SHOE: no port. Deal by hand, or add it and start again.", "port is missing"),
        (
            "",
            f'{SHOE}port = "/dev/not-there"\nkey_file = "shoe.key"\n',
            "SHOE: no device key shoe.key. Deal by hand, or add it and start again.",
            "The device key",
        ),
        (
            "",
            '[devices.shuffler]\nadapter = "vendor"\nport = "/dev/not-there"\n',
            "SHUFFLER: bad adapter vendor. Correct it and start again.",
            "Known adapters: angel_eye",
        ),
        (
            'surveillance_key = "office.public"',
            "",
            "SURVEILLANCE KEY: missing. Call the floor.",
            "office.public",
        ),
        (
            'mirror = "copy"',
            "",
            "SECOND COPY: no folder copy. Mount its disk and start again.",
            "There is no folder",
        ),
        (
            "",
            '[room]\nbundle = "room.toml"\n',
            "ROOM: no bundle room.toml. Deal on: nothing is copied to the room. Call the",
            "There is no file",
        ),
    ],
    ids=[
        "no device",
        "no port",
        "no device key",
        "unknown adapter",
        "no office key",
        "no mirror",
        "no bundle",
    ],
)
def test_it_opens_with_an_alarm_that_stays_until_it_is_silenced(
    extra: str, devices: str, alarm: str, page: str, tmp_path: Path
) -> None:
    with console(tmp_path, extra, devices) as terminal:
        shown = terminal.wait(alarm)
        terminal.wait("BUTTON DRAW")
        terminal.press("/", "*", "3")
        terminal.wait("DEVICES   1 of 1")
        assert page in terminal.text
        terminal.press("enter")
        terminal.wait(lambda text: alarm in text and "BUTTON DRAW" in text)
        terminal.press("*")
        terminal.wait(lambda text: "Still open: " in text and alarm not in text)
        terminal.press("/", "*", "9")
        assert terminal.end() == 0
    assert "Traceback" not in shown
    assert not (tmp_path / "copy").exists()
    verdict = verify(files_in(tmp_path / "data"))
    assert verdict.sound


def test_a_shoe_that_is_plugged_in_later_is_used(tmp_path: Path) -> None:
    port = tmp_path / "shoe"
    with console(tmp_path, "", f'{SHOE}port = "{port}"\n') as terminal:
        terminal.wait("SHOE down: No device at this port.")
        shoe = EmulatedShoe(port)
        shoe.start()
        try:
            terminal.wait(lambda text: "● SHOE" in text and "No alarms" in text)
        finally:
            shoe.stop()


def test_a_hand_is_dealt_by_hand_where_the_key_of_the_shoe_was_deleted(tmp_path: Path) -> None:
    """The shoe may be there: without its key anybody's shoe could deal, so none does."""
    with console(tmp_path, "", f'{SHOE}port = "/dev/null"\nkey_file = "shoe.key"\n') as terminal:
        terminal.wait("SHOE: no device key shoe.key.")
        terminal.wait("BUTTON DRAW")
        terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("0")
        terminal.wait("hole cards out")
        terminal.wait("SHOE: no device key shoe.key.")

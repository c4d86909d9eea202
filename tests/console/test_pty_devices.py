"""Devices that are not right, at the real console: named, acknowledged, and used when they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers.emulate import EmulatedShoe, EmulatedShuffler
from omaha_drivers.emulate.host import PtyHost
from omaha_drivers.emulate.tdp import ShoeModel

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role
from omaha_table.journal.verification import files_in, verify
from tests.console.long_staff_list import PIN
from tests.console.terminal import Terminal, table_file
from tests.drivers.tcp_device import TcpShoe
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

NO_SHUFFLE = "deck_required = false"


def console(folder: Path, devices: str) -> Terminal:
    path = table_file(folder, NO_SHUFFLE)
    with path.open("a", encoding="utf-8") as file:
        file.write(devices)
    return Terminal(["console", "--table", str(path), "--data", str(folder / "data")])


def shoe_at(port: object, adapter: str = "tdp") -> str:
    return f'[devices.shoe]\nadapter = "{adapter}"\nport = "{port}"\nreopen_after = 1\n'


def with_firmware(folder: Path, firmware: str) -> EmulatedShoe:
    shoe = EmulatedShoe(folder / "shoe", serial="S1")
    shoe.model.firmware = firmware
    shoe.start()
    return shoe


def shut_down(terminal: Terminal) -> None:
    terminal.press("/", "*", "9")
    assert terminal.end() == 0


def test_a_wrong_shuffler_and_a_shoe_at_the_wrong_speed_are_named_and_put_right(
    tmp_path: Path,
) -> None:
    shuffler = EmulatedShuffler(tmp_path / "shuffler", serial="S2")
    slow = PtyHost(tmp_path / "shoe", ShoeModel("S3"), 9600)
    shuffler.start()
    slow.start()
    devices = (
        f'[devices.shuffler]\nadapter = "tdp"\nport = "{tmp_path}/shuffler"\nserial = "S1"\n'
        f"{shoe_at(tmp_path / 'shoe')}"
    )
    try:
        with console(tmp_path, devices) as terminal:
            terminal.wait("SHUFFLER refused: ")
            terminal.press("*")
            terminal.wait("SHOE not answering: Bytes arrive, but no message can be read")
            terminal.press("/", "*", "3")
            shown = " ".join(terminal.wait("DEVICES   1 of").replace("┃", " ").split())
            assert "wrong speed, line setting or protocol" in shown
            assert "(acknowledged)" in shown
            terminal.press("enter", "*")
            terminal.wait("Still open: SHUFFLER refused, SHOE not answering.")
            slow.stop()
            with_speed = EmulatedShoe(tmp_path / "shoe", serial="S3")
            with_speed.start()
            try:
                terminal.wait(
                    lambda text: "● SHOE" in text and "Still open: SHUFFLER refused." in text
                )
            finally:
                with_speed.stop()
    finally:
        shuffler.stop()


def test_a_changed_firmware_is_remembered_until_the_floor_accepts_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    staff = nobody_yet(data)
    floor = Person("F15", "Fay", Role.FLOOR, PinHash.of(PIN, staff.pepper))
    save_staff(data, type(staff)((floor,), staff.pepper))
    changed = "SHOE  Changed: firmware 2.1, was 2.0. The floor accepts it: / PIN 64."
    for firmware in ("2.0", "2.1", "2.1"):
        shoe = with_firmware(tmp_path, firmware)
        try:
            with console(tmp_path, shoe_at(tmp_path / "shoe")) as terminal:
                terminal.wait("● SHOE" if firmware == "2.0" else "▲ SHOE")
                if firmware == "2.0":
                    terminal.wait("No alarms")
                else:
                    terminal.wait(changed)
                shut_down(terminal)
        finally:
            shoe.stop()
    shoe = with_firmware(tmp_path, "2.1")
    try:
        with console(tmp_path, shoe_at(tmp_path / "shoe")) as terminal:
            terminal.wait(changed)
            terminal.press("/", *PIN, "enter")
            terminal.wait("10  Misdeal", 60)
            terminal.press("6", "4")
            terminal.wait("shoe")
            terminal.press("2", "enter", "1", "enter")
            terminal.wait("Device changed: done.")
            terminal.wait("● SHOE")
            shut_down(terminal)
        with console(tmp_path, shoe_at(tmp_path / "shoe")) as terminal:
            terminal.wait(lambda text: "● SHOE" in text and "No alarms" in text)
            shut_down(terminal)
    finally:
        shoe.stop()
    assert verify(files_in(data)).sound


@pytest.mark.parametrize(
    ("adapter", "said"),
    [
        ("bad_import:Any", "The driver tests.drivers.bad_import cannot be loaded (ImportError)."),
        ("bad_adapters:CannotBeMade",
         "The driver tests.drivers.bad_adapters cannot be started (KeyError)."),
        ("bad_adapters:AlwaysFails", "The driver tests.drivers.bad_adapters failed (RuntimeError)"),
    ],
    ids=["import", "constructor", "run time"],
)  # fmt: skip
def test_a_plug_in_that_fails_is_named_and_the_table_goes_on_by_hand(
    adapter: str, said: str, tmp_path: Path
) -> None:
    shoe = EmulatedShoe(tmp_path / "shoe", serial="S1")
    shoe.start()
    try:
        devices = shoe_at(tmp_path / "shoe", adapter=f"tests.drivers.{adapter}")
        with console(tmp_path, devices) as terminal:
            terminal.wait(said)
            assert "Call the technician." in terminal.wait("Deal by hand.")
            terminal.wait("BUTTON DRAW")
            terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
            terminal.wait("START HAND 1")
            terminal.press("+")
            terminal.wait("CARDS ARE OUT")
            terminal.press("0")
            terminal.wait("PREFLOP")
            text = terminal.raw.decode("utf-8", "replace")
    finally:
        shoe.stop()
    assert "As Kd" not in text
    assert "Traceback" not in text
    assert "As Kd" not in (tmp_path / "data" / "console.log").read_text(encoding="utf-8")
    assert verify(files_in(tmp_path / "data")).sound


def test_a_half_open_connection_is_an_alarm_until_it_comes_back_by_itself(tmp_path: Path) -> None:
    with TcpShoe() as shoe, console(tmp_path, shoe_at(shoe.port)) as terminal:
        terminal.wait(lambda text: "● SHOE" in text and "No alarms" in text)
        shoe.drop_packets()
        terminal.wait("SHOE silent: No message from the device for three seconds.")
        terminal.wait("Deal by hand.")
        # Nobody touches anything: the port is opened again.
        terminal.wait(lambda text: "● SHOE" in text and "No alarms" in text)
        shoe.drop_packets()
        terminal.wait("SHOE silent")
        terminal.press("*")
        terminal.wait("Still open: SHOE silent.")
        terminal.wait(lambda text: "● SHOE" in text and "No alarms" in text)
        terminal.press("/", "*", "3")
        shown = " ".join(terminal.wait("DEVICES").replace("┃", " ").split())
        assert "2 link errors, 2 reconnects" in shown

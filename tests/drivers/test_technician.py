"""What a technician sees: which rung of the ladder fails, who answers, and a checklist."""

from __future__ import annotations

import json
import os
import tty
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from omaha_drivers.angel_eye_options import AngelEyeOptions
from omaha_drivers.emulate import EmulatedAngelShoe, EmulatedShoe, EmulatedShuffler
from omaha_drivers.tdp_codec import CARDS

from omaha_table.cli import omaha_table
from tests.console.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[EmulatedShoe]:
    device = EmulatedShoe(tmp_path / "shoe")
    device.start()
    yield device
    device.stop()


@pytest.fixture
def mute(tmp_path: Path) -> Iterator[Path]:
    master, slave = os.openpty()
    tty.setraw(slave)
    (tmp_path / "mute").symlink_to(os.ttyname(slave))
    yield tmp_path / "mute"
    os.close(master)
    os.close(slave)


def devices(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(omaha_table, ["devices", *map(str, arguments)])
    return done.exit_code, " ".join(done.output.split())


def watch(port: object, *arguments: object) -> tuple[int, str]:
    return devices("watch", port, "--seconds", "1.5", *arguments)


def test_a_device_that_works_climbs_the_whole_ladder(shoe: EmulatedShoe, tmp_path: Path) -> None:
    status, said = watch(tmp_path / "shoe")
    assert status == 0
    assert "Ladder: port ok, bytes ok, messages ok, events ok." in said


def test_no_port_is_the_first_rung(tmp_path: Path) -> None:
    status, said = watch(tmp_path / "nothing")
    assert status == 4
    assert "Ladder: port --, bytes --, messages --, events --. No device at this port." in said


def test_a_mute_device_is_the_second_rung(mute: Path) -> None:
    status, said = watch(mute)
    assert status == 4
    assert "Ladder: port ok, bytes --" in said
    assert "Check power and cable" in said


def test_a_device_that_may_be_quiet_is_not_wrong(mute: Path) -> None:
    status, said = watch(mute, "--adapter", "angel_eye")
    assert status == 0
    assert "It may be quiet until something happens: draw a card." in said


def test_another_speed_is_the_third_rung_and_the_right_one_is_found(
    shoe: EmulatedShoe, tmp_path: Path
) -> None:
    status, said = watch(tmp_path / "shoe", "--speed", "9600")
    assert status == 1
    assert "Ladder: port ok, bytes ok, messages --, events --." in said
    assert "Messages can be read at speed 115200: use --speed 115200" in said


def test_another_device_is_the_last_rung(shoe: EmulatedShoe, tmp_path: Path) -> None:
    status, said = watch(tmp_path / "shoe", "--serial", "SHOE-9")
    assert status == 1
    assert "messages ok, events --. Wrong device: its serial number is SHOE-EMU-1." in said


def test_an_adapter_that_fails_is_no_fault_of_the_line(shoe: EmulatedShoe, tmp_path: Path) -> None:
    status, said = watch(tmp_path / "shoe", "--adapter", "tests.drivers.bad_adapters:AlwaysFails")
    assert status == 1
    assert "The adapter's own code fails (RuntimeError in tests.drivers.bad_adapters)" in said


def table(tmp_path: Path, *sections: str) -> Path:
    file = tmp_path / "t7.toml"
    text = '[table]\nid = "t7"\nrules = "ca_big_o"\n'
    for kind in sections:
        text += f'\n[devices.{kind}]\nadapter = "tdp"\nport = "{tmp_path / kind}"\n'
    file.write_text(text)
    return file


def rows(file: Path) -> tuple[int, list[dict[str, Any]]]:
    done = CliRunner().invoke(omaha_table, ["devices", "list", "--json", "--table", str(file)])
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def test_the_list_shows_model_serial_firmware_trust_and_line(
    shoe: EmulatedShoe, tmp_path: Path
) -> None:
    file = table(tmp_path, "shoe")
    status, [row] = rows(file)
    assert status == 0
    assert (row["vendor"], row["model"], row["serial"], row["firmware"], row["trust"]) == (
        "EMU", "Shoe", "SHOE-EMU-1", "1.0", "unpinned"
    )  # fmt: skip
    assert row["counters"]["frames"] > 0
    _, said = devices("list", "--table", file)
    assert "EMU Shoe, serial SHOE-EMU-1, firmware 1.0 Line: frames" in said


def test_the_list_of_a_device_that_cannot_be_reached_ends_with_4(
    shoe: EmulatedShoe, tmp_path: Path
) -> None:
    status, found = rows(table(tmp_path, "shuffler", "shoe"))
    assert status == 4
    assert [row["link"] for row in found] == ["down", "live"]


def test_the_list_of_the_wrong_device_ends_with_1(shoe: EmulatedShoe, tmp_path: Path) -> None:
    file = table(tmp_path, "shoe")
    file.write_text(file.read_text() + 'serial = "SHOE-9"\n')
    status, [row] = rows(file)
    assert status == 1
    assert row["link"] == "wrong"


def test_the_checklist_without_hands(shoe: EmulatedShoe, tmp_path: Path) -> None:
    status, said = devices("test", "--no-hands", "--table", table(tmp_path, "shoe"))
    assert status == 0
    ticked = ("port opens", "bytes arrive", "messages can be read", "it is the device")
    assert all(f"[x] {name}" in said for name in ticked)
    assert "[ ] its identity is checked: the file names no serial and no key" in said


def test_the_checklist_of_what_is_not_there(tmp_path: Path) -> None:
    status, said = devices("test", "--no-hands", "--table", table(tmp_path, "shoe"))
    assert status == 4
    assert "[ ] port opens: No device at this port." in said


def test_the_checklist_asks_for_cards_and_the_cable(shoe: EmulatedShoe, tmp_path: Path) -> None:
    with Terminal(["devices", "test", "--table", str(table(tmp_path, "shoe"))]) as terminal:
        terminal.wait("Load a deck (ENTER skips)")
        shoe.load(CARDS)
        terminal.wait("Draw a card (ENTER skips)")
        shoe.draw()
        terminal.wait("Draw another (ENTER skips)")
        terminal.press("enter")
        terminal.wait("Unplug the cable (ENTER skips)")
        shoe.unplug()
        terminal.wait("Plug it in again (ENTER skips)")
        shoe.replug()
        terminal.wait("Line: frames")
        assert terminal.end() == 0
        text = terminal.text
    assert text.count("reported") == 4
    assert text.count("skipped") == 1


def test_the_checklist_of_a_shuffler_is_passed_by_a_shuffle(tmp_path: Path) -> None:
    shuffler = EmulatedShuffler(tmp_path / "shuffler")
    shuffler.start()
    with Terminal(["devices", "test", "--table", str(table(tmp_path, "shuffler"))]) as terminal:
        terminal.wait("Put a deck of 52 in")
        shuffler.shuffle()
        terminal.wait("Take the deck out")
        shuffler.take()
        terminal.wait("Unplug the cable")
        terminal.press("enter")
        terminal.wait("Plug it in again")
        terminal.press("enter")
        assert terminal.end() == 0
    shuffler.stop()


def test_an_angel_eye_at_another_speed_is_found_while_it_sends(tmp_path: Path) -> None:
    shoe = EmulatedAngelShoe(tmp_path / "shoe")
    shoe.start()
    with Terminal(
        ["devices", "watch", str(tmp_path / "shoe"), "--adapter", "angel_eye",
         "--speed", "9600", "--seconds", "3"]
    ) as terminal:  # fmt: skip
        terminal.wait("Ladder: port ok, bytes --")
        shoe.load(CARDS)
        terminal.wait("Ladder: port ok, bytes ok, messages --")
        while "can be read at speed" not in terminal.text and "No other" not in terminal.text:
            shoe.load(CARDS)
            terminal.read(0.05)
        assert "Messages can be read at speed 4800" in terminal.text
    shoe.stop()


def test_the_line_and_the_adapter_can_be_set_as_in_a_table_file(tmp_path: Path) -> None:
    options = AngelEyeOptions(copies=1, draw_index="per_deck", check_covers_enq=True)
    shoe = EmulatedAngelShoe(tmp_path / "shoe", options=options)
    shoe.start()
    given = (
        "--option copies=1 --option draw_index=per_deck --option check_covers_enq=true "
        "--parity none --stop-bits 2 --data-bits 8 --no-dtr --speed 4800 --seconds 4"
    )
    arguments = ["devices", "watch", str(tmp_path / "shoe"), "--adapter", "angel_eye"]
    with Terminal([*arguments, *given.split()]) as terminal:
        terminal.wait("Ladder: port ok, bytes --")
        shoe.load(CARDS)
        shoe.draw()
        terminal.wait("card drawn, number 1")
        assert terminal.end() == 0
    shoe.stop()


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("draw_index", "is not NAME=VALUE"),
        ("draw=per_deck", "draw: unknown option."),
        ("copies=many", "copies: expected a number."),
    ],
)
def test_an_option_that_cannot_be_used_is_a_sentence(mute: Path, option: str, why: str) -> None:
    status, said = watch(mute, "--adapter", "angel_eye", "--option", option)
    assert status == 2
    assert why in said

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from omaha_drivers.conformance.leaks import CARD
from omaha_drivers.emulate import EmulatedShoe
from omaha_drivers.events import Link
from omaha_drivers.tdp_codec import CARDS

from omaha_table.cli import omaha_table
from tests.console.terminal import Terminal
from tests.drivers.live import Host
from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    link = tmp_path / "shoe"
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "omaha_table", "devices", "emulate", "shoe"),
            *("--link", str(link), "--pace", "fast", "--fault", "repeat", "--seed", "3"),
        ],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
    )
    end = time.monotonic() + 30
    while not link.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert link.exists(), "the emulator has not made its port"
    yield process, link
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_at_a_terminal_the_shoe_waits_for_the_dealers_hand(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    with Terminal(["devices", "emulate", "shoe", "--link", str(link)]) as terminal:
        terminal.wait("Commands: ")
        with Host(link, serial="SHOE-EMU-1") as host:
            host.wait_link(Link.LIVE)
            terminal.press("enter")
            terminal.wait("Card 1 drawn.")
            terminal.press("8", "enter")
            terminal.wait("Card 9 drawn.")
            host.wait(lambda: len(host.drawn) == 9)
            terminal.press(*"fly", "enter")
            terminal.wait("Unknown command 'fly'")
            assert len(host.drawn) == 9
        assert not CARD.search(terminal.text)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_emulator_deals_until_it_is_stopped_and_takes_its_link_away(
    emulator: tuple[subprocess.Popen[str], Path], how: signal.Signals
) -> None:
    process, link = emulator
    with Host(link, serial="SHOE-EMU-1") as host:
        host.wait(lambda: len(host.drawn) > 60)
        process.send_signal(how)
        host.wait_link(Link.DOWN)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in said
    assert not link.is_symlink()


def test_watching_shows_events_and_no_card(tmp_path: Path) -> None:
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    shoe.load(CARDS)
    process = subprocess.Popen(
        [
            *(sys.executable, "-u", "-m", "omaha_table", "devices", "watch"),
            str(tmp_path / "shoe"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
    )
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "link live" in line:
            for _ in CARDS:
                shoe.draw()
        if "number 52" in line:
            process.send_signal(signal.SIGTERM)
    process.wait(20)
    process.stdout.close()
    shoe.stop()
    text = "".join(lines)
    assert process.returncode == 0
    assert text.count("card drawn") == 52
    assert not CARD.search(text)
    assert "identity not checked" in text


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(omaha_table, ["devices", *arguments])
    return done.exit_code, done.output


def test_ports_are_listed_as_json() -> None:
    status, output = run("list", "--json")
    assert status == 0
    assert all(
        {"port", "by_id", "by_path"} <= json.loads(line).keys()
        for line in output.split("\n")
        if line
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["watch", "/dev/null", "--adapter", "vendor"], "Unknown adapter 'vendor'"),
        (["watch", "/dev/null", "--adapter", "manual"], "no device"),
        (["watch", "spy:///dev/null"], "is not a port: use a path, or an address"),
        (["emulate", "shoe", "--link", "/nowhere/shoe"], "no such file or directory"),
        (["emulate", "shoe", "--link", "/tmp/x", "--fault", "fire"], "is not one of"),
        (["emulate", "shuffler", "--link", "/nowhere/s", "--protocol", "angel_eye"], "is a shoe"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(arguments: list[str], sentence: str) -> None:
    status, output = run(*arguments)
    assert status == 2
    assert sentence in re.sub(r"\s+", " ", output)


def test_an_emulator_takes_no_ones_place(tmp_path: Path) -> None:
    """On a file of the test's own: an emulator that did would replace whatever is named."""
    link = tmp_path / "shoe"
    link.write_text("somebody's")
    status, output = run("emulate", "shoe", "--link", str(link), "--pace", "fast", "--decks", "1")
    assert status == 2
    assert "already exists" in re.sub(r"\s+", " ", output)
    assert link.read_text(encoding="utf-8") == "somebody's"
    assert not link.is_symlink()


def test_a_number_of_decks_ends_by_itself(tmp_path: Path) -> None:
    link = str(tmp_path / "shuffler")
    Path(link).symlink_to("/nowhere/left/by/one/that/was/killed")
    status, output = run("emulate", "shuffler", "--link", link, "--pace", "fast", "--decks", "2")
    assert (status, output.splitlines()[-1]) == (0, "2 decks.")
    assert not Path(link).is_symlink()

"""The example udev rules and systemd units: their commands exist and take what they are given."""

from __future__ import annotations

import configparser
import re
import shlex
from typing import TYPE_CHECKING

import click
import pytest

from omaha_table.cli import omaha_table
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "config" / "system"
UNITS = sorted(FOLDER.glob("*.service"))


def unit(path: Path) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    return parser


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_exists(path: Path) -> None:
    words = shlex.split(unit(path)["Service"]["ExecStart"].replace("%i", "t7"))
    assert words.pop(0) == "/usr/local/bin/omaha-table"
    with click.Context(omaha_table) as context:
        name, command, rest = omaha_table.resolve_command(context, words)
        assert command is not None
        command.make_context(name, rest, parent=context).close()


def test_the_consoles_unit_shares_the_keyring_and_dumps_no_core() -> None:
    service = unit(FOLDER / "omaha-table@.service")["Service"]
    wanted = {"KeyringMode": "shared", "LimitCORE": "0", "MemorySwapMax": "0"}
    assert {name: service[name] for name in wanted} == wanted


def test_each_rule_for_a_port_names_one_group_and_keeps_others_away() -> None:
    text = (FOLDER / "70-omaha-table.rules").read_text(encoding="utf-8")
    ports = [line for line in text.splitlines() if line.startswith('SUBSYSTEM=="tty"')]
    assert len(ports) == 2
    pair = re.compile(r'[A-Z_]+(\{[^}]+\})?(==|\+=|=)"[^"]*"')
    for line in ports:
        assert all(pair.fullmatch(one) for one in line.split(", ")), line
        assert 'GROUP="omaha-table", MODE="0660"' in line
        assert 'ENV{ID_MM_PORT_IGNORE}="1"' in line

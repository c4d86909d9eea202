"""A table's file can set everything about a device's line, and what its adapter lets it set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers.adapter import PortDefaults
from omaha_drivers.settings import DeviceSettings, LineSettings

from omaha_table.session.config import ConfigError, load_table

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session.equipment import Missing

TABLE = '[table]\nid = "t7"\nrules = "ca_big_o"\n\n[devices.shoe]\n'
PORT = 'port = "/dev/null"\n'


def device(tmp_path: Path, text: str) -> DeviceSettings | Missing:
    file = tmp_path / "t7.toml"
    file.write_text(TABLE + text)
    [found] = load_table(file).find_devices()
    return found


def test_every_setting_of_the_line(tmp_path: Path) -> None:
    found = device(
        tmp_path,
        'adapter = "tdp"\n' + PORT + 'speed = 9600\nparity = "even"\ndata_bits = 7\n'
        'stop_bits = 2\nflow_control = "xon_xoff"\nrs485 = true\ndtr = false\nrts = false\n'
        "reopen_after = 30\n",
    )
    assert isinstance(found, DeviceSettings)
    assert found.line == LineSettings("E", 7, 2, "xon_xoff", rs485=True, dtr=False, rts=False)
    assert found.reopen_after == 30
    assert found.line.over(PortDefaults(115200), found.speed) == PortDefaults(
        9600, "E", 7, 2, "xon_xoff", rs485=True, dtr=False, rts=False
    )


def test_without_any_the_adapter_decides(tmp_path: Path) -> None:
    found = device(tmp_path, 'adapter = "tdp"\n' + PORT)
    assert isinstance(found, DeviceSettings)
    defaults = PortDefaults(4800, "O", 7, 1.5, "rts_cts", dtr=False)
    assert found.line.over(defaults, found.speed) == defaults
    assert found.reopen_after == 10


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('parity = "left"\n', "parity"),
        ("data_bits = 9\n", "data_bits"),
        ("stop_bits = 3\n", "stop_bits"),
        ("reopen_after = -1\n", "reopen_after"),
        ("dtr = 3\n", "dtr"),
    ],
)
def test_a_setting_that_cannot_be_is_named(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        device(tmp_path, 'adapter = "tdp"\n' + PORT + text)


def test_an_adapter_that_cannot_be_loaded_keeps_a_script_from_running_and_is_named(
    tmp_path: Path,
) -> None:
    """The console has it tried again; a script would wait for it in vain."""
    text = 'adapter = "tests.drivers.bad_import:Any"\n' + PORT
    assert isinstance(device(tmp_path, text), DeviceSettings)
    with pytest.raises(ConfigError, match="cannot be loaded") as raised:
        load_table(tmp_path / "t7.toml").device_settings()
    assert "tests.drivers.bad_import" in str(raised.value)
    assert "ImportError" in str(raised.value)
    assert "As Kd" not in str(raised.value)

"""The file of a new table, with a comment on each line that somebody may want to change."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omaha_drivers.settings import DeviceSettings


@dataclass(frozen=True, slots=True)
class TableAnswers:
    id: str
    title: str
    room: str
    rules: str
    limit: str
    shuffler: DeviceSettings | None = None
    shoe: DeviceSettings | None = None
    surveillance_key: str = ""


def table_text(table: TableAnswers) -> str:
    lines = [
        "# Written by omaha-table setup. The console reads it when it starts.",
        "",
        "[table]",
        _line("id", table.id, "names the log; never change it"),
        _line("title", table.title, "shown on the screen"),
    ]
    if table.room:
        lines.append(_line("room", table.room, "the cardroom, for the slip"))
    lines += [
        _line("rules", table.rules, "a shipped profile, or your own .toml file"),
        _line("limit", table.limit, "what the table opens with"),
    ]
    if table.surveillance_key:
        lines.append(_line("surveillance_key", table.surveillance_key, "who can open sealed cards"))
    elif table.shoe is not None:
        lines.append(
            '# surveillance_key = "surveillance.public"  # without it the shoe only counts'
        )
    lines.append('# mirror = "/mnt/other/t7"  # a second copy of the log, on another disk')
    for device in (table.shuffler, table.shoe):
        if device is not None:
            lines += ["", *_device_lines(device)]
    lines += [
        "",
        "# Who is seated when the table is opened for the first time:",
        "# [[players]]",
        "# seat = 1",
        '# name = "Ada"',
        '# stack = "200.00"  # leave it out if chips are not tracked',
    ]
    return "\n".join(lines) + "\n"


def _device_lines(device: DeviceSettings) -> list[str]:
    lines = [
        f"[devices.{device.kind}]",
        _line("adapter", device.adapter, "its protocol"),
        _line("port", device.port),
    ]
    if device.serial:
        lines.append(_line("serial", device.serial, "reports of any other device are ignored"))
    lines.append(f'# key_file = "{device.kind}.key"  # proves that it is this device')
    return lines


def _line(name: str, value: str, comment: str = "") -> str:
    """JSON's strings are TOML's, for text that can be shown."""
    setting = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    return f"{setting:<30} # {comment}" if comment else setting

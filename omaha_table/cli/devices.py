"""`omaha-table devices`: lists serial ports, watches, tests and emulates devices."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from omaha_drivers.events import Link
from omaha_drivers.text import printable

from omaha_table.cli.conform import conform
from omaha_table.cli.device_check import check
from omaha_table.cli.device_ladder import FINE, TRUST, Watched, quality
from omaha_table.cli.device_recording import record, replay
from omaha_table.cli.device_watch import watch
from omaha_table.cli.emulate import emulate
from omaha_table.cli.lines import say
from omaha_table.session.config import ConfigError, load_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_drivers.settings import DeviceSettings
    from omaha_drivers.supervisor import Status


@click.group()
def devices() -> None:
    """Lists, watches, tests and emulates shufflers and shoes.

    \b
    Examples:
      omaha-table devices list
      omaha-table devices watch /dev/serial/by-id/usb-shoe --adapter tdp --kind shoe
      omaha-table devices emulate shoe --link /tmp/shoe --fault lose --seed 7
    """


@devices.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option(
    "--table",
    "table_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A table's configuration: connect to its devices and show who answers.",
)
def list_(as_json: bool, table_file: Path | None) -> None:
    """Lists the serial ports of this machine, with stable names.

    \b
    Examples:
      omaha-table devices list
      omaha-table devices list --table /etc/omaha-table/t7.toml
    """
    if table_file is not None:
        _list_configured(table_file, as_json=as_json)
        return
    ports = find_ports()
    for port in ports:
        if as_json:
            click.echo(json.dumps(asdict(port)))
        else:
            click.echo(port.name)
            click.echo(f"  {port.words}")
    if not ports and not as_json:
        click.echo("No serial ports. Emulated devices are not listed: use their link as the port.")


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port of this machine."""

    port: str
    by_id: str
    by_path: str
    what: str
    serial: str

    @property
    def name(self) -> str:
        """The name that stays when devices are plugged in in another order."""
        return self.by_id or self.by_path or self.port

    @property
    def words(self) -> str:
        return f"{self.port}  {self.what}  {self.serial or 'no serial number'}"


def find_ports() -> list[Port]:
    from serial.tools import list_ports  # type: ignore[import-untyped]

    ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
    return [
        Port(
            str(port.device),
            _link("/dev/serial/by-id", str(port.device)),
            _link("/dev/serial/by-path", str(port.device)),
            printable(str(port.description or ""), 60),
            printable(str(port.serial_number or ""), 40),
        )
        for port in ports
    ]


_ANSWER_SECONDS = 3.0


def _list_configured(table_file: Path, *, as_json: bool) -> None:
    """Lists each configured device, whether it answers, and how its identity was checked."""
    try:
        settings = load_table(table_file).device_settings()
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    worst = FINE
    for device in ask_all(settings):
        given, status, climb = device.settings, device.status, device.climb()
        worst = max(worst, climb.status)
        row = {
            "device": given.name,
            "adapter": given.adapter,
            "port": given.port,
            "link": str(status.link),
            "trust": str(status.trust),
            "vendor": status.vendor,
            "model": status.model,
            "serial": status.serial,
            "firmware": status.firmware,
            "counters": dict(status.counters),
            "why": status.why,
            "advice": climb.advice,
        }
        if as_json:
            click.echo(json.dumps(row))
            continue
        named = [f"{status.vendor} {status.model}".strip()]
        named += [f"serial {status.serial}"] * bool(status.serial)
        named += [f"firmware {status.firmware}"] * bool(status.firmware)
        say(f"{given.name}: {given.adapter} on {given.port}")
        say(f"  {status.link}, {TRUST[status.trust]}. {status.why}".rstrip())
        if status.model or status.serial:
            say(f"  {', '.join(filter(None, named))}")
        say(f"  Line: {quality(status)}")
        if climb.advice and climb.advice != status.why:
            say(f"  {climb.advice}")
    if not settings:
        click.echo("No devices are configured for this table.", err=as_json)
    if worst:
        raise SystemExit(worst)


def who_answers(settings: Sequence[DeviceSettings]) -> list[Status]:
    """How each device stands after a few seconds, or once all of them have answered."""
    return [device.status for device in ask_all(settings)]


def ask_all(settings: Sequence[DeviceSettings]) -> list[Watched]:
    """The devices after a few seconds, or once all of them have answered; they are stopped."""
    asked = [Watched(given) for given in settings]
    with ExitStack() as stack:
        for device in asked:
            stack.enter_context(device)
        end = time.monotonic() + _ANSWER_SECONDS
        settled = (Link.LIVE, Link.WRONG)
        while time.monotonic() < end and any(
            device.status.link not in settled and device.failed is None for device in asked
        ):
            time.sleep(0.05)
    return asked


def _link(folder: str, device: str) -> str:
    where = Path(folder)
    links = sorted(where.iterdir()) if where.is_dir() else []
    return next((str(link) for link in links if str(link.resolve()) == device), "")


devices.add_command(emulate)
devices.add_command(conform)
devices.add_command(check)
devices.add_command(watch)
devices.add_command(record)
devices.add_command(replay)

"""`omaha-table devices`: lists serial ports, watches a device, emulates devices."""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from omaha_drivers import registry
from omaha_drivers.events import Link, Trust
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.supervisor import Supervisor
from omaha_drivers.text import printable
from omaha_drivers.transport import TransportError

from omaha_table.cli.device_options import key_option, read_key, until_stopped
from omaha_table.cli.emulate import emulate
from omaha_table.cli.lines import say
from omaha_table.session.config import ConfigError, load_table

if TYPE_CHECKING:
    from omaha_drivers.events import Report


@click.group()
def devices() -> None:
    """Lists, watches and emulates shufflers and shoes.

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
    from serial.tools import list_ports  # type: ignore[import-untyped]

    ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
    for port in ports:
        device = str(port.device)
        row = {
            "port": device,
            "by_id": _link("/dev/serial/by-id", device),
            "by_path": _link("/dev/serial/by-path", device),
            "what": printable(str(port.description or ""), 60),
            "serial": printable(str(port.serial_number or ""), 40),
        }
        if as_json:
            click.echo(json.dumps(row))
        else:
            click.echo(row["by_id"] or row["by_path"] or device)
            click.echo(f"  {device}  {row['what']}  {row['serial'] or 'no serial number'}")
    if not ports and not as_json:
        click.echo("No serial ports. Emulated devices are not listed: use their link as the port.")


_ANSWER_SECONDS = 3.0
_TRUST = {
    Trust.AUTHENTICATED: "authenticated",
    Trust.PINNED: "serial number checked",
    Trust.UNPINNED: "identity not checked",
}


def _list_configured(table_file: Path, *, as_json: bool) -> None:
    """Lists each configured device, whether it answers, and how its identity was checked."""
    try:
        settings = load_table(table_file).device_settings()
        supervisors = [Supervisor(given, lambda report: None) for given in settings]
    except (ConfigError, registry.UnknownAdapterError, TransportError) as error:
        raise click.UsageError(str(error)) from None
    for supervisor in supervisors:
        supervisor.start()
    end = time.monotonic() + _ANSWER_SECONDS
    settled = (Link.LIVE, Link.WRONG)
    while time.monotonic() < end and any(s.status.link not in settled for s in supervisors):
        time.sleep(0.05)
    for given, supervisor in zip(settings, supervisors, strict=True):
        status = supervisor.status
        supervisor.stop()
        row = {
            "device": given.name,
            "adapter": given.adapter,
            "port": given.port,
            "link": str(status.link),
            "trust": str(status.trust),
            "serial": status.serial,
            "why": status.why,
        }
        if as_json:
            click.echo(json.dumps(row))
        else:
            who = f", serial {status.serial}" if status.serial else ""
            say(f"{given.name}: {given.adapter} on {given.port}")
            say(f"  {status.link}, {_TRUST[status.trust]}{who}. {status.why}".rstrip())
    if not supervisors:
        click.echo("No devices are configured for this table.", err=as_json)


def _link(folder: str, device: str) -> str:
    where = Path(folder)
    links = sorted(where.iterdir()) if where.is_dir() else []
    return next((str(link) for link in links if str(link.resolve()) == device), "")


@devices.command()
@click.argument("port")
@click.option(
    "--adapter",
    default="tdp",
    show_default=True,
    metavar="NAME",
    help="The protocol: tdp, angel_eye, or an installed adapter.",
)
@click.option(
    "--kind",
    type=click.Choice(["shoe", "shuffler"]),
    default="shoe",
    show_default=True,
    help="The kind of device.",
)
@click.option(
    "--serial", default="", metavar="S", help="The serial number that the device must have."
)
@click.option("--speed", type=click.IntRange(min=50), metavar="N", help="Bits per second.")
@click.option(
    "--seconds", type=click.FloatRange(0, 86400), metavar="N", help="Stop after N seconds."
)
@key_option
def watch(
    port: str,
    adapter: str,
    kind: Literal["shoe", "shuffler"],
    serial: str,
    speed: int | None,
    seconds: float | None,
    key_file: Path | None,
) -> None:
    """Shows what a device reports, as it happens; never which cards.

    \b
    Example:
      omaha-table devices watch /tmp/shoe --kind shoe --seconds 10
    """
    settings = DeviceSettings(
        name=kind,
        kind=kind,
        adapter=adapter,
        port=port,
        speed=speed,
        serial=serial,
        key=read_key(key_file),
        identities="count_only",
    )
    closed = threading.Event()

    def show(report: Report) -> None:
        try:
            click.echo(f"{datetime.now():%H:%M:%S.%f}  {in_words(report)}")
        except OSError:
            closed.set()

    try:
        supervisor = Supervisor(settings, show)
    except (registry.UnknownAdapterError, TransportError) as error:
        raise click.UsageError(str(error)) from None
    with until_stopped(closed):
        supervisor.start()
        closed.wait(seconds)
    supervisor.stop()
    status = supervisor.status
    counts = ", ".join(f"{name} {count:,}" for name, count in status.counters.items() if count)
    click.echo(f"{_TRUST[status.trust]}; {counts or 'no messages received'}.", err=True)


def in_words(report: Report) -> str:
    """An event as a line: 'card drawn, number 3, in game True'. A card is never part of it."""
    event = report.event
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(event).__name__).lower()
    values = [
        f"{field.name.replace('_', ' ')} {printable(str(getattr(event, field.name)), 200)}"
        for field in fields(event)
        if field.name != "card"
    ]
    return ", ".join([name, *values])


devices.add_command(emulate)

"""What the device commands share: which device, how its line is set, its key, an orderly stop."""

from __future__ import annotations

import signal
import threading
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from omaha_drivers.settings import DeviceSettings

from omaha_table.files import FileError, read_bounded
from omaha_table.session.config import DeviceSection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

key_option = click.option(
    "--key",
    "key_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file with the key that the device shares with its table.",
)


def _adapter_options(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{text!r} is not NAME=VALUE.")
        try:
            found[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[name] = value
    return found


_SPEEDS = click.IntRange(300, 4_000_000)
_PARITIES = click.Choice(["none", "even", "odd", "mark", "space"])
_FLOWS = click.Choice(["none", "rts_cts", "dsr_dtr", "xon_xoff"])
_LINE_OPTIONS = (
    click.option("--speed", type=_SPEEDS, metavar="N", help="Bits per second."),
    click.option("--parity", type=_PARITIES, help="Parity."),
    click.option("--data-bits", type=click.IntRange(5, 8), metavar="N", help="Data bits."),
    click.option("--stop-bits", type=click.Choice(["1", "1.5", "2"]), help="Stop bits."),
    click.option("--flow-control", type=_FLOWS, help="Flow control."),
    click.option("--dtr/--no-dtr", default=None, help="DTR while the port is open."),
    click.option("--rts/--no-rts", default=None, help="RTS while the port is open."),
    click.option(
        "--option",
        "given",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_adapter_options,
        help="An option of the adapter, as in the table's file; may be repeated.",
    ),
)


def line_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same settings as in the section of a device in the table's file."""
    for option in reversed(_LINE_OPTIONS):
        command = option(command)
    return command


_DEVICE_OPTIONS = (
    click.option(
        "--adapter",
        default="tdp",
        show_default=True,
        metavar="NAME",
        help="The protocol: tdp, angel_eye, or an installed adapter.",
    ),
    click.option(
        "--kind",
        type=click.Choice(["shoe", "shuffler"]),
        default="shoe",
        show_default=True,
        help="The kind of device.",
    ),
    click.option(
        "--serial", default="", metavar="S", help="The serial number that the device must have."
    ),
    line_options,
    click.option(
        "--seconds", type=click.FloatRange(0, 86400), metavar="N", help="Stop after N seconds."
    ),
    key_option,
)


def device_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """One device without a table's file; `settings_of` reads them."""
    for option in reversed(_DEVICE_OPTIONS):
        command = option(command)
    return command


def settings_of(
    port: str,
    *,
    adapter: str,
    kind: Literal["shoe", "shuffler"],
    serial: str,
    key_file: Path | None,
    given: dict[str, Any],
    stop_bits: str | None,
    **line: Any,
) -> DeviceSettings:
    """A device that is only looked at: its cards are counted and dropped."""
    bits = None if stop_bits is None else float(stop_bits)
    section = DeviceSection(adapter=adapter, port=port, stop_bits=bits, options=given, **line)
    return DeviceSettings(
        name=kind,
        kind=kind,
        adapter=adapter,
        port=port,
        speed=section.speed,
        line=section.line,
        options=section.options,
        serial=serial,
        key=read_key(key_file),
        identities="count_only",
    )


@contextmanager
def until_stopped(stopped: threading.Event) -> Iterator[None]:
    """Makes SIGINT and SIGTERM set the event, so that everything is closed in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(one, lambda *_: stopped.set()) for one in signals]
    try:
        yield
    finally:
        for one, handler in zip(signals, before, strict=True):
            signal.signal(one, handler)


def read_key(file: Path | None) -> bytes:
    if file is None:
        return b""
    try:
        key = read_bounded(file, 32)
    except FileError:
        key = b""
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise click.UsageError(f"{file} cannot be read: {reason}.") from None
    if not 16 <= len(key) <= 32:
        raise click.UsageError(f"{file} is not a key: a key has 16 to 32 bytes.")
    return key

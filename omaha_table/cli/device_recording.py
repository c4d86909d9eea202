"""`omaha-table devices record` and `replay`: a device's traffic for support, without its cards."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from omaha_drivers import registry
from omaha_drivers.recording.file import RecordingError, read_recording
from omaha_drivers.recording.recorder import Recorder
from omaha_drivers.recording.replay import replay as run_replay
from omaha_drivers.transport import TransportError

from omaha_table.cli.device_ladder import TRUST, Watched
from omaha_table.cli.device_options import device_options, settings_of, until_stopped
from omaha_table.cli.device_watch import in_words, moments
from omaha_table.cli.lines import say
from omaha_table.session.config import ConfigError, load_table

if TYPE_CHECKING:
    from omaha_drivers.events import Report
    from omaha_drivers.settings import DeviceSettings

_TYPED: Final = click.core.ParameterSource.COMMANDLINE


@click.command()
@click.argument("port")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@device_options
@click.option(
    "--table",
    "table_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A table's configuration: PORT is then 'shoe' or 'shuffler', set up as there.",
)
def record(
    port: str, file: Path, table_file: Path | None, seconds: float | None, **device: Any
) -> None:
    """Keeps what a device and its driver send in FILE, for whoever supports the device.

    No card is in it: each deck's cards are exchanged at random before anything is written, and
    bytes outside good messages become zeros. The file is for its owner alone, and no file is ever
    replaced. Nothing else may use the port meanwhile: close the console. Exit status 1 if the
    recording broke off, 4 if nothing was heard of the device.

    \b
    Examples:
      omaha-table devices record /tmp/shoe shoe.recording --seconds 60
      omaha-table devices record shoe shoe.recording --table /etc/omaha-table/t7.toml
    """
    source_of = click.get_current_context().get_parameter_source
    if table_file is None:
        settings = settings_of(port, **device)
    elif any(source_of(name) is _TYPED for name in device):
        raise click.UsageError("With --table the device is set up by the table's file alone.")
    else:
        settings = replace(_configured(table_file, port), identities="count_only")
    closed = threading.Event()
    try:
        recorder = Recorder(file, settings)
    except FileExistsError:
        raise click.UsageError(f"{file} already exists.") from None
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise click.UsageError(f"{file} cannot be written: {reason}.") from None
    except (registry.UnknownAdapterError, RecordingError) as error:
        raise click.UsageError(str(error)) from None

    def show(report: Report) -> None:
        recorder.keep(report)
        try:
            click.echo(f"{report.at - recorder.began:10.3f}  {in_words(report)}")
        except OSError:
            closed.set()

    try:
        watched = Watched(settings, show, recorder.contain)
    except (registry.UnknownAdapterError, TransportError) as error:
        recorder.close()
        file.unlink()
        raise click.UsageError(str(error)) from None
    with until_stopped(closed), watched:
        for _ in moments(closed, seconds):
            if recorder.ended:
                break
    ended = recorder.ended
    recorder.close()
    if ended:
        say(f"{ended} What was recorded before is in {file}.", err=True)
        raise SystemExit(1)
    read = watched.status.counters["bytes read"]
    say(f"Recorded {read:,} bytes of the device in {file}, without cards.", err=True)
    if not read:
        raise SystemExit(4)


def _configured(table_file: Path, name: str) -> DeviceSettings:
    try:
        found = load_table(table_file).device_settings()
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    for settings in found:
        if settings.name == name:
            return settings
    known = " and ".join(settings.name for settings in found) or "no device"
    raise click.UsageError(f"{table_file} configures {known}, and no {name!r}.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--adapter",
    metavar="NAME",
    help="Use this adapter. An adapter MODULE:CLASS that a file names is used only if named here.",
)
def replay(file: Path, adapter: str | None) -> None:
    """Shows what a recorded device reported, by running its driver on the recording again.

    No device and no port is needed. The cards in a recording are not those that were dealt, and
    are not shown either.

    \b
    Example:
      omaha-table devices replay shoe.recording
    """
    try:
        recording = read_recording(file)
    except RecordingError as error:
        raise click.UsageError(f"{file}: {error}") from None
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise click.UsageError(f"{file} cannot be read: {reason}.") from None
    named = recording.settings.adapter
    if adapter is None and named not in registry.names():
        raise click.UsageError(
            f"{file} names the adapter {named}, which is not installed. If you trust it: "
            f"--adapter {named}"
        )
    settings = replace(recording.settings, adapter=adapter or named)

    def show(report: Report) -> None:
        say(f"{report.at:10.3f}  {in_words(report)}")

    try:
        status = run_replay(replace(recording, settings=settings), show)
    except registry.UnknownAdapterError as error:
        raise click.UsageError(str(error)) from None
    what = f"{settings.name}, {settings.adapter}, recorded {recording.made}"
    say(f"{what}: {TRUST[status.trust]}; {len(recording.entries):,} entries.", err=True)

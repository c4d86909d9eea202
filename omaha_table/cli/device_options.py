"""What the device commands share: the key file option and an orderly stop."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table.files import FileError, read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterator

key_option = click.option(
    "--key",
    "key_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file with the key that the device shares with its table.",
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

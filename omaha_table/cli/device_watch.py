"""`omaha-table devices watch`: what a device reports, and how far up the ladder it comes."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from omaha_drivers import registry
from omaha_drivers.text import printable
from omaha_drivers.transport import TransportError

from omaha_table.cli.device_ladder import TRUST, Watched, suggest_speed
from omaha_table.cli.device_options import device_options, settings_of, until_stopped
from omaha_table.cli.lines import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_drivers.events import Report


@click.command()
@click.argument("port")
@device_options
def watch(port: str, seconds: float | None, **device: Any) -> None:
    """Shows what a device reports, as it happens; never which cards.

    At the end it says how far it came: port, bytes, messages, events, and what to do about the rung
    that fails. Where bytes cannot be read it tries the usual speeds. Exit status 1 if something is
    wrong, 4 if the device cannot be reached.

    \b
    Example:
      omaha-table devices watch /tmp/shoe --kind shoe --seconds 10
    """
    settings = settings_of(port, **device)
    closed = threading.Event()

    def show(report: Report) -> None:
        try:
            click.echo(f"{datetime.now():%H:%M:%S.%f}  {in_words(report)}")
        except OSError:
            closed.set()

    try:
        watched = Watched(settings, show)
    except (registry.UnknownAdapterError, TransportError) as error:
        raise click.UsageError(str(error)) from None
    with until_stopped(closed), watched:
        reached = 0
        for _ in moments(closed, seconds):
            climb = watched.climb()
            if climb.reached > reached:
                reached = climb.reached
                click.echo(f"Ladder: {climb}", err=True)
    status, climb = watched.status, watched.climb()
    counts = ", ".join(f"{name} {count:,}" for name, count in status.counters.items() if count)
    click.echo(f"{TRUST[status.trust]}; {counts or 'no messages received'}.", err=True)
    say(f"Ladder: {climb}. {climb.advice}".rstrip(), err=True)
    if climb.reached == 2:
        say(suggest_speed(watched), err=True)
    if climb.status:
        raise SystemExit(climb.status)


def moments(closed: threading.Event, seconds: float | None) -> Iterator[None]:
    """Ten times a second until it is closed, or the time is up."""
    end = None if seconds is None else time.monotonic() + seconds
    while not closed.wait(0.1 if end is None else max(0.0, min(0.1, end - time.monotonic()))):
        if end is not None and time.monotonic() >= end:
            return
        yield


def in_words(report: Report) -> str:
    """An event as a line: 'card drawn, number 3, in game True'. A card is never part of it."""
    event = report.event
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(event).__name__).lower()
    values = [
        f"{field.name.replace('_', ' ')} {printable(str(getattr(event, field.name)), 200)}"
        for field in fields(event)
        if field.name != "card"
        and (field.name != "place" or getattr(event, field.name) is not None)
    ]
    return ", ".join([name, *values])

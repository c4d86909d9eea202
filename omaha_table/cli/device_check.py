"""`omaha-table devices test`: a checklist for whoever installs a device."""

from __future__ import annotations

import select
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from omaha_drivers import events as e

from omaha_table.cli.device_ladder import FINE, WRONG, Watched, quality, suggest_speed
from omaha_table.cli.lines import on_terminal, say
from omaha_table.session.config import ConfigError, load_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import DeviceSettings

ANSWER_SECONDS: Final = 4.0
HAND_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Step:
    ask: str
    done: Callable[[DeviceEvent], bool]


def _is(*kinds: type) -> Callable[[DeviceEvent], bool]:
    return lambda event: isinstance(event, kinds)


def _down(event: DeviceEvent) -> bool:
    return isinstance(event, e.LinkChanged) and event.link in (e.Link.DOWN, e.Link.SILENT)


def _live(event: DeviceEvent) -> bool:
    return isinstance(event, e.LinkChanged) and event.link is e.Link.LIVE


def _good_deck(event: DeviceEvent) -> bool:
    return isinstance(event, e.DeckVerified) and event.ok


_CABLE: Final = (Step("Unplug the cable", _down), Step("Plug it in again", _live))
STEPS: Final = {
    "shoe": (
        Step("Load a deck", _is(e.ShoeLoaded)),
        Step("Draw a card", _is(e.CardDrawn)),
        Step("Draw another", _is(e.CardDrawn)),
        *_CABLE,
    ),
    "shuffler": (
        Step("Put a deck of 52 in", _is(e.DeckIn)),
        Step("Let it shuffle and count", _good_deck),
        Step("Take the deck out", _is(e.DeckTaken)),
        *_CABLE,
    ),
}


@click.command("test")
@click.option(
    "--table",
    "table_file",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The table's configuration.",
)
@click.option("--hands/--no-hands", default=None, help="Whether to ask for cards and cables, too.")
def check(table_file: Path, hands: bool | None) -> None:
    """Goes through a checklist for each device of a table.

    First by itself: port, bytes, messages, identity, key, quality of the line. Then, at a terminal,
    it asks for what needs hands, and sees whether the device reports it; ENTER skips a step. Never
    shows which cards. Exit status 1 if something is wrong, 4 if a device cannot be reached.

    \b
    Example:
      omaha-table devices test --table /etc/omaha-table/t7.toml
    """
    try:
        configured = load_table(table_file).device_settings()
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    worst = FINE
    for settings in configured:
        found = _check_one(settings, hands=on_terminal() if hands is None else hands)
        worst = max(worst, found)
    if not configured:
        click.echo("No devices are configured for this table.")
    if worst:
        raise SystemExit(worst)


def _check_one(settings: DeviceSettings, *, hands: bool) -> int:
    say(f"{settings.name}: {settings.adapter} on {settings.port}")
    with Watched(settings) as device:
        end = time.monotonic() + ANSWER_SECONDS
        with device.news:
            while time.monotonic() < end and not device.was_live and device.failed is None:
                device.news.wait(0.1)
        climb = device.climb()
        status = device.status
        names = ("port opens", "bytes arrive", "messages can be read", "it is the device")
        for at, name in enumerate(names):
            _mark(name, at < climb.reached, status.why if at == climb.reached else "")
        if climb.advice:
            say(f"  {climb.advice}")
        if climb.reached == len(names):
            checked = status.trust is not e.Trust.UNPINNED
            _mark("its identity is checked", checked, "the file names no serial and no key")
            firmware = f", firmware {status.firmware}" if status.firmware else ""
            say(f"  {status.vendor} {status.model}, serial {status.serial or 'unknown'}{firmware}")
        worst = climb.status
        if hands and climb.status == FINE:
            worst = max(worst, _with_hands(device))
        say(f"  Line: {quality(device.status)}")
    if climb.reached == 2:
        say(f"  {suggest_speed(device)}")
    return worst


def _with_hands(device: Watched) -> int:
    worst = FINE
    with device.news:
        seen = len(device.reports)
    for step in STEPS[device.settings.kind]:
        click.echo(f"  {step.ask} (ENTER skips) … ", nl=False)
        result, seen = _wait_for(device, step, seen)
        click.echo({True: "reported", False: "NOT reported", None: "skipped"}[result])
        worst = WRONG if result is False else worst
    return worst


def _wait_for(device: Watched, step: Step, seen: int) -> tuple[bool | None, int]:
    """Whether a report after those that were seen shows it, and how many are seen then.

    None: somebody pressed ENTER. A report may come before anybody waits for it.
    """
    end = time.monotonic() + HAND_SECONDS
    while time.monotonic() < end:
        with device.news:
            for at in range(seen, len(device.reports)):
                if step.done(device.reports[at].event):
                    return True, at + 1
        if select.select([sys.stdin], [], [], 0.05)[0]:
            sys.stdin.readline()
            return None, len(device.reports)
    return False, len(device.reports)


def _mark(name: str, good: bool, why: str) -> None:
    say(f"  [{'x' if good else ' '}] {name}" + (f": {why}" if why and not good else ""))

"""The ladder from a port to events: which rung fails, and what to do about it."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omaha_drivers import registry
from omaha_drivers.contained import ContainedAdapter
from omaha_drivers.events import AdapterFailed, Link, LinkChanged, Trust
from omaha_drivers.supervisor import Supervisor
from omaha_drivers.transport import TransportError, is_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_drivers.events import Report
    from omaha_drivers.settings import DeviceSettings
    from omaha_drivers.supervisor import Status

TRUST: Final = {
    Trust.AUTHENTICATED: "authenticated",
    Trust.PINNED: "serial number checked",
    Trust.UNPINNED: "identity not checked",
}
RUNGS: Final = ("port", "bytes", "messages", "events")
FINE: Final = 0
WRONG: Final = 1
OUT_OF_REACH: Final = 4
"""Exit statuses, as of every command."""

SPEEDS: Final = (115200, 9600, 4800, 19200, 57600, 2400, 1200, 38400)
PROBE_SECONDS: Final = 1.2


@dataclass(frozen=True, slots=True)
class Climb:
    reached: int
    """How many rungs, from the port up."""
    advice: str
    status: int

    def __str__(self) -> str:
        rungs = [f"{name} {'ok' if at < self.reached else '--'}" for at, name in enumerate(RUNGS)]
        return ", ".join(rungs)


class Watched:
    """A supervised device and what it has shown of itself."""

    def __init__(
        self,
        settings: DeviceSettings,
        show: Callable[[Report], None] = lambda report: None,
        contain: Callable[[DeviceSettings, str], ContainedAdapter] = ContainedAdapter,
    ) -> None:
        """Raises UnknownAdapterError or TransportError if the settings cannot be used."""
        self._show = show
        self.settings = settings
        self.news = threading.Condition()
        self.reports: list[Report] = []
        self.was_live = False
        self.failed: AdapterFailed | None = None
        self.supervisor = Supervisor(settings, self._take, contain=contain)
        self._last: Status | None = None

    def _take(self, report: Report) -> None:
        self._show(report)
        with self.news:
            event = report.event
            self.reports.append(report)
            if isinstance(event, AdapterFailed):
                self.failed = event
            elif isinstance(event, LinkChanged) and event.link is Link.LIVE:
                self.was_live, self.failed = True, None
            self.news.notify_all()

    def __enter__(self) -> Watched:
        self.supervisor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._last = self.supervisor.status
        self.supervisor.stop()

    @property
    def status(self) -> Status:
        """Now, or when it was stopped."""
        return self._last or self.supervisor.status

    def climb(self) -> Climb:
        status = self.status
        if self.failed is not None:
            what = f"{self.failed.error} in {self.failed.module}"
            return Climb(0, f"The adapter's own code fails ({what}): ask its maker.", WRONG)
        if not status.counters["opened"]:
            return Climb(0, f"{status.why} Check the cable, the name and the rights.", OUT_OF_REACH)
        if not status.counters["bytes read"]:
            return self._no_bytes()
        if not (status.counters.get("frames") or self.was_live):
            advice = "another speed or setting of the line, or another protocol."
            return Climb(2, f"Bytes arrive, but no message can be read: {advice}", WRONG)
        if status.link is Link.WRONG:
            return Climb(3, status.why, WRONG)
        if not self.was_live:
            return Climb(3, "Messages arrive, but the device does not identify itself.", WRONG)
        if status.link is not Link.LIVE:
            return Climb(4, status.why, OUT_OF_REACH)
        return Climb(4, "", FINE)

    def _no_bytes(self) -> Climb:
        if not self.supervisor.caps.heartbeat:
            advice = "It may be quiet until something happens: draw a card."
            return Climb(1, f"The port is open and nothing has arrived. {advice}", FINE)
        advice = "Check power and cable, and whether sending and receiving are crossed."
        return Climb(1, f"The port is open and nothing arrives. {advice}", OUT_OF_REACH)


def find_speed(settings: DeviceSettings) -> int | None:
    """Another speed at which messages can be read; asks for a second at each."""
    if is_address(settings.port):
        return None
    for speed in _other_speeds(settings):
        probed = Watched(replace(settings, speed=speed))
        with probed:
            _wait_for_message(probed)
        if probed.status.counters.get("frames") or probed.was_live:
            return speed
    return None


def _other_speeds(settings: DeviceSettings) -> Iterator[int]:
    defaults = registry.make(settings).port_defaults.speed
    tried = {settings.speed or defaults}
    for speed in (defaults, *SPEEDS):
        if speed not in tried:
            tried.add(speed)
            yield speed


def _wait_for_message(probed: Watched) -> None:
    pause = threading.Event()
    for _ in range(int(PROBE_SECONDS / 0.1)):
        if probed.supervisor.status.counters.get("frames") or probed.was_live:
            return
        pause.wait(0.1)


def suggest_speed(watched: Watched) -> str:
    """What to try where bytes arrive and no message can be read."""
    speed = None
    with suppress(registry.UnknownAdapterError, TransportError):
        speed = find_speed(watched.settings)
    if speed is not None:
        return f"Messages can be read at speed {speed}: use --speed {speed}, or speed = {speed}."
    return "No other usual speed gives messages either."


def quality(status: Status) -> str:
    """How good the line is, in counts."""
    named = ("frames", "bad frames", "bytes dropped", "rejected", "resend requests", "lost", "gaps")
    counts = [f"{name} {status.counters[name]:,}" for name in named if name in status.counters]
    return ", ".join(counts) or "not counted"

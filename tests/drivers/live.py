"""Supervised devices on real ptys, and waiting for what they report."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from omaha_drivers.events import CardDrawn, LinkChanged
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.events import DeviceEvent, Link, Report
    from omaha_drivers.settings import Kind


class Host:
    """Keeps what a supervisor reports; used as a context it starts and stops it."""

    def __init__(
        self, port: object, resume_token: str = "", kind: Kind = "shoe", **settings: Any
    ) -> None:
        self.reports: list[Report] = []
        self.trace: list[str] = []
        self._news = threading.Condition()
        self._options = {
            key: settings.pop(key)
            for key in ("open_port", "sink", "clock", "trace", "contain")
            if key in settings
        }
        given = {"serial": "", "adapter": "tdp", **settings}
        self.settings = DeviceSettings(name=kind, kind=kind, port=str(port), **given)
        self.supervisor = Supervisor(
            self.settings,
            self._options.pop("sink", self.keep),
            resume_token=resume_token,
            trace=self._options.pop("trace", self.trace.append),
            **self._options,
        )

    def keep(self, report: Report) -> None:
        with self._news:
            self.reports.append(report)
            self._news.notify_all()

    def __enter__(self) -> Host:
        self.supervisor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.supervisor.stop()

    @property
    def events(self) -> list[DeviceEvent]:
        return [report.event for report in self.reports]

    @property
    def links(self) -> list[Link]:
        return [event.link for event in self.events if isinstance(event, LinkChanged)]

    @property
    def drawn(self) -> list[int]:
        return [event.number for event in self.events if isinstance(event, CardDrawn)]

    def wait(self, until: Callable[[], bool], seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        with self._news:
            while not until():
                if time.monotonic() > end:
                    raise AssertionError(f"waited in vain: {self.supervisor.status}")
                self._news.wait(0.05)

    def wait_drawn(self, count: int) -> None:
        self.wait(lambda: len(self.drawn) == count)

    def wait_link(self, link: Link) -> None:
        self.wait(lambda: self.supervisor.status.link is link)

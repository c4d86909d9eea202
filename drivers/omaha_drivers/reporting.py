"""What the host is told of one device: each report in order, and what its state is now."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from omaha_drivers.events import Identified, Link, LinkChanged, Report, Trust
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from omaha_drivers.adapter import Emitted
    from omaha_drivers.events import AdapterFailed, DeviceEvent
    from omaha_drivers.settings import DeviceSettings


@dataclass(frozen=True, slots=True)
class Status:
    link: Link = Link.DOWN
    trust: Trust = Trust.UNPINNED
    vendor: str = ""
    model: str = ""
    serial: str = ""
    firmware: str = ""
    why: str = "Not started."
    counters: Mapping[str, int] = field(default_factory=dict)


class HostError(Exception):
    """The host could not process a report."""


class Reporter:
    """Forwards events to the host and keeps the state of the link, in the device's thread."""

    def __init__(
        self,
        settings: DeviceSettings,
        sink: Callable[[Report], None],
        resume_token: str,
        trace: Callable[[str], None] | None,
        clock: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._sink = sink
        self._trace = trace
        self._clock = clock
        self.resume_token = resume_token
        """Where to resume after the last event that the host accepted."""
        self.status = Status()
        self.since = 0.0
        """Since when the link is what it is."""
        self.count = 0
        self.stopping = False
        self._reported = False
        """Whether the host knows of the link. A device that was never there is reported, too."""
        self.told_silence = False
        """Whether the host knows that nobody answers."""
        self._told_failure: AdapterFailed | None = None

    def failed(self, failed: AdapterFailed | None) -> None:
        """Each failure of a running adapter, and once that one cannot be made."""
        if failed is None or (failed.stage != "run" and failed == self._told_failure):
            return
        self._told_failure = failed
        with suppress(HostError):
            self.forward(failed, "", self._clock())
        if failed.stage != "run":
            self.down(f"The adapter {self._settings.adapter} cannot be used ({failed.error}).")

    def unanswered(self, why: str) -> None:
        """Says once that nobody answers; the link stays what it was until somebody does."""
        self.status = replace(self.status, why=printable(why, 200))
        if self.told_silence or self.status.link is Link.SILENT:
            return
        self.told_silence = True
        with suppress(HostError):
            overdue = LinkChanged(self.status.link, self.status.why, overdue=True)
            self.forward(overdue, "", self._clock())

    def take(self, emitted: Emitted, now: float) -> None:
        event = emitted.event
        if isinstance(event, LinkChanged):
            self.link(event.link, event.why, now, emitted.resume_token)
            return
        if isinstance(event, Identified):
            self.status = replace(
                self.status,
                trust=event.trust,
                vendor=printable(event.vendor),
                model=printable(event.model),
                serial=printable(event.serial),
                firmware=printable(event.firmware),
            )
        self.forward(event, emitted.resume_token, now, late=emitted.late)

    def link(
        self, link: Link, why: str, now: float, token: str = "", *, tell_why: bool = False
    ) -> None:
        """With `tell_why` another reason is told of, although the link is what it was."""
        why = printable(why, 200)
        known = (self._reported and not (tell_why and why != self.status.why)) or self.stopping
        if link is self.status.link and known:
            self.status = replace(self.status, why=why)
            return
        self._reported = True
        if link is Link.WRONG:
            self.status = Status()
        elif link is Link.LIVE:
            self.told_silence, self._told_failure = False, None
        self.since = now
        self.status = replace(self.status, link=link, why=why)
        self.forward(LinkChanged(link, why), token, now)

    def refused(self, why: str) -> None:
        """The port is there and cannot be opened: something else to do than to plug it in."""
        self.down(why, tell_why=True)

    def down(self, why: str, *, tell_why: bool = False) -> None:
        try:
            self.link(Link.DOWN, why, self._clock(), tell_why=tell_why)
        except HostError:
            self._trace_line("the host could not process the end of the connection")

    def forward(self, event: DeviceEvent, token: str, now: float, *, late: bool = False) -> None:
        """An event without a token of its own leaves the resume point where it was."""
        if self._trace is not None:
            self._trace_line(repr(event))
        token = token or self.resume_token
        try:
            self._sink(Report(self._settings.name, event, token, now, late))
        except Exception as error:
            raise HostError(type(error).__name__) from None
        self.count += 1
        self.resume_token = token

    def _trace_line(self, text: str) -> None:
        if self._trace is not None:
            with suppress(Exception):
                self._trace(printable(text, 300))

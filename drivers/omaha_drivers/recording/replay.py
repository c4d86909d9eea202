"""Runs an adapter on a recording: the same calls at the same times, without a port or a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers import registry
from omaha_drivers.contained import AdapterFailedError, ContainedAdapter
from omaha_drivers.events import EventsLost, Link
from omaha_drivers.reporting import Reporter

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.adapter import Actions, Adapter
    from omaha_drivers.events import Report
    from omaha_drivers.recording.file import Entry, Recording
    from omaha_drivers.reporting import Status
    from omaha_drivers.settings import DeviceSettings


def replay(
    recording: Recording,
    sink: Callable[[Report], None],
    make: Callable[[DeviceSettings, str], Adapter] = registry.make,
) -> Status:
    """Calls `sink` with each report; its time is that of the recording. Returns the status at the
    end. Raises UnknownAdapterError."""
    return _Replay(recording, sink, make).run()


class _Replay:
    def __init__(
        self,
        recording: Recording,
        sink: Callable[[Report], None],
        make: Callable[[DeviceSettings, str], Adapter],
    ) -> None:
        self._entries = recording.entries
        self._now = 0.0
        self._adapter = ContainedAdapter(recording.settings, "", make)
        self._host = Reporter(recording.settings, sink, "", None, lambda: self._now)
        self._lost = False

    def run(self) -> Status:
        self._host.failed(self._adapter.failure)
        self._tell_what_was_sent()
        for entry in self._entries:
            self._now = entry.at
            self._repeat(entry)
        return self._host.status

    def _tell_what_was_sent(self) -> None:
        sent = b"".join(entry.data for entry in self._entries if entry.what == "sent")
        self._adapter.replaying(sent)

    def _repeat(self, entry: Entry) -> None:
        adapter = self._adapter
        match entry.what:
            case "opened":
                if self._lost:
                    self._lost = False
                    self._host.forward(EventsLost(None), "", self._now)
                self._call(lambda: adapter.opened(self._now))
            case "fed":
                self._call(lambda: adapter.feed(entry.data, self._now))
            case "ticked":
                self._call(lambda: adapter.tick(self._now))
            case "command":
                self._call(lambda: adapter.command(entry.why, self._now))
            case "closed":
                self._call(lambda: adapter.closed(self._now))
            case "link" if entry.link is self._host.status.link is Link.OPENING:
                self._host.unanswered(entry.why)
            case "link":
                self._host.link(entry.link, entry.why, self._now)

    def _call(self, do: Callable[[], Actions]) -> None:
        try:
            for emitted in do().events:
                self._host.take(emitted, self._now)
        except AdapterFailedError as error:
            self._host.failed(error.failed)
            self._adapter.made_again(self._host.resume_token)
            self._lost = not (self._host.resume_token and self._adapter.caps.resend)

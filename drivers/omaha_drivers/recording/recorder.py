"""Writes a recording while a device is supervised.

It stands between the supervisor and the adapter, so a replay can make the very same calls. Only
what the adapter's masking lets through is ever written; if the masking fails, nothing more is.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from omaha_drivers import registry
from omaha_drivers.contained import ContainedAdapter
from omaha_drivers.events import Link, LinkChanged
from omaha_drivers.recording.file import Entry, RecordingError, Writer
from omaha_drivers.recording.masking import Masking, Recordable
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_drivers.adapter import Actions, Adapter
    from omaha_drivers.events import Report
    from omaha_drivers.recording.file import What
    from omaha_drivers.settings import DeviceSettings

_OF_THE_SUPERVISOR: Final = (Link.DOWN, Link.OPENING)
"""Adapters report the other links."""


class Recorder:
    """One recording. `contain` goes to the supervisor, and its reports come to `keep`."""

    def __init__(
        self,
        path: Path,
        settings: DeviceSettings,
        make: Callable[[DeviceSettings, str], Adapter] = registry.make,
    ) -> None:
        """Raises RecordingError, OSError, or UnknownAdapterError."""
        self._make = make
        made: object = make(settings, "")
        if not isinstance(made, Recordable):
            name = printable(settings.adapter, 80)
            raise RecordingError(
                f"The adapter {name} cannot take the cards out of what its device sends, so its "
                "device cannot be recorded."
            )
        try:
            self._masking: Masking = made.masking()
        except Exception as error:
            raise RecordingError(
                f"The adapter's masking failed ({type(error).__name__})."
            ) from None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._writer = Writer(path, self._masking.settings, now)
        self._lock = threading.Lock()
        self._first: float | None = None
        self._last = 0.0
        self.ended = ""
        """Why nothing more is recorded."""

    @property
    def began(self) -> float:
        """When the first entry was made; monotonic clock."""
        return self._first or 0.0

    def contain(self, settings: DeviceSettings, resume_token: str) -> ContainedAdapter:
        return _Recorded(settings, resume_token, self, self._make)

    def keep(self, report: Report) -> None:
        event = report.event
        if isinstance(event, LinkChanged) and event.link in _OF_THE_SUPERVISOR:
            self._add("link", report.at, link=event.link, why=event.why)

    def called(self, what: str, given: tuple[object, ...], now: float) -> None:
        if what == "feed" and isinstance(given[0], bytes):
            self._masked("fed", given[0], now)
        elif what == "command":
            self._add("command", now, why=str(given[0]))
        elif what == "tick":
            self._add("ticked", now)
        elif what == "opened":
            self._add("opened", now)
        elif what == "closed":
            self._masked("fed", None, now)
            self._add("closed", now)

    def sent(self, data: bytes, now: float) -> None:
        if data:
            self._masked("sent", data, now)

    def close(self) -> None:
        with self._lock:
            self.ended = self.ended or "stopped"
            self._writer.close()

    def _masked(self, what: What, data: bytes | None, now: float) -> None:
        """`data` of None: the connection was closed."""
        if self.ended:
            return
        try:
            if data is None:
                kept = self._masking.cut()
            else:
                kept = (self._masking.host if what == "sent" else self._masking.device)(data)
        except Exception as error:
            self.ended = _failed(error)
            return
        if kept:
            self._add(what, now, data=kept)

    def _add(
        self, what: What, now: float, *, data: bytes = b"", link: Link = Link.DOWN, why: str = ""
    ) -> None:
        with self._lock:
            if self.ended:
                return
            self._first = now if self._first is None else self._first
            self._last = max(self._last, now - self._first)
            try:
                self._writer.add(Entry(self._last, what, data, link, why))
            except OSError as error:
                reason = (error.strerror or "no reason given").lower()
                self.ended = f"The recording cannot be written: {reason}."
            if self._writer.full:
                self.ended = "The recording has reached its largest size."


def _failed(error: Exception) -> str:
    return f"The adapter's masking failed ({type(error).__name__})."


class _Recorded(ContainedAdapter):
    def __init__(
        self,
        settings: DeviceSettings,
        resume_token: str,
        recorder: Recorder,
        make: Callable[[DeviceSettings, str], Adapter],
    ) -> None:
        self._recorder = recorder
        super().__init__(settings, resume_token, make)

    def _run(self, what: str, *given: object) -> Actions:
        now = given[-1]
        assert isinstance(now, float)
        self._recorder.called(what, given, now)
        actions = super()._run(what, *given)
        self._recorder.sent(actions.send, now)
        return actions

"""Processes device reports without a screen, for scripts."""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING, Final, Self

from omaha_drivers.supervisor import Supervisor

from omaha_table.hand.events import CardDealt
from omaha_table.session.devices import Devices
from omaha_table.table.events import DeckReported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_drivers.events import Report
    from omaha_drivers.settings import DeviceSettings

    from omaha_table.journal.events import Record
    from omaha_table.session.session import Session

WAIT_SECONDS: Final = 10.0
"""How long a script waits for a card or a deck from a device."""

MAX_QUEUED: Final = 256
"""Unprocessed reports; with more than this the devices' threads wait."""


class DeviceLoop:
    """The devices of a session; `process` carries out their reports in the caller's thread."""

    def __init__(self, session: Session, settings: Sequence[DeviceSettings]) -> None:
        self._session = session
        self.devices = Devices(session, settings)
        self._reports: queue.Queue[Report] = queue.Queue(MAX_QUEUED)
        self._stopped = False
        self._supervisors = [
            Supervisor(given, self._enqueue, resume_token=session.resume_token(given.name))
            for given in settings
        ]

    def _enqueue(self, report: Report) -> None:
        """Called in a device's own thread; waits if the script cannot keep up."""
        while not self._stopped:
            try:
                self._reports.put(report, timeout=0.5)
            except queue.Full:
                continue
            return

    def __enter__(self) -> Self:
        for supervisor in self._supervisors:
            supervisor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        for supervisor in self._supervisors:
            supervisor.stop()

    def process(self, wait: float = WAIT_SECONDS) -> Iterator[Record]:
        """Carries out queued reports; waits while the next step needs a device."""
        end = time.monotonic() + wait
        # Carried out however short the wait is: nobody may look again.
        queued = self._reports.qsize()
        while True:
            try:
                report = self._reports.get(timeout=0.02 if self._needs_device else 0.0)
            except queue.Empty:
                if not self._needs_device or time.monotonic() >= end:
                    return
                continue
            queued -= 1
            records = self.devices.take(report)
            yield from records
            if any(isinstance(record.event, CardDealt | DeckReported) for record in records):
                end = time.monotonic() + wait
            elif queued <= 0 and time.monotonic() >= end:
                return

    @property
    def _needs_device(self) -> bool:
        """Whether the next step comes from a device: a card of the deal, or a deck."""
        what = self._session.step.what
        if what in ("deal", "flop", "turn", "river"):
            return self._expected("shoe")
        return what == "deck" and self._expected("shuffler")

    def _expected(self, kind: str) -> bool:
        device = self.devices.of("shoe" if kind == "shoe" else "shuffler")
        out = kind in self._session.state.devices_out
        by_hand = kind == "shoe" and self.devices.by_hand
        return device is not None and not out and not by_hand and not device.in_trouble

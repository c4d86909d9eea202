"""Listening to the devices without a screen: a script's way to hear the shoe and the shuffler."""

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

PATIENCE: Final = 10.0
"""Seconds that a script waits for a card or a deck that a device must bring."""

WAITING: Final = 256
"""What devices may have said and nobody has taken yet; then they wait."""


class DeviceLoop:
    """The devices of a session; `listen` carries out what they say, in the caller's thread."""

    def __init__(self, session: Session, settings: Sequence[DeviceSettings]) -> None:
        self._session = session
        self.devices = Devices(session, settings)
        self._said: queue.Queue[Report] = queue.Queue(WAITING)
        self._deaf = False
        self._supervisors = [
            Supervisor(given, self._hear, place=session.heard(given.name)) for given in settings
        ]

    def _hear(self, report: Report) -> None:
        """From a device's own thread; waits where the script cannot keep up."""
        while not self._deaf:
            try:
                self._said.put(report, timeout=0.5)
            except queue.Full:
                continue
            return

    def __enter__(self) -> Self:
        for supervisor in self._supervisors:
            supervisor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._deaf = True
        for supervisor in self._supervisors:
            supervisor.stop()

    def listen(self, patience: float = PATIENCE) -> Iterator[Record]:
        """What was said; waits while the table needs what only a device can bring."""
        end = time.monotonic() + patience
        while True:
            try:
                report = self._said.get(timeout=0.02 if self._waits else 0.0)
            except queue.Empty:
                if not self._waits or time.monotonic() >= end:
                    return
                continue
            records = self.devices.take(report)
            yield from records
            if any(isinstance(record.event, CardDealt | DeckReported) for record in records):
                end = time.monotonic() + patience
            elif time.monotonic() >= end:
                return

    @property
    def _waits(self) -> bool:
        """Whether the next step is a device's: a card of the deal, a deck."""
        what = self._session.step.what
        if what in ("deal", "flop", "turn", "river"):
            return self._expected("shoe")
        return what == "deck" and self._expected("shuffler")

    def _expected(self, kind: str) -> bool:
        device = self.devices.of("shoe" if kind == "shoe" else "shuffler")
        out = kind in self._session.state.devices_out
        by_hand = kind == "shoe" and self.devices.by_hand
        return device is not None and not out and not by_hand and not device.alarm

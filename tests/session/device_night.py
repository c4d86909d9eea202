"""A table on disk with devices, whose console is started again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers import events as said
from omaha_drivers.settings import DeviceSettings

from omaha_table.session.devices import Devices
from omaha_table.table.device_records import DeviceRecord, Meters
from tests.review.found import Wall
from tests.session.night import SEATS, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_drivers.events import DeviceEvent

    from omaha_table.journal.events import Record
    from omaha_table.session import Session

SETTINGS = [
    DeviceSettings("shuffler", "shuffler", "tdp", "/dev/null"),
    DeviceSettings("shoe", "shoe", "tdp", "/dev/null"),
]
LIVE = said.LinkChanged(said.Link.LIVE, "ready")
LOST = said.LinkChanged(said.Link.DOWN, "the cable is out")


class Night:
    """A table on disk whose console is started again, with its devices."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wall = Wall(2026, 11, 14, 23, 0)
        self.session: Session
        self.devices: Devices
        self.start()
        say(self.session, *SEATS)

    def start(self) -> None:
        self.session = open_session(self.folder, self.wall)
        self.devices = Devices(self.session, SETTINGS)

    def restart(self) -> None:
        self.session.close()
        self.start()

    def hear(self, device: str, *events: DeviceEvent, tokens: str = "") -> list[Record]:
        """With tokens, one letter for each event: a device that can send again."""
        records = []
        for at, event in enumerate(events):
            token = tokens[at : at + 1] and f"S:{tokens[at]}"
            records += self.devices.take(said.Report(device, event, token, 0.0))
        return records

    def connect(self, firmware: str = "1") -> None:
        self.hear("shoe", said.Identified("house", "emu", "shoe-1", firmware, said.Trust.PINNED))
        self.hear("shoe", LIVE)

    def record(self, device: str = "shoe") -> DeviceRecord:
        return self.session.state.device_records.get(device, DeviceRecord())

    def meters(self, device: str = "shoe") -> Meters:
        return self.record(device).meters


def cycle(number: int = 1, count: int = 52) -> list[DeviceEvent]:
    shuffled: list[DeviceEvent] = [said.DeckIn("red"), said.ShuffleStarted(number)]
    if count != 52:
        return [*shuffled, said.DeckVerified(number, count, ok=False, result="short")]
    verified = said.DeckVerified(number, 52, ok=True, result="ok")
    return [*shuffled, verified, said.ShuffleComplete(number, 52), said.DeckTaken(number)]

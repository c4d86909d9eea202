"""What a device says again and again, or too late: noted once, and never dealt."""

from __future__ import annotations

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed
from omaha_drivers.settings import DeviceSettings

from omaha_table.floor.files import demo_staff
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.devices import Devices
from omaha_table.session.script import run_line
from omaha_table.table.events import DeviceNoted
from tests.evenings import draw_lines

SETTINGS = [
    DeviceSettings("shuffler", "shuffler", "tdp", "/dev/null"),
    DeviceSettings("shoe", "shoe", "tdp", "/dev/null"),
]


class Table:
    """Two players, and devices that are live."""

    def __init__(self) -> None:
        profile = load_profile("ca_big_o")
        self.session = Session(profile, profile.limits[0], demo_staff())
        self.devices = Devices(self.session, SETTINGS)
        for device in ("shuffler", "shoe"):
            self.report(device, said.LinkChanged(said.Link.LIVE, "live"))
        self.type("seat 1 A", "seat 2 B", *draw_lines(1, (1, 2)))

    def type(self, *lines: str) -> None:
        for line in lines:
            assert "refused" not in [a["type"] for a in run_line(self.session, 1, line)], line

    def report(self, device: str, event: said.DeviceEvent) -> list[str]:
        """The types of what was recorded."""
        records = self.devices.take(said.Report(device, event, "", 0.0))
        return [type(record.event).__name__ for record in records]

    @property
    def trouble(self) -> str | None:
        assert self.session.state.hand is not None
        return self.session.state.hand.trouble


def drawn(number: int, card: str = "As") -> said.CardDrawn:
    return said.CardDrawn(number, Sealed(card), in_game=True)


@pytest.mark.parametrize(
    "event", [said.DoorChanged(open=True), said.EventsLost(1)], ids=["lid", "events lost"]
)
def test_the_same_trouble_is_recorded_once(event: said.DeviceEvent) -> None:
    table = Table()
    table.type("hand")
    table.report("shoe", drawn(1))
    assert "DeviceNoted" in table.report("shoe", event)
    trouble = table.trouble
    assert trouble is not None
    assert table.report("shoe", event) in ([], ["DeviceMetered"])
    assert table.trouble == trouble
    shoe = table.devices.of("shoe")
    assert shoe is not None
    assert "refused" not in dict(shoe.alarms)


def test_a_number_that_was_used_for_an_unread_card_is_not_dealt() -> None:
    table = Table()
    table.type("hand")
    table.report("shoe", said.CardUnreadable(1))
    assert table.trouble == "unreadable_card"
    table.type("checked")
    assert "CardDealt" not in table.report("shoe", drawn(1))
    assert table.trouble == "read_twice"


def test_a_device_that_will_not_stop_talking_is_noted_as_that() -> None:
    table = Table()
    noted: list[tuple[str, str]] = []
    for number in range(100):
        event = said.DeviceWarning(f"warning {number}")
        for record in table.devices.take(said.Report("shoe", event, "", 0.0)):
            assert isinstance(record.event, DeviceNoted)
            noted.append((record.event.what, record.event.detail))
    # One of the forty was that the link is live.
    assert len(noted) == 39
    assert noted[-2:] == [("device_warning", "warning 37"), ("too_much_said", "")]
    table.type("hand")
    assert table.report("shoe", said.DeviceWarning("again")) == ["DeviceNoted"]


def test_a_new_shuffle_ends_the_alarm_of_the_deck_before() -> None:
    table = Table()
    table.report("shuffler", said.DeckIn("red"))
    table.report("shuffler", said.DeckVerified(1, 51, False, "short"))
    shuffler = table.devices.of("shuffler")
    assert shuffler is not None
    assert "51 of 52" in shuffler.alarm
    table.report("shuffler", said.ShuffleStarted(2))
    shuffler = table.devices.of("shuffler")
    assert shuffler is not None
    assert shuffler.alarm == ""

"""The devices of one session with what is wrong with them, and what the log notes of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omaha_table.session.device_notes import NOTED, detail, event_name
from omaha_table.table.commands import NoteDevice

if TYPE_CHECKING:
    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import Kind

    from omaha_table.session.commands import SessionCommand
    from omaha_table.session.device_status import Device
    from omaha_table.session.session import Session

_MAX_NOTES: Final = 40
"""Notes per device and hand; more of them would fill the log and tell the reviewer nothing new."""


class Attached:
    """What the shuffler and the shoe of a table share."""

    def __init__(self, session: Session, devices: dict[str, Device]) -> None:
        self.session = session
        self.devices = devices
        self._note_counts: Counter[str] = Counter()
        self._ends_with: dict[tuple[str, str], int] = {}
        """The hand with whose end an alarm is over, by device and cause; those that the device
        itself ends are not in it."""

    def of(self, kind: Kind) -> Device | None:
        return next((device for device in self.devices.values() if device.kind == kind), None)

    def new_hand(self) -> None:
        self._note_counts = Counter()

    # Alarms

    def alarm(self, device: Device, cause: str, message: str) -> None:
        """Raises an alarm that is over with the hand."""
        state = self.session.state
        self._ends_with[device.name, cause] = state.hands + (state.hand is None)
        self.devices[device.name] = self.devices[device.name].alarmed(cause, message)

    def alarm_behind(self, device: Device, cause: str, message: str) -> None:
        """Raises an alarm behind those that must be seen to first; its cause ends it."""
        others = self.devices[device.name].alarmed(cause)
        self.devices[device.name] = replace(others, alarms=((cause, message), *others.alarms))

    def end_alarm(self, device: Device, *causes: str) -> None:
        for cause in causes:
            self.devices[device.name] = self.devices[device.name].alarmed(cause)

    def end_alarms(self) -> None:
        """Ends alarms whose remedy the table has seen done, or whose hand is over."""
        state, drawing = self.session.state, self.session.step.what == "draw"
        finished = state.hands - (state.hand is not None)
        for (name, cause), last_hand in list(self._ends_with.items()):
            if last_hand <= finished or (cause == "draw" and not drawing):
                del self._ends_with[name, cause]
                self.devices[name] = self.devices[name].alarmed(cause)

    # Notes

    def note_event(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        if not isinstance(event, NOTED):
            return []
        return self.note(device, event_name(event), detail(event))

    def note(self, device: Device, what: str, detail: str = "") -> list[SessionCommand]:
        """A note for the reviewer; at the limit, one last note says that there were too many."""
        self._note_counts[device.name] += 1
        if self._note_counts[device.name] > _MAX_NOTES:
            return []
        if self._note_counts[device.name] == _MAX_NOTES:
            what, detail = "too_much_said", ""
        return [NoteDevice(device.name, what, detail)]

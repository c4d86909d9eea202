"""What the log notes of a device's events, for the reviewer; no note can name a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_drivers import events as device_events
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from omaha_drivers.events import DeviceEvent

NOTED: Final = (
    device_events.LinkChanged,
    device_events.Restarted,
    device_events.EventsLost,
    device_events.AdapterFailed,
    device_events.Fault,
    device_events.FaultCleared,
    device_events.ServiceMode,
    device_events.DeviceWarning,
    device_events.StateFound,
    device_events.DoorChanged,
    device_events.JamCleared,
    device_events.ShuffleAborted,
    device_events.CardUnexpected,
    device_events.CutCard,
    device_events.ShoeEmpty,
)
"""A change of settings is an event of its own, which the floor accepts."""
_LONGEST: Final = 200


def event_name(event: DeviceEvent) -> str:
    name = type(event).__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


def detail(event: DeviceEvent) -> str:
    """What a note adds to the event's name; none of these can name a card."""
    return printable(_detail(event), _LONGEST)


def _detail(event: DeviceEvent) -> str:
    match event:
        case device_events.LinkChanged():
            return f"{event.link}: {event.why}"
        case device_events.EventsLost():
            return "" if event.count is None else str(event.count)
        case device_events.AdapterFailed():
            return f"{event.module}: {event.error}"
        case device_events.Fault() | device_events.FaultCleared() | device_events.DeviceWarning():
            return event.code
        case device_events.ServiceMode():
            return "on" if event.on else "off"
        case device_events.StateFound():
            return event.state
        case device_events.DoorChanged():
            return "open" if event.open else "closed"
        case device_events.Jammed() | device_events.JamCleared():
            return event.place
        case device_events.DeckFaulty():
            return event.what
        case device_events.ShuffleAborted():
            return event.why
        case _:
            return ""

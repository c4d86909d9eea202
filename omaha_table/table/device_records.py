"""What a table knows of its devices across restarts and days: who they are, and their meters."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

MOST_CHANGES: Final = 8
"""Changed settings that are named; whoever accepts them accepts the device as it is."""


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """What a device says of itself when it connects."""

    vendor: str
    model: str
    serial: str
    firmware: str


@dataclass(frozen=True, slots=True)
class Meters:
    """Counts for service. A shuffler and a shoe each use their own."""

    shuffles: int = 0
    """Complete, with 52 cards counted."""
    bad_shuffles: int = 0
    """Aborted, jammed, or with a deck that was found faulty."""
    jams: int = 0
    decks: int = 0
    """Decks of which the shoe dealt the first card."""
    unread: int = 0
    """Cards that the shoe could not read."""
    link_errors: int = 0
    """Messages that arrived damaged, events that were lost, silences, failures of the driver."""
    reconnects: int = 0

    def plus(self, more: Meters) -> Meters:
        return Meters(*(a + b for a, b in zip(_values(self), _values(more), strict=True)))

    def since(self, earlier: Meters) -> Meters:
        return Meters(*(a - b for a, b in zip(_values(self), _values(earlier), strict=True)))


def _values(meters: Meters) -> list[int]:
    return [getattr(meters, field.name) for field in fields(meters)]


@dataclass(frozen=True, slots=True)
class DeviceRecord:
    accepted: DeviceIdentity | None = None
    """As it was when it first connected, or as the floor has accepted it since."""
    answers_as: DeviceIdentity | None = None
    """Another one, which the floor has not accepted; None: it answers as it should."""
    settings: tuple[str, ...] = ()
    """Settings that were changed, and that the floor has not accepted."""
    serviced: bool = False
    """It was in service mode, and the floor has not accepted it since."""
    meters: Meters = Meters()
    at_service: Meters = Meters()
    """The meters when it last came back from service or repair."""

    @property
    def needs_floor(self) -> bool:
        return self.answers_as is not None or bool(self.settings) or self.serviced

    @property
    def since_service(self) -> Meters:
        return self.meters.since(self.at_service)


def changes_of(record: DeviceRecord) -> list[str]:
    """What the floor has not accepted: 'firmware 1.3, was 1.2', 'setting volume'."""
    found = []
    was, now = record.accepted, record.answers_as
    if was is not None and now is not None:
        found += [
            f"{field.name} {getattr(now, field.name) or 'unknown'}, "
            f"was {getattr(was, field.name) or 'unknown'}"
            for field in fields(now)
            if getattr(now, field.name) != getattr(was, field.name)
        ]
    if record.settings:
        noun = "setting" if len(record.settings) == 1 else "settings"
        found.append(f"{noun} {', '.join(record.settings)}")
    if record.serviced:
        found.append("was in service mode")
    return found

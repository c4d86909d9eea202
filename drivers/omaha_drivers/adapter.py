"""The boundary a vendor's protocol is written against: bytes in, events and bytes out.

An adapter has no port, no thread and no clock: it is given bytes and the time, and answers with
what happened, what to send, and when it wants to be woken. So every fault can be tried on it in a
test, and one file holds all that is known of a vendor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import Kind


@dataclass(frozen=True, slots=True)
class Caps:
    """What a protocol can do: the kit holds an adapter to it, and the host asks for `resend`."""

    session_id: bool = False
    """A restart of the device can be told from a gap."""
    resend: bool = False
    """Lost events can be had again."""
    heartbeat: bool = False
    """Silence means that something is wrong."""
    auth: bool = False
    sealed: bool = False
    """Cards are encrypted on the wire."""
    commands: bool = False
    reports_count: bool = False
    reports_cards: bool = False


@dataclass(frozen=True, slots=True)
class PortDefaults:
    speed: int
    parity: Literal["N", "E", "O"] = "N"
    bits: int = 8
    stop_bits: int = 1


@dataclass(frozen=True, slots=True)
class Placed:
    """An event, and where to go on after it when the host restarts."""

    event: DeviceEvent
    place: str = ""


@dataclass(frozen=True, slots=True)
class Actions:
    events: tuple[Placed, ...] = ()
    send: bytes = b""
    deadline: float | None = None
    """When `tick` is wanted at the latest, on the clock that `now` is from."""


class Adapter(Protocol):
    """Made for each supervised device, and kept over reconnections."""

    name: str
    kind: Kind
    caps: Caps
    port_defaults: PortDefaults

    def opened(self, now: float) -> Actions: ...
    def feed(self, data: bytes, now: float) -> Actions: ...
    def tick(self, now: float) -> Actions: ...
    def closed(self, now: float) -> Actions: ...
    def command(self, verb: str, now: float) -> Actions: ...
    def counters(self) -> Mapping[str, int]:
        """How often what has happened, for people; never what was in a frame."""
        ...

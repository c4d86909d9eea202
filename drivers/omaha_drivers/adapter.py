"""The interface for a vendor's protocol: bytes in, events and bytes out.

An adapter has no port, no thread and no clock. It receives bytes and the time, and returns what
happened, what to send, and when it wants its next tick. So a test can try every fault on it, and
everything we know about a vendor is in one file.
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
    """What a protocol can do. The conformance kit tests each claim; the host relies on `resend`."""

    session_id: bool = False
    """The host can tell a restart of the device from a gap."""
    resend: bool = False
    """The device can send lost events again."""
    heartbeat: bool = False
    """Silence means that something is wrong with the device or the line."""
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
class Emitted:
    """An event, and the token to resume after it when the host restarts."""

    event: DeviceEvent
    resume_token: str = ""


@dataclass(frozen=True, slots=True)
class Actions:
    events: tuple[Emitted, ...] = ()
    send: bytes = b""
    deadline: float | None = None
    """Call `tick` by this time at the latest; same clock as `now`."""


class Adapter(Protocol):
    """One per supervised device; it lives on when the device reconnects."""

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
        """Counts of what happened, to show to people; never the content of a frame."""
        ...

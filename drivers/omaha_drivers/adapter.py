"""The interface for a vendor's protocol: bytes in, events and bytes out.

An adapter has no port, no thread and no clock. It receives bytes and the time, and returns what
happened, what to send, and when it wants its next tick. So a test can try every fault on it, and
everything we know about a vendor is in one file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import Flow, Kind, Parity


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
    places: bool = False
    """Each card comes with the place where it was read."""
    checked: bool = True
    """A frame has a check, so a byte that was changed on the way is noticed."""
    numbered: bool = True
    """Messages are numbered, so a lost one is noticed. If not, losses and a wrong order are normal,
    and only repeats are recognized."""


@dataclass(frozen=True, slots=True)
class PortDefaults:
    """How a serial line is set up; the settings of a device can change each of these."""

    speed: int
    parity: Parity = "N"
    bits: int = 8
    stop_bits: float = 1
    flow: Flow = "none"
    rs485: bool = False
    """The driver of the port switches an RS-485 transceiver between sending and receiving."""
    dtr: bool = True
    """Whether the line DTR is on while the port is open. Some devices restart when it changes."""
    rts: bool = True


@dataclass(frozen=True, slots=True)
class Emitted:
    """An event, and the token to resume after it when the host restarts."""

    event: DeviceEvent
    resume_token: str = ""
    late: bool = False
    """It happened while nobody listened: the device had it before the link was made."""


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

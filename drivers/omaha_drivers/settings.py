"""The configuration of one device."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["shuffler", "shoe"]


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    name: str
    """The table's name for it: 'shoe', 'shuffler'."""
    kind: Kind
    adapter: str
    """A name in the registry: 'tdp', 'angel_eye'."""
    port: str
    """A stable link to a serial port, or a URL such as socket://host:4001."""
    speed: int | None = None
    """Bits per second; None: the adapter's default."""
    serial: str = ""
    """The serial number that the device must have; empty: any, and its identity is not checked."""
    key: bytes = field(default=b"", repr=False)
    """Shared with the device, for the challenge and for sealed cards; empty: none."""
    identities: Literal["sealed", "count_only"] = "sealed"
    """Whether a shoe's cards are kept, or counted and dropped in the adapter."""
    allow_commands: bool = False
    """Whether the host may send commands to the device, and not only queries."""

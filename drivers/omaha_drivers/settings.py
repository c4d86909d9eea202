"""How one device is configured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["shuffler", "shoe"]


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    name: str
    """'shoe', 'shuffler': how the table calls it."""
    kind: Kind
    adapter: str
    """A name in the registry: 'tdp', 'angel_eye'."""
    port: str
    """A stable link to a serial port, or a URL such as socket://host:4001."""
    speed: int | None = None
    """Bits a second; None: what the adapter's devices use."""
    serial: str = ""
    """The serial number of the device that belongs here; empty: any (unpinned)."""
    key: bytes = field(default=b"", repr=False)
    """Shared with the device, for its challenge and for sealed cards; empty: none."""
    identities: Literal["sealed", "count_only"] = "sealed"
    """Whether a shoe's cards are read, or only counted and dropped at the adapter."""
    allow_commands: bool = False
    """Whether the host may send more than questions to the device."""

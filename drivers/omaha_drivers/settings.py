"""The configuration of one device."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_drivers.adapter import PortDefaults

Kind = Literal["shuffler", "shoe"]
Parity = Literal["N", "E", "O", "M", "S"]
Flow = Literal["none", "rts_cts", "dsr_dtr", "xon_xoff"]


@dataclass(frozen=True, slots=True)
class LineSettings:
    """What differs from the adapter's defaults for the serial line; None: the default."""

    parity: Parity | None = None
    bits: int | None = None
    stop_bits: float | None = None
    flow: Flow | None = None
    rs485: bool | None = None
    dtr: bool | None = None
    rts: bool | None = None

    def over(self, defaults: PortDefaults, speed: int | None) -> PortDefaults:
        given = {name: getattr(self, name) for name in self.__slots__} | {"speed": speed}
        return replace(defaults, **{name: one for name, one in given.items() if one is not None})


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    name: str
    """The table's name for it: 'shoe', 'shuffler'."""
    kind: Kind
    adapter: str
    """A name in the registry, such as 'tdp', or 'module:Class'."""
    port: str
    """A stable link to a serial port, or a URL such as socket://host:4001."""
    speed: int | None = None
    """Bits per second; None: the adapter's default."""
    line: LineSettings = LineSettings()
    reopen_after: float = 10.0
    """Seconds without an answer after which the port is closed and opened again; 0: never."""
    options: Mapping[str, object] = field(default_factory=dict, repr=False, hash=False)
    """What the adapter lets a table set. It may say which tag is which card: not for logs."""
    serial: str = ""
    """The serial number that the device must have; empty: any, and its identity is not checked."""
    key: bytes = field(default=b"", repr=False)
    """Shared with the device, for the challenge and for sealed cards; empty: none."""
    identities: Literal["sealed", "count_only"] = "sealed"
    """Whether a shoe's cards are kept, or counted and dropped in the adapter."""
    reports_backs: bool = True
    """Whether a shuffler says which color a deck has. If not, a faulty deck is not known again."""
    reports_cycles: bool = True
    """Whether a shuffler numbers its cycles. If not, the order of its reports is believed."""
    allow_commands: bool = False
    """Whether the host may send commands to the device, and not only queries."""

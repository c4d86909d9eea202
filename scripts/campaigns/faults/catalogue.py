"""What can be wrong, and what the dealer must then see.

Each fault is data: what happens, whom it can happen to, and the sentence. No sentence means that
the deal goes on and nothing is shown, because the driver puts it right. Full disks and clocks that
step are not of devices: tests/journal/test_full_disk.py and the soak have them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scripts.campaigns.faults.line import Transport
    from scripts.campaigns.faults.scene import Adapter, Kind, Scene

BOTH: tuple[Adapter, ...] = ("tdp", "angel_eye")
TDP: tuple[Adapter, ...] = ("tdp",)
ANGEL: tuple[Adapter, ...] = ("angel_eye",)
ANY: tuple[Transport, ...] = ("pty", "tcp")


@dataclass(frozen=True, slots=True)
class Fault:
    name: str
    act: Callable[[Scene], None]
    """Opens the scene, and lets it happen."""
    sees: str = ""
    """A part of what the dealer reads; empty: the cards come out and there is no alarm."""
    kind: Kind = "shoe"
    adapters: tuple[Adapter, ...] = BOTH
    over: tuple[Transport, ...] = ANY
    differs: Mapping[str, str] = field(default_factory=dict)
    """The sentence of an adapter, a transport, or both ('tdp pty')."""
    noted: str = ""
    """What the log must say of it."""
    section: str = ""
    """More lines of the device's section in the table's file."""
    key: bytes = b""
    on_terminal: bool = False
    """Needs the console in a process of its own."""
    slow: bool = False
    """Takes seconds by its nature: not in the short form."""

    def sentence(self, adapter: Adapter, over: Transport) -> str:
        for name in (f"{adapter} {over}", adapter, over):
            if name in self.differs:
                return self.differs[name]
        return self.sees

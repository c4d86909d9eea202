"""How often a port that cannot be opened is tried, and when it is tried at once again."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import Link
from omaha_drivers.framing import line
from omaha_drivers.supervisor import FIRST_WAIT, LONGEST_WAIT
from omaha_drivers.transport import SocketTransport, TransportError, pair

from tests.drivers.live import Host

if TYPE_CHECKING:
    from omaha_drivers.adapter import PortDefaults

STEP = 0.1
ADDRESS = "socket://localhost:1"


class Server:
    """A serial server on a clock that goes on by a step each time it is read."""

    def __init__(self, refusals: int | None = None) -> None:
        self.tried: list[float] = []
        self.device: SocketTransport | None = None
        self._refusals = refusals
        self._ticks = itertools.count()
        self._now = 0.0

    def clock(self) -> float:
        self._now = next(self._ticks) * STEP
        return self._now

    def open_port(self, port: str, speed: int, defaults: PortDefaults) -> SocketTransport:
        self.tried.append(self._now)
        if self._refusals is None or len(self.tried) != self._refusals + 1:
            raise TransportError("The server cannot be reached.")
        host, self.device = pair()
        return host

    @property
    def waits(self) -> list[float]:
        return [later - at for at, later in itertools.pairwise(self.tried)]


def test_a_port_that_cannot_be_opened_is_tried_less_and_less_often_up_to_a_limit() -> None:
    server = Server()
    with Host(ADDRESS, open_port=server.open_port, clock=server.clock) as host:
        host.wait(lambda: len(server.tried) >= 9)
    waits = server.waits
    for turn in range(8):
        least = min(FIRST_WAIT * 2**turn, LONGEST_WAIT)
        assert least <= waits[turn] <= least + 10 * STEP, waits


def test_after_a_device_was_live_its_port_is_tried_at_once_again() -> None:
    server = Server(refusals=6)
    with Host(ADDRESS, open_port=server.open_port, clock=server.clock) as host:
        host.wait(lambda: server.device is not None)
        device = server.device
        assert device is not None
        device.write(line("HELO", "1", *ShoeModel("SHOE-1").identification()))
        host.wait_link(Link.LIVE)
        device.close()
        host.wait(lambda: len(server.tried) >= 9)
    assert server.waits[7] <= FIRST_WAIT + 10 * STEP < LONGEST_WAIT

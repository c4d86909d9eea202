"""The driver sleeps until something is due, and not a fixed time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import Link
from omaha_drivers.framing import line
from omaha_drivers.supervisor import CHECK_EVERY_SECONDS, LONGEST_SLEEP
from omaha_drivers.tdp import POLL_AFTER
from omaha_drivers.tdp_requests import RETRY_SECONDS
from omaha_drivers.transport import READ_WAIT, pair

from tests.drivers.live import Host

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_drivers.adapter import PortDefaults
    from omaha_drivers.transport import SocketTransport

ADDRESS = "socket://localhost:1"


class Line:
    """A line within the program that notes how long each read may wait."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._near, self.far = pair()

    def open_port(self, port: str, speed: int, line: PortDefaults) -> Line:
        return self

    def read(self, wait: float = READ_WAIT) -> bytes:
        self.waits.append(wait)
        return self._near.read(wait)

    def write(self, data: bytes) -> None:
        self._near.write(data)

    def wake(self) -> None:
        self._near.wake()

    def close(self) -> None:
        self._near.close()

    @property
    def device(self) -> SocketTransport:
        return self.far


def test_a_device_that_asks_for_nothing_lets_the_driver_sleep() -> None:
    port = Line()
    with Host(ADDRESS, adapter="angel_eye", open_port=port.open_port) as host:
        host.wait(lambda: bool(port.waits))
    assert port.waits[0] == LONGEST_SLEEP
    assert len(port.waits) <= 2
    port.far.close()


def test_an_adapter_with_a_deadline_is_called_when_it_is_due() -> None:
    port = Line()
    with Host(ADDRESS, open_port=port.open_port) as host:
        host.wait(lambda: bool(port.waits))
        assert RETRY_SECONDS / 2 < port.waits[0] <= RETRY_SECONDS
        before = len(port.waits)
        port.device.write(line("HELO", "1", *ShoeModel("SHOE-1").identification()))
        host.wait_link(Link.LIVE)
        host.wait(lambda: any(POLL_AFTER / 2 < wait <= POLL_AFTER for wait in port.waits[before:]))
    port.far.close()


def test_a_path_is_looked_at_even_when_nothing_else_is_due(tmp_path: Path) -> None:
    (tmp_path / "shoe").touch()
    port = Line()
    with Host(tmp_path / "shoe", adapter="angel_eye", open_port=port.open_port) as host:
        host.wait(lambda: bool(port.waits))
        assert CHECK_EVERY_SECONDS / 2 < port.waits[0] <= CHECK_EVERY_SECONDS
        (tmp_path / "shoe").unlink()
        host.wait_link(Link.DOWN)
    port.far.close()

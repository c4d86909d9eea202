from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers.adapter import PortDefaults
from omaha_drivers.emulate import EmulatedShoe
from omaha_drivers.events import CardDrawn, Link
from omaha_drivers.sealed import reveal
from omaha_drivers.settings import LineSettings
from omaha_drivers.tdp_codec import CARDS
from omaha_drivers.transport import TransportError, check_port, open_port

from tests.drivers.live import Host
from tests.drivers.rfc2217_server import Rfc2217Server

if TYPE_CHECKING:
    from pathlib import Path


def test_every_setting_of_the_line_reaches_the_server() -> None:
    given = LineSettings("E", 7, 2, "none", dtr=False, rts=False)
    line = given.over(PortDefaults(9600), 19200)
    with Rfc2217Server("loop://") as server:
        port = open_port(server.port, line.speed, line)
        far = server.line
        assert (far.baudrate, far.bytesize, far.parity, far.stopbits) == (19200, 7, "E", 2)
        assert (far.dtr, far.rts) == (False, False)
        port.close()


@pytest.mark.parametrize(("flow", "hardware", "software"), [
    ("rts_cts", True, False), ("xon_xoff", False, True), ("none", False, False),
])  # fmt: skip
def test_flow_control_reaches_the_server(flow: str, hardware: bool, software: bool) -> None:
    with Rfc2217Server("loop://") as server:
        line = PortDefaults(9600, flow=flow)  # type: ignore[arg-type]
        port = open_port(server.port, 9600, line)
        assert (server.line.rtscts, server.line.xonxoff) == (hardware, software)
        port.close()


def test_bytes_pass_both_ways_even_those_that_telnet_uses() -> None:
    sent = bytes(range(256))
    with Rfc2217Server("loop://") as server:
        port = open_port(server.port, 9600, PortDefaults(9600))
        port.write(sent)
        found = b""
        while len(found) < len(sent):
            found += port.read(1.0)
        assert found == sent
        port.wake()
        assert port.read(5.0) == b""
        port.close()


def test_a_shoe_deals_through_the_server(tmp_path: Path) -> None:
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    with Rfc2217Server(str(tmp_path / "shoe")) as server, Host(server.port) as host:
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        for _ in CARDS:
            shoe.draw()
        host.wait_drawn(52)
    shoe.stop()
    cards = [reveal(e.card) for e in host.events if isinstance(e, CardDrawn) and e.card]
    assert cards == list(CARDS)


def test_a_server_that_goes_away_is_down_and_comes_back_is_live(tmp_path: Path) -> None:
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    with Rfc2217Server(str(tmp_path / "shoe")) as server:
        host = Host(server.port)
        with host:
            host.wait_link(Link.LIVE)
            server.stop()
            host.wait_link(Link.DOWN)
    shoe.stop()


def test_nobody_there_is_a_sentence() -> None:
    with pytest.raises(TransportError, match=r"cannot be reached: connection refused"):
        open_port("rfc2217://127.0.0.1:1", 9600, PortDefaults(9600))


def test_help_for_poor_servers_is_allowed_and_a_log_is_not() -> None:
    check_port("rfc2217://host:1?ign_set_control&poll_modem")
    with pytest.raises(TransportError):
        check_port("rfc2217://host:1?ign_set_control&logging=debug")

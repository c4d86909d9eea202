from __future__ import annotations

import logging
import os
import socket
import termios
import tty
from typing import TYPE_CHECKING

import pytest
from omaha_drivers import registry
from omaha_drivers.adapter import PortDefaults
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.transport import (
    SocketTransport,
    TransportError,
    check_port,
    device_at,
    open_port,
    pair,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEFAULTS = PortDefaults(speed=115200)


@pytest.fixture
def port() -> Iterator[tuple[int, str]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_a_serial_port_reads_what_has_come_and_writes(port: tuple[int, str]) -> None:
    master, path = port
    transport = open_port(path, 115200, DEFAULTS)
    os.write(master, b"hello")
    assert transport.read() == b"hello"
    transport.write(b"back")
    assert os.read(master, 10) == b"back"
    assert transport.read() == b""
    transport.close()


def test_a_port_is_opened_once(port: tuple[int, str]) -> None:
    transport = open_port(port[1], 115200, DEFAULTS)
    with pytest.raises(TransportError, match="in use"):
        open_port(port[1], 115200, DEFAULTS)
    transport.close()


def test_a_write_that_nobody_takes_ends(port: tuple[int, str]) -> None:
    transport = open_port(port[1], 115200, DEFAULTS)
    with pytest.raises(TransportError, match="not accepting data"):
        transport.write(b"x" * 100_000)
    transport.close()


def test_a_port_that_goes_away_is_told() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    transport = open_port(os.ttyname(slave), 115200, DEFAULTS)
    os.close(master)
    os.close(slave)
    with pytest.raises(TransportError, match="was disconnected"):
        transport.read()
    with pytest.raises(TransportError, match="was disconnected"):
        transport.write(b"x")
    transport.close()


def test_a_speed_that_cannot_be_is_a_sentence(port: tuple[int, str]) -> None:
    with pytest.raises(TransportError, match="set-up failed"):
        open_port(port[1], -1, DEFAULTS)


def test_a_port_without_rs485_is_a_sentence(port: tuple[int, str]) -> None:
    with pytest.raises(TransportError, match="has no RS-485 mode"):
        open_port(port[1], 9600, PortDefaults(9600, rs485=True))


def test_the_line_of_a_serial_port_is_set(port: tuple[int, str]) -> None:
    """As far as a pseudo-terminal keeps it: speed, stop bits and flow control."""
    line = PortDefaults(19200, stop_bits=2, flow="rts_cts", dtr=False)
    transport = open_port(port[1], 19200, line)
    _, _, control, _, speed, _, _ = termios.tcgetattr(port[0])
    assert speed == termios.B19200
    assert control & termios.CSTOPB
    assert control & termios.CRTSCTS
    transport.close()
    transport = open_port(port[1], 9600, PortDefaults(9600, flow="xon_xoff"))
    inward = termios.tcgetattr(port[0])[0]
    assert inward & termios.IXON
    assert inward & termios.IXOFF
    transport.close()


def test_the_loggers_of_pyserial_do_not_log_bytes(port: tuple[int, str]) -> None:
    logging.getLogger("pySerial").setLevel(logging.DEBUG)
    open_port(port[1], 115200, DEFAULTS).close()
    assert logging.getLogger("pySerial.socket").getEffectiveLevel() >= logging.INFO


@pytest.mark.parametrize(
    "bad",
    [
        "spy:///dev/ttyUSB0",
        "spy://socket://host:1?file=x",
        "loop://",
        "rfc2217://host",
        "rfc2217://host:1?logging=debug",
        "alt:///dev/ttyUSB0",
        "socket://host",
        "socket://host:x",
        "socket://host:1/logging=debug",
        "socket://host:1?logging=debug",
        "socket://:4001",
    ],
)
def test_addresses_that_would_log_or_cannot_be_are_refused(bad: str) -> None:
    with pytest.raises(TransportError, match="is not a port: use a path, or an address"):
        check_port(bad)


def test_a_serial_server_is_reached_by_its_address_and_kept_alive() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
        transport = open_port(f"socket://127.0.0.1:{number}", 0, DEFAULTS)
        peer, _ = server.accept()
        with peer:
            peer.sendall(b"x" * 1000)
            assert transport.read() == b"x" * 1000
            transport.write(b"back")
            assert peer.recv(10) == b"back"
            assert isinstance(transport, SocketTransport)
            assert transport._socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        with pytest.raises(TransportError, match="closed"):
            transport.read()
        transport.close()
    with pytest.raises(TransportError, match="cannot be reached"):
        open_port(f"socket://127.0.0.1:{number}", 0, DEFAULTS)


def test_a_pair_wakes_and_ends() -> None:
    one, other = pair()
    one.write(b"x")
    assert other.read() == b"x"
    other.wake()
    assert other.read() == b""
    one.close()
    with pytest.raises(TransportError):
        other.read()
    other.close()


def test_a_connection_that_takes_nothing_does_not_block() -> None:
    one, other = pair()
    with pytest.raises(TransportError, match="not accepting data"):
        one.write(b"x" * 20_000_000)
    one.close()
    other.close()


def test_what_is_at_a_path_follows_the_link(tmp_path: Path, port: tuple[int, str]) -> None:
    (tmp_path / "link").symlink_to(port[1])
    assert device_at(str(tmp_path / "link")) == device_at(port[1])
    assert device_at(str(tmp_path / "none")) is None


# The registry


def settings(adapter: str) -> DeviceSettings:
    return DeviceSettings("shoe", "shoe", adapter, "")


def test_adapters_are_made_by_name() -> None:
    assert isinstance(registry.make(settings("tdp")), Tdp)
    assert registry.make(settings("angel_eye")).caps.resend is False


def test_an_unknown_adapter_is_answered_with_the_known_ones() -> None:
    with pytest.raises(registry.UnknownAdapterError, match=r"angel_eye, .*manual, tdp"):
        registry.make(settings("vendor"))


def test_manual_is_known_and_is_no_device() -> None:
    assert "manual" in registry.names()
    assert registry.is_manual(settings("manual"))
    with pytest.raises(registry.UnknownAdapterError, match="no device"):
        registry.make(settings("manual"))


def test_an_adapter_for_another_kind_of_device_is_refused() -> None:
    shuffler = DeviceSettings("shuffler", "shuffler", "angel_eye", "")
    with pytest.raises(registry.UnknownAdapterError, match="for a shoe, not a shuffler"):
        registry.make(shuffler)

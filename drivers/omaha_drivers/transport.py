"""Bytes to and from a port: a serial line, a serial-to-TCP server, or a pair within the program.

Reads and writes never block for long; errors are `TransportError`. pyserial is imported when a
serial port is opened.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import socket
import termios
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urlsplit

from omaha_drivers.text import printable

if TYPE_CHECKING:
    from omaha_drivers.adapter import PortDefaults

READ_WAIT: Final = 0.05
WRITE_WAIT: Final = 0.5
CONNECT_WAIT: Final = 2.0
_MAX_READ: Final = 65536


class TransportError(Exception):
    """The message is for people and never contains the data."""


class Transport(Protocol):
    def read(self) -> bytes:
        """The bytes that have arrived; empty after a short wait."""
        ...

    def write(self, data: bytes) -> None: ...
    def wake(self) -> None:
        """Ends a waiting `read`, from another thread."""
        ...

    def close(self) -> None: ...


class _Wakeable:
    """Waits for bytes until another thread calls `wake`."""

    def __init__(self) -> None:
        self._woken, self._waker = os.pipe()
        self._closing = threading.Lock()
        self._closed = False

    def _readable(self, number: int) -> bool:
        ready, _, _ = select.select([number, self._woken], [], [], READ_WAIT)
        if self._woken in ready:
            os.read(self._woken, 1024)
        return number in ready

    def wake(self) -> None:
        with self._closing:
            if not self._closed:
                os.write(self._waker, b"!")

    def close(self) -> None:
        with self._closing:
            if not self._closed:
                self._closed = True
                self._end()
                os.close(self._woken)
                os.close(self._waker)

    def _end(self) -> None:
        raise NotImplementedError


class SerialTransport(_Wakeable):
    def __init__(self, path: str, speed: int, defaults: PortDefaults) -> None:
        import serial  # type: ignore[import-untyped]

        for name in ("pySerial", "serial"):
            logging.getLogger(name).setLevel(logging.INFO)
        port: Any = serial.Serial()
        try:
            port.port = path
            port.baudrate = speed
            port.bytesize, port.parity = defaults.bits, defaults.parity
            port.stopbits = defaults.stop_bits
            port.timeout, port.write_timeout = READ_WAIT, WRITE_WAIT
            port.exclusive = True
            port.open()
        except (OSError, termios.error, TypeError, ValueError) as error:
            with contextlib.suppress(OSError, termios.error, TypeError):
                port.close()
            raise TransportError(_cannot_open(error)) from None
        self._port = port
        super().__init__()

    def read(self) -> bytes:
        try:
            if not self._readable(self._port.fileno()):
                return b""
            data: bytes = self._port.read(min(self._port.in_waiting, _MAX_READ) or 1)
        except (OSError, termios.error, TypeError, ValueError):
            raise TransportError("The port was disconnected.") from None
        return data

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except (OSError, termios.error, TypeError) as error:
            if "timeout" in str(error).lower():
                raise TransportError("The device is not accepting data.") from None
            raise TransportError("The port was disconnected.") from None

    def _end(self) -> None:
        with contextlib.suppress(OSError, termios.error, TypeError):
            self._port.close()


def _cannot_open(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number is None and isinstance(error, termios.error) and error.args:
        number = error.args[0]
    text = str(error).lower()
    if "exclusive" in text or number in (16, 11):
        return "The port is in use by another program."
    reason = os.strerror(number).lower() if isinstance(number, int) else "set-up failed"
    return f"The port cannot be opened: {reason}."


class SocketTransport(_Wakeable):
    """Our own, because pyserial's socket:// reads one byte at a time."""

    def __init__(self, connected: socket.socket) -> None:
        connected.setblocking(False)
        self._socket = connected
        super().__init__()

    def read(self) -> bytes:
        try:
            if not self._readable(self._socket.fileno()):
                return b""
            data = self._socket.recv(_MAX_READ)
        except BlockingIOError:
            return b""
        except (OSError, ValueError):
            raise TransportError("The connection was lost.") from None
        if not data:
            raise TransportError("The connection was closed.")
        return data

    def write(self, data: bytes) -> None:
        try:
            while data:
                if not select.select([], [self._socket], [], WRITE_WAIT)[1]:
                    raise TransportError("The device is not accepting data.")
                data = data[self._socket.send(data) :]
        except (OSError, ValueError):
            raise TransportError("The connection was lost.") from None

    def _end(self) -> None:
        self._socket.close()


def pair() -> tuple[SocketTransport, SocketTransport]:
    """Two connected ends within the program."""
    one, other = socket.socketpair()
    return SocketTransport(one), SocketTransport(other)


def is_address(port: str) -> bool:
    return "://" in port


def check_port(port: str) -> None:
    """Accepts only a path or socket://host:number; spy:// would log every card."""
    if not is_address(port):
        return
    try:
        parts = urlsplit(port)
        good = parts.scheme == "socket" and bool(parts.hostname) and parts.port is not None
        good = good and not parts.query and not parts.path.strip("/")
    except ValueError:
        good = False
    if not good:
        raise TransportError(
            f"{printable(port, 64)} is not a port: use a path, or an address such as socket://host:4001."
        )


def open_port(port: str, speed: int, defaults: PortDefaults) -> Transport:
    check_port(port)
    if not is_address(port):
        return SerialTransport(port, speed, defaults)
    parts = urlsplit(port)
    try:
        connected = socket.create_connection(
            (parts.hostname or "", parts.port or 0), timeout=CONNECT_WAIT
        )
    except OSError as error:
        reason = (error.strerror or "no answer").lower()
        raise TransportError(f"The server cannot be reached: {reason}.") from None
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for option, value in (("TCP_KEEPIDLE", 3), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    return SocketTransport(connected)


def device_at(port: str) -> tuple[int, int, int] | None:
    """Which device a path leads to now; None if there is none. A path can change its device."""
    try:
        found = Path(port).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_rdev

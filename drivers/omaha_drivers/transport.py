"""Bytes to and from a port: a serial line, a serial-to-TCP server, or a pair within the program.

A read waits until there are bytes, until its time is up, or until another thread wakes it; a write
never blocks for long. Errors are `TransportError`. pyserial is imported when a serial port is
opened. A package can add a transport with the entry point `omaha_table.transports`: its name is the
scheme of the address, and it is called as `open_port` is.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import socket
import termios
import threading
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import SplitResult, urlsplit

from omaha_drivers.text import printable

if TYPE_CHECKING:
    from omaha_drivers.adapter import PortDefaults

GROUP: Final = "omaha_table.transports"
READ_WAIT: Final = 0.05
WRITE_WAIT: Final = 0.5
CONNECT_WAIT: Final = 2.0
_MAX_READ: Final = 4096
"""A larger buffer costs more time to allocate than a further read of a flood."""
_RFC2217_OPTIONS: Final = frozenset(("ign_set_control", "poll_modem"))
"""Options of pyserial that help with poor servers; 'logging' would log every card."""


class TransportError(Exception):
    """The message is for people and never contains the data."""


class Transport(Protocol):
    def read(self, wait: float = READ_WAIT) -> bytes:
        """The bytes that have arrived; empty after `wait` seconds, or when woken."""
        ...

    def write(self, data: bytes) -> None: ...
    def wake(self) -> None:
        """Ends a waiting `read`, from another thread."""
        ...

    def close(self) -> None: ...


class _Wakeable:
    """Waits for bytes at a file descriptor until another thread calls `wake`."""

    def __init__(self, number: int) -> None:
        self._woken, self._waker = os.pipe()
        self._number = number
        self._poll = select.poll()
        self._poll.register(number, select.POLLIN)
        self._poll.register(self._woken, select.POLLIN)
        self._closing = threading.Lock()
        self._closed = False

    def _readable(self, wait: float) -> bool:
        if self._closed:
            raise TransportError("The port is closed.")
        # Rounded up: a wait that ends too early would only lead to another one.
        readable = False
        for number, _ in self._poll.poll(int(wait * 1000) + 1 if wait > 0 else 0):
            if number == self._number:
                readable = True
            else:
                os.read(self._woken, 1024)
        return readable

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


def set_up_line(port: Any, line: PortDefaults) -> None:
    """Everything about the line, before the port is opened."""
    port.baudrate = line.speed
    port.bytesize, port.parity, port.stopbits = line.bits, line.parity, line.stop_bits
    port.rtscts, port.dsrdtr = line.flow == "rts_cts", line.flow == "dsr_dtr"
    port.xonxoff = line.flow == "xon_xoff"
    if not port.dsrdtr:
        port.dtr = line.dtr
    if not port.rtscts:
        port.rts = line.rts


class SerialTransport(_Wakeable):
    def __init__(self, path: str, line: PortDefaults) -> None:
        import serial  # type: ignore[import-untyped]
        from serial.rs485 import RS485Settings  # type: ignore[import-untyped]

        quiet_loggers()
        port: Any = serial.Serial()
        try:
            port.port = path
            set_up_line(port, line)
            port.timeout, port.write_timeout = READ_WAIT, WRITE_WAIT
            port.exclusive = True
            if line.rs485:
                port.rs485_mode = RS485Settings()
            port.open()
        except (OSError, termios.error, TypeError, ValueError) as error:
            with contextlib.suppress(OSError, termios.error, TypeError):
                port.close()
            if line.rs485 and isinstance(error, ValueError) and not isinstance(error, OSError):
                raise TransportError(
                    "This port has no RS-485 mode, or not at this speed."
                ) from None
            raise TransportError(_cannot_open(error)) from None
        self._port = port
        super().__init__(port.fileno())

    def read(self, wait: float = READ_WAIT) -> bytes:
        """Reads the descriptor itself: `Serial.read` costs three system calls more."""
        try:
            if not self._readable(wait):
                return b""
            data = os.read(self._number, _MAX_READ)
        except BlockingIOError:
            return b""
        except (OSError, termios.error, TypeError, ValueError):
            raise TransportError("The port was disconnected.") from None
        if not data:
            raise TransportError("The port was disconnected.")
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


def quiet_loggers() -> None:
    for name in ("pySerial", "serial"):
        logging.getLogger(name).setLevel(logging.INFO)


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
        super().__init__(connected.fileno())

    def read(self, wait: float = READ_WAIT) -> bytes:
        try:
            if not self._readable(wait):
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


def schemes() -> list[str]:
    """The kinds of address that can be opened."""
    return sorted({*_OPENERS, *(point.name for point in entry_points(group=GROUP))})


def check_port(port: str) -> None:
    """Accepts only a path or an address of a known kind; spy:// would log every card."""
    if not is_address(port):
        return
    scheme = port.partition("://")[0]
    try:
        good = _is_host(urlsplit(port)) if scheme in _OPENERS else scheme in schemes()
    except ValueError:
        good = False
    if not good:
        raise TransportError(
            f"{printable(port, 64)} is not a port: use a path, or an address such as socket://host:4001."
        )


def _is_host(parts: SplitResult) -> bool:
    options = set(filter(None, parts.query.split("&")))
    known = _RFC2217_OPTIONS if parts.scheme == "rfc2217" else frozenset()
    named = bool(parts.hostname) and parts.port is not None
    return named and options <= known and not parts.path.strip("/")


def open_port(port: str, speed: int, line: PortDefaults) -> Transport:
    """Opens a port at this speed, and otherwise as `line` says."""
    check_port(port)
    line = replace(line, speed=speed)
    if not is_address(port):
        return SerialTransport(port, line)
    scheme = port.partition("://")[0]
    if scheme in _OPENERS:
        return _OPENERS[scheme](port, line)
    for point in entry_points(group=GROUP):
        if point.name == scheme:
            return _opened_by(point, port, line)
    raise TransportError(f"No transport is installed for {printable(scheme)}.")


def _opened_by(point: EntryPoint, port: str, line: PortDefaults) -> Transport:
    """A transport of another package, whose failures are named without their messages."""
    try:
        opened: Transport = point.load()(port, line.speed, line)
    except TransportError:
        raise
    except (Exception, SystemExit) as error:
        failed = f"The transport {point.name} ({point.module}) failed"
        raise TransportError(f"{failed} ({type(error).__name__}).") from None
    return opened


def _connect(port: str, line: PortDefaults) -> Transport:
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


def _connect_rfc2217(port: str, line: PortDefaults) -> Transport:
    from omaha_drivers.rfc2217 import Rfc2217Transport

    return Rfc2217Transport(port, line)


_OPENERS: Final = {"socket": _connect, "rfc2217": _connect_rfc2217}


def device_at(port: str) -> tuple[int, int, int] | None:
    """Which device a path leads to now; None if there is none. A path can change its device."""
    try:
        found = Path(port).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_rdev

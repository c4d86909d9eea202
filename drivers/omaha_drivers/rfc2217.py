"""A serial port behind a server that speaks RFC 2217, by pyserial's client.

The client has no file descriptor and reads one byte at a time from a queue of its own. So a thread
moves what it receives into a socket pair, from which the driver reads like from any connection.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import warnings
from typing import TYPE_CHECKING, Any

from omaha_drivers.transport import (
    READ_WAIT,
    SocketTransport,
    TransportError,
    quiet_loggers,
    set_up_line,
)

if TYPE_CHECKING:
    from omaha_drivers.adapter import PortDefaults

_PUMP_WAIT = 0.5


class Rfc2217Transport:
    def __init__(self, address: str, line: PortDefaults) -> None:
        from serial import rfc2217  # type: ignore[import-untyped]

        quiet_loggers()
        port: Any = rfc2217.Serial()
        try:
            port.port = address
            port.timeout = _PUMP_WAIT
            set_up_line(port, line)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # Thread.setDaemon
                port.open()
        except (OSError, ValueError, NotImplementedError) as error:
            refused = isinstance(error.__context__, OSError) and error.__context__.strerror
            reason = str(refused).lower() if refused else "no answer by RFC 2217"
            raise TransportError(f"The server cannot be reached: {reason}.") from None
        self._port = port
        mine, self._far = socket.socketpair()
        self._near = SocketTransport(mine)
        self._closed = threading.Event()
        self._pump = threading.Thread(target=self._move, name="rfc2217", daemon=True)
        self._pump.start()

    def _move(self) -> None:
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            while not self._closed.is_set():
                data = self._port.read(1)
                if data:
                    self._far.sendall(data + self._port.read(self._port.in_waiting))
        self._far.close()

    def read(self, wait: float = READ_WAIT) -> bytes:
        return self._near.read(wait)

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except (OSError, ValueError, TypeError, AttributeError):
            raise TransportError("The connection was lost.") from None

    def wake(self) -> None:
        self._near.wake()

    def close(self) -> None:
        if not self._closed.is_set():
            self._closed.set()
            with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
                self._port.close()
            self._near.close()
            self._pump.join()

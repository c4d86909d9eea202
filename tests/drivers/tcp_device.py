"""A TDP shoe behind a serial-to-TCP server whose connections can be made to drop everything."""

from __future__ import annotations

import select
import socket
import threading
import time
from typing import TYPE_CHECKING

from omaha_drivers.emulate.tdp import ShoeModel

if TYPE_CHECKING:
    from collections.abc import Callable


class TcpShoe:
    """Serves one connection at a time, the latest, as fielded serial servers do."""

    def __init__(self, serial: str = "TCP-1") -> None:
        self.model = ShoeModel(serial)
        self.accepted = 0
        self.mute = False
        """Whether the device answers nobody."""
        self._server = socket.create_server(("127.0.0.1", 0))
        self._connection: socket.socket | None = None
        self._dropped: list[socket.socket] = []
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)

    @property
    def port(self) -> str:
        return f"socket://127.0.0.1:{self._server.getsockname()[1]}"

    def __enter__(self) -> TcpShoe:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
        for one in [self._server, self._connection, *self._dropped]:
            if one is not None:
                one.close()

    def do(self, act: Callable[[], None]) -> None:
        with self._lock:
            act()

    def drop_packets(self) -> None:
        """From now on nothing passes over this connection; it stays open on both sides."""
        with self._lock:
            if self._connection is not None:
                self._dropped.append(self._connection)
                self._connection = None

    def _run(self) -> None:
        while not self._stopped.is_set():
            with self._lock:
                connection = self._connection
            watched = [self._server] if connection is None else [self._server, connection]
            ready, _, _ = select.select(watched, [], [], 0.01)
            with self._lock:
                if self._server in ready:
                    self.drop_quietly()
                    self._connection, _ = self._server.accept()
                    self.accepted += 1
                elif connection in ready and connection is self._connection:
                    self._receive(connection)
                self.model.tick(time.monotonic())
                self._send()

    def drop_quietly(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _receive(self, connection: socket.socket | None) -> None:
        assert connection is not None
        data = connection.recv(65536)
        if not data:
            self.drop_quietly()
        elif not self.mute:
            self.model.feed(data, time.monotonic())

    def _send(self) -> None:
        frames, self.model.out[:] = self.model.out[:], []
        if self._connection is not None and not self.mute:
            for frame in frames:
                self._connection.sendall(frame)

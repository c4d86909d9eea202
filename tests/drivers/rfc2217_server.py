"""A serial server that speaks RFC 2217, with pyserial's own server class, on any pyserial port."""

from __future__ import annotations

import socket
import threading
from typing import Any

import serial  # type: ignore[import-untyped]
from serial import rfc2217


class Pty(serial.Serial):  # type: ignore[misc]
    """A pseudo-terminal has no modem lines."""

    cts = dsr = ri = cd = False

    def _update_dtr_state(self) -> None:
        pass

    def _update_rts_state(self) -> None:
        pass


class Rfc2217Server:
    def __init__(self, url: str) -> None:
        loop = "://" in url
        self.line: Any = serial.serial_for_url(url, do_not_open=True) if loop else Pty()
        self.line.port = url
        self.line.timeout = 0.02
        self.line.dtr = self.line.rts = True
        self.line.open()
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(0.05)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)

    @property
    def port(self) -> str:
        return f"rfc2217://127.0.0.1:{self._server.getsockname()[1]}"

    def __enter__(self) -> Rfc2217Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()
        self._server.close()
        self.line.close()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                connection, _ = self._server.accept()
            except TimeoutError:
                continue
            with connection:
                self._serve(connection)

    def _serve(self, connection: socket.socket) -> None:
        class Sender:
            @staticmethod
            def write(data: bytes) -> None:
                connection.sendall(data)

        connection.settimeout(0.01)
        manager = rfc2217.PortManager(self.line, Sender())
        while not self._stopped.is_set():
            data = self.line.read(self.line.in_waiting or 1)
            try:
                if data:
                    connection.sendall(b"".join(manager.escape(data)))
                received = connection.recv(4096)
            except TimeoutError:
                continue
            except OSError:
                return
            if not received:
                return
            self.line.write(b"".join(manager.filter(received)))

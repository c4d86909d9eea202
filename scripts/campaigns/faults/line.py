"""The far end of a device's line: a model on a pty, or behind a serial-to-TCP server."""

from __future__ import annotations

import contextlib
import os
import random
import select
import socket
import threading
import tty
from typing import TYPE_CHECKING, Any, Literal

from omaha_drivers.emulate.faults import Faults
from omaha_drivers.emulate.host import PtyHost

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Transport = Literal["pty", "tcp"]


class Wire:
    """A model of a device, and what the line makes of its frames."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.out: list[bytes] = []
        self.change: Callable[[list[bytes]], list[bytes]] = list
        """What becomes of frames on their way to the host."""
        self.mute = False
        """Nothing passes in either direction; the device goes on."""
        self.asked = 0
        """How many times the host has sent something that the device received."""

    @property
    def serial(self) -> str:
        return str(self.model.serial)

    @serial.setter
    def serial(self, serial: str) -> None:
        self.model.serial = serial

    @property
    def heartbeat(self) -> bool:
        return bool(self.model.heartbeat)

    @heartbeat.setter
    def heartbeat(self, on: bool) -> None:
        self.model.heartbeat = on

    def feed(self, data: bytes, now: float) -> None:
        if not self.mute:
            self.asked += 1
            self.model.feed(data, now)
        self.move()

    def tick(self, now: float) -> None:
        self.model.tick(now)
        self.move()

    def deadline(self) -> float | None:
        wanted: float | None = self.model.deadline()
        return wanted

    def power_cycle(self) -> None:
        self.model.power_cycle()

    def move(self) -> None:
        frames, self.model.out[:] = self.model.out[:], []
        if not self.mute and frames:
            self.out += self.change(frames)


class Line:
    """One device and its line; `port` is what the table's file says."""

    def __init__(self, folder: Path, name: str, model: Any, speed: int, over: Transport) -> None:
        self.wire, self.model = Wire(model), model
        self.faults = Faults()
        self.link = folder / name
        self._host = PtyHost(self.link, self.wire, speed, self.faults)
        self._server = SerialServer(self.link) if over == "tcp" else None
        self._started = False

    @property
    def port(self) -> str:
        return str(self.link) if self._server is None else self._server.port

    @property
    def server(self) -> SerialServer:
        assert self._server is not None
        return self._server

    def start(self, *, plugged: bool = True) -> None:
        if self._started:
            return
        self._started = True
        self._host.start()
        if not plugged:
            self._host.unplug()
        if self._server is not None:
            self._server.start(listening=plugged)

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
        self._host.stop()

    def do(self, act: Callable[[], object]) -> None:
        """What the device does, and what becomes of the frames that it sends at once."""

        def at_once() -> None:
            act()
            self.wire.move()

        self._host.do(at_once)

    def send(self, *pieces: bytes) -> None:
        """Bytes on the line, past the model."""
        self.do(lambda: self.wire.out.extend(pieces))

    def through(self, change: Callable[[list[bytes]], list[bytes]]) -> None:
        """From here on frames pass through this; `list` is a good line."""
        self.do(lambda: setattr(self.wire, "change", change))

    def in_pieces(self, on: bool = True) -> None:
        """Whether each piece is written by itself."""
        self.faults.names = ("split",) if on else ()
        self.faults.rate = 0.0

    def stuck(self, on: bool) -> None:
        self.faults.names = ("stuck",) if on else ()

    def unplug(self) -> None:
        """Pulls the cable; over a network, the one to the network."""
        if self._server is not None:
            self._server.unplug()
        else:
            self._host.unplug()

    def replug(self) -> None:
        if self._server is not None:
            self._server.replug()
        else:
            self._host.replug()

    def power_cycle(self) -> None:
        self.do(self.model.power_cycle)


def _listener() -> socket.socket:
    """At a port that no connection can get: a client of a closed one could connect to itself."""
    chance = random.SystemRandom()
    while True:
        with contextlib.suppress(OSError):
            return socket.create_server(("127.0.0.1", chance.randrange(20_000, 32_000)), backlog=4)


class SerialServer:
    """A serial-to-TCP server as fielded: one connection at a time, the latest."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._listener = _listener()
        self._address = self._listener.getsockname()
        self._listening = True
        self._connection: socket.socket | None = None
        self._dead: list[socket.socket] = []
        self._serial = -1
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serial server", daemon=True)
        self.accepted = 0

    @property
    def port(self) -> str:
        return f"socket://{self._address[0]}:{self._address[1]}"

    def start(self, *, listening: bool) -> None:
        if not listening:
            self.unplug()
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()
        self.unplug()
        for one in self._dead:
            one.close()
        if self._serial >= 0:
            os.close(self._serial)

    def unplug(self) -> None:
        with self._lock:
            self._listener.close()
            self._listening = False
            self._hang_up()

    def replug(self) -> None:
        """The old listener may live on until the other thread has stopped waiting for it."""
        while not self._listening:
            with self._lock, contextlib.suppress(OSError):
                self._listener = socket.create_server(self._address, backlog=4)
                self._listening = True

    def client(self) -> socket.socket:
        """A connection of somebody else."""
        return socket.create_connection(self._address)

    def half_open(self) -> None:
        """From now on nothing passes over this connection; it stays open on both sides."""
        with self._lock:
            if self._connection is not None:
                self._dead.append(self._connection)
                self._connection = None

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _run(self) -> None:
        while not self._stopped.is_set():
            with self._lock:
                self._open_serial()
                watched: list[Any] = [self._listener] if self._listening else []
                watched += [one for one in (self._connection,) if one is not None]
                watched += [self._serial] if self._serial >= 0 else []
                listener, connection = self._listener, self._connection
            try:
                ready, _, _ = select.select(watched, [], [], 0.01)
            except (OSError, ValueError):
                continue
            with self._lock, contextlib.suppress(OSError):
                if listener in ready and self._listening:
                    self._hang_up()
                    self._connection, _ = listener.accept()
                    self.accepted += 1
                elif connection in ready and connection is self._connection:
                    self._from_host()
                if self._serial in ready:
                    self._from_device()

    def _open_serial(self) -> None:
        if self._serial < 0:
            with contextlib.suppress(OSError):
                self._serial = os.open(self._link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                tty.setraw(self._serial)

    def _from_host(self) -> None:
        assert self._connection is not None
        data = self._connection.recv(4096)
        if not data:
            self._hang_up()
        elif self._serial >= 0:
            with contextlib.suppress(BlockingIOError):
                os.write(self._serial, data)

    def _from_device(self) -> None:
        try:
            data = os.read(self._serial, 65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            os.close(self._serial)
            self._serial = -1
        elif self._connection is not None:
            self._connection.setblocking(True)
            self._connection.settimeout(2.0)
            self._connection.sendall(data)

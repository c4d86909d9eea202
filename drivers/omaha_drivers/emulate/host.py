"""Runs a device model on a pty with a stable link, in its own thread."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from omaha_drivers.emulate.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_WAITING: Final = 1 << 20


class Model(Protocol):
    """A device without a port. It puts frames to send into `out`."""

    serial: str
    heartbeat: bool
    out: list[bytes]

    def feed(self, data: bytes, now: float) -> None: ...
    def tick(self, now: float) -> None: ...
    def deadline(self) -> float | None: ...
    def power_cycle(self) -> None: ...


class PtyHost:
    """Every operation on the model goes through `do`, which any thread may call."""

    def __init__(self, link: Path, model: Model, speed: int, faults: Faults | None = None) -> None:
        self._link = Path(link)
        self._model = model
        self._speed = getattr(termios, f"B{speed}")
        self._faults = faults or Faults()
        self._lock = threading.RLock()
        self._woken, self._waker = -1, -1
        self._master = self._slave = -1
        self._waiting = bytearray()
        self._stopped = threading.Event()
        self._quiet_until = 0.0
        self._next_fault = 0.0
        self._replug_at: float | None = None
        self._thread: threading.Thread | None = None
        if "wrong_serial" in self._faults.names:
            model.serial = "OTHER-" + model.serial[:20]
        model.heartbeat = model.heartbeat and "no_heartbeat" not in self._faults.names

    def start(self) -> None:
        self._stopped.clear()
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._waker, False)
        self._next_fault = time.monotonic() + self._faults.every
        self.replug()
        self._thread = threading.Thread(target=self._run, name="emulator", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._wake()
        if self._thread is not None:
            self._thread.join()
        self.unplug()
        with self._lock:
            for number in (self._woken, self._waker):
                if number >= 0:
                    os.close(number)
            self._woken = self._waker = -1

    def do(self, act: Callable[[], None]) -> None:
        with self._lock:
            before = len(self._model.out)
            act()
            self._faults.events.update(self._model.out[before:])
        self._wake()

    def unplug(self) -> None:
        with self._lock:
            if self._master < 0:
                return
            if self._link.is_symlink() and str(self._link.readlink()) == os.ttyname(self._slave):
                self._link.unlink()
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1
            self._waiting.clear()
            self._model.out.clear()
        self._wake()

    def replug(self) -> None:
        with self._lock:
            if self._master >= 0:
                return
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            new = self._link.with_name(f".{self._link.name}.new")
            new.unlink(missing_ok=True)
            new.symlink_to(os.ttyname(self._slave))
            new.replace(self._link)
            self._replug_at = None
        self._wake()

    def _wake(self) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):
            if self._waker >= 0:
                os.write(self._waker, b"!")

    def _run(self) -> None:
        while not self._stopped.is_set():
            now = time.monotonic()
            with self._lock:
                self._device_faults(now)
                self._model.tick(now)
                self._send(now)
                read = [self._woken]
                if self._master >= 0 and "stuck" not in self._faults.names:
                    read.append(self._master)
                trickles = "trickle" in self._faults.names
                write = [self._master] if self._waiting and not trickles else []
                wait = self._until(now)
            try:
                ready, _, _ = select.select(read, write, [], wait)
            except (OSError, ValueError):
                continue
            if self._woken in ready:
                os.read(self._woken, 4096)
            self._receive(time.monotonic())

    def _until(self, now: float) -> float:
        wanted = self._model.deadline()
        wait = 0.25 if wanted is None else max(0.0, min(wanted - now, 0.25))
        if "trickle" in self._faults.names and self._waiting:
            return min(wait, 0.2)
        return wait

    def _receive(self, now: float) -> None:
        with self._lock:
            if self._master < 0 or "stuck" in self._faults.names:
                return
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            self._model.feed(self._garbled(data), now)
            self._send(now)

    def _send(self, now: float) -> None:
        """Needs the lock. Unread output is kept up to a limit, which a real device would not do."""
        frames = self._model.out[:]
        self._model.out.clear()
        if self._master < 0 or now < self._quiet_until:
            self._faults.events.clear()
            return
        if len(self._waiting) < _MOST_WAITING:
            for piece in self._faults.pieces(frames):
                self._waiting += self._garbled(piece)
                if "split" in self._faults.names:
                    self._flush()
        self._faults.events.clear()
        if "trickle" not in self._faults.names:
            self._flush()
        elif self._waiting:
            with contextlib.suppress(OSError):
                os.write(self._master, bytes(self._waiting[:1]))
                del self._waiting[:1]

    def _flush(self) -> None:
        with contextlib.suppress(OSError):
            while self._waiting:
                written = os.write(self._master, bytes(self._waiting[:4096]))
                del self._waiting[:written]

    def _garbled(self, data: bytes) -> bytes:
        """Garbles data if the host set another speed: a pty has none, but records the setting."""
        try:
            speed = termios.tcgetattr(self._master)[5]
        except (termios.error, OSError):
            return data
        if speed in (self._speed, termios.B38400):
            return data
        return bytes((byte * 37 + 11) & 0xFF for byte in data)

    def _device_faults(self, now: float) -> None:
        if self._replug_at is not None and now >= self._replug_at:
            self.replug()
        if now < self._next_fault:
            return
        chance = self._faults.chance
        self._next_fault = now + chance.uniform(0.5, 1.5) * self._faults.every
        names = [n for n in ("unplug", "power_cycle", "silence") if n in self._faults.names]
        fault = chance.choice(names) if names else ""
        if fault == "unplug":
            self.unplug()
            self._replug_at = now + chance.uniform(0.1, 0.6)
        elif fault == "power_cycle":
            self._model.power_cycle()
        elif fault == "silence":
            self._quiet_until = now + 4.0
            self._next_fault += 4.0

"""From a device's write to its event, beside bare pyserial; floods, endless lines, replugging."""

from __future__ import annotations

import os
import tempfile
import threading
import time
import tracemalloc
import tty
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import serial
from measure import Figure
from omaha_drivers.emulate import EmulatedShoe, EmulatedShuffler
from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import DoorChanged, Link, LinkChanged, Report
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.supervisor import Supervisor
from omaha_drivers.tdp import Tdp

if TYPE_CHECKING:
    from omaha_drivers.settings import Kind


class _Supervised:
    """A device model whose frames the benchmark writes, and a supervisor that reads them."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.model = ShoeModel("BENCH")
        self.came = 0
        self.at = 0.0
        self.news = threading.Event()
        self.live = threading.Event()
        settings = DeviceSettings("shoe", "shoe", "tdp", os.ttyname(self._slave))
        self.supervisor = Supervisor(settings, self._sink)
        self.supervisor.start()
        while not self.live.is_set():
            self.model.feed(os.read(self.master, 4096), 0.0)
            os.write(self.master, b"".join(self.model.out))
            self.model.out.clear()
            self.live.wait(0.01)

    def _sink(self, report: Report) -> None:
        if isinstance(report.event, DoorChanged):
            self.at = time.perf_counter()
            self.came += 1
            self.news.set()
        elif isinstance(report.event, LinkChanged) and report.event.link is Link.LIVE:
            self.live.set()

    def frame(self) -> bytes:
        self.model.event("LID", "1")
        return self.model.out.pop()

    def close(self) -> None:
        self.supervisor.stop()
        os.close(self.master)
        os.close(self._slave)


class _Bare:
    """The cost of pyserial alone: a thread that reads lines and does nothing with them."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.at = 0.0
        self.news = threading.Event()
        self._stop = False
        self._port: Any = serial.Serial(os.ttyname(self._slave), 115200, timeout=0.05)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        held = b""
        while not self._stop:
            held += self._port.read(self._port.in_waiting or 1)
            if held.endswith(b"\n"):
                held = b""
                self.at = time.perf_counter()
                self.news.set()

    def close(self) -> None:
        self._stop = True
        self._thread.join()
        self._port.close()
        os.close(self.master)
        os.close(self._slave)


def latency(count: int = 2000) -> list[Figure]:
    ours, bare = _Supervised(), _Bare()
    times: dict[str, list[float]] = {"ours": [], "bare": []}
    for _ in range(count):
        frame = ours.frame()
        for name, device in (("ours", ours), ("bare", bare)):
            device.news.clear()
            start = time.perf_counter()
            os.write(device.master, frame)
            device.news.wait(2)
            times[name].append(device.at - start)
            time.sleep(0.0005)
    ours.close()
    bare.close()
    middle = median(times["ours"])
    return [
        Figure(
            {"ours": "omaha-table, write to event", "bare": "pyserial, write to line"}[name],
            median(found) * 1e6,
            median(found) / middle,
            f"p99 {quantiles(found, n=100)[98] * 1e6:,.0f} µs",
        )
        for name, found in times.items()
    ]


def flood(seconds: float = 10.0, rate: int = 10_000) -> list[Figure]:
    """Frames at a steady rate from another process: how many arrive, and the memory they take."""
    device = _Supervised()
    count = int(seconds * rate)
    frames = [device.frame() for _ in range(count)]
    start = time.process_time()
    writer = os.fork()
    if writer == 0:
        begun = time.monotonic()
        for at in range(0, count, 20):
            time.sleep(max(0.0, begun + at / rate - time.monotonic()))
            data = b"".join(frames[at : at + 20])
            while data:
                data = data[os.write(device.master, data) :]
        os._exit(0)
    held = []
    end = time.monotonic() + seconds + 5
    while device.came < count and time.monotonic() < end:
        time.sleep(0.25)
        held.append(_resident())
    os.waitpid(writer, 0)
    spent = time.process_time() - start
    counters = device.supervisor.status.counters
    device.close()
    resends = counters["resend requests"]
    note = f"{count - device.came:,} of {count:,} lost, {resends} resend requests"
    grown = (held[-1] - held[len(held) // 4]) / 1024
    note += f"; memory {grown:+,.0f} KiB after the first quarter"
    return [
        Figure(
            f"CPU time per frame, {rate:,}/s for {seconds:.0f} s",
            spent / count * 1e6,
            1.0,
            note,
            "CPU",
        )
    ]


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def endless() -> list[Figure]:
    adapter = Tdp(DeviceSettings("shoe", "shoe", "tdp", ""))
    adapter.opened(0.0)
    piece = b"$" + b"x" * 65535
    tracemalloc.start()
    start = time.perf_counter()
    for _ in range(800):
        adapter.feed(piece, 0.0)
    spent = time.perf_counter() - start
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    note = f"{held / 1024:,.0f} KiB held at the end, {peak / 1024:,.0f} KiB at most"
    return [Figure("50 MB without a line end, per megabyte", spent / 50 * 1e6, 1.0, note)]


def replug(count: int = 20) -> list[Figure]:
    times = []
    live, down = threading.Event(), threading.Event()

    def sink(report: Report) -> None:
        if isinstance(report.event, LinkChanged):
            if report.event.link is Link.LIVE:
                live.set()
            elif report.event.link is Link.DOWN:
                down.set()

    with tempfile.TemporaryDirectory() as folder:
        shoe = EmulatedShoe(Path(folder) / "shoe")
        shoe.start()
        settings = DeviceSettings("shoe", "shoe", "tdp", str(Path(folder) / "shoe"))
        supervisor = Supervisor(settings, sink)
        supervisor.start()
        live.wait(5)
        for turn in range(count):
            down.clear()
            shoe.unplug()
            down.wait(5)
            time.sleep(0.0237 * turn)
            live.clear()
            start = time.perf_counter()
            shoe.replug()
            live.wait(5)
            times.append(time.perf_counter() - start)
        supervisor.stop()
        shoe.stop()
    return [Figure("replug to live", median(times) * 1e6, 1.0, f"{max(times):.2f} s at most")]


def idle(seconds: float = 10.0) -> list[Figure]:
    """The processor time of two live devices that have nothing to report, from another process."""
    with tempfile.TemporaryDirectory() as folder:
        ready, done = os.pipe(), os.pipe()
        emulator = os.fork()
        if emulator == 0:
            _emulate_both(Path(folder), ready[1], done[0])
        os.read(ready[0], 1)
        kinds: tuple[Kind, ...] = ("shoe", "shuffler")
        given = [DeviceSettings(kind, kind, "tdp", str(Path(folder) / kind)) for kind in kinds]
        supervisors = [Supervisor(settings, lambda report: None) for settings in given]
        for supervisor in supervisors:
            supervisor.start()
        while any(supervisor.status.link is not Link.LIVE for supervisor in supervisors):
            time.sleep(0.05)
        begun, spent = time.monotonic(), time.process_time()
        time.sleep(seconds)
        spent, begun = time.process_time() - spent, time.monotonic() - begun
        for supervisor in supervisors:
            supervisor.stop()
        os.write(done[1], b"!")
        os.waitpid(emulator, 0)
    share = spent / begun
    return [
        Figure("two idle devices, per second", share * 1e6, 1.0, f"{share:.2%} of a core", "CPU")
    ]


def _emulate_both(folder: Path, ready: int, done: int) -> None:
    devices = EmulatedShoe(folder / "shoe"), EmulatedShuffler(folder / "shuffler")
    for device in devices:
        device.start()
    os.write(ready, b"!")
    os.read(done, 1)
    for device in devices:
        device.stop()
    os._exit(0)

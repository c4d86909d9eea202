"""One thread per device: opens its port, keeps it open, and forwards its adapter's events."""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from omaha_drivers import registry
from omaha_drivers.events import EventsLost, Identified, Link, LinkChanged, Report, Trust
from omaha_drivers.text import printable
from omaha_drivers.transport import TransportError, check_port, device_at, is_address, open_port

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from omaha_drivers.adapter import Actions, Adapter, Emitted, PortDefaults
    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import DeviceSettings
    from omaha_drivers.transport import Transport

LOOK_EVERY_SECONDS: Final = 0.05
"""How often to look for a device at a closed port."""
CHECK_EVERY_SECONDS: Final = 0.25
"""How often to check that an open port's path still leads to the same device."""
FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 2.0


@dataclass(frozen=True, slots=True)
class Status:
    link: Link = Link.DOWN
    trust: Trust = Trust.UNPINNED
    vendor: str = ""
    model: str = ""
    serial: str = ""
    firmware: str = ""
    why: str = "Not started."
    counters: Mapping[str, int] = field(default_factory=dict)


class _AdapterError(Exception):
    pass


class _HostError(Exception):
    pass


class Supervisor:
    """Calls `sink` with each report, in order, in the device's own thread.

    The constructor raises `UnknownAdapterError` or `TransportError` if the settings cannot be used.
    Everything that goes wrong later is in the reports and the status.
    """

    def __init__(
        self,
        settings: DeviceSettings,
        sink: Callable[[Report], None],
        *,
        resume_token: str = "",
        trace: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        open_port: Callable[[str, int, PortDefaults], Transport] = open_port,
    ) -> None:
        check_port(settings.port)
        self._settings = settings
        self._sink = sink
        self._resume_token = resume_token
        self._trace = trace
        self._clock = clock
        self._open_port = open_port
        self._adapter: Adapter = registry.make(settings, resume_token)
        self._status = Status()
        self._counts = dict.fromkeys(("opened", "bytes read", "bytes written", "events"), 0)
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._transport: Transport | None = None
        self._deadline: float | None = None
        self._must_report_loss = False
        self._wait = FIRST_WAIT
        self._thread = threading.Thread(
            target=self._run, name=f"device {settings.name}", daemon=True
        )

    @property
    def status(self) -> Status:
        return replace(self._status, counters=self._counts | dict(self._adapter.counters()))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._wake()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def command(self, verb: str) -> None:
        """Queues a command for the adapter; the outcome arrives as a report."""
        self._commands.put(verb)
        self._wake()

    def _wake(self) -> None:
        transport = self._transport
        if transport is not None:
            transport.wake()

    # The thread

    def _run(self) -> None:
        last_device: tuple[int, int, int] | None = None
        again = 0.0
        while not self._stop.is_set():
            device = self._device_at_port()
            if device is None and not is_address(self._settings.port):
                self._down("No device at this port.")
                self._wait, again = FIRST_WAIT, 0.0
            elif device != last_device or self._clock() >= again:
                if device != last_device:
                    self._wait = FIRST_WAIT
                self._down(self._session(device))
                again = self._clock() + self._wait
                self._wait = min(self._wait * 2, LONGEST_WAIT)
            last_device = device
            self._refuse_commands()
            self._stop.wait(LOOK_EVERY_SECONDS)
        self._down("Stopped.")

    def _session(self, device: tuple[int, int, int] | None) -> str:
        """Opens the port and serves it until it closes; returns the reason."""
        settings, defaults = self._settings, self._adapter.port_defaults
        try:
            transport = self._open_port(settings.port, settings.speed or defaults.speed, defaults)
        except TransportError as error:
            return str(error)
        except Exception as error:
            return f"The port cannot be opened ({type(error).__name__})."
        self._transport = transport
        self._counts["opened"] += 1
        try:
            self._serve(transport, device)
            return "Stopped."
        except TransportError as error:
            return str(error)
        except _AdapterError as error:
            self._replace_adapter()
            return f"The adapter {settings.adapter} failed ({error}) and was restarted."
        except _HostError as error:
            self._replace_adapter()
            return f"The console could not process an event ({error}); reconnecting."
        except Exception as error:
            return f"The port failed ({type(error).__name__})."
        finally:
            self._transport = None
            transport.close()
            self._close_adapter()

    def _serve(self, transport: Transport, device: tuple[int, int, int] | None) -> None:
        self._link(Link.OPENING, "The port is open.", self._clock())
        now = self._clock()
        if self._must_report_loss:
            self._forward(EventsLost(None), "", now)
            self._must_report_loss = False
        self._act(transport, now, self._adapter.opened)
        check = now + CHECK_EVERY_SECONDS
        while not self._stop.is_set():
            data = transport.read()
            now = self._clock()
            if data:
                self._counts["bytes read"] += len(data)
                self._act(transport, now, self._adapter.feed, data)
            self._send_commands(transport, now)
            if self._deadline is not None and now >= self._deadline:
                self._act(transport, now, self._adapter.tick)
            if now >= check:
                check = now + CHECK_EVERY_SECONDS
                if self._device_at_port() != device:
                    raise TransportError("The device at this port was unplugged or replaced.")

    def _device_at_port(self) -> tuple[int, int, int] | None:
        port = self._settings.port
        return None if is_address(port) else device_at(port)

    def _send_commands(self, transport: Transport, now: float) -> None:
        while not self._commands.empty():
            self._act(transport, now, self._adapter.command, self._commands.get())

    def _refuse_commands(self) -> None:
        """While the port is closed the adapter reports that it cannot send the command."""
        while not self._commands.empty():
            self._run_contained(self._adapter.command, self._commands.get())

    def _act(
        self, transport: Transport, now: float, do: Callable[..., Actions], *given: object
    ) -> None:
        try:
            actions = do(*given, now)
        except Exception as error:
            raise _AdapterError(type(error).__name__) from None
        self._deadline = actions.deadline
        for emitted in actions.events:
            self._report(emitted, now)
        if actions.send:
            transport.write(actions.send)
            self._counts["bytes written"] += len(actions.send)

    def _run_contained(self, do: Callable[..., Actions], *given: object) -> None:
        now = self._clock()
        try:
            for emitted in do(*given, now).events:
                self._report(emitted, now)
        except Exception:
            self._replace_adapter()

    def _close_adapter(self) -> None:
        self._deadline = None
        self._run_contained(self._adapter.closed)

    def _replace_adapter(self) -> None:
        """Makes a new adapter that resumes, if it can, after the last event the host accepted."""
        self._adapter = registry.make(self._settings, self._resume_token)
        self._must_report_loss = not (self._resume_token and self._adapter.caps.resend)

    # Reports

    def _report(self, emitted: Emitted, now: float) -> None:
        event = emitted.event
        if isinstance(event, LinkChanged):
            self._link(event.link, event.why, now, emitted.resume_token)
            return
        if isinstance(event, Identified):
            self._status = replace(
                self._status,
                trust=event.trust,
                vendor=printable(event.vendor),
                model=printable(event.model),
                serial=printable(event.serial),
                firmware=printable(event.firmware),
            )
        self._forward(event, emitted.resume_token, now)

    def _link(self, link: Link, why: str, now: float, token: str = "") -> None:
        why = printable(why, 200)
        if link is self._status.link:
            self._status = replace(self._status, why=why)
            return
        if link is Link.WRONG:
            self._status = Status()
        elif link is Link.LIVE:
            self._wait = FIRST_WAIT
        self._status = replace(self._status, link=link, why=why)
        self._forward(LinkChanged(link, why), token, now)

    def _down(self, why: str) -> None:
        try:
            self._link(Link.DOWN, why, self._clock())
        except _HostError:
            self._trace_line("the host could not process the end of the connection")

    def _forward(self, event: DeviceEvent, token: str, now: float) -> None:
        """An event without a token of its own leaves the resume point where it was."""
        self._trace_line(repr(event))
        token = token or self._resume_token
        try:
            self._sink(Report(self._settings.name, event, token, now))
        except Exception as error:
            raise _HostError(type(error).__name__) from None
        self._counts["events"] += 1
        self._resume_token = token

    def _trace_line(self, text: str) -> None:
        if self._trace is not None:
            with suppress(Exception):
                self._trace(printable(text, 300))

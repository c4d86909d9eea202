"""One thread per device: opens its port, keeps it open, and hands on what its adapter reports."""

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
from omaha_drivers.transport import TransportError, check_port, is_address, open_port, what_is_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from omaha_drivers.adapter import Actions, Adapter, Placed, PortDefaults
    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import DeviceSettings
    from omaha_drivers.transport import Transport

LOOK_EVERY: Final = 0.05
"""How often the path of a closed port is looked at."""
CHECK_EVERY: Final = 0.25
"""How often it is seen whether the path of an open port still leads to the same device."""
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
    """Reports reach `sink` in the device's thread, in order.

    Making one raises `UnknownAdapterError` or `TransportError`, with a sentence, where the
    settings cannot be used; after that, whatever goes wrong is in the reports and the status.
    """

    def __init__(
        self,
        settings: DeviceSettings,
        sink: Callable[[Report], None],
        *,
        place: str = "",
        trace: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        open_port: Callable[[str, int, PortDefaults], Transport] = open_port,
    ) -> None:
        check_port(settings.port)
        self._settings = settings
        self._sink = sink
        self._place = place
        self._trace = trace
        self._clock = clock
        self._open_port = open_port
        self._adapter: Adapter = registry.make(settings, place)
        self._status = Status()
        self._counts = dict.fromkeys(("opened", "bytes read", "bytes written", "events"), 0)
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._transport: Transport | None = None
        self._deadline: float | None = None
        self._owes_loss = False
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
        """Hands a command to the adapter; what comes of it is reported."""
        self._commands.put(verb)
        self._wake()

    def _wake(self) -> None:
        transport = self._transport
        if transport is not None:
            transport.wake()

    # The thread

    def _run(self) -> None:
        seen: tuple[int, int, int] | None = None
        again = 0.0
        while not self._stop.is_set():
            there = self._what_is_there()
            if there is None and not is_address(self._settings.port):
                self._down("There is nothing at the port.")
                self._wait, again = FIRST_WAIT, 0.0
            elif there != seen or self._clock() >= again:
                if there != seen:
                    self._wait = FIRST_WAIT
                self._down(self._session(there))
                again = self._clock() + self._wait
                self._wait = min(self._wait * 2, LONGEST_WAIT)
            seen = there
            self._refuse_commands()
            self._stop.wait(LOOK_EVERY)
        self._down("Stopped.")

    def _session(self, there: tuple[int, int, int] | None) -> str:
        """Opens the port and serves it to its end; why it ended."""
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
            self._serve(transport, there)
            return "Stopped."
        except TransportError as error:
            return str(error)
        except _AdapterError as error:
            self._anew()
            return f"The adapter {settings.adapter} failed ({error}); it is restarted."
        except _HostError as error:
            self._anew()
            return f"The host could not take an event ({error}); it is sent again."
        except Exception as error:
            return f"The port failed ({type(error).__name__})."
        finally:
            self._transport = None
            transport.close()
            self._close_adapter()

    def _serve(self, transport: Transport, there: tuple[int, int, int] | None) -> None:
        self._link(Link.OPENING, "The port is open.", self._clock())
        now = self._clock()
        if self._owes_loss:
            self._hand_on(EventsLost(None), "", now)
            self._owes_loss = False
        self._act(transport, now, self._adapter.opened)
        check = now + CHECK_EVERY
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
                check = now + CHECK_EVERY
                if self._what_is_there() != there:
                    raise TransportError("The port leads elsewhere now.")

    def _what_is_there(self) -> tuple[int, int, int] | None:
        port = self._settings.port
        return None if is_address(port) else what_is_at(port)

    def _send_commands(self, transport: Transport, now: float) -> None:
        while not self._commands.empty():
            self._act(transport, now, self._adapter.command, self._commands.get())

    def _refuse_commands(self) -> None:
        """A command for a closed port is answered by the adapter, which cannot send it."""
        while not self._commands.empty():
            self._contained(self._adapter.command, self._commands.get())

    def _act(
        self, transport: Transport, now: float, do: Callable[..., Actions], *given: object
    ) -> None:
        try:
            actions = do(*given, now)
        except Exception as error:
            raise _AdapterError(type(error).__name__) from None
        self._deadline = actions.deadline
        for placed in actions.events:
            self._report(placed, now)
        if actions.send:
            transport.write(actions.send)
            self._counts["bytes written"] += len(actions.send)

    def _contained(self, do: Callable[..., Actions], *given: object) -> None:
        now = self._clock()
        try:
            for placed in do(*given, now).events:
                self._report(placed, now)
        except Exception:
            self._anew()

    def _close_adapter(self) -> None:
        self._deadline = None
        self._contained(self._adapter.closed)

    def _anew(self) -> None:
        """A new adapter, going on after the last event that the host has taken, where it can."""
        self._adapter = registry.make(self._settings, self._place)
        self._owes_loss = not (self._place and self._adapter.caps.resend)

    # Reports

    def _report(self, placed: Placed, now: float) -> None:
        event = placed.event
        if isinstance(event, LinkChanged):
            self._link(event.link, event.why, now, placed.place)
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
        self._hand_on(event, placed.place, now)

    def _link(self, link: Link, why: str, now: float, place: str = "") -> None:
        why = printable(why, 200)
        if link is self._status.link:
            self._status = replace(self._status, why=why)
            return
        if link is Link.WRONG:
            self._status = Status()
        elif link is Link.LIVE:
            self._wait = FIRST_WAIT
        self._status = replace(self._status, link=link, why=why)
        self._hand_on(LinkChanged(link, why), place, now)

    def _down(self, why: str) -> None:
        try:
            self._link(Link.DOWN, why, self._clock())
        except _HostError:
            self._say("the host could not take the end of the link")

    def _hand_on(self, event: DeviceEvent, place: str, now: float) -> None:
        """What has no place of its own leaves the host where it was."""
        self._say(repr(event))
        place = place or self._place
        try:
            self._sink(Report(self._settings.name, event, place, now))
        except Exception as error:
            raise _HostError(type(error).__name__) from None
        self._counts["events"] += 1
        self._place = place

    def _say(self, text: str) -> None:
        if self._trace is not None:
            with suppress(Exception):
                self._trace(printable(text, 300))

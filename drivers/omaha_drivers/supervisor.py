"""One thread per device: opens its port, keeps it open, and forwards its adapter's events."""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omaha_drivers.contained import AdapterFailedError, ContainedAdapter
from omaha_drivers.events import EventsLost, Link
from omaha_drivers.reporting import HostError, Reporter
from omaha_drivers.reporting import Status as Status
from omaha_drivers.transport import TransportError, check_port, device_at, is_address, open_port

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.adapter import Actions, Caps, PortDefaults
    from omaha_drivers.events import AdapterFailed, Report
    from omaha_drivers.settings import DeviceSettings
    from omaha_drivers.transport import Transport

LOOK_EVERY_SECONDS: Final = 0.05
"""How often to look for a device at a closed port."""
CHECK_EVERY_SECONDS: Final = 0.25
"""How often to check that an open port's path still leads to the same device."""
UNHEARD_SECONDS: Final = 10.0
"""After this a device that was not heard is reported, where the port is not opened again."""
LONGEST_SLEEP: Final = 5.0
SHORTEST_SLEEP: Final = 0.005
"""Between two ticks: an adapter whose deadline has always passed must not take a whole core."""
FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 2.0


class _UnansweredError(TransportError):
    """The port is open and the device does not answer: it may help to open the port again."""


class Supervisor:
    """Calls `sink` with each report, in order, in the device's own thread.

    The constructor raises `UnknownAdapterError` or `TransportError` if the settings cannot be used.
    Everything that goes wrong later, also in an adapter, is in the reports and the status.
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
        contain: Callable[[DeviceSettings, str], ContainedAdapter] = ContainedAdapter,
    ) -> None:
        check_port(settings.port)
        self._settings = settings
        self._clock = clock
        self._open_port = open_port
        self._adapter = contain(settings, resume_token)
        self._host = Reporter(settings, sink, resume_token, trace, clock)
        names = ("opened", "unanswered", "bytes read", "bytes written")
        self._counts = dict.fromkeys(names, 0)
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._transport: Transport | None = None
        self._deadline: float | None = None
        self._must_report_loss = False
        self._wait = FIRST_WAIT
        self._again = 0.0
        """When to open the port again."""
        self._thread = threading.Thread(
            target=self._run, name=f"device {settings.name}", daemon=True
        )

    @property
    def status(self) -> Status:
        counters = self._counts | {"events": self._host.count} | self._adapter.counters()
        return replace(self._host.status, counters=counters)

    @property
    def caps(self) -> Caps:
        """What the device's protocol can do."""
        return self._adapter.caps

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._host.stopping = True
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
        while not self._stop.is_set():
            device = self._device_at_port()
            if not self._adapter.ready:
                self._revive()
            elif device is None and not is_address(self._settings.port):
                self._host.down("No device at this port.")
                self._wait, self._again = FIRST_WAIT, 0.0
            elif device != last_device or self._clock() >= self._again:
                if device != last_device:
                    self._wait = FIRST_WAIT
                self._again = 0.0
                self._session(device)
                self._again = max(self._again, self._clock() + self._wait)
                self._wait = min(self._wait * 2, LONGEST_WAIT)
            last_device = device
            self._refuse_commands()
            self._stop.wait(LOOK_EVERY_SECONDS)
        self._host.down("Stopped.")

    def _revive(self) -> None:
        """Tries to make an adapter that could not be made before."""
        self._host.failed(self._adapter.failure)
        if self._clock() >= self._again and not self._adapter.made_again(self._host.resume_token):
            self._again = self._clock() + self._adapter.rest(self._clock())

    def _session(self, device: tuple[int, int, int] | None) -> None:
        """Opens the port and serves it until it closes; then reports the reason."""
        settings = self._settings
        line = settings.line.over(self._adapter.port_defaults, settings.speed)
        try:
            transport = self._open_port(settings.port, line.speed, line)
        except TransportError as error:
            self._host.refused(str(error))
            return
        except (Exception, SystemExit) as error:
            self._host.refused(f"The port cannot be opened ({type(error).__name__}).")
            return
        self._transport = transport
        self._counts["opened"] += 1
        failed: AdapterFailed | None = None
        why, is_down = "Stopped.", True
        try:
            self._serve(transport, device)
        except _UnansweredError as error:
            self._counts["unanswered"] += 1
            why, is_down = str(error), False
        except TransportError as error:
            why = str(error)
        except AdapterFailedError as error:
            failed = error.failed
            why = f"The adapter {settings.adapter} failed ({failed.error}) and was restarted."
            self._replace_adapter()
        except HostError as error:
            self._replace_adapter()
            why = f"The console could not process an event ({error}); reconnecting."
        except (Exception, SystemExit) as error:
            why = f"The port failed ({type(error).__name__})."
        finally:
            self._transport = None
            with suppress(Exception):
                transport.close()
            self._close_adapter()
        if failed is not None:
            self._host.failed(failed)
            self._again = self._clock() + self._adapter.rest(self._clock())
        if is_down or self._stop.is_set():
            self._host.down(why)
        else:
            self._host.unanswered(why)

    def _serve(self, transport: Transport, device: tuple[int, int, int] | None) -> None:
        now = self._host.since = self._clock()
        read = self._counts["bytes read"]
        if self._host.status.link is not Link.SILENT:
            self._host.link(Link.OPENING, "The port is open.", now)
        if self._must_report_loss:
            self._host.forward(EventsLost(None), "", now)
            self._must_report_loss = False
        self._act(transport, now, self._adapter.opened)
        watched = not is_address(self._settings.port)
        check = now + CHECK_EVERY_SECONDS
        while not self._stop.is_set():
            self._send_commands(transport, now)
            unanswered, unheard = self._unanswered_at(), self._unheard_at()
            wakes = (self._deadline, check if watched else None, unanswered, unheard)
            wait = min((at - now for at in wakes if at is not None), default=LONGEST_SLEEP)
            data = transport.read(min(max(wait, SHORTEST_SLEEP), LONGEST_SLEEP))
            now = self._clock()
            if data:
                self._counts["bytes read"] += len(data)
                self._act(transport, now, self._adapter.feed, data)
            if self._deadline is not None and now >= self._deadline:
                self._act(transport, now, self._adapter.tick)
            if watched and now >= check:
                check = now + CHECK_EVERY_SECONDS
                if self._device_at_port() != device:
                    raise TransportError("The device at this port was unplugged or replaced.")
            unanswered, unheard = self._unanswered_at(), self._unheard_at()
            if unanswered is not None and now >= unanswered:
                seconds = f"{self._settings.reopen_after:g} seconds"
                why = f"No answer for {seconds}: the port is being opened again."
                raise _UnansweredError(self._why_unread(read) or why)
            if unheard is not None and now >= unheard:
                why = "No answer since the port was opened."
                if not self._adapter.caps.heartbeat:
                    why = "Nothing heard yet; it may be quiet until it has something to report."
                self._host.unanswered(self._why_unread(read) or why)

    def _unanswered_at(self) -> float | None:
        """When to open the port again, because nobody answers.

        A device without a heartbeat may be quiet for as long as it likes. Its serial port is left
        alone, because what it sends while the port is opened again would be lost. A connection over
        a network is opened again all the same: it may be dead without anybody having said so.
        """
        after = self._settings.reopen_after
        waits = self._host.status.link in (Link.OPENING, Link.SILENT)
        may_be_dead = self._adapter.caps.heartbeat or is_address(self._settings.port)
        return self._host.since + after if after and waits and may_be_dead else None

    def _unheard_at(self) -> float | None:
        """When to report that a device whose port stays open has never been heard; once."""
        after = self._settings.reopen_after or UNHEARD_SECONDS
        quiet = self._host.status.link is Link.OPENING and not self._host.told_silence
        return self._host.since + after if quiet else None

    def _why_unread(self, before: int) -> str:
        """Where bytes arrive, a device is there; the line or the protocol is set wrong."""
        if self._counts["bytes read"] == before:
            return ""
        if self._adapter.counters().get("frames"):
            return "Messages arrive, but the device does not identify itself."
        return "Bytes arrive, but no message can be read: wrong speed, line setting or protocol."

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
        actions = do(*given, now)
        self._deadline = actions.deadline
        for emitted in actions.events:
            self._host.take(emitted, now)
        if self._host.status.link is Link.LIVE:
            self._wait = FIRST_WAIT
        if actions.send:
            transport.write(actions.send)
            self._counts["bytes written"] += len(actions.send)

    def _run_contained(self, do: Callable[..., Actions], *given: object) -> None:
        now = self._clock()
        try:
            for emitted in do(*given, now).events:
                self._host.take(emitted, now)
        except AdapterFailedError as error:
            self._host.failed(error.failed)
            self._again = now + self._adapter.rest(now)
            self._replace_adapter()
        except HostError:
            self._replace_adapter()

    def _close_adapter(self) -> None:
        self._deadline = None
        self._run_contained(self._adapter.closed)

    def _replace_adapter(self) -> None:
        """Makes a new adapter that resumes, if it can, after the last event the host accepted."""
        self._adapter.made_again(self._host.resume_token)
        self._must_report_loss = not (self._host.resume_token and self._adapter.caps.resend)

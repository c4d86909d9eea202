"""An adapter and a model of its device on a line without a port, under a clock that is moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from omaha_drivers.events import DeviceEvent, Link, LinkChanged

if TYPE_CHECKING:
    from omaha_drivers.adapter import Actions, Adapter

Line = Callable[[list[bytes]], Iterable[bytes]]
"""What becomes of frames on their way to the host."""


class Bench:
    def __init__(self, adapter: Adapter, model: Any, line: Line = list, now: float = 0.0) -> None:
        self.adapter = adapter
        self.model = model
        self.line = line
        self.now = now
        self.events: list[DeviceEvent] = []
        self.places: list[str] = []
        self.sent: list[bytes] = []
        """All that the host has sent."""
        self.hears = True
        """Whether what the host sends reaches the device."""
        self._deadline: float | None = None

    def open(self) -> Bench:
        self._take(self.adapter.opened(self.now))
        self.exchange()
        return self

    def close(self) -> None:
        self.model.out.clear()
        self._take(self.adapter.closed(self.now))

    def command(self, verb: str) -> None:
        self._take(self.adapter.command(verb, self.now))
        self.exchange()

    def feed(self, data: bytes) -> None:
        self._take(self.adapter.feed(data, self.now))
        self.exchange()

    def exchange(self) -> None:
        """Until neither side has more to say."""
        for _ in range(1000):
            if not self.model.out:
                return
            frames, self.model.out[:] = self.model.out[:], []
            for piece in self.line(frames):
                self._take(self.adapter.feed(piece, self.now))
        raise AssertionError("the two sides do not come to an end")

    def run(self, seconds: float, step: float = 0.05) -> Bench:
        end = self.now + seconds
        while self.now < end:
            self.now += step
            self.model.tick(self.now)
            self.exchange()
            if self._deadline is not None and self.now >= self._deadline:
                self._take(self.adapter.tick(self.now))
            self.exchange()
        return self

    def _take(self, actions: Actions) -> None:
        self._deadline = actions.deadline
        self.events += [placed.event for placed in actions.events]
        self.places += [placed.resume_token for placed in actions.events]
        if actions.send:
            self.sent.append(actions.send)
            if self.hears:
                self._hear(actions.send)

    def _hear(self, sent: bytes) -> None:
        """The device receives what the host has sent."""
        self.model.feed(sent, self.now)

    @property
    def links(self) -> list[Link]:
        return [event.link for event in self.events if isinstance(event, LinkChanged)]

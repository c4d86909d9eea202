"""Takes the cards out of a device's bytes so that what is left still parses.

Only an adapter knows where the cards are in its protocol, so it brings its own masking. Every deck
gets a random permutation of its own: the boards that everybody has seen would solve one that is
used for all. What is not a good frame could be a damaged card; it becomes filler.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_drivers.framing import Framer
    from omaha_drivers.settings import DeviceSettings

T = TypeVar("T")

DECK: Final = 52


class Masking(Protocol):
    """One for each recording. Bytes may be held back until a frame is complete."""

    settings: DeviceSettings
    """What the recording is replayed with: no shared key of the table, no real tag of a card."""

    def device(self, data: bytes) -> bytes:
        """What may be kept of bytes from the device."""
        ...

    def host(self, data: bytes) -> bytes:
        """What may be kept of bytes that the adapter sent."""
        ...

    def cut(self) -> bytes:
        """The connection was closed: what is left of the bytes that were held back."""
        ...


@runtime_checkable
class Recordable(Protocol):
    """What an adapter has in addition if its device can be recorded."""

    def masking(self) -> Masking: ...
    def replaying(self, sent: bytes) -> None:
        """Called before a replay with all that the host sent: what it asked, it asks again."""
        ...


class CardMask(Generic[T]):
    """A random permutation of the cards of one deck."""

    def __init__(self, cards: Sequence[T]) -> None:
        others = list(cards)
        random.SystemRandom().shuffle(others)
        self._others = dict(zip(cards, others, strict=True))
        self._seen: set[T] = set()

    @property
    def worn(self) -> bool:
        """Whether as many cards have been masked as a deck has: another deck must have begun."""
        return len(self._seen) >= DECK

    def __getitem__(self, card: T) -> T:
        self._seen.add(card)
        return self._others[card]


_NO_LINE_END: Final = re.compile(rb"[^\r\n]")


def filler(noise: bytes) -> bytes:
    """As many bytes that mean nothing; line ends stay, so that good lines do not grow together."""
    return _NO_LINE_END.sub(b"\0", noise)


class FrameMasking:
    """For protocols with a framer: a subclass says what becomes of each good frame."""

    def __init__(self, settings: DeviceSettings, framer: Framer) -> None:
        self.settings = replace(settings, port="", key=b"")
        self._framer = framer
        self._held = b""

    def masked(self, frame: bytes) -> bytes | None:
        """A frame without its card, as the framer gives it; None if nothing of it may be kept."""
        raise NotImplementedError

    def wire(self, frame: bytes) -> bytes:
        """A frame of the framer as it is sent."""
        raise NotImplementedError

    def find(self, frame: bytes, stream: bytes, start: int) -> tuple[int, int]:
        """Where a frame that the framer found is in the stream."""
        sent = self.wire(frame)
        at = stream.index(sent, start)
        return at, at + len(sent)

    def device(self, data: bytes) -> bytes:
        stream, at, kept = self._held + data, 0, bytearray()
        for frame in self._framer.feed(data):
            start, end = self.find(frame, stream, at)
            kept += filler(stream[at:start])
            masked = self.masked(frame)
            kept += filler(stream[start:end]) if masked is None else self.wire(masked)
            at = end
        rest = max(at, len(stream) - self._framer.held)
        self._held = stream[rest:]
        return bytes(kept) + filler(stream[at:rest])

    def host(self, data: bytes) -> bytes:
        """Our own adapters send no card."""
        return data

    def cut(self) -> bytes:
        self._framer.reset()
        held, self._held = self._held, b""
        return filler(held)

"""Puts numbered events in order: holds early ones and requests missing ones again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

MAX_HELD: Final = 64
"""How many early events are held."""
MAX_JUMP: Final = 4096
"""A number farther ahead than this is ignored until the device confirms it."""
RETRY_SECONDS: Final = 0.25
TRIES: Final = 4
MAX_GAPS: Final = 16
"""More gaps than this are requested as if the rest were one."""


@dataclass(frozen=True, slots=True)
class MissingEvents:
    """`count` events are lost for good; `last` is the number of the last one."""

    count: int
    last: int


@dataclass(frozen=True, slots=True)
class ResendRequest:
    ranges: tuple[tuple[int, int], ...]
    """First and last number of each gap."""


class Resequencer(Generic[T]):
    """Delivers each event once and in order, or reports how many are missing.

    A gap is requested as soon as it is seen, and again with all others every `RETRY_SECONDS`.
    After `TRIES` requests without any progress the first gap is given up.
    """

    def __init__(self, after: int) -> None:
        self.next = after + 1
        self.top = after
        """The highest number known to exist."""
        self.repeats = 0
        self._early: dict[int, T] = {}
        self._requested = 0
        self._tries = 0
        self._tried = after
        """The last number requested in every one of these tries: a gap may have grown since."""
        self._due = 0.0

    def offer(self, number: int, event: T, now: float) -> list[tuple[int, T]]:
        """Adds an event and returns what is now in order.

        An event too far ahead is only noted: it will be requested again.
        """
        if number < self.next or number in self._early:
            self.repeats += 1
            return []
        if number <= self.next + MAX_JUMP:
            self.top = max(self.top, number)
        if number >= self.next + MAX_HELD:
            return []
        self._early[number] = event
        if number <= self._requested:
            self._tries, self._due = 0, now + RETRY_SECONDS
        return self._ready()

    def note_last(self, last: int) -> None:
        """The device reports that it has sent events up to this number."""
        self.top = max(self.top, last)

    def due(self) -> float | None:
        """When to call `request_missing`: at once for a new gap, later to retry."""
        if self.next > self.top:
            return None
        return self._due if self.top <= self._requested else 0.0

    def request_missing(
        self, now: float
    ) -> ResendRequest | list[tuple[int, T | MissingEvents]] | None:
        """What to request now; after enough tries, the events that follow the gap."""
        if self.next > self.top:
            return None
        gaps = self._gaps()
        if self.next > self._requested:
            self._tries, self._due = 0, now
        if now >= self._due:
            if self._tries >= TRIES:
                self._tries = 0
                return self.give_up(min(gaps[0][1], self._tried))
            if not self._tries:
                self._tried = self.top
            self._tries += 1
            self._due = now + RETRY_SECONDS
        else:
            gaps = [(max(first, self._requested + 1), last) for first, last in gaps]
            gaps = [gap for gap in gaps if gap[0] <= gap[1]]
        self._requested = self.top
        if len(gaps) > MAX_GAPS:
            gaps[MAX_GAPS - 1 :] = [(gaps[MAX_GAPS - 1][0], self.top)]
        return ResendRequest(tuple(gaps)) if gaps else None

    def _gaps(self) -> list[tuple[int, int]]:
        gaps = []
        first = self.next
        for number in [*sorted(self._early), self.top + 1]:
            if number > first:
                gaps.append((first, number - 1))
            first = number + 1
        return gaps

    def give_up(self, last: int) -> list[tuple[int, T | MissingEvents]]:
        """The events up to `last`, with a count of the missing ones in each gap."""
        last = min(last, self.top)
        found: list[tuple[int, T | MissingEvents]] = []
        for number in [*sorted(n for n in self._early if n <= last), last + 1]:
            if number > self.next:
                count = number - self.next
                found.append((number - 1, MissingEvents(count, number - 1)))
                self.next = number
            found += self._ready()
        return found

    def requested(self, first: int, last: int) -> tuple[int, int] | None:
        """The part of a range that is missing and has been requested."""
        first, last = max(first, self.next), min(last, self._requested)
        return (first, last) if first == self.next and first <= last else None

    def _ready(self) -> list[tuple[int, T]]:
        found: list[tuple[int, T]] = []
        while self.next in self._early:
            found.append((self.next, self._early.pop(self.next)))
            self.next += 1
        self.top = max(self.top, self.next - 1)
        return found

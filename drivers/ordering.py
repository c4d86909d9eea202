"""Numbered events brought into order: what comes early is held, what is missing is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

AHEAD: Final = 64
"""How many events are held that came before their turn."""
NEAR: Final = 4096
"""A number further on than this is not believed before the device has been asked."""
AGAIN: Final = 0.25
TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Missing:
    """So many events are gone for good; `last` is the number of the last of them."""

    count: int
    last: int


class InOrder(Generic[T]):
    """Gives each event once and in order, or says how many are missing.

    The gap before the next event is asked for whole. The same gap is asked for again every
    `AGAIN` seconds, `TRIES` times without progress; then it is given up.
    """

    def __init__(self, after: int) -> None:
        self.next = after + 1
        self.top = after
        """The highest number that is known to exist."""
        self.repeats = 0
        self._early: dict[int, T] = {}
        self._asked = 0
        self._tries = 0
        self._due = 0.0

    def offer(self, number: int, event: T, now: float) -> list[tuple[int, T]]:
        """Takes an event; what it completes. One too far ahead is only noted: it comes again."""
        if number < self.next or number in self._early:
            self.repeats += 1
            return []
        if number <= self.next + NEAR:
            self.top = max(self.top, number)
        if number >= self.next + AHEAD:
            return []
        self._early[number] = event
        if number <= self._asked:
            self._tries, self._due = 0, now + AGAIN
        return self._ready()

    def exists(self, last: int) -> None:
        """The device says that it has sent events up to this number."""
        self.top = max(self.top, last)

    def gap(self) -> tuple[int, int] | None:
        if self.next > self.top:
            return None
        return self.next, min(self._early, default=self.top + 1) - 1

    def due(self) -> float | None:
        """When `ask` is wanted: at once for a new gap, later for one already asked for."""
        if self.next > self.top:
            return None
        return self._due if self.next <= self._asked else 0.0

    def ask(self, now: float) -> tuple[int, int] | list[tuple[int, T | Missing]] | None:
        """What to ask for now; or, when that has been tried enough, what comes after the gap."""
        gap = self.gap()
        if gap is None:
            return None
        if gap[0] > self._asked:
            self._tries, self._due = 0, now
        if now < self._due:
            return None
        if self._tries >= TRIES:
            return self.give_up(gap[1])
        self._tries += 1
        self._asked, self._due = gap[1], now + AGAIN
        return gap

    def give_up(self, last: int) -> list[tuple[int, T | Missing]]:
        """What is there of the events up to `last`, with the missing ones counted."""
        last = min(last, self.top)
        found: list[tuple[int, T | Missing]] = []
        for number in [*sorted(n for n in self._early if n <= last), last + 1]:
            if number > self.next:
                count = number - self.next
                found.append((number - 1, Missing(count, number - 1)))
                self.next = number
            found += self._ready()
        return found

    def asked(self, first: int, last: int) -> tuple[int, int] | None:
        """The part of a range that is missing and has been asked for."""
        first, last = max(first, self.next), min(last, self._asked)
        return (first, last) if first == self.next and first <= last else None

    def _ready(self) -> list[tuple[int, T]]:
        found: list[tuple[int, T]] = []
        while self.next in self._early:
            found.append((self.next, self._early.pop(self.next)))
            self.next += 1
        self.top = max(self.top, self.next - 1)
        return found

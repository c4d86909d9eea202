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
MOST_GAPS: Final = 16
"""More gaps than this are asked for as if they were one."""


@dataclass(frozen=True, slots=True)
class Missing:
    """So many events are gone for good; `last` is the number of the last of them."""

    count: int
    last: int


@dataclass(frozen=True, slots=True)
class Ask:
    ranges: tuple[tuple[int, int], ...]
    """First and last number of each gap."""


class InOrder(Generic[T]):
    """Gives each event once and in order, or says how many are missing.

    A gap is asked for whole as soon as it is seen, and again every `AGAIN` seconds together with
    all others. After `TRIES` times without any progress the first gap is given up.
    """

    def __init__(self, after: int) -> None:
        self.next = after + 1
        self.top = after
        """The highest number that is known to exist."""
        self.repeats = 0
        self._early: dict[int, T] = {}
        self._asked = 0
        self._tries = 0
        self._tried = after
        """The last number that was asked for in each of these tries: a gap may have grown since."""
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

    def due(self) -> float | None:
        """When `ask` is wanted: at once for a new gap, later for one already asked for."""
        if self.next > self.top:
            return None
        return self._due if self.top <= self._asked else 0.0

    def ask(self, now: float) -> Ask | list[tuple[int, T | Missing]] | None:
        """What to ask for now; or, when that has been tried enough, what comes after the gap."""
        if self.next > self.top:
            return None
        gaps = self._gaps()
        if self.next > self._asked:
            self._tries, self._due = 0, now
        if now >= self._due:
            if self._tries >= TRIES:
                self._tries = 0
                return self.give_up(min(gaps[0][1], self._tried))
            if not self._tries:
                self._tried = self.top
            self._tries += 1
            self._due = now + AGAIN
        else:
            gaps = [(max(first, self._asked + 1), last) for first, last in gaps]
            gaps = [gap for gap in gaps if gap[0] <= gap[1]]
        self._asked = self.top
        if len(gaps) > MOST_GAPS:
            gaps[MOST_GAPS - 1 :] = [(gaps[MOST_GAPS - 1][0], self.top)]
        return Ask(tuple(gaps)) if gaps else None

    def _gaps(self) -> list[tuple[int, int]]:
        gaps = []
        first = self.next
        for number in [*sorted(self._early), self.top + 1]:
            if number > first:
                gaps.append((first, number - 1))
            first = number + 1
        return gaps

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

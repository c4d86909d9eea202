"""Who is locked out after wrong PINs, and for how long.

A failure counts against the keypad of the data folder or, where a staff number was given, against
that person alone. A lock runs on the machine's running time: moving the clock does not shorten it,
and after a restart of the machine it runs for its whole length again.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - read at run time to store a seal
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from omaha_table.office.events import PinAccepted, PinRefused

FAILURES_TO_LOCK: Final = 5
LOCK_SECONDS: Final = 300
"""The first lock; each further one is twice as long."""
KEYPAD: Final = ""
"""The keypad among the names of persons: a staff number is never empty."""


class Moment(NamedTuple):
    """Now, by the clock and by the machine."""

    at: int
    running: int
    boot: str


@dataclass(frozen=True)
class Lock:
    """What counts against one person or the keypad."""

    failures: int = 0
    lockouts: int = 0
    seconds: int = 0
    """How long the last lock is; 0: there was none."""
    running: int = 0
    boot: str = ""

    def left(self, now: Moment) -> int:
        """Seconds until a PIN is looked at again."""
        # Running time begins with the machine: after a restart all of it has passed since.
        passed = now.running - self.running if now.boot == self.boot else now.running
        return max(self.seconds - max(passed, 0), 0)


@dataclass(frozen=True)
class Locks:
    of: Mapping[str, Lock] = field(default_factory=dict)

    def left(self, person: str, now: Moment) -> int:
        return self.of.get(person, Lock()).left(now)

    def tries(self, person: str) -> int:
        """How many wrong PINs are left before a lock."""
        return FAILURES_TO_LOCK - self.of.get(person, Lock()).failures

    def next_lock(self, person: str) -> int:
        """Seconds for which one more wrong PIN locks; 0: it does not."""
        lock = self.of.get(person, Lock())
        if lock.failures + 1 < FAILURES_TO_LOCK:
            return 0
        return int(LOCK_SECONDS * 2**lock.lockouts)

    def refused(self, event: PinRefused) -> Locks:
        if event.why == "locked":
            return self
        lock = self.of.get(event.person, Lock())
        if event.locks_for:
            lock = Lock(0, lock.lockouts + 1, event.locks_for, event.running, event.boot)
        else:
            lock = replace(lock, failures=lock.failures + 1)
        return Locks({**self.of, event.person: lock})

    def accepted(self, event: PinAccepted) -> Locks:
        person = KEYPAD if event.keypad else event.by.id
        return Locks({who: lock for who, lock in self.of.items() if who != person})

"""What `decide` answers, for a hand and for a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Event = TypeVar("Event", covariant=True)
State = TypeVar("State", covariant=True)


@dataclass(frozen=True, slots=True)
class Decision(Generic[Event, State]):
    """The events of one command and the state after them, worked out once."""

    events: tuple[Event, ...]
    state: State

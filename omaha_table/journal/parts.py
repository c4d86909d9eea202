"""A part of a journal: what another process found in the events from one seal to a later one.

A part believes the seal that it starts from, so by itself it proves nothing. It counts only where
the check of the journal has come to exactly the place from which the part started.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from omaha_table.table import TableState


class Place(NamedTuple):
    """How far a check has come, between two hands: all that the check of later events goes by."""

    seq: int
    head: bytes
    key: str
    """Which makes the next seal."""
    rules_seq: int
    """The number of the event that set the rules."""
    table: TableState
    ruling: int
    """How many of the next events belong to the last ruling."""


@dataclass(frozen=True, slots=True)
class Part:
    """What was found in events that are sound if those before them are."""

    start: Place
    end: Place
    hands: int
    seals: int
    opened_seats: int
    is_closed: bool
    is_enrolled: bool
    names_key: bool
    """Whether a seal in it names the signing key that lies beside the journal."""
    named: tuple[tuple[int, bytes], ...]
    """The hashes of events of which something outside the journal says what they are."""
    words: tuple[tuple[int, str], ...]
    """Slip words that were given, and the events that they stand for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a process is to check, and to look out for."""

    after: int
    until: int
    words: Mapping[bytes, str]
    keys: frozenset[str]
    named: frozenset[object]


Parts: TypeAlias = dict[int, Callable[[], Part | None]]
"""By the number of the event that a part starts after. None: it was not sound by itself."""

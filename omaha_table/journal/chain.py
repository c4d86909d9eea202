"""The rows of a journal, and the hash that links each row to all rows before it."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_TAG: Final = b"omaha-table journal 1\0"
_NO_HAND: Final = -1
START: Final = bytes(32)
"""The head before the first row of the first day."""


class Row(NamedTuple):
    seq: int
    hand: int | None
    at_us: int
    """Wall clock, microseconds since 1970."""
    mono_us: int
    """Monotonic clock, for durations: it does not move with the wall clock."""
    kind: str
    actor: str
    body: str
    """Canonical JSON."""
    hash: bytes


canonical: Final[Callable[[dict[str, Any]], str]] = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True
).encode
"""The text of a body; made once, because `json.dumps` would make an encoder for every event."""


def link(
    previous: bytes,
    seq: int,
    hand: int | None,
    at_us: int,
    mono_us: int,
    kind: str,
    actor: str,
    body: str,
) -> bytes:
    """The hash of a row that follows the head `previous`."""
    what, who, data = kind.encode(), actor.encode(), body.encode()
    numbers = _NUMBERS(seq, _NO_HAND if hand is None else hand, at_us, mono_us, len(what))
    # Each text after its length, so that none can run into the next.
    parts = (_TAG, previous, numbers, what, _LENGTH(len(who)), who, _LENGTH(len(data)), data)
    return hashlib.sha256(b"".join(parts)).digest()


_NUMBERS: Final = struct.Struct(">qqqqq").pack
_LENGTH: Final = struct.Struct(">q").pack


def follows(row: Row, previous: bytes) -> bool:
    """Whether a row's hash is right after the head `previous`; damage can change even its types."""
    if row.hand == _NO_HAND:
        # The hash of such a row is that of one without a hand, which nobody wrote as this.
        return False
    try:
        return row.hash == link(
            previous, row.seq, row.hand, row.at_us, row.mono_us, row.kind, row.actor, row.body
        )
    except (AttributeError, TypeError, ValueError, struct.error):
        return False


def well_typed(row: Row) -> bool:
    texts = (row.kind, row.actor, row.body)
    return all(type(text) is str for text in texts) and type(row.hash) is bytes


_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"


def head_words(head: bytes) -> str:
    """The first eight bytes of a head as four words, to read aloud and compare."""
    words = []
    for at in range(0, 8, 2):
        bits = int.from_bytes(head[at : at + 2], "big")
        words.append(
            _CONSONANTS[bits >> 12]
            + _VOWELS[bits >> 10 & 3]
            + _CONSONANTS[bits >> 6 & 15]
            + _VOWELS[bits >> 4 & 3]
            + _CONSONANTS[bits & 15]
        )
    return "-".join(words)


def words_start(words: str) -> bytes:
    """The eight bytes that four words stand for, however they were written; raises ValueError."""
    parts = words.replace("-", " ").lower().split()
    if len(parts) != 4 or any(len(part) != 5 for part in parts):
        raise ValueError("there must be four words of five letters")
    start = b""
    for part in parts:
        first, second, third = (_CONSONANTS.index(part[at]) for at in (0, 2, 4))
        high, low = (_VOWELS.index(part[at]) for at in (1, 3))
        start += (first << 12 | high << 10 | second << 6 | low << 4 | third).to_bytes(2, "big")
    return start

"""What is known of a log from outside: slip words, a receipt, a first key, a second copy, a room.

Whoever owns the disk can make a whole log again, with all its hashes and seals. What somebody else
wrote down or keeps cannot be made to fit.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from omaha_table.journal.chain import words_start
from omaha_table.journal.mirror import row_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.chain import Row

RECEIPT: Final = ("table", "day", "seq", "head", "words", "next_key")
MOST_BYTES: Final = 1 << 16
"""Of a receipt or a key that is given as a file."""


class AnchorError(ValueError):
    """Something was given as an anchor that is none."""


class Point(NamedTuple):
    """An event of a journal that is as it was when the anchor was taken, and all before it."""

    event: int
    by: str
    hand: int | None = None
    """The last hand that began by then."""


class RoomCopy(NamedTuple):
    """How much of a journal is in the room, and how far its witness has signed it."""

    seq: int
    head: str
    cosigned: int = 0
    cosigned_head: str = ""


@dataclass(slots=True)
class Anchors:
    """What was given, and what was found of it."""

    words: dict[bytes, str] = field(default_factory=dict)
    """By the first eight bytes of the hash that they stand for."""
    receipts: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    """By table and day."""
    keys: dict[str, str] = field(default_factory=dict)
    mirror: Path | None = None
    room: dict[str, RoomCopy] = field(default_factory=dict)
    """By the journal's name, without its ending."""
    witness_key: str = ""
    """The public key of the room's witness: what it signed and is kept beside a journal counts."""
    met: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(
            self.words or self.receipts or self.keys or self.mirror or self.room or self.witness_key
        )

    def add(self, given: str) -> None:
        """Slip words or a public key; raises AnchorError."""
        text = given.strip()
        if _is_key(text):
            self.keys[text.lower()] = "the table's first public key"
            return
        try:
            self.words[words_start(text)] = text.lower()
        except ValueError:
            raise AnchorError(
                f"'{given}' is neither the four words of a slip, nor a public key, nor a file"
            ) from None

    def add_file(self, path: Path) -> None:
        """A copy of a receipt, or a file with words or a key in it; raises AnchorError."""
        try:
            with path.open("rb") as file:
                text = file.read(MOST_BYTES).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise AnchorError(f"{path} cannot be read") from None
        try:
            receipt = json.loads(text)
        except (ValueError, RecursionError):
            self.add(text)
            return
        if not isinstance(receipt, dict) or not set(RECEIPT) <= receipt.keys():
            raise AnchorError(f"{path} is not a receipt")
        self.receipts[str(receipt["table"]), str(receipt["day"])] = receipt

    def unmet(self) -> Iterator[str]:
        """What was given and was not found in any journal."""
        for words in self.words.values():
            if words not in self.met:
                yield f"no event has the slip words {words}"
        for table, day in self.receipts:
            if f"{table} {day}" not in self.met:
                yield f"there is no journal of {table}, {day}, which the receipt is of"
        for journal, copy in self.room.items():
            if journal not in self.met:
                yield f"{journal} is not here; the room has {copy.seq} events of it"
        for key in self.keys:
            if key not in self.met:
                yield f"no table begins with the public key {key[:8]}…"


def _is_key(text: str) -> bool:
    try:
        return len(bytes.fromhex(text)) == 32
    except ValueError:
        return False


class Copy:
    """The second copy of one journal, read beside it.

    Its size is taken before the journal is read: whatever is in it by then is in the journal too.
    """

    def __init__(self, folder: Path | None, journal: Path) -> None:
        self._left = 0
        self._file: BinaryIO | None = None
        if folder is not None:
            with contextlib.suppress(OSError):
                self._file = (folder / f"{journal.stem}.jsonl").open("rb")
                self._left = os.fstat(self._file.fileno()).st_size
        self.events = 0
        """How many events were compared."""

    @property
    def is_there(self) -> bool:
        return self._file is not None

    def differs(self, row: Row) -> bool:
        """Whether the copy has another event at this place."""
        line = self._next()
        if not line:
            return False
        self.events = row.seq
        return line != row_line(row)

    def goes_on(self) -> bool:
        """Whether the copy has events that the journal has not."""
        return bool(self._next())

    def _next(self) -> bytes:
        if self._file is None or self._left <= 0:
            return b""
        line = self._file.readline(self._left)
        self._left -= len(line)
        # A line that is cut off at the end was being written.
        return line if line.endswith(b"\n") else b""

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

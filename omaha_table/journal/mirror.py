"""The second copy of a journal: one line of text per row, added after each hand."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Final

from omaha_table.files import make_folder, open_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.journal.chain import Row

_TAIL_BYTES: Final = 65536


def add_to_mirror(path: Path, since: Callable[[int], Iterator[Row]]) -> None:
    """Appends the rows that a mirror does not have yet; raises OSError."""
    make_folder(path.parent)
    descriptor = open_private(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    with os.fdopen(descriptor, "a+b") as file:
        for row in since(_last_seq(path)):
            file.write(row_line(row))
        file.flush()
        os.fsync(file.fileno())


def row_line(row: Row) -> bytes:
    """A row as a line of the mirror."""
    fields = [
        row.seq,
        row.hand,
        row.at_us,
        row.mono_us,
        row.kind,
        row.actor,
        row.body,
        row.hash.hex(),
    ]
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _last_seq(path: Path) -> int:
    """The number of the last complete row; cuts off a half-written row at the end."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        tail, start = b"", end
        while start and tail.count(b"\n") < 2:
            start = max(start - _TAIL_BYTES, 0)
            file.seek(start)
            tail = file.read(end - start)
        whole = tail.rfind(b"\n") + 1
        if start + whole != end:
            file.truncate(start + whole)
    lines = tail[:whole].splitlines()
    return int(json.loads(lines[-1])[0]) if lines else 0

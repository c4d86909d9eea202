"""The witness file beside an open journal: it names the last event that was sealed.

The chain of a journal whose end was cut off is still valid; only the witness shows the cut. It is
read before the rows: a writer at work has then written every row that it names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from omaha_table.journal.days import table_of
from omaha_table.journal.keys import read_json
from omaha_table.journal.walk import Broken

if TYPE_CHECKING:
    from pathlib import Path


class Witness(NamedTuple):
    """The last event that it names; number 0: the file cannot be read."""

    seq: int
    head: str


def witness_of(path: Path) -> Witness | None:
    """The witness of a journal; None: there is no such file."""
    try:
        witness = read_json(path.with_suffix(".witness"))
        return Witness(int(witness["seq"]), str(witness["head"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return Witness(0, "")


def check_witness(
    path: Path, witness: Witness | None, last: int, found: str, *, sealed: bool
) -> None:
    """Compares a journal that ends at event `last` with its witness; raises Broken.

    `found` is the hash of the event that the witness names.
    """
    if witness is None:
        # The writer makes it with the first rows, so that a seal without it is no accident. A copy
        # that was taken elsewhere may come without it.
        if sealed and is_own_folder(path):
            raise Broken(None, "witness", "the witness file of this open day is missing")
        return
    if witness.seq < 1:
        raise Broken(None, "witness", "the witness file cannot be read")
    if witness.seq > last:
        raise Broken(
            last, "truncated", f"events are missing: the witness file names event {witness.seq}"
        )
    if witness.head != found:
        raise Broken(witness.seq, "witness", "this event does not match the witness file")


def is_own_folder(path: Path) -> bool:
    """Whether this is where the table writes, and no place to which a journal was copied."""
    table = table_of(path)
    return any((path.parent / f"{table}.{end}").exists() for end in ("lock", "key", "next"))

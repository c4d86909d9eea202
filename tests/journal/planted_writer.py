"""A writer with a planted bug, to see that the crash campaigns find it.

`python -m tests.journal.planted_writer BUG script --data DIR` runs the program with that bug in
its journal.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from omaha_table.cli import main
from omaha_table.journal.schema import SEAL, STREET_SEAL
from omaha_table.journal.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.journal.chain import Row

    Places = Sequence[tuple[str, str]]


SEALS = (SEAL, STREET_SEAL)


def early() -> None:
    """Writes are acknowledged before they are committed: that happens with the next one."""
    right = Store.append
    waiting: list[tuple[Sequence[Row], Places]] = []

    def wrong(store: Store, rows: Sequence[Row], places: Places = ()) -> None:
        while waiting:
            right(store, *waiting.pop(0))
        if any(row.kind in SEALS for row in rows) or rows[0].seq <= 2:
            right(store, rows, places)
        else:
            waiting.append((rows, places))

    setattr(Store, "append", wrong)  # noqa: B010 - a method is replaced


def unsynchronized() -> None:
    """Writes are committed and not brought to the disk."""
    right = Store._set_up

    def wrong(store: Store) -> None:
        right(store)
        store._connection.execute("PRAGMA synchronous = OFF")

    setattr(Store, "_set_up", wrong)  # noqa: B010 - a method is replaced


def dead() -> None:
    """Ends before it has done anything."""
    sys.exit(3)


BUGS = {"early": early, "unsynchronized": unsynchronized, "dead": dead}

if __name__ == "__main__":
    BUGS[sys.argv.pop(1)]()
    main()

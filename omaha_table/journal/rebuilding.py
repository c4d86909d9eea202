"""A journal file made again from rows that are kept elsewhere: same rows, same hashes, same head.

The file is made whole under another name and put in place when it is on the disk. What follows from
the rows is put beside it: the receipt of a closed day, or the witness file of an open one. The
signing keys do not follow; a table goes on from such a journal by enrolling a segment.
"""

from __future__ import annotations

import json
import os
from itertools import islice
from typing import TYPE_CHECKING, Final

from omaha_table.files import make_folder, make_read_only
from omaha_table.journal.chain import head_words
from omaha_table.journal.cosignatures import Cosignature, keep
from omaha_table.journal.events import DayClosed, DayOpened, JournalSealed, StreetSealed
from omaha_table.journal.faults import Tampered, unwritten
from omaha_table.journal.keys import sync_folder, write_durably
from omaha_table.journal.store import Store
from omaha_table.journal.walk import Broken, ChainWalk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.journal.diary import Refusal

_BATCH: Final = 2000
_ENDINGS: Final = ("", "-wal", "-shm", "-journal")


class _Walk:
    """Checks chain and seals on the way, and keeps what the files beside a journal say."""

    def __init__(self) -> None:
        self._chain = ChainWalk()
        self.opened: DayOpened | None = None
        self.sealed: tuple[int, str] | None = None
        self.closed = self.ends_sealed = False

    @property
    def seq(self) -> int:
        return self._chain.seq

    def checked(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            try:
                event = self._chain.step(row)
            except Broken as broken:
                raise Tampered(f"Event {broken.event}: {broken.message}.") from None
            if isinstance(event, DayOpened):
                self.opened = event
            self.ends_sealed = isinstance(event, JournalSealed)
            if isinstance(event, JournalSealed | StreetSealed):
                self.sealed = row.seq, row.hash.hex()
            self.closed |= isinstance(event, DayClosed)
            yield row

    def write_beside(self, path: Path) -> None:
        """The receipt or the witness file."""
        assert self.opened is not None
        if self.closed and self.ends_sealed:
            head = self._chain.head
            receipt = {
                "table": self.opened.table, "day": self.opened.day, "seq": self.seq,
                "head": head.hex(), "words": head_words(head), "next_key": self._chain.key,
            }  # fmt: skip
            write_durably(path.with_suffix(".receipt"), json.dumps(receipt).encode())
        elif self.sealed is not None:
            seq, head_hex = self.sealed
            content = json.dumps({"seq": seq, "head": head_hex}).encode()
            write_durably(path.with_suffix(".witness"), content)


def rebuild(
    path: Path,
    rows: Iterable[Row],
    refusals: Sequence[Refusal] = (),
    cosignature: Cosignature | None = None,
) -> int:
    """Writes a journal that is not there; how many events. Raises JournalFault.

    Nothing is in place before all is written, and the journal comes last: what a kill leaves is
    written again by the next time.
    """
    walk = _Walk()
    unfinished = path.with_name(f".{path.name}.rebuilt")
    try:
        make_folder(path.parent, keep_group=True)
        _remove(unfinished)
        store = Store(unfinished)
        try:
            found = walk.checked(rows)
            while batch := list(islice(found, _BATCH)):
                store.append(batch)
            for refusal in refusals:
                store.log_refusal(refusal, 1 << 62)
            store.leave_wal()
        finally:
            store.close()
        if not walk.seq:
            raise Tampered("There are no rows to make a journal of.")
        _put_in_place(unfinished, path, walk, cosignature)
    except OSError as error:
        raise unwritten(error) from None
    finally:
        _remove(unfinished)
    return walk.seq


def _put_in_place(
    unfinished: Path, path: Path, walk: _Walk, cosignature: Cosignature | None
) -> None:
    if walk.closed:
        make_read_only(unfinished, None)
    descriptor = os.open(unfinished, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    walk.write_beside(path)
    if cosignature is not None:
        keep(path, cosignature)
    # A link and not a rename: what somebody put there meanwhile is never replaced.
    os.link(unfinished, path)
    sync_folder(path.parent)


def _remove(unfinished: Path) -> None:
    for ending in _ENDINGS:
        unfinished.with_name(f"{unfinished.name}{ending}").unlink(missing_ok=True)

"""The one walk along a journal's chain: numbers, hashes, seals and the key that each names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.chain import START, follows
from omaha_table.journal.codec import RecordError, event_in
from omaha_table.journal.events import DayOpened, JournalSealed
from omaha_table.journal.keys import signed

if TYPE_CHECKING:
    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.journal.reader import JournalRows


class Broken(Exception):  # noqa: N818 - a finding about the file, not an error of the program
    """The first thing that is wrong: at which event, what kind of damage, and in words."""

    def __init__(self, event: int | None, kind: str, message: str) -> None:
        super().__init__(message)
        self.event, self.kind, self.message = event, kind, message


class ChainWalk:
    """Follows the rows of one journal in order; raises Broken at the first that is not right."""

    def __init__(self) -> None:
        self.seq, self.head, self.key = 0, START, ""

    def step(self, row: Row) -> Event:
        """Checks the next row against all before it; its event."""
        # Before the hash, which fails after a gap too: "missing" tells more than "changed".
        if row.seq != self.seq + 1:
            raise Broken(row.seq, "missing", f"event {self.seq + 1} is missing")
        if row.seq == 1:
            # The first row says itself what it follows. Whether that is the end of the day before
            # is for somebody who has read that day (`verification`).
            self._open(row)
        if not follows(row, self.head):
            raise Broken(row.seq, "changed", "this event is not what was written")
        try:
            event: Event = event_in(row.kind, row.body)
        except RecordError as error:
            raise Broken(row.seq, "unreadable", f"this event cannot be read: {error}") from None
        if isinstance(event, JournalSealed):
            self._check_seal(row.seq, event)
        self.seq, self.head = row.seq, row.hash
        return event

    def _open(self, row: Row) -> None:
        """The first row names the head it follows and the key that makes the first seal."""
        try:
            opened = event_in(row.kind, row.body)
        except RecordError:
            opened = None
        if not isinstance(opened, DayOpened):
            raise Broken(1, "foreign", "a journal begins with the opening of a day")
        try:
            self.head = bytes.fromhex(opened.previous)
        except ValueError:
            raise Broken(1, "changed", "this event is not what was written") from None
        self.key = opened.public_key

    def _check_seal(self, seq: int, seal: JournalSealed) -> None:
        # A seal signs the head before it. Its own row, with the next key, is covered by the next
        # hash.
        if seal.head != self.head.hex():
            raise Broken(seq, "seal", "the seal is over another head")
        if not signed(self.key, seal.signature, self.head):
            raise Broken(seq, "seal", "the seal was made with another key")
        # Each key makes one seal and is then destroyed: a key stolen today cannot sign yesterday.
        self.key = seal.next_key


def from_last_seal(rows: JournalRows) -> ChainWalk:
    """A walk that starts just before the last seal; without a seal, at the beginning.

    For opening a journal: checking every row would take longer with each hand of the day.
    """
    walk = ChainWalk()
    seal = rows.last_seal()
    before = None if seal is None else rows.get(seal.seq - 1)
    if seal is None:
        return walk
    if before is None:
        raise Broken(seal.seq, "missing", f"event {seal.seq - 1} is missing")
    walk.seq, walk.head = before.seq, before.hash
    # The key of this seal was named by the seal before it, or by the first row.
    earlier = rows.last_seal(seal.seq)
    named = rows.get(1) if earlier is None else earlier
    event = None if named is None else event_in(named.kind, named.body)
    if isinstance(event, DayOpened):
        walk.key = event.public_key
    elif isinstance(event, JournalSealed):
        walk.key = event.next_key
    return walk

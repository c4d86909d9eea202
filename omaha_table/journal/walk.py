"""Checks a journal's chain row by row: numbers, hashes, seals and the key that each seal names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.journal.chain import START, follows
from omaha_table.journal.codec import RecordError, event_in
from omaha_table.journal.events import DayOpened, JournalSealed, StreetSealed
from omaha_table.journal.keys import is_signed

if TYPE_CHECKING:
    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.journal.reader import JournalRows


SEALS: Final = (JournalSealed, StreetSealed)


class Broken(Exception):  # noqa: N818 - a finding about the file, not an error of the program
    """The first problem: at which event, what kind of damage, and a message."""

    def __init__(self, event: int | None, kind: str, message: str) -> None:
        super().__init__(message)
        self.event, self.kind, self.message = event, kind, message


class ChainWalk:
    """Checks the rows of one journal in order; raises Broken at the first that is wrong."""

    def __init__(self) -> None:
        self.seq, self.head, self.key = 0, START, ""

    def step(self, row: Row) -> Event:
        """Checks the next row against all before it; returns its event."""
        # Check the number first: the hash fails after a gap too, but "missing" says more than
        # "changed".
        if row.seq != self.seq + 1:
            raise Broken(row.seq, "missing", f"event {self.seq + 1} is missing")
        if row.seq == 1:
            # The first row itself names what it follows. `verification`, which has read the day
            # before, checks whether that is the end of that day.
            self._open(row)
        if not follows(row, self.head):
            raise Broken(row.seq, "changed", "this event was changed or damaged")
        try:
            event: Event = event_in(row.kind, row.body)
        except RecordError as error:
            raise Broken(row.seq, "unreadable", f"this event cannot be read: {error}") from None
        if isinstance(event, SEALS):
            self._check_seal(row.seq, event)
        self.seq, self.head = row.seq, row.hash
        return event

    def resume(self, seal: Row, event: JournalSealed) -> None:
        """Goes on after a seal that was checked before."""
        self.seq, self.head, self.key = seal.seq, seal.hash, event.next_key

    def _open(self, row: Row) -> None:
        """The first row names the head it follows and the key that makes the first seal."""
        try:
            opened = event_in(row.kind, row.body)
        except RecordError:
            opened = None
        if not isinstance(opened, DayOpened):
            raise Broken(1, "foreign", "the journal does not start with the opening of a day")
        try:
            self.head = bytes.fromhex(opened.previous)
        except ValueError:
            raise Broken(1, "changed", "this event was changed or damaged") from None
        self.key = opened.public_key

    def _check_seal(self, seq: int, seal: JournalSealed | StreetSealed) -> None:
        # A seal signs the head before it. The next hash covers the seal's own row, with the next
        # key.
        if seal.head != self.head.hex():
            raise Broken(seq, "seal", "the seal is for another head")
        if not is_signed(self.key, seal.signature, self.head):
            raise Broken(seq, "seal", "the seal was made with another key")
        # Each key makes one seal and is then destroyed: a stolen key cannot sign the past.
        self.key = seal.next_key


def from_last_seal(rows: JournalRows) -> ChainWalk:
    """A walk that starts just before the last seal; without a seal, at the beginning.

    Opening a journal uses it, because checking every row would take longer with each hand.
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
    earlier = rows.signed_before(seal.seq)
    named = rows.get(1) if earlier is None else earlier
    event = None if named is None else event_in(named.kind, named.body)
    if isinstance(event, DayOpened):
        walk.key = event.public_key
    elif isinstance(event, SEALS):
        walk.key = event.next_key
    return walk

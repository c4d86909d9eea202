"""The witness: verifies what has come into the room, and signs how far it has seen each journal.

It belongs on another machine than the room, in other hands. It believes nothing that the room says
of a row: chain, seals, keys and the replay of every hand are checked with the program's own
verifier. What it signed is in a record of its own, on disk before the signature goes out, so that
it never signs a shorter or a different history, whatever the room shows it later.
"""

from __future__ import annotations

import re
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from omaha_table.files import read_bounded
from omaha_table.journal.chain import follows
from omaha_table.journal.codec import RecordError, event_in
from omaha_table.journal.cosignatures import Cosignature, cosign
from omaha_table.journal.days import TABLE_NAME
from omaha_table.journal.events import DayOpened
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.keys import public_hex, write_durably
from omaha_table.journal.table_check import CARRIED, DayEnd
from omaha_table.journal.verdict import Verdict
from omaha_table.journal.walk import Broken
from omaha_table.office.events import OFFICE
from omaha_table.room.database import room_error
from omaha_table.room.rows import JournalName, RoomRows
from omaha_table.room.witness_record import Checkpoint, Signed, WitnessError, WitnessRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.room.database import Connection


HEALING_SECONDS: Final = 60.0
"""How long a running witness bears a journal that is shorter than what was signed."""
_DAY: Final = re.compile(r"(\d{4}-\d\d-\d\d|office-\d{4})[b-z]*")


def witness_key(path: Path) -> Ed25519PrivateKey:
    """The witness's key; made with the first use. Raises WitnessError."""
    try:
        if not path.exists():
            write_durably(path, Ed25519PrivateKey.generate().private_bytes_raw())
        elif path.stat().st_mode & 0o077:
            raise WitnessError(f"{path} can be read by others: set its rights to 0600.")
        return Ed25519PrivateKey.from_private_bytes(read_bounded(path, 32))
    except OSError as error:
        raise WitnessError(f"{path}: {error.strerror}.") from None
    except ValueError:
        raise WitnessError(f"{path} is not the key of a witness.") from None


def verified_row(rows: RoomRows, seq: int, known: bytes) -> Row:
    """A row whose hash is known, with the content that gives the hash; raises Broken."""
    row, before = rows.get(seq), rows.get(seq - 1) if seq > 1 else None
    if row is not None and row.hash == known:
        previous = None if before is None else before.hash
        if seq == 1:
            opened = event_of(row)
            with suppress(ValueError):
                previous = bytes.fromhex(opened.previous) if isinstance(opened, DayOpened) else None
        if previous is not None and follows(row, previous):
            return row
    raise Broken(seq, "changed", _NOT_SIGNED_HERE)


def event_of(row: Row) -> Event:
    try:
        found: Event = event_in(row.kind, row.body)
    except RecordError as error:
        raise Broken(row.seq, "unreadable", f"this event cannot be read: {error}") from None
    return found


class _Walk:
    """The verifier on its way through one journal."""

    def __init__(self, name: JournalName) -> None:
        self.name = name
        self.checkpoint: Checkpoint | None = None
        """The last seal on the way; None: there was none, or it is an office journal's."""
        self.resumed = False
        self._ends: dict[str, DayEnd] = {}
        office = name.day.startswith(f"{OFFICE}-")
        file = f"{name.day}.journal" if office else f"{name.source}-{name.day}.journal"
        # The name of a file that is not here: the verifier reads no file of its own for it.
        self.check = FileCheck(Path(name.source, file), Verdict())
        # By the name that the verifier finds the day before under.
        self._line = str(Path(name.source, OFFICE)) if office else name.source
        self.seq, self.head = 0, b""
        self._first, self._rules, self._closed = b"", (0, b""), False

    def follow(self, end: DayEnd) -> None:
        """What is known of the end of the day before."""
        self._ends[self._line] = end

    def take(self, row: Row) -> None:
        self.check.check(row, self._ends)
        self.seq, self.head = row.seq, row.hash
        match row.kind:
            case "day_opened":
                self._first = row.hash
            case "table_opened" | "rules_changed":
                self._rules = (row.seq, row.hash)
            case "day_closed":
                self._closed = True
            case "journal_sealed" if row.seq > CARRIED and self.check.office is None:
                self.checkpoint = Checkpoint(
                    row.seq, row.hash, self._first, *self._rules, self._closed
                )

    def resume(self, rows: RoomRows, point: Checkpoint) -> None:
        """Goes on after a seal that was verified before; raises Broken if it is not the same."""
        opened = event_of(verified_row(rows, 1, point.first_hash))
        seal = verified_row(rows, point.seal, point.seal_hash)
        rules = event_of(verified_row(rows, point.rules, point.rules_hash))
        self.check.resume(opened, seal, rules, point.rules, closed=point.closed)
        self.seq, self.head, self.resumed = seal.seq, seal.hash, True
        self._first, self._rules = point.first_hash, (point.rules, point.rules_hash)
        self._closed, self.checkpoint = point.closed, point


class Witness:
    def __init__(
        self,
        key: Ed25519PrivateKey,
        record: WitnessRecord,
        said: Callable[[str], None] = lambda line: None,
        now: Callable[[], float] = time.time,
        healing: float = HEALING_SECONDS,
    ) -> None:
        self._key, self.public = key, public_hex(key)
        self._record, self._say, self._now, self._healing = record, said, now, healing
        self._walks: dict[str, _Walk] = {}
        self._unsound: set[JournalName] = set()
        self._short: dict[JournalName, float] = {}
        """Journals that are shorter than what was signed, and since when."""

    def look(self, room: Connection) -> int:
        """Verifies and signs all that has come in; how many events. Raises RoomError."""
        events = 0
        try:
            for *name, seq, head in room.execute(_NOT_SIGNED, (self.public,)).fetchall():
                events += self._journal(room, JournalName(*name), seq, bytes(head))
        except psycopg.Error as error:
            raise room_error(error) from None
        return events

    def _journal(self, room: Connection, name: JournalName, seq: int, head: bytes) -> int:
        if name in self._unsound or not self._is_named(name):
            return 0
        signed = self._record.of(name)
        if signed is not None and seq < signed.seq:
            self._shorter(room, name, seq, head)
            return 0
        self._short.pop(name, None)
        if signed is not None and seq == signed.seq:
            # Signed, and the room does not show it: a kill came between, or the room forgot it.
            if head == signed.head:
                self._publish(room, name, signed)
            else:
                self._report(room, name, seq, head, "it is not what was signed")
            return 0
        rows = RoomRows(room, name)
        walk = self._walk_of(room, name)
        before = walk.seq
        try:
            try:
                self._follow(walk, rows, signed)
            except Broken:
                if not walk.resumed:
                    raise
                # A seal does not hold all that a running table knows, such as what the dealer may
                # take back: only the whole day tells whether something is wrong.
                walk, before = self._walk_of(room, name, whole=True), 0
                self._follow(walk, rows, signed)
        except Broken as broken:
            self._report(room, name, walk.seq, walk.head, broken.message)
            return walk.seq - before
        signed = Signed(walk.seq, walk.head, walk.check.end.next_key)
        self._record.add(name, signed, walk.checkpoint)
        self._publish(room, name, signed)
        return walk.seq - before

    def _follow(self, walk: _Walk, rows: RoomRows, signed: Signed | None) -> None:
        if signed is not None and walk.seq == signed.seq and walk.head != signed.head:
            raise Broken(walk.seq, "changed", _NOT_SIGNED_HERE)
        for row in rows.since(walk.seq):
            self._take(walk, row, signed)

    def _take(self, walk: _Walk, row: Row, signed: Signed | None) -> None:
        if row.seq == 1:
            opened = event_of(row)
            # A segment that a supervisor enrolled has a letter, and begins with a new key.
            if (
                isinstance(opened, DayOpened)
                and not opened.previous.strip("0")
                and not walk.name.day[-1].isalpha()
                and not self._record.pin(walk.name.source, opened.public_key)
            ):
                raise Broken(1, "link", "this history begins with another key than the first one")
        walk.take(row)
        if signed is not None and row.seq == signed.seq and row.hash != signed.head:
            raise Broken(row.seq, "changed", _NOT_SIGNED_HERE)

    def _walk_of(self, room: Connection, name: JournalName, *, whole: bool = False) -> _Walk:
        """The walk through a journal: where it stands, after a restart from the last seal, or from
        its beginning with what is known of the day before it."""
        last = self._walks.get(name.source)
        if last is not None and last.name == name and not whole:
            return last
        walk = None if whole else self._resumed(room, name)
        if walk is None:
            walk = _Walk(name)
            end = self._end_before(room, name, last)
            if end is not None:
                walk.follow(end)
        self._walks[name.source] = walk
        return walk

    def _end_before(self, room: Connection, name: JournalName, last: _Walk | None) -> DayEnd | None:
        if last is not None and last.name.day < name.day and last.name not in self._unsound:
            return last.check.end
        before = self._record.before(name)
        if before is None:
            return None
        earlier, signed = before
        walk = self._resumed(room, earlier)
        if walk is not None and (walk.seq, walk.head) == (signed.seq, signed.head):
            return walk.check.end
        return DayEnd(signed.head.hex(), signed.next_key, earlier.day, signed.seq)

    def _resumed(self, room: Connection, name: JournalName) -> _Walk | None:
        """A walk that goes on after the last seal; None: there is none, or the room shows another,
        which the walk through the whole journal will find."""
        point = self._record.checkpoint(name)
        if point is None:
            return None
        walk = _Walk(name)
        try:
            walk.resume(RoomRows(room, name), point)
        except Broken:
            return None
        return walk

    def _publish(self, room: Connection, name: JournalName, signed: Signed) -> None:
        given = cosign(
            Cosignature(
                *name, signed.seq, signed.head.hex(), round(self._now() * 1e6), self.public
            ),
            self._key,
        )
        room.execute(
            "SELECT room.add_cosignature(%s, %s, %s, %s, %s, %s, %s, %s)",
            (*name, self.public, signed.seq, signed.head, given.at_us, given.signature),
        )

    def _shorter(self, room: Connection, name: JournalName, seq: int, head: bytes) -> None:
        """Nothing is signed. A room put back from a backup gets the rest from its tables soon."""
        since = self._short.setdefault(name, self._now())
        if self._now() - since >= self._healing:
            self._report(room, name, seq, head, "it is shorter than what was signed")

    def _is_named(self, name: JournalName) -> bool:
        """Whether a journal has a name that one can have; the verifier makes a path of it."""
        if re.fullmatch(TABLE_NAME, name.source) and _DAY.fullmatch(name.day):
            return True
        self._unsound.add(name)
        self._say(f"{name.source!r} {name.day!r}: no journal can have this name. It is not signed.")
        return False

    def _report(self, room: Connection, name: JournalName, seq: int, head: bytes, why: str) -> None:
        self._unsound.add(name)
        self._say(f"{name.source} {name.day}: {why}. Nothing more of it is signed.")
        room.execute("SELECT room.report_unsound(%s, %s, %s, %s, %s)", (*name, seq, head))


_NOT_SIGNED_HERE: Final = "this is not what the witness has signed"
_NOT_SIGNED: Final = b"""
SELECT j.source, j.day, j.generation, j.seq, j.head
FROM room.journal j LEFT JOIN room.cosignature c
  ON (c.source, c.day, c.generation, c.key) = (j.source, j.day, j.generation, %s)
WHERE j.replaced_by IS NULL AND (c.seq IS DISTINCT FROM j.seq OR c.head IS DISTINCT FROM j.head)
ORDER BY j.source, j.day
"""


@contextmanager
def open_witness(
    key: Path, said: Callable[[str], None], healing: float = HEALING_SECONDS
) -> Iterator[Witness]:
    """A witness with the key in a file, and its record beside it. Raises WitnessError."""
    private = witness_key(key)
    with closing(WitnessRecord(key.with_suffix(".signed"))) as record:
        yield Witness(private, record, said, healing=healing)

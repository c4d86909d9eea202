"""The witness: verifies what has come into the room, and signs how far it has seen each journal.

It belongs on another machine than the room, in other hands. It believes nothing that the room says
of a row: chain, seals, keys and the replay of every hand are checked with the program's own
verifier. What it signed is in a record of its own, on disk before the signature goes out, so that
it never signs a shorter or a different history, whatever the room shows it later.
"""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from omaha_table.files import create_private, read_bounded
from omaha_table.journal.codec import RecordError, event_in
from omaha_table.journal.cosignatures import Cosignature, cosign
from omaha_table.journal.days import TABLE_NAME
from omaha_table.journal.events import DayOpened
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.keys import public_hex, write_durably
from omaha_table.journal.table_check import DayEnd
from omaha_table.journal.verdict import Verdict
from omaha_table.journal.walk import Broken
from omaha_table.office.events import OFFICE
from omaha_table.room.database import room_error
from omaha_table.room.rows import JournalName, RoomRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.journal.chain import Row
    from omaha_table.room.database import Connection


HEALING_SECONDS: Final = 60.0
"""How long a running witness bears a journal that is shorter than what was signed."""
_DAY: Final = re.compile(r"(\d{4}-\d\d-\d\d|office-\d{4})[b-z]*")


class WitnessError(Exception):
    """Why the witness cannot work: its key or its record."""


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


class Signed(NamedTuple):
    """The last that was signed of a journal."""

    seq: int
    head: bytes
    next_key: str
    """Which makes the journal's next seal, or the first of the day after."""


_RECORD: Final = """
CREATE TABLE IF NOT EXISTS pinned(source TEXT PRIMARY KEY, first_key TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS signed(
  source TEXT NOT NULL, day TEXT NOT NULL, generation INTEGER NOT NULL,
  seq INTEGER NOT NULL, head BLOB NOT NULL, next_key TEXT NOT NULL,
  PRIMARY KEY (source, day, generation)) STRICT;
CREATE TRIGGER IF NOT EXISTS never_back BEFORE UPDATE ON signed
  WHEN new.seq <= old.seq BEGIN SELECT RAISE(ABORT, 'a witness never goes back'); END;
CREATE TRIGGER IF NOT EXISTS never_gone BEFORE DELETE ON signed
  BEGIN SELECT RAISE(ABORT, 'a witness forgets nothing'); END;
"""


class WitnessRecord:
    """What this witness has signed, in a file of its own; one process at a time."""

    def __init__(self, path: Path) -> None:
        try:
            if not path.exists():
                create_private(path)
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
            run = self._connection.execute
            run("PRAGMA locking_mode = EXCLUSIVE")
            run("PRAGMA journal_mode = WAL")
            run("PRAGMA synchronous = FULL")
            self._connection.executescript(_RECORD)
        except (OSError, sqlite3.Error):
            raise WitnessError(
                f"The record {path} cannot be opened: it is damaged, or another witness uses it."
            ) from None

    def of(self, name: JournalName) -> Signed | None:
        found = self._connection.execute(
            "SELECT seq, head, next_key FROM signed "
            "WHERE source = ? AND day = ? AND generation = ?",
            name,
        ).fetchone()
        return None if found is None else Signed(*found)

    def before(self, name: JournalName) -> tuple[str, Signed] | None:
        """The day before a journal's, with what was signed of it."""
        found = self._connection.execute(
            "SELECT day, seq, head, next_key FROM signed WHERE source = ? AND day < ? "
            "ORDER BY day DESC, generation DESC LIMIT 1",
            (name.source, name.day),
        ).fetchone()
        return None if found is None else (found[0], Signed(*found[1:]))

    def pin(self, source: str, first_key: str) -> bool:
        """Pins the key with which a source's history begins; whether it is the pinned one."""
        self._connection.execute("INSERT OR IGNORE INTO pinned VALUES (?, ?)", (source, first_key))
        [pinned] = self._connection.execute(
            "SELECT first_key FROM pinned WHERE source = ?", (source,)
        ).fetchone()
        return bool(pinned == first_key)

    def add(self, name: JournalName, signed: Signed) -> None:
        """On disk when this returns; raises sqlite3.Error rather than go back."""
        self._connection.execute(
            "INSERT INTO signed VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (source, day, generation) "
            "DO UPDATE SET seq = excluded.seq, head = excluded.head, next_key = excluded.next_key",
            (*name, *signed),
        )

    def close(self) -> None:
        self._connection.close()


class _Walk:
    """The verifier on its way through one journal."""

    def __init__(self, name: JournalName) -> None:
        self.name = name
        self._ends: dict[str, DayEnd] = {}
        office = name.day.startswith(f"{OFFICE}-")
        file = f"{name.day}.journal" if office else f"{name.source}-{name.day}.journal"
        # The name of a file that is not here: the verifier reads no file of its own for it.
        self.check = FileCheck(Path(name.source, file), Verdict())
        # By the name that the verifier finds the day before under.
        self._line = str(Path(name.source, OFFICE)) if office else name.source
        self.seq, self.head = 0, b""

    def follow(self, end: DayEnd) -> None:
        """What is known of the end of the day before."""
        self._ends[self._line] = end

    def take(self, row: Row) -> None:
        self.check.check(row, self._ends)
        self.seq, self.head = row.seq, row.hash


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
        walk = self._walk_of(name)
        before = walk.seq
        try:
            for row in RoomRows(room, name).since(walk.seq):
                self._take(walk, row, signed)
        except Broken as broken:
            self._report(room, name, walk.seq, walk.head, broken.message)
            return walk.seq - before
        signed = Signed(walk.seq, walk.head, walk.check.end.next_key)
        self._record.add(name, signed)
        self._publish(room, name, signed)
        return walk.seq - before

    def _take(self, walk: _Walk, row: Row, signed: Signed | None) -> None:
        if row.seq == 1:
            opened = _opening(row)
            enrolled = walk.name.day[-1].isalpha()
            begins = opened is not None and not opened.previous.strip("0") and not enrolled
            key = "" if opened is None else opened.public_key
            if begins and not self._record.pin(walk.name.source, key):
                raise Broken(1, "link", "this history begins with another key than the first one")
        walk.take(row)
        if signed is not None and row.seq == signed.seq and row.hash != signed.head:
            raise Broken(row.seq, "changed", "this is not what the witness has signed")

    def _is_named(self, name: JournalName) -> bool:
        """Whether a journal has a name that one can have; the verifier makes a path of it."""
        if re.fullmatch(TABLE_NAME, name.source) and _DAY.fullmatch(name.day):
            return True
        self._unsound.add(name)
        self._say(f"{name.source!r} {name.day!r}: no journal can have this name. It is not signed.")
        return False

    def _walk_of(self, name: JournalName) -> _Walk:
        """The walk through a journal, with what is known of the day before it."""
        last = self._walks.get(name.source)
        if last is not None and last.name == name:
            return last
        walk = _Walk(name)
        before = self._record.before(name)
        if last is not None and last.name.day < name.day and last.name not in self._unsound:
            walk.follow(last.check.end)
        elif before is not None:
            day, signed = before
            walk.follow(DayEnd(signed.head.hex(), signed.next_key, day, signed.seq))
        self._walks[name.source] = walk
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

    def _report(self, room: Connection, name: JournalName, seq: int, head: bytes, why: str) -> None:
        self._unsound.add(name)
        self._say(f"{name.source} {name.day}: {why}. Nothing more of it is signed.")
        room.execute("SELECT room.report_unsound(%s, %s, %s, %s, %s)", (*name, seq, head))


def _opening(row: Row) -> DayOpened | None:
    """The first row of a journal; None: it is none, which the verifier says."""
    try:
        opened = event_in(row.kind, row.body)
    except RecordError:
        return None
    return opened if isinstance(opened, DayOpened) else None


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

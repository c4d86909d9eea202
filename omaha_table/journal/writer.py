"""A table's log of one gaming day: one writer, every write durable before it is shown.

`append` writes one command's events in one transaction. At the end of a hand the head is signed,
the WAL folded into the file, a witness of number and head written beside it, and the rows copied
to the mirror. A day is closed with a receipt whose head, as words, goes on the shift slip.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from omaha_table.journal.chain import Row, canonical, head_words, link
from omaha_table.journal.codec import to_stored, type_name
from omaha_table.journal.days import day_file
from omaha_table.journal.diary import Refusal
from omaha_table.journal.events import JournalSealed, Record
from omaha_table.journal.faults import Busy, Full, JournalFault, Tampered, Uncertain
from omaha_table.journal.keys import SealKey, write_durably
from omaha_table.journal.mirror import add_to_mirror
from omaha_table.journal.store import Store
from omaha_table.journal.walk import Broken, from_last_seal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from omaha_table.journal.reader import JournalRows

_T = TypeVar("_T")
BALLAST_BYTES: Final = 1 << 20
"""Given up when the disk is full, so that the open hand can be finished."""
LEAST_FREE_BYTES: Final = 32 << 20
"""With less than this no new hand is begun."""
CLOCK_STEP_SECONDS: Final = 2.0
"""Less is a clock being adjusted, not one that was moved."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Both clocks, in seconds; replaced in tests."""

    wall: Callable[[], float] = time.time
    mono: Callable[[], float] = time.monotonic


class JournalWriter:
    """The writer of one file. Opening it checks the end of the file against seal and witness."""

    def __init__(
        self,
        folder: Path,
        table: str,
        day: str,
        *,
        holder: str,
        mirror: Path | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.folder, self.table, self.day = folder, table, day
        self.path = day_file(folder, table, day)
        self._mirror_folder = mirror
        self._witnessed = False
        self.mirror_fault = ""
        self._clock = clock or Clock()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Before anything is read: key, ballast and file belong to whoever holds the lock.
            self._lock = _take_lock(folder / f"{table}.lock", holder)
        except OSError as error:
            raise Full(f"The data folder cannot be used: {error.strerror}.") from None
        try:
            self._ballast()
            self._key = SealKey(folder / f"{table}.key")
            self._store = Store(self.path)
            try:
                self._check_end()
            except (ValueError, KeyError, TypeError, AttributeError):
                self._store.close()
                raise Tampered("The end of the journal cannot be read.") from None
            except BaseException:
                self._store.close()
                raise
        except OSError as error:
            os.close(self._lock)
            raise _full(error) from None
        except BaseException:
            os.close(self._lock)
            raise
        self._looked = self._clock.wall(), self._clock.mono()
        self._last_wall, self._last_mono = self._looked
        self._copy_to_mirror()

    # Reading back

    @property
    def seq(self) -> int:
        return self._seq

    @property
    def head(self) -> bytes:
        return self._head

    @property
    def public_key(self) -> str:
        return self._key.public()

    @property
    def rows(self) -> JournalRows:
        """What is written so far."""
        return self._store.rows

    def place(self, device: str) -> str:
        return self._store.place(device)

    def _check_end(self) -> None:
        """The rows since the last seal follow each other; nothing the witness saw is missing."""
        try:
            walk = from_last_seal(self.rows)
            for row in self.rows.since(walk.seq):
                walk.step(row)
        except Broken as broken:
            raise Tampered(f"Event {broken.event}: {broken.message}.") from None
        self._seq, self._head = walk.seq, walk.head
        if walk.seq:
            # A kill between the seal and the turning of the key leaves the next key in a file of
            # its own. The journal says which of the two is due.
            self._key.expect(walk.key)
        self._check_witness()

    def _check_witness(self) -> None:
        try:
            witness = json.loads(self._witness_path.read_text(encoding="utf-8"))
            seq, head = int(witness["seq"]), str(witness["head"])
        except FileNotFoundError:
            if self.rows.last_seal() is not None:
                raise Tampered("The witness of this journal is missing.") from None
            return
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            raise Tampered("The witness of this journal cannot be read.") from None
        self._witnessed = True
        # A chain whose end was cut off is still a valid chain; only the witness shows it.
        row = self.rows.get(seq)
        if row is None:
            raise Tampered(
                f"Events are missing: the witness has seen {seq}, the file ends at {self._seq}."
            )
        if row.hash.hex() != head:
            raise Tampered(f"Event {seq} is not the one the witness has seen.")

    # Writing

    def begin(self, previous: bytes) -> None:
        """Starts a new day at the head of the day before."""
        if self._seq:
            raise ValueError("this day has begun already")
        self._head = previous

    def clock_step(self) -> float | None:
        """How far the wall clock was moved since the last write, if it was.

        This is asked before every decision. If the command is refused and nothing is written, the
        step is reported again the next time.
        """
        self._looked = self._clock.wall(), self._clock.mono()
        wall, mono = self._looked
        step = (wall - self._last_wall) - (mono - self._last_mono)
        return step if abs(step) > CLOCK_STEP_SECONDS else None

    def append(
        self, records: Sequence[Record], actor: str = "", place: tuple[str, str] | None = None
    ) -> None:
        """Writes one command's events; they are on disk when this returns. Raises JournalFault."""
        self._write(self._link(records, actor), place)

    def jot(self, hand: int | None, code: str, message: str, rule: str, source: str) -> None:
        """Notes a refusal in the diary, which is not sealed; it changes nothing, and never fails.

        Cards must have been taken out of the message.
        """
        with contextlib.suppress(JournalFault):
            seal = self.rows.last_seal()
            at_us = int(self._clock.wall() * 1e6)
            refusal = Refusal(self._seq, at_us, hand, code, message, rule, source)
            self._store.jot(refusal, 0 if seal is None else seal.seq)

    def append_and_seal(
        self, records: Sequence[Record], state: dict[str, Any], actor: str = ""
    ) -> Record:
        """As `append`, and signs the head in the same transaction; the seal."""
        rows = self._link(records, actor)
        head = rows[-1].hash if rows else self._head
        # This also puts the next key on disk: once the seal names it, it must not be lost.
        signature = self._with_room(lambda: self._key.sign(head))
        event = JournalSealed(head.hex(), signature.signature, signature.next_key, state)
        last = rows[-1].seq if rows else self._seq
        seal = Record(last + 1, rows[-1].hand if rows else None, event)
        self._write([*rows, *self._link([seal], actor, (last, head))])
        try:
            # Only now that the seal is on disk. Turned earlier, a crash would leave a journal
            # without the key that must seal it.
            self._key.turn()
        except OSError as error:
            self._store.fence()
            raise Uncertain(f"The next key cannot be put in place: {error.strerror}.") from None
        # All is written: what has no room now waits for the next seal. Until the WAL is folded,
        # damage to it could drop these rows unnoticed, and until the witness is left, so could a
        # cut.
        with contextlib.suppress(Full):
            self._with_room(self._store.fold_wal)
        with contextlib.suppress(Full):
            self._with_room(self._leave_witness)
        self._copy_to_mirror()
        return seal

    def _link(
        self, records: Sequence[Record], actor: str, after: tuple[int, bytes] | None = None
    ) -> list[Row]:
        seq, head = after or (self._seq, self._head)
        at_us, mono_us = int(self._clock.wall() * 1e6), int(self._clock.mono() * 1e6)
        rows = []
        for record in records:
            if record.seq != seq + 1:
                raise ValueError(f"event {record.seq} cannot follow event {seq}")
            seq, hand, kind = record.seq, record.hand, type_name(type(record.event))
            body = canonical(to_stored(record.event))
            head = link(head, seq, hand, at_us, mono_us, kind, actor, body)
            rows.append(Row(seq, hand, at_us, mono_us, kind, actor, body, head))
        return rows

    def _write(self, rows: list[Row], place: tuple[str, str] | None = None) -> None:
        if not rows:
            return
        try:
            self._store.append(rows, place)
        except Full:
            # The disk may have filled during COMMIT, when the rows had reached it already. So look
            # first, and write again only if they are not there.
            if not self._is_there(rows, room=self._drop_ballast()):
                self._store.append(rows, place)
        self._seq, self._head = rows[-1].seq, rows[-1].hash
        self._last_wall, self._last_mono = self._looked
        if not self._witnessed:
            # Before the first seal, so that a seal without any witness is always a theft.
            try:
                self._with_room(self._leave_witness)
            except Full as fault:
                self._store.fence()
                raise Uncertain(fault.message) from None

    def _is_there(self, rows: list[Row], *, room: bool) -> bool:
        """After a write for which there was no room: whether it was made all the same.

        Raises Full where it was not and there still is none.
        """
        try:
            self._store.reopen()
            last = self.rows.last()
        except JournalFault as fault:
            self._store.fence()
            raise Uncertain(fault.message) from None
        if last is not None and last.hash == rows[-1].hash:
            return True
        if (0 if last is None else last.seq) != self._seq:
            self._store.fence()
            raise Uncertain("The journal does not end where it should.")
        if not room:
            raise Full("The disk is full: the journal took nothing.")
        return False

    def _with_room(self, act: Callable[[], _T]) -> _T:
        """Does what needs room on the disk; the ballast is there to let the hand be finished."""
        try:
            return act()
        except (Full, OSError) as error:
            if not self._drop_ballast():
                raise _full(error) from None
        try:
            return act()
        except OSError as error:
            raise _full(error) from None

    @property
    def room_for_a_hand(self) -> bool:
        """Whether the disk has enough room to begin another hand; then the ballast is back too."""
        try:
            free = shutil.disk_usage(self.folder).free
        except OSError:
            return False
        if free < LEAST_FREE_BYTES:
            return False
        self._ballast()
        return self._ballast_path.exists()

    @property
    def _ballast_path(self) -> Path:
        return self.folder / f"{self.table}.ballast"

    @property
    def _witness_path(self) -> Path:
        return self.path.with_suffix(".witness")

    def _ballast(self) -> None:
        if not self._ballast_path.exists():
            with contextlib.suppress(OSError):
                # Random bytes, because some file systems store zeros without using space.
                self._ballast_path.write_bytes(os.urandom(BALLAST_BYTES))

    def _drop_ballast(self) -> bool:
        try:
            self._ballast_path.unlink()
        except OSError:
            return False
        return True

    def _leave_witness(self) -> None:
        content = json.dumps({"seq": self._seq, "head": self._head.hex()}).encode()
        write_durably(self._witness_path, content)
        self._witnessed = True

    def _copy_to_mirror(self) -> None:
        """Adds the rows that the mirror does not have; a mirror that fails does not stop a hand."""
        if self._mirror_folder is None:
            return
        path = self._mirror_folder / f"{self.path.stem}.jsonl"
        try:
            add_to_mirror(path, self.rows.since)
        except OSError as error:
            self.mirror_fault = f"The second copy cannot be written: {error.strerror}."
        except (ValueError, TypeError, LookupError):
            self.mirror_fault = "The second copy is damaged and is not written on."
        else:
            self.mirror_fault = ""

    # Ending

    def close_day(self, seal: JournalSealed) -> dict[str, Any]:
        """Makes the file read-only and leaves a receipt. The last row must be a seal."""
        receipt = {
            "table": self.table,
            "day": self.day,
            "seq": self._seq,
            "head": self._head.hex(),
            "words": head_words(self._head),
            "next_key": seal.next_key,
        }
        self._store.make_read_only()
        self.close()
        self.path.chmod(0o444)
        # Last of all: a day without a receipt counts as open, and the next opening finishes closing
        # it.
        write_durably(self.path.with_suffix(".receipt"), json.dumps(receipt).encode())
        return receipt

    def close(self) -> None:
        self._store.close()
        with contextlib.suppress(OSError):
            os.close(self._lock)


def _full(error: Full | OSError) -> Full:
    if isinstance(error, Full):
        return error
    return Full(f"The journal's folder cannot be written: {error.strerror}.")


def _take_lock(path: Path, holder: str) -> int:
    """Takes the table's lock for as long as this process lives, and says who has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        # The kernel releases it however the process ends, so a kill leaves no stale lock.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        name = os.read(descriptor, 200).decode("utf-8", "replace").strip() or "somebody"
        os.close(descriptor)
        raise Busy(f"This table's journal is being written by {name}.") from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, holder.encode()[:200], 0)
    return descriptor

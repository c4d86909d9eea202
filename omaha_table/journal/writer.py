"""A table's log of one gaming day: one writer, every write durable before it is shown.

`append` writes one command's events in one transaction. At the end of a street the writer also
signs the head, with a key that is used once, and writes the witness file (number and head) beside
the log. At the end of a hand it folds the WAL into the file as well and copies the rows to the
mirror. Closing a day writes a receipt; its head, as words, goes on the shift slip.
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

from omaha_table.files import (
    FileError,
    make_folder,
    make_read_only,
    narrow_files,
    open_private,
)
from omaha_table.journal.chain import Row, canonical, head_words, link
from omaha_table.journal.codec import to_stored, type_name
from omaha_table.journal.days import date_of, day_file, gaming_day, next_segment
from omaha_table.journal.diary import Refusal
from omaha_table.journal.events import JournalSealed, Record, StreetSealed
from omaha_table.journal.faults import (
    Busy,
    Full,
    JournalFault,
    Tampered,
    Uncertain,
    Unwritable,
    unwritten,
)
from omaha_table.journal.keys import SealKey, read_json, write_durably
from omaha_table.journal.mirror import add_to_mirror
from omaha_table.journal.store import Store
from omaha_table.journal.walk import Broken, from_last_seal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from omaha_table.journal.reader import JournalRows

_T = TypeVar("_T")
BALLAST_BYTES: Final = 1 << 20
"""Deleted when the disk is full, so that the open hand can be finished."""
MIN_FREE_BYTES: Final = 32 << 20
"""With less than this no new hand starts."""
CLOCK_STEP_SECONDS: Final = 2.0
"""A smaller step is a clock adjustment, not a moved clock."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Both clocks, in seconds; replaced in tests."""

    wall: Callable[[], float] = time.time
    mono: Callable[[], float] = time.monotonic


class JournalWriter:
    """The writer of one file. Opening checks the end of the file against seal and witness."""

    def __init__(
        self,
        folder: Path,
        table: str,
        day: str,
        *,
        holder: str,
        mirror: Path | None = None,
        clock: Clock | None = None,
        group: int | None = None,
    ) -> None:
        self.folder, self.table, self.day = folder, table, day
        self._group = group
        self._holder = holder
        self.path = day_file(folder, table, day)
        self._mirror_folder = mirror
        self._witnessed = self._closed = False
        self.mirror_fault = ""
        self._clock = clock or Clock()
        try:
            make_folder(folder, group)
            # Lock before reading anything: key, ballast and file belong to the holder of the lock.
            lock = _take_lock(folder / f"{table}.lock", holder)
        except OSError as error:
            raise unwritten(error) from None
        except FileError as error:
            raise Unwritable(str(error)) from None
        try:
            narrow_files(folder, table, group)
            self._make_ballast()
            self._key = SealKey(folder / f"{table}.key")
            self._store = Store(self.path, group)
            try:
                self._check_end()
            except (ValueError, KeyError, TypeError, AttributeError):
                self._store.close()
                raise Tampered("The end of the journal cannot be read.") from None
            except BaseException:
                self._store.close()
                raise
        except OSError as error:
            os.close(lock)
            raise _full(error) from None
        except BaseException:
            os.close(lock)
            raise
        self._lock: int | None = lock
        self._looked = self._clock.wall(), self._clock.mono()
        self._last_wall, self._last_mono = self._looked
        last = self.rows.last()
        if last is not None and self._last_wall < last.at_us / 1e6 - CLOCK_STEP_SECONDS:
            # Set back while no console ran. That it was set forward nobody can tell from here.
            self._last_wall = last.at_us / 1e6
        self._copy_to_mirror()

    # Reading

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
        """The rows so far."""
        return self._store.rows

    def resume_token(self, device: str) -> str:
        """The token of the last event recorded from a device; empty: none."""
        return self.rows.resume_points().get(device, "")

    def _check_end(self) -> None:
        """Checks the rows since the last seal, and that the witness names none that is missing."""
        try:
            walk = from_last_seal(self.rows)
            for row in self.rows.since(walk.seq):
                walk.step(row)
        except Broken as broken:
            raise Tampered(f"Event {broken.event}: {broken.message}.") from None
        self._seq, self._head = walk.seq, walk.head
        if walk.seq:
            # A kill between the seal and the key rotation leaves the next key in a file of its own.
            # The journal says which of the two is current.
            self._key.expect(walk.key)
        self._check_witness()

    def _check_witness(self) -> None:
        try:
            witness = read_json(self._witness_path)
            seq, head = int(witness["seq"]), str(witness["head"])
        except FileNotFoundError:
            if self.rows.last_seal() is not None:
                raise Tampered("The witness file of this journal is missing.") from None
            return
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            raise Tampered("The witness file of this journal cannot be read.") from None
        self._witnessed = True
        # A chain whose end was cut off is still valid; only the witness shows the cut.
        row = self.rows.get(seq)
        if row is None:
            raise Tampered(
                f"Events are missing: the witness file names event {seq}, but the journal ends at "
                f"event {self._seq}."
            )
        if row.hash.hex() != head:
            raise Tampered(f"Event {seq} does not match the witness file.")

    # Writing

    def begin(self, previous: bytes) -> None:
        """Starts a new day at the head of the day before."""
        if self._seq:
            raise ValueError("this day has already started")
        self._head = previous

    def clock_step(self) -> float | None:
        """How far the wall clock was moved since the last write; None: not at all.

        Called before every decision. If the command is refused and nothing is written, the next
        call reports the step again.
        """
        self._looked = self._clock.wall(), self._clock.mono()
        wall, mono = self._looked
        step = (wall - self._last_wall) - (mono - self._last_mono)
        return step if abs(step) > CLOCK_STEP_SECONDS else None

    def append(
        self,
        records: Sequence[Record],
        actor: str = "",
        resume_points: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Writes one command's events; they are on disk when this returns. Raises JournalFault."""
        self._write(self._link(records, actor), resume_points)

    def log_refusal(
        self, hand: int | None, code: str, message: str, rule: str, source: str
    ) -> None:
        """Adds to the refusal log, which is not sealed. Changes nothing else and never fails.

        The caller must have removed cards from the message.
        """
        with contextlib.suppress(JournalFault):
            seal = self.rows.last_seal()
            at_us = int(self._clock.wall() * 1e6)
            refusal = Refusal(self._seq, at_us, hand, code, message, rule, source)
            self._store.log_refusal(refusal, 0 if seal is None else seal.seq)

    def append_and_seal(
        self, records: Sequence[Record], state: dict[str, Any], actor: str = ""
    ) -> Record:
        """Like `append`, and signs the head in the same transaction; returns the seal."""
        rows = self._link(records, actor)
        head = rows[-1].hash if rows else self._head
        # This also writes the next key to disk: once a seal names it, it must not be lost.
        signature = self._with_space(lambda: self._key.sign(head))
        seal = JournalSealed(head.hex(), signature.signature, signature.next_key, state)
        sealed = self._write_sealed(rows, seal, actor)
        # Everything is written. What finds no space now waits for the next seal: until the WAL is
        # folded, damage to it could lose these rows unnoticed, and so could a cut until the
        # witness is written.
        with contextlib.suppress(Full):
            self._with_space(self._store.fold_wal)
        with contextlib.suppress(Full):
            self._with_space(self._write_witness)
        self._copy_to_mirror()
        return sealed

    def append_street(
        self,
        records: Sequence[Record],
        actor: str = "",
        resume_points: Sequence[tuple[str, str]] = (),
    ) -> list[Record]:
        """Like `append`, with the head signed at the end of a street; returns the seal, if any.

        On a full disk the hand goes on without it: the seal at its end covers the street too.
        """
        rows = self._link(records, actor)
        head = rows[-1].hash
        try:
            signature = self._with_space(lambda: self._key.sign(head))
        except Full:
            self._write(rows, resume_points)
            return []
        seal = StreetSealed(head.hex(), signature.signature, signature.next_key)
        sealed = self._write_sealed(rows, seal, actor, resume_points)
        # The WAL is folded at the end of the hand: no player waits for it.
        with contextlib.suppress(Full):
            self._with_space(self._write_witness)
        return [sealed]

    def _write_sealed(
        self,
        rows: list[Row],
        event: JournalSealed | StreetSealed,
        actor: str,
        resume_points: Sequence[tuple[str, str]] = (),
    ) -> Record:
        """Writes rows and the seal on their head in one transaction; the next key is current."""
        last, head = (rows[-1].seq, rows[-1].hash) if rows else (self._seq, self._head)
        seal = Record(last + 1, rows[-1].hand if rows else None, event)
        self._write([*rows, *self._link([seal], actor, (last, head))], resume_points)
        try:
            # Only now that the seal is on disk: after an earlier rotation, a crash would leave a
            # journal without the key that must seal it.
            self._key.rotate()
        except OSError as error:
            self._store.fence()
            raise Uncertain(f"The next key cannot be stored: {error.strerror}.") from None
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

    def _write(self, rows: list[Row], resume_points: Sequence[tuple[str, str]] = ()) -> None:
        if not rows:
            return
        try:
            self._store.append(rows, resume_points)
        except Full:
            # The disk may have filled up during COMMIT, after the rows had reached it. So look
            # first, and write again only if they are not there.
            if not self._is_written(rows, has_space=self._drop_ballast()):
                self._store.append(rows, resume_points)
        self._seq, self._head = rows[-1].seq, rows[-1].hash
        self._last_wall, self._last_mono = self._looked
        if not self._witnessed:
            # Before the first seal, so that a seal without a witness file always means tampering.
            try:
                self._with_space(self._write_witness)
            except Full as fault:
                self._store.fence()
                raise Uncertain(fault.message) from None

    def _is_written(self, rows: list[Row], *, has_space: bool) -> bool:
        """After a write failed on a full disk: whether the rows are on the disk anyway.

        Raises Full if they are not and there still is no space.
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
            raise Uncertain("The journal does not end with the last known event.")
        if not has_space:
            raise Full("The disk is full: nothing was recorded.")
        return False

    def _with_space(self, act: Callable[[], _T]) -> _T:
        """Runs something that needs disk space; drops the ballast if there is none."""
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
    def has_space_for_hand(self) -> bool:
        """Whether the disk has space for another hand. If so, restores the ballast too."""
        try:
            free = shutil.disk_usage(self.folder).free
        except OSError:
            return False
        if free < MIN_FREE_BYTES:
            return False
        self._make_ballast()
        return self._ballast_path.exists()

    @property
    def _ballast_path(self) -> Path:
        return self.folder / f"{self.table}.ballast"

    @property
    def _witness_path(self) -> Path:
        return self.path.with_suffix(".witness")

    def _make_ballast(self) -> None:
        if not self._ballast_path.exists():
            with contextlib.suppress(OSError):
                # Random bytes, because some file systems use no space for zeros.
                descriptor = open_private(self._ballast_path, os.O_WRONLY | os.O_CREAT)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(os.urandom(BALLAST_BYTES))

    def _drop_ballast(self) -> bool:
        try:
            self._ballast_path.unlink()
        except OSError:
            return False
        return True

    def _write_witness(self) -> None:
        content = json.dumps({"seq": self._seq, "head": self._head.hex()}).encode()
        write_durably(self._witness_path, content, self._group)
        self._witnessed = True

    def _copy_to_mirror(self) -> None:
        """Adds new rows to the mirror; a failing mirror does not stop a hand."""
        if self._mirror_folder is None:
            return
        path = self._mirror_folder / f"{self.path.stem}.jsonl"
        try:
            add_to_mirror(path, self.rows.since)
        except OSError as error:
            self.mirror_fault = f"The second copy cannot be written: {error.strerror}."
        except (ValueError, TypeError, LookupError, RecursionError):
            self.mirror_fault = "The second copy is damaged and no longer written."
        else:
            self.mirror_fault = ""

    # Closing

    @property
    def day_is_over(self) -> bool:
        """Whether the next gaming day has begun."""
        return gaming_day(self._clock.wall()) > date_of(self.day)

    def next_day(self) -> JournalWriter:
        """The journal of the gaming day that has begun, after `close_day`; it may have rows."""
        day = gaming_day(self._clock.wall())
        # The clock may have been moved back since: two days never have one name.
        if day <= date_of(self.day):
            day = next_segment(self.day)
        return JournalWriter(
            self.folder,
            self.table,
            day,
            holder=self._holder,
            mirror=self._mirror_folder,
            clock=self._clock,
            group=self._group,
        )

    def close_day(self, seal: JournalSealed) -> dict[str, Any]:
        """Writes a receipt and makes the file read-only. The last row must be a seal."""
        receipt = {
            "table": self.table,
            "day": self.day,
            "seq": self._seq,
            "head": self._head.hex(),
            "words": head_words(self._head),
            "next_key": seal.next_key,
        }
        # First: a day with a receipt is closed, whatever happens from here. Somebody who reads the
        # file keeps it from leaving WAL mode; the next opening does that then.
        try:
            content = json.dumps(receipt).encode()
            write_durably(self.path.with_suffix(".receipt"), content, self._group)
        except OSError as error:
            raise _full(error) from None
        self._closed = True
        read_only = self._store.leave_wal()
        self.close()
        if read_only:
            make_read_only(self.path, self._group)
        return receipt

    @property
    def is_closed(self) -> bool:
        """Whether the day has its receipt; the file is then no longer this process's."""
        return self._closed

    def close(self) -> None:
        self._store.close()
        # Once: the number of a closed descriptor soon belongs to another file of this process.
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


def _full(error: Full | OSError) -> Full:
    if isinstance(error, Full):
        return error
    return unwritten(error)


def _take_lock(path: Path, holder: str) -> int:
    """Takes the table's lock until this process ends, and writes the holder's name into it."""
    descriptor = open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        # The kernel releases it however the process ends: a kill leaves no stale lock.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        name = os.read(descriptor, 200).decode("utf-8", "replace").strip() or "another program"
        os.close(descriptor)
        raise Busy(f"The journal of this table is being written by {name}.") from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, holder.encode()[:200], 0)
    return descriptor

"""Can this log be trusted? Chain, seals, receipts and links, then every hand played again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, get_args

from omaha_table.desk.opened import not_as_dealt
from omaha_table.hand.audit import fault_in
from omaha_table.hand.events import (
    BackedUp,
    HandEnded,
    HandEvent,
    HandStarted,
    Tabled,
    Undone,
)
from omaha_table.journal.chain import START, Row, canonical, follows
from omaha_table.journal.codec import RecordError, event_in
from omaha_table.journal.days import day_files
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.keys import verify_signature
from omaha_table.journal.snapshot import take
from omaha_table.journal.store import open_for_reading, read_rows
from omaha_table.table import TableState, apply, open_table
from omaha_table.table.events import (
    DayClosed,
    DayOpened,
    HoleCardsSealed,
    JournalSealed,
    RulesChanged,
    SealedSeat,
    SeatOpened,
    SegmentEnrolled,
    TableOpened,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.table.events import TableEvent


@dataclass(frozen=True, slots=True)
class Damage:
    """The first thing wrong in a file: where, what kind, and in words."""

    file: str
    event: int | None
    kind: str
    message: str


@dataclass
class Verdict:
    files: int = 0
    events: int = 0
    hands: int = 0
    seals: int = 0
    opened_seats: int = 0
    open_days: list[str] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.damage


_MARKS: Final = frozenset(
    (DayOpened, TableOpened, HandStarted, HandEnded, RulesChanged, SegmentEnrolled, DayClosed,
     HoleCardsSealed, Tabled, SeatOpened)
)  # fmt: skip
_AUDITED: Final = frozenset(get_args(HandEvent)) - {Undone, BackedUp}


class _Broken(Exception):  # noqa: N818 - caught in this file
    def __init__(self, event: int | None, kind: str, message: str) -> None:
        super().__init__(message)
        self.event, self.kind, self.message = event, kind, message


def verify(files: list[Path], progress: Callable[[int], None] = lambda rows: None) -> Verdict:
    """Checks journals, the oldest first; goes on with the next file after a damaged one."""
    verdict = Verdict()
    heads: dict[str, str] = {}
    for path in files:
        verdict.files += 1
        reader = _Reader(path, verdict)
        try:
            reader.read(heads, progress)
            end = reader.head.hex()
        except _Broken as broken:
            verdict.damage.append(Damage(path.name, broken.event, broken.kind, broken.message))
            end = _head_in_receipt(path)
        except JournalFault as fault:
            verdict.damage.append(Damage(path.name, None, "unreadable", fault.message))
            end = _head_in_receipt(path)
        if reader.table:
            heads[reader.table] = end
    return verdict


def _head_in_receipt(path: Path) -> str:
    """Where a damaged day ended, for the day after it; empty: that cannot be told."""
    try:
        return str(json.loads(path.with_suffix(".receipt").read_text())["head"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def files_in(target: Path) -> list[Path]:
    """The journals of a folder, or of the folders in it, one for each table."""
    if not target.is_dir():
        return [target]
    inside = [folder for folder in sorted(target.iterdir()) if folder.is_dir()]
    return day_files(target) or [path for folder in inside for path in day_files(folder)]


class _Reader:
    """One file from its first row to its last, in flat memory."""

    def __init__(self, path: Path, verdict: Verdict) -> None:
        self.path, self.verdict = path, verdict
        self.table, self.day = "", ""
        self.head, self.seq = START, 0
        self.key = ""
        self.state: TableState | None = None
        self.rules_seq = 0
        self.sealed: dict[int, SealedSeat] = {}
        self.tabled: dict[int, Tabled] = {}
        self.closed = False
        self.begins = self.enrolled = False
        self.last_kind = ""
        self.witness: tuple[int, str] | None = None
        self.at_witness = ""

    def read(self, heads: dict[str, str], progress: Callable[[int], None]) -> None:
        # Before the rows: a table that is dealt beside this has then written all it has seen.
        self.witness = _witness_of(self.path)
        connection = open_for_reading(self.path)
        try:
            for row in read_rows(connection):
                self._row(row, heads)
                if not self.seq % 500:
                    progress(self.verdict.events)
        finally:
            connection.close()
        if self.seq:
            self._ending()
            return
        if any(self.path.with_suffix(end).exists() for end in (".receipt", ".witness")):
            raise _Broken(None, "truncated", "all events are missing")
        self.verdict.open_days.append(self.path.name)

    def _row(self, row: Row, heads: dict[str, str]) -> None:
        if self.closed and self.last_kind == "journal_sealed":
            raise _Broken(row.seq, "added", "the day was closed before this event")
        if row.seq != self.seq + 1:
            raise _Broken(row.seq, "missing", f"event {self.seq + 1} is missing")
        if row.seq == 1:
            self._open(row, heads)
        if not follows(row, self.head):
            raise _Broken(row.seq, "changed", "this event is not what was written")
        try:
            event = event_in(row.kind, row.body)
        except RecordError as error:
            raise _Broken(row.seq, "unreadable", f"this event cannot be read: {error}") from None
        if isinstance(event, JournalSealed):
            self._seal(row, event)
        self.head, self.seq, self.last_kind = row.hash, row.seq, row.kind
        if self.witness is not None and row.seq == self.witness[0]:
            self.at_witness = row.hash.hex()
        self.verdict.events += 1
        self._replay(row, event)

    def _open(self, row: Row, heads: dict[str, str]) -> None:
        try:
            opened = event_in(row.kind, row.body)
        except RecordError:
            opened = None
        if not isinstance(opened, DayOpened):
            raise _Broken(1, "foreign", "a journal begins with the opening of a day")
        self.table, self.day, self.key = opened.table, opened.day, opened.public_key
        try:
            self.head = bytes.fromhex(opened.previous)
        except ValueError:
            raise _Broken(1, "changed", "this event is not what was written") from None
        expected = heads.get(opened.table) or None
        self.begins = opened.previous == START.hex()
        enrolled = self.begins and opened.day[-1].isalpha()
        if expected is not None and expected != opened.previous and not enrolled:
            raise _Broken(1, "link", "this day does not go on from the day before it")
        if f"{opened.table}-{opened.day}" != self.path.name.partition(".")[0]:
            raise _Broken(1, "renamed", f"this is the journal of {opened.table}, {opened.day}")

    def _seal(self, row: Row, event: JournalSealed) -> None:
        if event.head != self.head.hex():
            raise _Broken(row.seq, "seal", "the seal is over another head")
        body: dict[str, Any] = {"signature": event.signature, "head": event.head}
        if not verify_signature(self.key, body):
            raise _Broken(row.seq, "seal", "the seal was made with another key")
        self.key = event.next_key
        self.verdict.seals += 1
        if self.state is not None:
            kept = {"rules_seq": self.rules_seq, "table": take(self.state)}
            if f'"state":{canonical(kept)}' not in row.body:
                raise _Broken(row.seq, "replay", "the table stood otherwise when it was sealed")

    def _replay(self, row: Row, event: TableEvent) -> None:
        if type(event) in _MARKS and self._marked(row, event):
            return
        if self.state is None:
            raise _Broken(row.seq, "foreign", "an event before the table was opened")
        self._check(row, event, self.state)
        try:
            self.state = apply(self.state, event)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise _Broken(row.seq, "replay", "this event does not fit what was before") from None

    def _marked(self, row: Row, event: TableEvent) -> bool:
        """Notes an event that means something to the log; whether that is all it means."""
        match event:
            case DayOpened():
                return True
            case TableOpened():
                self._opened(row, event)
                return True
            case HandStarted():
                self.sealed, self.tabled = {}, {}
            case HandEnded():
                self.verdict.hands += 1
            case RulesChanged():
                self.rules_seq = row.seq
            case SegmentEnrolled():
                self.enrolled = True
            case DayClosed():
                self.closed = True
            case HoleCardsSealed():
                self.sealed = {seat.seat: seat for seat in event.seats}
            case Tabled():
                self.tabled[event.seat] = event
            case SeatOpened():
                self._check_opened(row, event)
        return False

    def _opened(self, row: Row, event: TableOpened) -> None:
        try:
            self.state, self.rules_seq = open_table(event, row.seq), row.seq
        except ValueError:
            raise _Broken(row.seq, "replay", "the rules in it cannot be used") from None

    def _check(self, row: Row, event: TableEvent, state: TableState) -> None:
        hand = state.hand
        if hand is None or type(event) not in _AUDITED:
            return
        wrong = fault_in(hand, event)  # type: ignore[arg-type]
        if wrong:
            raise _Broken(row.seq, "replay", f"{row.kind} of hand {row.hand}: {wrong}")

    def _check_opened(self, row: Row, event: SeatOpened) -> None:
        """What was tabled is what was dealt."""
        sealed, tabled = self.sealed.get(event.seat), self.tabled.get(event.seat)
        wrong = not_as_dealt(event, sealed, tabled, self.table, self.day, row.hand or 0)
        if wrong:
            raise _Broken(row.seq, "commitment", wrong)
        self.verdict.opened_seats += 1

    def _ending(self) -> None:
        if self.begins and self.day[-1].isalpha() and not self.enrolled:
            raise _Broken(1, "link", "a segment that nobody has enrolled")
        receipt_path = self.path.with_suffix(".receipt")
        if not self.closed:
            if receipt_path.exists():
                raise _Broken(self.seq, "truncated", "the receipt knows events that are not here")
            self.verdict.open_days.append(self.path.name)
            self._check_witness()
            return
        try:
            receipt = json.loads(receipt_path.read_text())
            known = (receipt["seq"], receipt["head"])
        except (OSError, ValueError, KeyError, TypeError):
            raise _Broken(None, "receipt", "the receipt of the closed day cannot be read") from None
        if known != (self.seq, self.head.hex()):
            raise _Broken(self.seq, "receipt", "the receipt is of another end of this day")

    def _check_witness(self) -> None:
        if self.witness is None:
            return
        seq, head = self.witness
        if seq < 1:
            raise _Broken(None, "witness", "the witness cannot be read")
        if seq > self.seq:
            raise _Broken(self.seq, "truncated", f"the witness has seen event {seq}")
        if head != self.at_witness:
            raise _Broken(seq, "witness", "this event is not the one the witness has seen")


def _witness_of(path: Path) -> tuple[int, str] | None:
    """Number and head of the last event the witness has seen; number 0 if it cannot be read."""
    try:
        witness = json.loads(path.with_suffix(".witness").read_text())
        return int(witness["seq"]), str(witness["head"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return 0, ""


def damages(verdict: Verdict) -> Iterator[str]:
    for damage in verdict.damage:
        where = damage.file if damage.event is None else f"{damage.file}, event {damage.event}"
        yield f"{where}: {damage.kind}: {damage.message.rstrip('.')}."

"""The check of one file, from its first row to its last, in constant memory."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from omaha_table.floor.files import is_named
from omaha_table.journal.anchors import RECEIPT, Anchors, Copy, Point, RoomCopy
from omaha_table.journal.chain import START, head_words
from omaha_table.journal.codec import RecordError, event_in
from omaha_table.journal.cosignatures import Cosignature, is_genuine, kept
from omaha_table.journal.days import day_files, is_office, office_files, table_of
from omaha_table.journal.events import (
    DayClosed,
    DayOpened,
    JournalSealed,
    SegmentEnrolled,
)
from omaha_table.journal.keys import keys_beside, read_json
from omaha_table.journal.office_check import OfficeCheck, name_of
from omaha_table.journal.parts import Place, Wanted
from omaha_table.journal.reader import Reader
from omaha_table.journal.snapshot import restore
from omaha_table.journal.table_check import CARRIED, DayEnd, TableCheck
from omaha_table.journal.walk import SEALS, Broken, ChainWalk
from omaha_table.journal.witness import Witness, check_witness, is_own_folder, witness_of
from omaha_table.office.events import OFFICE
from omaha_table.table.events import RulesChanged, TableOpened
from omaha_table.table.folding import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.journal.parts import Part, Parts
    from omaha_table.journal.verdict import Verdict


_NOTED: Final = (DayOpened, *SEALS, SegmentEnrolled, DayClosed)


class FileCheck:
    """Checks one file from first row to last, in constant memory."""

    def __init__(
        self, path: Path, verdict: Verdict, anchors: Anchors | None = None, name: str = ""
    ) -> None:
        self.path, self.verdict = path, verdict
        self.name = name or path.name
        """What it is called in the verdict."""
        self._anchors = anchors or Anchors()
        self.anchor: Point | None = None
        self.first_key = ""
        """How the first public key is called, if it was given as an anchor."""
        self.last_seal = 0
        self._receipt: dict[str, Any] = {}
        self.table, self.day = "", ""
        self._walk = ChainWalk()
        self._table = TableCheck(verdict)
        self._closed = self._sealed_last = False
        self._begins = self._enrolled = False
        self._before = DayEnd("")
        self._keys: frozenset[str] = frozenset()
        self._named_key = False
        self._witness: Witness | None = None
        self._at_witness = ""
        self._room: RoomCopy | None = self._anchors.room.get(path.stem)
        self._kept: Cosignature | None = None
        self._hand: int | None = None
        """The last hand that began, where that is told."""
        self.office = OfficeCheck() if is_office(path) else None
        self._demo = False
        self._named: set[object] = set()
        self.is_prepared = False
        self.parts: Parts = {}
        """What other processes are checking ahead."""

    @property
    def seq(self) -> int:
        return self._walk.seq

    @property
    def begins(self) -> bool:
        """Whether this journal follows no other."""
        return self._begins

    @property
    def is_closed(self) -> bool:
        return self._closed

    @property
    def head(self) -> bytes:
        return self._walk.head

    @property
    def end(self) -> DayEnd:
        return DayEnd(
            self.head.hex(), self._walk.key, self.day, self.seq, self._table.state, self.office,
            True, self._demo,
        )  # fmt: skip

    @property
    def line(self) -> str:
        """What days follow each other in: a table's, or those of a folder's office."""
        return self.table if self.office is None else str(self.path.parent / OFFICE)

    def read(self, ends: dict[str, DayEnd], progress: Callable[[int], None]) -> None:
        if not self.is_prepared:
            self.prepare()
        self._start(ends)
        with closing(Copy(self._anchors.mirror, self.path)) as copy, Reader(self.path) as reader:
            while self._read_on(reader, copy, ends, progress):
                while self._join_next():
                    progress(self.verdict.events)
            if copy.goes_on():
                raise Broken(
                    self.seq, "truncated", "events are missing: the second copy has later ones"
                )
        self._anchor(copy.events, "the second copy")
        if self.seq:
            self._ending()
            return
        if any(self.path.with_suffix(end).exists() for end in (".receipt", ".witness")):
            raise Broken(None, "truncated", "all events are missing")
        self.verdict.open_days.append(self.name)

    def prepare(self) -> None:
        """Reads what lies beside the journal; before the rows, because a table in play has then
        written every row that the witness file names."""
        self.is_prepared = True
        self._witness = witness_of(self.path)
        self._kept = kept(self.path)
        if self._room is not None:
            self._anchors.met.add(self.path.stem)
        self._keys = _signing_keys(self.path)

    def _read_on(
        self, reader: Reader, copy: Copy, ends: dict[str, DayEnd], progress: Callable[[int], None]
    ) -> bool:
        """Checks rows up to where a part of other processes starts; whether there is one."""
        mirrored = copy.is_there
        for row in reader.since(self.seq):
            if mirrored and copy.differs(row):
                raise Broken(row.seq, "mirror", "the second copy has another event here")
            self.check(row, ends)
            if not row.seq % 500:
                progress(self.verdict.events)
            if row.seq in self.parts:
                return True
        return False

    def _join_next(self) -> bool:
        """Takes over the part that starts here; whether there is one and it fits."""
        result = self.parts.pop(self.seq, None)
        part = None if result is None else result()
        return part is not None and self._join(part)

    def _join(self, part: Part) -> bool:
        if self._closed or part.start != self.place:
            return False
        try:
            for seq, found in part.named:
                self._compare_with_named(seq, found)
        except Broken:
            # It is told with all that comes before it when these events are checked again.
            return False
        for seq, words in part.words:
            self._found_words(seq, words)
        self._walk.seq, self._walk.head, self._walk.key = part.end[:3]
        self._table.go_on(part.end.table, part.end.rules_seq)
        self.verdict.events += part.end.seq - part.start.seq
        self.verdict.hands += part.hands
        self.verdict.seals += part.seals
        self.verdict.opened_seats += part.opened_seats
        self.last_seal, self._sealed_last = part.end.seq, True
        self._closed, self._enrolled = part.is_closed, self._enrolled or part.is_enrolled
        self._named_key |= part.names_key
        return True

    @property
    def place(self) -> Place | None:
        """Where this check stands; None: in a hand, or before the table is opened."""
        table = self._table.state
        if table is None or table.hand is not None:
            return None
        return Place(
            self.seq, self.head, self._walk.key, self._table.rules_seq, table,
            max(table.ruled - table.seq, 0),
        )  # fmt: skip

    @property
    def can_be_parted(self) -> bool:
        """Whether other processes can check parts of it. An office journal is short, and what may
        be entered hangs on all before it; a second copy is read line by line."""
        return self.office is None and self._anchors.mirror is None

    def wanted(self, after: int, until: int) -> Wanted:
        return Wanted(after, until, self._anchors.words, self._keys, frozenset(self._all_named()))

    def _all_named(self) -> set[object]:
        """The numbers of events of which something outside says what they are."""
        room, signed, witness = self._room, self._kept, self._witness
        named: set[object] = set() if room is None else {room.seq, room.cosigned}
        named |= {one.seq for one in (signed, witness) if one is not None}
        receipts = self._anchors.receipts.values()
        return named | {one["seq"] for one in receipts if isinstance(one["seq"], Hashable)}

    def _start(self, ends: dict[str, DayEnd]) -> None:
        self._named = self._all_named()
        if self.office is not None:
            self.office = ends.get(self.line, DayEnd("")).office or self.office
            self.office.start(self.path.name)

    def check(self, row: Row, ends: dict[str, DayEnd]) -> None:
        """Checks the next row; raises Broken if it was changed or is against the rules.

        `ends` are the ends of the days before, by table.
        """
        if self._closed and self._sealed_last:
            raise Broken(row.seq, "added", "this event was added after the day was closed")
        event = self._step(row)
        self._sealed_last = isinstance(event, JournalSealed)
        if isinstance(event, SEALS):
            self.verdict.seals += 1
            self.last_seal = row.seq
        words = self._anchors.words.get(row.hash[:8])
        if words is not None:
            self._found_words(row.seq, words)
        if row.seq in self._named:
            self._compare_with_named(row.seq, row.hash)
        if isinstance(event, DayOpened):
            self._open(event, ends)
        elif self._sealed_last or row.seq == CARRIED:
            self._table.compare(row, event)
        self.verdict.events += 1
        if isinstance(event, _NOTED):
            self._note(event)
        if self.office is None:
            self._table.take(row, event)
        else:
            self.office.take(self.day, row, event)

    def _found_words(self, seq: int, words: str) -> None:
        self._anchors.met.add(words)
        self._anchor(seq, f"the slip of {self.day}")

    def _note(self, event: Event) -> None:
        """What the end of the file is compared with."""
        self._named_key |= self._walk.key in self._keys
        self._enrolled |= isinstance(event, SegmentEnrolled)
        self._closed |= isinstance(event, DayClosed)

    def resume(
        self, opened: Event, seal: Row, rules: Event, rules_seq: int, *, closed: bool
    ) -> None:
        """Goes on after a seal of a table's day that was checked before, with the first event of
        the day and the one that set the rules. Raises Broken if they are not that."""
        try:
            sealed = event_in(seal.kind, seal.body)
            if not (
                isinstance(opened, DayOpened)
                and isinstance(sealed, JournalSealed)
                and isinstance(rules, TableOpened | RulesChanged)
            ):
                raise RecordError("other events")
            state = restore(sealed.state["table"], rules_of(rules)[0], seal.seq)
        except (RecordError, ValueError, KeyError, TypeError):
            raise Broken(seal.seq, "replay", "nothing can go on from this seal") from None
        self.table, self.day, self._demo = opened.table, opened.day, opened.demo
        self._begins = opened.previous == START.hex()
        self._walk.resume(seal, sealed)
        self._table.resume(state, rules_seq, opened)
        self.last_seal, self._sealed_last, self._closed = seal.seq, True, closed

    def _step(self, row: Row) -> Event:
        try:
            return self._walk.step(row)
        except Broken as broken:
            if self.office is None:
                raise
            message = f"{broken.message}{name_of(row)}"
            raise Broken(broken.event, broken.kind, message) from None

    def _open(self, opened: DayOpened, ends: dict[str, DayEnd]) -> None:
        self.table, self.day = opened.table, opened.day
        self._before = ends.get(self.line, DayEnd(""))
        self._table.begin(self._before, opened)
        self._begins = opened.previous == START.hex()
        self._demo = opened.demo
        if opened.demo:
            self.verdict.demo.append(self.name)
        if self.office is not None:
            self.office.begin(opened, known=self._before.sound)
        self._receipt = self._anchors.receipts.get((opened.table, opened.day), {})
        if self._receipt:
            self._anchors.met.add(f"{opened.table} {opened.day}")
        if self._begins and opened.public_key in self._anchors.keys:
            self._anchors.met.add(opened.public_key)
            self.first_key = self._anchors.keys[opened.public_key]
        enrolled = self._begins and opened.day[-1].isalpha()
        if self._before.head not in ("", opened.previous) and not enrolled:
            raise Broken(1, "link", "this day does not continue the day before it")
        # Without this, whoever makes all hashes of a day again could sign it with any key.
        if self._before.next_key not in ("", opened.public_key) and not enrolled:
            raise Broken(1, "link", "this day begins with another key than the day before named")
        if self._before.demo not in (None, opened.demo) and not self._begins:
            raise Broken(1, "link", "of this day and the day before only one is the demo's")
        if f"{opened.table}-{opened.day}" != self.path.name.partition(".")[0]:
            raise Broken(
                1,
                "renamed",
                f"the file was renamed: it is the journal of {opened.table}, {opened.day}",
            )

    def _compare_with_named(self, seq: int, found: bytes) -> None:
        """The hash of an event with what a receipt, the witness file, the room or its witness says
        of it."""
        if seq == self._receipt.get("seq"):
            if found.hex() != self._receipt["head"]:
                raise Broken(seq, "anchor", "this is not the event that the receipt names")
            self._anchor(seq, f"the receipt of {self.day}")
        if self._witness is not None and seq == self._witness.seq:
            self._at_witness = found.hex()
        self._compare_with_room(seq, found.hex())

    def _compare_with_room(self, seq: int, head: str) -> None:
        """With what the room has, and with what its witness signed of this journal."""
        room, signed = self._room, self._kept
        if room is not None and seq == room.seq:
            if head != room.head:
                raise Broken(seq, "room", "the room has another event here")
            if not room.cosigned:
                self._anchor(seq, "the room")
        if room is not None and seq == room.cosigned:
            if head != room.cosigned_head:
                raise Broken(seq, "room", "the room's witness signed another event here")
            self._anchor(seq, "the room's witness")
        if signed is not None and seq == signed.seq:
            if head != signed.head:
                raise Broken(seq, "witness", "the room's witness signed another event here")
            key = self._anchors.witness_key
            if key and is_genuine(signed, key):
                self._anchor(seq, "the room's witness, as kept here")

    def _check_room(self) -> None:
        """Nothing that the room has or its witness signed is missing at the end."""
        if self._room is not None and self._room.seq > self.seq:
            raise Broken(
                self.seq, "truncated", f"events are missing: the room has {self._room.seq}"
            )
        if self._kept is not None and self._kept.seq > self.seq:
            raise Broken(
                self.seq,
                "truncated",
                f"events are missing: the room's witness signed event {self._kept.seq}",
            )

    def _anchor(self, event: int, by: str) -> None:
        """The latest event that is known from outside counts: it fixes all before it."""
        if event and (self.anchor is None or event > self.anchor.event):
            self.anchor = Point(event, by, self._hand)

    def end_after_damage(self) -> DayEnd:
        """The end of a damaged day, for the day after it, as far as it is known."""
        try:
            receipt = read_json(self.path.with_suffix(".receipt"))
            end = DayEnd(str(receipt["head"]), str(receipt["next_key"]))
        except (OSError, ValueError, KeyError, TypeError):
            end = DayEnd("")
        return end._replace(office=self.office)

    def _ending(self) -> None:
        self._check_room()
        self._end_of_rows()
        self._end_of_file()

    def _end_of_rows(self) -> None:
        """What the rows themselves show at their end."""
        if self._receipt.get("seq", 0) > self.seq:
            raise Broken(
                self.seq, "truncated", "events are missing: the given receipt names later ones"
            )
        if self.office is not None:
            self.office.end(self.seq)
        if self._begins and self.day[-1].isalpha() and not self._enrolled:
            raise Broken(1, "link", "this segment was not enrolled by a supervisor")

    def _end_of_file(self) -> None:
        """What lies beside the file fits its end."""
        receipt_path = self.path.with_suffix(".receipt")
        if not self._closed or self._is_closing(receipt_path):
            if receipt_path.exists():
                raise Broken(
                    self.seq, "truncated", "events are missing: the receipt names later ones"
                )
            self.verdict.open_days.append(self.name)
            check_witness(
                self.path, self._witness, self.seq, self._at_witness, sealed=bool(self.last_seal)
            )
            self._check_key()
            self._check_staff()
            return
        try:
            receipt = read_json(receipt_path)
            known = {name: receipt[name] for name in RECEIPT}
        except (OSError, ValueError, KeyError, TypeError):
            raise Broken(
                None, "receipt", "the receipt of the closed day is missing or cannot be read"
            ) from None
        values = (self.table, self.day, self.seq, self.head.hex(), head_words(self.head),
                  self._walk.key)  # fmt: skip
        wrong = [name for name, value in zip(RECEIPT, values, strict=True) if known[name] != value]
        if wrong:
            which = wrong[0].replace("_", " ")
            raise Broken(
                self.seq, "receipt", f"the receipt does not match the end of this day ({which})"
            )

    def _is_closing(self, receipt: Path) -> bool:
        """A kill at the turn of the year leaves the last entry without the receipt; the next entry
        of the office writes it."""
        return self.office is not None and self._is_latest and not receipt.exists()

    @property
    def _is_latest(self) -> bool:
        """Of the office's journals in its folder."""
        return office_files(self.path.parent)[-1:] == [self.path]

    def _check_key(self) -> None:
        """The key that makes the next seal is one that the log has named.

        Each is destroyed after its seal, so that nobody can bring back the key of a log that was
        cut short. A copy of a log has no key beside it, which is no damage.
        """
        if self._keys and not self._named_key:
            raise Broken(
                self.seq,
                "key",
                "the log does not name the signing key that lies beside it: events are missing, or "
                "the log was written again",
            )

    def _check_staff(self) -> None:
        """The staff list is as it was last changed by somebody who signed for it."""
        if self.office is None or not self._is_latest:
            return
        named, folder = self.office.records.brief.staff, self.path.parent
        if not is_named(folder, named, copied=not is_own_folder(self.path)):
            raise Broken(
                self.seq,
                "staff",
                "the staff list beside this journal is not the one that was signed for: it was "
                "changed by hand, put back or deleted",
            )


def _signing_keys(path: Path) -> frozenset[str]:
    """The signing keys beside a table's latest journal, before its rows are read."""
    table = table_of(path)
    days = office_files(path.parent) if is_office(path) else day_files(path.parent, table)
    latest = days[-1:]
    return keys_beside(path.parent, table) if latest == [path] else frozenset()

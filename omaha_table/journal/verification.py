"""Checks that a log can be trusted: chain, seals, receipts, links, then a replay of every hand."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from omaha_table.hand.audit import fault_in
from omaha_table.hand.events import (
    BackedUp,
    CardDealt,
    HandEnded,
    HandEvent,
    HandStarted,
    RemedyOrdered,
    Tabled,
    Undone,
)
from omaha_table.journal.anchors import RECEIPT, Anchors, Copy, Point
from omaha_table.journal.chain import START, canonical, head_words
from omaha_table.journal.days import day_files, table_of
from omaha_table.journal.events import (
    CardSealed,
    CardsOpened,
    DayCarried,
    DayClosed,
    DayOpened,
    HoleCardsSealed,
    IdentitiesLost,
    JournalSealed,
    SeatOpened,
    SegmentEnrolled,
    StreetSealed,
)
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.keys import keys_beside, read_json
from omaha_table.journal.reader import Reader
from omaha_table.journal.replay import advance
from omaha_table.journal.sealed_deal import SealedDeal
from omaha_table.journal.snapshot import agrees, take
from omaha_table.journal.walk import Broken, ChainWalk
from omaha_table.table import open_table
from omaha_table.table.events import RulesChanged, TableOpened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.table import TableState


@dataclass(frozen=True, slots=True)
class Damage:
    """The first problem in a file: where, what kind, and a message."""

    file: str
    event: int | None
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class JournalVerdict:
    """What was found out about one journal."""

    file: str
    sound: bool
    anchored: bool = False
    by: str = ""
    up_to: int | None = None
    """The last event that is anchored; None: all of them."""


@dataclass
class Verdict:
    files: int = 0
    events: int = 0
    hands: int = 0
    seals: int = 0
    opened_seats: int = 0
    open_days: list[str] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    journals: list[JournalVerdict] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.damage


_MARKS: Final = frozenset(
    (DayOpened, TableOpened, DayCarried, HandEnded, RulesChanged, SegmentEnrolled, DayClosed)
)  # fmt: skip
_OF_CARDS: Final = frozenset(
    (DayOpened, HandStarted, CardDealt, CardSealed, BackedUp, RemedyOrdered, IdentitiesLost,
     HoleCardsSealed, Tabled, CardsOpened, SeatOpened, HandEnded)
)  # fmt: skip
CARRIED: Final = 3
"""The number of the event that carries a table over; 1 opens the day and 2 the table."""
_AUDITED: Final = frozenset(get_args(HandEvent)) - {Undone, BackedUp}


class DayEnd(NamedTuple):
    """How a day ended, for the day after it. A damaged day has no table; no head: unknown."""

    head: str
    next_key: str = ""
    """Which makes the next seal; empty: unknown."""
    day: str = ""
    events: int = 0
    table: TableState | None = None


def verify(
    files: list[Path],
    progress: Callable[[int], None] = lambda rows: None,
    anchors: Anchors | None = None,
) -> Verdict:
    """Checks journals, oldest first; continues with the next file after a damaged one."""
    verdict = Verdict()
    ends: dict[str, DayEnd] = {}
    checked: list[FileCheck] = []
    for path in files:
        verdict.files += 1
        reader = FileCheck(path, verdict, anchors)
        checked.append(reader)
        try:
            reader.read(ends, progress)
            end = reader.end
        except Broken as broken:
            verdict.damage.append(Damage(path.name, broken.event, broken.kind, broken.message))
            end = _end_in_receipt(path)
        except JournalFault as fault:
            verdict.damage.append(Damage(path.name, None, "unreadable", fault.message))
            end = _end_in_receipt(path)
        if reader.table:
            ends[reader.table] = end
    for missing in () if anchors is None else anchors.unmet():
        verdict.damage.append(Damage("the journals", None, "anchor", missing))
    verdict.journals = _anchored(checked, {damage.file for damage in verdict.damage})
    return verdict


def _anchored(checked: list[FileCheck], damaged: set[str]) -> list[JournalVerdict]:
    """Which journals are anchored: each names the end of the one before it, so that an anchor also
    holds for all earlier days; a first public key holds for all that is signed since."""
    found: dict[Path, JournalVerdict] = {}
    later: dict[str, str] = {}
    for file in reversed(checked):
        name, sound = file.path.name, file.path.name not in damaged
        by = later.get(file.table, "")
        point = file.anchor
        if not sound:
            later.pop(file.table, None)
            found[file.path] = JournalVerdict(name, sound=False)
            continue
        if by:
            found[file.path] = JournalVerdict(name, True, True, by)
        elif point is not None:
            last = point.event if point.event < file.seq else None
            found[file.path] = JournalVerdict(name, True, True, point.by, last)
        else:
            found[file.path] = JournalVerdict(name, True)
        later[file.table] = "" if file.begins else by or (point.by if point is not None else "")
    key: dict[str, str] = {}
    for file in checked:
        if file.begins:
            key[file.table] = file.first_key
        mine = found[file.path]
        if not mine.sound:
            key.pop(file.table, None)
        elif key.get(file.table) and not mine.anchored:
            last = file.last_seal if file.last_seal < file.seq else None
            found[file.path] = JournalVerdict(mine.file, True, True, key[file.table], last)
    return [found[file.path] for file in checked]


def _end_in_receipt(path: Path) -> DayEnd:
    """The end of a damaged day, for the day after it, as far as it is known."""
    try:
        receipt = read_json(path.with_suffix(".receipt"))
        return DayEnd(str(receipt["head"]), str(receipt["next_key"]))
    except (OSError, ValueError, KeyError, TypeError):
        return DayEnd("")


def files_in(target: Path) -> list[Path]:
    """The journals of a folder, or of its subfolders, one per table."""
    if not target.is_dir():
        return [target]
    inside = [folder for folder in sorted(target.iterdir()) if folder.is_dir()]
    return day_files(target) or [path for folder in inside for path in day_files(folder)]


class FileCheck:
    """Checks one file from first row to last, in constant memory."""

    def __init__(self, path: Path, verdict: Verdict, anchors: Anchors | None = None) -> None:
        self.path, self.verdict = path, verdict
        self._anchors = anchors or Anchors()
        self.anchor: Point | None = None
        self.first_key = ""
        """How the first public key is called, if it was given as an anchor."""
        self.last_seal = 0
        self._receipt: dict[str, Any] = {}
        self.table, self.day = "", ""
        self._walk = ChainWalk()
        self._state: TableState | None = None
        self._rules_seq = 0
        self._cards = SealedDeal()
        self._closed = self._sealed_last = False
        self._begins = self._enrolled = False
        self._before = DayEnd("")
        self._keys: frozenset[str] = frozenset()
        self._named_key = False
        self._witness: Witness | None = None
        self._at_witness = ""

    @property
    def seq(self) -> int:
        return self._walk.seq

    @property
    def begins(self) -> bool:
        """Whether this journal follows no other."""
        return self._begins

    @property
    def head(self) -> bytes:
        return self._walk.head

    @property
    def end(self) -> DayEnd:
        return DayEnd(self.head.hex(), self._walk.key, self.day, self.seq, self._state)

    def read(self, ends: dict[str, DayEnd], progress: Callable[[int], None]) -> None:
        # Read before the rows: a table in play has then written every row the witness names.
        self._witness = _witness_of(self.path)
        self._keys = _signing_keys(self.path)
        with closing(Copy(self._anchors.mirror, self.path)) as copy, Reader(self.path) as reader:
            for row in reader.since():
                if copy.differs(row):
                    raise Broken(row.seq, "mirror", "the second copy has another event here")
                self.check(row, ends)
                if not self.seq % 500:
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
        self.verdict.open_days.append(self.path.name)

    def check(self, row: Row, ends: dict[str, DayEnd]) -> None:
        """Checks the next row; raises Broken if it was changed or is against the rules.

        `ends` are the ends of the days before, by table.
        """
        if self._closed and self._sealed_last:
            raise Broken(row.seq, "added", "this event was added after the day was closed")
        event = self._walk.step(row)
        self._sealed_last = isinstance(event, JournalSealed)
        self._named_key |= self._walk.key in self._keys
        if isinstance(event, JournalSealed | StreetSealed):
            self.verdict.seals += 1
            self.last_seal = row.seq
        words = self._anchors.words.get(row.hash[:8])
        if words is not None:
            self._anchors.met.add(words)
            self._anchor(row.seq, f"the slip of {self.day}")
        if row.seq == self._receipt.get("seq"):
            if row.hash.hex() != self._receipt["head"]:
                raise Broken(row.seq, "anchor", "this is not the event that the receipt names")
            self._anchor(row.seq, f"the receipt of {self.day}")
        if self._witness is not None and row.seq == self._witness.seq:
            self._at_witness = row.hash.hex()
        if isinstance(event, DayOpened):
            self._open(event, ends)
        elif isinstance(event, JournalSealed):
            self._check_state(row, event)
        elif row.seq == CARRIED and not isinstance(event, DayCarried | SegmentEnrolled):
            self._check_not_carried()
        self.verdict.events += 1
        self._replay(row, event)

    def _open(self, opened: DayOpened, ends: dict[str, DayEnd]) -> None:
        self.table, self.day = opened.table, opened.day
        self._before = ends.get(opened.table, DayEnd(""))
        self._begins = opened.previous == START.hex()
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
        if f"{opened.table}-{opened.day}" != self.path.name.partition(".")[0]:
            raise Broken(
                1,
                "renamed",
                f"the file was renamed: it is the journal of {opened.table}, {opened.day}",
            )

    def _check_state(self, row: Row, seal: JournalSealed) -> None:
        """A seal holds the table that the events before it lead to."""
        if self._state is not None:
            kept = {"rules_seq": self._rules_seq, "table": take(self._state)}
            # The text first: reading a seal takes longer, and only older ones differ in it.
            same = f'"state":{canonical(kept)}' in row.body
            if not same and not self._agrees(seal, self._state):
                raise Broken(
                    row.seq, "replay", "the sealed state of the table does not match the events"
                )

    def _agrees(self, seal: JournalSealed, state: TableState) -> bool:
        same_rules = seal.state.get("rules_seq") == self._rules_seq
        return same_rules and agrees(seal.state.get("table", {}), state)

    def _check_not_carried(self) -> None:
        """A table that was not closed goes on with the next day."""
        if self._before.table is not None and not self._before.table.closed:
            raise Broken(
                CARRIED, "link", f"the table as {self._before.day} left it is not carried over"
            )

    def _check_carried(self, row: Row, event: DayCarried) -> None:
        """A day begins with the table that the day before it ended with, and its rules."""
        if row.seq != CARRIED or self._state is None:
            raise Broken(row.seq, "replay", "only a day's third event carries a table over")
        before, table = self._before, self._before.table
        if table is None:
            return  # that day is damaged, which is reported there, or was not given
        as_it_was = (
            (event.day, event.events) == (before.day, before.events)
            and not table.closed
            and self._state.profile == table.profile
            and self._state.deck_required == table.deck_required
            and agrees(event.table, table)
        )
        if not as_it_was:
            raise Broken(row.seq, "link", f"the table carried over is not as {before.day} left it")

    def _replay(self, row: Row, event: Event) -> None:
        if type(event) in _OF_CARDS:
            self._check_cards(row, event)
        if type(event) in _MARKS and self._marked(row, event):
            return
        if self._state is None:
            raise Broken(row.seq, "foreign", "this event comes before the opening of the table")
        self._check(row, event, self._state)
        try:
            self._state = advance(self._state, event)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise Broken(
                row.seq, "replay", "this event does not fit the events before it"
            ) from None

    def _marked(self, row: Row, event: Event) -> bool:
        """Notes an event that matters to these checks; whether it needs no replay."""
        match event:
            case DayOpened():
                return True
            case TableOpened():
                self._opened(row, event)
                return True
            case DayCarried():
                self._check_carried(row, event)
            case HandEnded():
                self.verdict.hands += 1
            case RulesChanged():
                self._rules_seq = row.seq
            case SegmentEnrolled():
                self._enrolled = True
            case DayClosed():
                self._closed = True
        return False

    def _opened(self, row: Row, event: TableOpened) -> None:
        try:
            self._state, self._rules_seq = open_table(event, row.seq), row.seq
        except ValueError:
            raise Broken(row.seq, "replay", "the rules in this event cannot be used") from None

    def _check(self, row: Row, event: Event, state: TableState) -> None:
        hand = state.hand
        if isinstance(event, HandStarted):
            self._check_stacks(row, event, state)
        if hand is None or type(event) not in _AUDITED:
            return
        wrong = fault_in(hand, event)  # type: ignore[arg-type]
        if wrong:
            raise Broken(row.seq, "replay", f"{row.kind} of hand {row.hand}: {wrong}")

    def _check_stacks(self, row: Row, started: HandStarted, state: TableState) -> None:
        """A hand begins with the chips that are at the table."""
        for seat, stack in started.stacks.items():
            if seat not in state.seats or state.seats[seat].stack != stack:
                raise Broken(
                    row.seq,
                    "replay",
                    f"hand {row.hand} starts with other chips at seat {seat} than it had",
                )

    def _check_cards(self, row: Row, event: Event) -> None:
        """Checks that face-down cards were sealed as dealt, and that these were tabled."""
        wrong = self._cards.take(event)
        if wrong:
            raise Broken(row.seq, "commitment", wrong)
        if isinstance(event, CardsOpened | SeatOpened):
            self.verdict.opened_seats += 1

    def _anchor(self, event: int, by: str) -> None:
        """The latest event that is known from outside counts: it fixes all before it."""
        if event and (self.anchor is None or event > self.anchor.event):
            self.anchor = Point(event, by)

    def _ending(self) -> None:
        if self._receipt.get("seq", 0) > self.seq:
            raise Broken(
                self.seq, "truncated", "events are missing: the given receipt names later ones"
            )
        if self._begins and self.day[-1].isalpha() and not self._enrolled:
            raise Broken(1, "link", "this segment was not enrolled by a supervisor")
        receipt_path = self.path.with_suffix(".receipt")
        if not self._closed:
            if receipt_path.exists():
                raise Broken(
                    self.seq, "truncated", "events are missing: the receipt names later ones"
                )
            self.verdict.open_days.append(self.path.name)
            self._check_witness()
            self._check_key()
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

    def _check_witness(self) -> None:
        witness = self._witness
        if witness is None:
            # The writer makes it with the first rows, so that a seal without it is no accident. A
            # copy that was taken elsewhere may come without it.
            if self.last_seal and _is_own_folder(self.path):
                raise Broken(None, "witness", "the witness file of this open day is missing")
            return
        if witness.seq < 1:
            raise Broken(None, "witness", "the witness file cannot be read")
        if witness.seq > self.seq:
            raise Broken(
                self.seq,
                "truncated",
                f"events are missing: the witness file names event {witness.seq}",
            )
        if witness.head != self._at_witness:
            raise Broken(witness.seq, "witness", "this event does not match the witness file")


def _is_own_folder(path: Path) -> bool:
    """Whether this is where the table writes, and no place to which a journal was copied."""
    table = table_of(path)
    return any((path.parent / f"{table}.{end}").exists() for end in ("lock", "key", "next"))


def _signing_keys(path: Path) -> frozenset[str]:
    """The signing keys beside a table's latest journal, before its rows are read."""
    table = table_of(path)
    latest = day_files(path.parent, table)[-1:]
    return keys_beside(path.parent, table) if latest == [path] else frozenset()


class Witness(NamedTuple):
    """The last event in the witness file beside an open journal; number 0: unreadable."""

    seq: int
    head: str


def _witness_of(path: Path) -> Witness | None:
    try:
        witness = read_json(path.with_suffix(".witness"))
        return Witness(int(witness["seq"]), str(witness["head"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return Witness(0, "")


def damage_lines(verdict: Verdict) -> Iterator[str]:
    for damage in verdict.damage:
        where = damage.file if damage.event is None else f"{damage.file}, event {damage.event}"
        yield f"{where}: {damage.kind}: {damage.message.rstrip('.')}."


NOT_ANCHORED: Final = "Not anchored: whoever owns this disk could have replaced all of it."


def trust_lines(verdict: Verdict, *, given: bool = False) -> Iterator[str]:
    """What a sound verdict is worth: what of the log is known from outside.

    `given`: whether anything from outside was compared.
    """
    anchored = [journal for journal in verdict.journals if journal.anchored]
    if not anchored:
        yield f"Sound. {NOT_ANCHORED}"
        return
    by = dict.fromkeys(journal.by for journal in anchored)
    yield f"Sound, anchored by {' and '.join(by)}."
    for journal in anchored:
        if journal.up_to is not None:
            yield f"{journal.file}: anchored up to event {journal.up_to}."
    bare = [journal.file for journal in verdict.journals if not journal.anchored]
    if given and bare:
        yield f"Not anchored: {', '.join(bare)}."

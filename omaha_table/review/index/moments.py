"""Events with their time and place in the log, and those that a ruling made outside its hand."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from omaha_table.journal.codec import decode, type_name
from omaha_table.journal.events import ClockStepped, DayCarried, DayOpened, Recovered
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import record_of
from omaha_table.journal.replay import table_before
from omaha_table.journal.snapshot import Snapshot
from omaha_table.review.index.store import as_journal
from omaha_table.table.events import (
    ChipsTransferred,
    DealerIn,
    DealerOut,
    DeviceChanged,
    DeviceIdentified,
    DeviceMetered,
    FeeReturned,
    FloorArrived,
    FloorCalled,
    FloorCallEnded,
    ImpoundReleased,
    PlayerLeft,
    PotImpounded,
    Ruled,
    ShiftClosed,
    ShiftOpened,
    StackAdjusted,
    StackSet,
    TakenBack,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.events import Event
    from omaha_table.journal.rows import Rows
    from omaha_table.review.index.store import Journal

MovedLater: TypeAlias = ChipsTransferred | PotImpounded | ImpoundReleased | FeeReturned
"""What a ruling can do to a hand after its push."""
MOVED_LATER: Final = (Ruled, ChipsTransferred, PotImpounded, ImpoundReleased, FeeReturned)
_AROUND: Final = (
    *(Ruled, Recovered, ClockStepped, DayOpened, DayCarried),
    *(DealerIn, DealerOut, ShiftOpened, ShiftClosed, TakenBack),
    *(FloorCalled, FloorArrived, FloorCallEnded, StackAdjusted, StackSet, PlayerLeft),
    *(DeviceMetered, DeviceChanged, DeviceIdentified),
)


class Moment(NamedTuple):
    """One event of a hand, with when it was written and its place in the log."""

    seq: int
    at_us: int
    event: Event
    row_hash: bytes
    undone: bool = False

    @property
    def hash(self) -> str:
        return self.row_hash.hex()


@dataclass(frozen=True, slots=True)
class Given:
    """A ruling, a stack that was changed, chips that were picked up, a sign-in, a call of the
    floor, a restart, a clock step or what a device counted, and what was around it."""

    moment: Moment
    hand: int | None
    """None: between hands."""
    table: str
    day: str
    dealer: str
    shift: str
    box_day: str
    """On which the boxes of the shift were opened."""


def moved_later(rows: Rows, after: int = 0) -> dict[int, list[Moment]]:
    """What was done to hands after their push, by hand number: each ruling, then what it moved."""
    found: defaultdict[int, list[Moment]] = defaultdict(list)
    ruled: Moment | None = None
    for _, moment in _moments(rows, MOVED_LATER, after):
        if isinstance(moment.event, Ruled):
            ruled = moment
        elif isinstance(moment.event, MovedLater) and moment.event.of_hand is not None:
            found[moment.event.of_hand] += [moment] if ruled is None else [ruled, moment]
            ruled = None
    return found


def around_hands(journal: Path | Journal) -> Iterator[Given]:
    """Rulings, sign-ins, calls of the floor, restarts and clock steps, in hands and between."""
    table = day = dealer = shift = box_day = ""
    with closing(as_journal(journal).open()) as reader:
        found = list(_moments(reader, _AROUND))
        undone = {seq for _, m in found if isinstance(m.event, TakenBack) for seq in m.event.seqs}
        for hand, moment in found:
            match moment.event:
                case DayOpened() as opened:
                    table, day = opened.table, opened.day
                    box_day = day
                case DayCarried() as carried:
                    before: Snapshot = decode(Snapshot, carried.table)
                    dealer = "" if before.down is None else before.down.dealer
                    shift, box_day = before.shift or "", carried.box_day or day
                case DealerIn() as pushed:
                    dealer = pushed.dealer
                    if moment.seq not in undone:
                        yield Given(moment, hand, table, day, dealer, shift, box_day)
                case DealerOut():
                    dealer = ""
                case TakenBack():
                    down = table_before(reader, moment.seq + 1).down
                    dealer = "" if down is None else down.dealer
                case ShiftOpened() as box:
                    shift, box_day = box.shift, day
                case ShiftClosed():
                    shift, box_day = "", day
                case StackSet() | PlayerLeft(picked_up=True):
                    if moment.seq not in undone:
                        yield Given(moment, hand, table, day, dealer, shift, box_day)
                case (
                    Ruled()
                    | Recovered()
                    | ClockStepped()
                    | FloorCalled()
                    | FloorArrived()
                    | FloorCallEnded()
                    | StackAdjusted()
                    | DeviceMetered()
                    | DeviceChanged()
                    | DeviceIdentified()
                ):
                    yield Given(moment, hand, table, day, dealer, shift, box_day)


def _moments(
    rows: Rows, kinds: tuple[type, ...], after: int = 0
) -> Iterator[tuple[int | None, Moment]]:
    """Events of some kinds as far as they can be read: who reads the hands reports the rest."""
    try:
        for row in rows.since(after, [type_name(kind) for kind in kinds]):
            yield row.hand, Moment(row.seq, row.at_us, record_of(row).event, row.hash)
    except (JournalFault, ValueError, TypeError, AttributeError):
        return

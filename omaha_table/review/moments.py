"""Events with their time and place in the log, and those that a ruling made outside its hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from omaha_table.journal.codec import decode, type_name
from omaha_table.journal.events import ClockStepped, DayCarried, DayOpened, Recovered
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.snapshot import Snapshot
from omaha_table.table.events import (
    ChipsTransferred,
    DealerIn,
    DealerOut,
    FeeReturned,
    ImpoundReleased,
    PotImpounded,
    Ruled,
    ShiftClosed,
    ShiftOpened,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.events import Event
    from omaha_table.journal.reader import JournalRows

Mended: TypeAlias = ChipsTransferred | PotImpounded | ImpoundReleased | FeeReturned
"""What a ruling can do to a hand after its push."""
_MENDS: Final = (Ruled, ChipsTransferred, PotImpounded, ImpoundReleased, FeeReturned)
_AROUND: Final = (
    *(Ruled, Recovered, ClockStepped, DayOpened, DayCarried),
    *(DealerIn, DealerOut, ShiftOpened, ShiftClosed),
)


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of a hand, with when it was written and its place in the log."""

    seq: int
    at_us: int
    event: Event
    hash: str
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """A ruling, a restart or a clock step: in which hand, if in one, whose deal, which shift."""

    moment: Moment
    hand: int | None
    table: str
    day: str
    dealer: str
    shift: str
    box_day: str
    """On which the boxes of the shift were opened."""


def mended(rows: JournalRows, after: int = 0) -> dict[int, list[Moment]]:
    """What was done to hands after their push, by hand number: each ruling, then what it moved."""
    found: defaultdict[int, list[Moment]] = defaultdict(list)
    ruled: Moment | None = None
    for _, moment in _moments(rows, _MENDS, after):
        if isinstance(moment.event, Ruled):
            ruled = moment
        elif isinstance(moment.event, Mended) and moment.event.of_hand is not None:
            found[moment.event.of_hand] += [moment] if ruled is None else [ruled, moment]
            ruled = None
    return found


def around_hands(path: Path) -> Iterator[Given]:
    """The rulings, restarts and clock steps of a journal in order, also those between hands."""
    table = day = dealer = shift = box_day = ""
    with Reader(path) as reader:
        for hand, moment in _moments(reader, _AROUND):
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
                case DealerOut():
                    dealer = ""
                case ShiftOpened() as box:
                    shift, box_day = box.shift, day
                case ShiftClosed():
                    shift, box_day = "", day
                case Ruled() | Recovered() | ClockStepped():
                    yield Given(moment, hand, table, day, dealer, shift, box_day)


def _moments(
    rows: JournalRows, kinds: tuple[type, ...], after: int = 0
) -> Iterator[tuple[int | None, Moment]]:
    """Events of some kinds as far as they can be read: who reads the hands reports the rest."""
    try:
        for row in rows.since(after, [type_name(kind) for kind in kinds]):
            yield row.hand, Moment(row.seq, row.at_us, record_of(row).event, row.hash.hex())
    except (JournalFault, ValueError, TypeError, AttributeError):
        return

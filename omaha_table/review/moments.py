"""Events with their time and place in the log, and those that a ruling made outside its hand."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from omaha_table.desk.logged import record_of
from omaha_table.journal.chain import Row
from omaha_table.journal.store import open_for_reading
from omaha_table.table.events import (
    ChipsTransferred,
    ClockStepped,
    DayOpened,
    DealerIn,
    DealerOut,
    FeeReturned,
    ImpoundReleased,
    PotImpounded,
    Recovered,
    Ruled,
    ShiftClosed,
    ShiftOpened,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.table.events import TableEvent

Mended: TypeAlias = ChipsTransferred | PotImpounded | ImpoundReleased | FeeReturned
"""What a ruling can do to a hand after its push."""
_MENDS: Final = "'ruled', 'chips_transferred', 'pot_impounded', 'impound_released', 'fee_returned'"
_AROUND: Final = (
    "'ruled', 'recovered', 'clock_stepped', "
    "'day_opened', 'dealer_in', 'dealer_out', 'shift_opened', 'shift_closed'"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of a hand, with when it was written and its place in the log."""

    seq: int
    at_us: int
    event: TableEvent
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


def mended(connection: sqlite3.Connection, after: int = 0) -> dict[int, list[Moment]]:
    """What was done to hands after their push, by hand number: each ruling, then what it moved."""
    found: defaultdict[int, list[Moment]] = defaultdict(list)
    ruled: Moment | None = None
    for _, moment in _moments(connection, _MENDS, after):
        if isinstance(moment.event, Ruled):
            ruled = moment
        elif isinstance(moment.event, Mended) and moment.event.of_hand is not None:
            found[moment.event.of_hand] += [moment] if ruled is None else [ruled, moment]
            ruled = None
    return found


def around_hands(path: Path) -> Iterator[Given]:
    """The rulings, restarts and clock steps of a journal in order, also those between hands."""
    connection = open_for_reading(path)
    table = day = dealer = shift = ""
    try:
        for hand, moment in _moments(connection, _AROUND):
            match moment.event:
                case DayOpened() as opened:
                    table, day = opened.table, opened.day
                case DealerIn() as pushed:
                    dealer = pushed.dealer
                case DealerOut():
                    dealer = ""
                case ShiftOpened() as box:
                    shift = box.shift
                case ShiftClosed():
                    shift = ""
                case Ruled() | Recovered() | ClockStepped():
                    yield Given(moment, hand, table, day, dealer, shift)
    finally:
        connection.close()


def _moments(
    connection: sqlite3.Connection, kinds: str, after: int = 0
) -> Iterator[tuple[int | None, Moment]]:
    """Events of some kinds as far as they can be read: who reads the hands is told of the rest."""
    try:
        for found in connection.execute(
            "SELECT seq, hand, at_us, mono_us, kind, actor, body, hash FROM event "
            f"WHERE seq > ? AND kind IN ({kinds}) ORDER BY seq",
            (after,),
        ):
            row = Row._make(found)
            yield row.hand, Moment(row.seq, row.at_us, record_of(row).event, row.hash.hex())
    except (sqlite3.Error, ValueError, TypeError, AttributeError):
        return

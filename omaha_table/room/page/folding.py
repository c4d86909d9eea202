"""One table as its events make it, folded by the program's own `apply` as they come in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from omaha_table.hand.events import (
    DEALER_SETTLES,
    Acted,
    BackedUp,
    BoardDealt,
    FoldedOutOfTurn,
    HandEnded,
    HandStarted,
    Undone,
)
from omaha_table.journal.reader import record_of
from omaha_table.journal.replay import advance, table_before
from omaha_table.money import format_dollars
from omaha_table.review.index.replay import event_words
from omaha_table.room.page.sources import Source, last_times
from omaha_table.room.rows import RoomRows
from omaha_table.table.events import DealerIn, DealerOut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.room.database import Connection
    from omaha_table.table import TableState

HOUR_US: Final = 3_600_000_000
RECENT: Final = 24
"""Events that are kept in words."""
_MOST_HANDS: Final = 200
"""In an hour, at the fastest table there is."""
_UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, AssertionError)


@dataclass(frozen=True, slots=True)
class TableNow:
    """What is known of one table; the same for everybody who looks."""

    source: Source
    state: TableState | None = None
    """None: nothing was received yet, or it cannot be read."""
    problem: str = ""
    dealer_since_us: int = 0
    ended_us: tuple[int, ...] = ()
    """When the hands of the last hour ended, the oldest first."""
    first_us: int = 0
    """When the table's first event of the day was written."""
    troubles: Mapping[str, int] = field(default_factory=dict)
    """Since when something waits for the floor, by what it is, in microseconds."""
    recent: tuple[tuple[int, str], ...] = ()
    """What happened last, in words, with its time in microseconds; the latest last."""
    acts: Mapping[int, str] = field(default_factory=dict)
    """What each seat did last on this street."""

    @property
    def name(self) -> str:
        return self.source.name


def fold_from_start(room: Connection, source: Source) -> TableNow:
    """A table from its last seal; raises RoomError."""
    if not source.day:
        return TableNow(source)
    rows = RoomRows(room, source.journal)
    first, last = rows.get(1), rows.get(source.seq)
    if first is None or last is None or source.seq < 2:
        return TableNow(source)
    try:
        seal = rows.last_seal(source.seq + 1)
        state = table_before(rows, seal.seq + 1 if seal is not None else 3)
        since = last.at_us / 1e6 - HOUR_US / 1e6
        dealt = last_times(room, source.journal, "dealer_in", 0, 1)
        ended = last_times(room, source.journal, "hand_ended", since, _MOST_HANDS)
        said_before = [(row.at_us, _said(row)) for row in rows.since(max(state.seq - RECENT, 0))
                       if row.seq <= state.seq]  # fmt: skip
        now = TableNow(
            source, state, "", dealt[0] if dealt and state.down is not None else 0,
            tuple(reversed(ended)), first.at_us,
            recent=tuple((at, words) for at, words in said_before if words),
        )  # fmt: skip
        known = ended[0] if ended else 0
        return fold_on(now, source, list(rows.since(state.seq)), known)
    except _UNREADABLE as error:
        return TableNow(source, problem=f"Its log cannot be read ({type(error).__name__}).")


def fold_on(now: TableNow, source: Source, rows: list[Row], known_us: int = 0) -> TableNow:
    """The table after more of its events; what ended up to `known_us` is counted already."""
    if now.state is None:
        return replace(now, source=source)
    state, since, ended = now.state, now.dealer_since_us, list(now.ended_us)
    troubles, recent, acts = dict(now.troubles), list(now.recent), dict(now.acts)
    try:
        for row in rows:
            event = record_of(row).event
            state = advance(state, event)
            since = _dealer_since(event, row.at_us, since)
            if isinstance(event, HandEnded) and row.at_us > known_us:
                ended.append(row.at_us)
            acts = acts_after(acts, event)
            if words := event_words(event):
                recent.append((row.at_us, words))
            found = _troubles(state)
            troubles = {what: troubles.get(what, row.at_us) for what in found}
    except _UNREADABLE as error:
        said = f"Its log cannot be read from event {state.seq + 1} on ({type(error).__name__})."
        return TableNow(source, problem=said)
    last = rows[-1].at_us if rows else 0
    kept = tuple(at for at in ended if at > last - HOUR_US)
    return TableNow(
        source, state, "", since, kept, now.first_us, troubles, tuple(recent[-RECENT:]), acts
    )


def acts_after(acts: dict[int, str], event: Event) -> dict[int, str]:
    """What was done on a street ends with it; what was taken back is not shown as done."""
    match event:
        case Acted():
            return {**acts, event.seat: act_words(event)}
        case FoldedOutOfTurn():
            return {**acts, event.seat: "folds"}
        case HandStarted() | BoardDealt() | HandEnded() | Undone() | BackedUp():
            return {}
    return acts


def act_words(event: Acted) -> str:
    """'raises to $24, all in'."""
    words = {
        "fold": "folds",
        "check": "checks",
        "call": f"calls {format_dollars(event.amount)}",
        "bet": f"bets {format_dollars(event.to)}",
        "raise": f"raises to {format_dollars(event.to)}",
    }[event.action]
    return f"{words}, all in" if event.all_in else words


def _said(row: Row) -> str:
    try:
        return event_words(record_of(row).event)
    except _UNREADABLE:
        return ""


def _dealer_since(event: Event, at_us: int, since: int) -> int:
    match event:
        case DealerIn():
            return at_us
        case DealerOut():
            return 0
    return since


def _troubles(state: TableState) -> list[str]:
    """What waits for the floor without anybody having called."""
    found = []
    hand = state.hand
    # Not asked of `step`, which only knows the table between two entries.
    if hand is not None and hand.trouble is not None and hand.trouble not in DEALER_SETTLES:
        found.append("card")
    found += [name for name, record in state.device_records.items() if record.needs_floor]
    return found

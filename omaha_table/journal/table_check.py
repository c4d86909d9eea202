"""What `verify` checks of a table's journal beyond its chain: every event is decided again.

A day begins with the table that the day before left, each hand with the chips at the table, each
seal holds the table that the events before it lead to, and what is tabled is what was dealt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from omaha_table.hand.audit import fault_in
from omaha_table.hand.events import (
    BackedUp,
    HandEnded,
    HandEvent,
    HandStarted,
    Undone,
)
from omaha_table.journal.chain import canonical
from omaha_table.journal.events import (
    CardsOpened,
    DayCarried,
    DayOpened,
    JournalSealed,
    SeatOpened,
    SegmentEnrolled,
)
from omaha_table.journal.replay import advance
from omaha_table.journal.sealed_deal import OF_CARDS, SealedDeal
from omaha_table.journal.snapshot import agrees, take
from omaha_table.journal.walk import Broken
from omaha_table.table import open_table
from omaha_table.table.events import DevicesCarried, RulesChanged, TableOpened

if TYPE_CHECKING:
    from omaha_table.journal.chain import Row
    from omaha_table.journal.events import Event
    from omaha_table.journal.office_check import OfficeCheck
    from omaha_table.journal.verdict import Verdict
    from omaha_table.table import TableState

_MARKS: Final = frozenset(
    (DayOpened, TableOpened, DayCarried, DevicesCarried, HandEnded, RulesChanged)
)
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
    office: OfficeCheck | None = None
    sound: bool = False
    demo: bool | None = None
    """None: unknown."""


class TableCheck:
    """Follows the events of one day; raises Broken at the first one that does not follow."""

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self.state: TableState | None = None
        """The table after the last event."""
        self.rules_seq = 0
        """The number of the event that set the rules."""
        self._cards = SealedDeal()
        self._before = DayEnd("")

    def begin(self, before: DayEnd, opened: DayOpened) -> None:
        """A day, and how the day before it ended."""
        self._before = before
        self._cards = SealedDeal(opened.table, opened.day)

    def go_on(self, state: TableState, rules_seq: int) -> None:
        """After a seal, without the events before it."""
        self.state, self.rules_seq = state, rules_seq
        self._cards.end()

    def resume(self, state: TableState, rules_seq: int, opened: DayOpened) -> None:
        """Goes on between two hands, at a table that was checked before."""
        self.begin(DayEnd(""), opened)
        self.go_on(state, rules_seq)

    def compare(self, row: Row, event: Event) -> None:
        """Compares what an event keeps of the table, before it is followed itself."""
        if isinstance(event, JournalSealed):
            self._check_state(row, event)
            if self.state is None or self.state.hand is None:
                # Nothing after it may speak of the cards of a hand before it: so a check can start
                # from here.
                self._cards.end()
        elif row.seq == CARRIED and not isinstance(event, DayCarried | SegmentEnrolled):
            self._check_not_carried()

    def take(self, row: Row, event: Event) -> None:
        """Follows the next event."""
        if type(event) in OF_CARDS:
            self._check_cards(row, event)
        if type(event) in _MARKS and self._marked(row, event):
            return
        if self.state is None:
            raise Broken(row.seq, "foreign", "this event comes before the opening of the table")
        self._check(row, event, self.state)
        try:
            self.state = advance(self.state, event)
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
            case DevicesCarried():
                self._check_devices(row, event)
            case HandEnded():
                self._verdict.hands += 1
            case RulesChanged():
                self.rules_seq = row.seq
        return False

    def _check_state(self, row: Row, seal: JournalSealed) -> None:
        """A seal holds the table that the events before it lead to."""
        if self.state is not None:
            kept = {"rules_seq": self.rules_seq, "table": take(self.state)}
            # The text first: reading a seal takes longer, and only older ones differ in it.
            same = f'"state":{canonical(kept)}' in row.body
            if not same and not self._agrees(seal, self.state):
                raise Broken(
                    row.seq, "replay", "the sealed state of the table does not match the events"
                )

    def _agrees(self, seal: JournalSealed, state: TableState) -> bool:
        same_rules = seal.state.get("rules_seq") == self.rules_seq
        return same_rules and agrees(seal.state.get("table", {}), state)

    def _check_not_carried(self) -> None:
        """A table that was not closed goes on with the next day."""
        if self._before.table is not None and not self._before.table.closed:
            raise Broken(
                CARRIED, "link", f"the table as {self._before.day} left it is not carried over"
            )

    def _check_devices(self, row: Row, event: DevicesCarried) -> None:
        """What is known of the devices is what the day before knew when its table was closed."""
        if row.seq != CARRIED:
            raise Broken(row.seq, "replay", "only a day's third event carries devices over")
        table = self._before.table
        if table is not None and event.devices != table.device_records:
            raise Broken(
                row.seq, "link", f"the devices carried over are not as {self._before.day} left them"
            )

    def _check_carried(self, row: Row, event: DayCarried) -> None:
        """A day begins with the table that the day before it ended with, and its rules."""
        if row.seq != CARRIED or self.state is None:
            raise Broken(row.seq, "replay", "only a day's third event carries a table over")
        before, table = self._before, self._before.table
        if table is None:
            return  # that day is damaged, which is reported there, or was not given
        as_it_was = (
            (event.day, event.events) == (before.day, before.events)
            and not table.closed
            and self.state.profile == table.profile
            and self.state.deck_required == table.deck_required
            and agrees(event.table, table)
        )
        if not as_it_was:
            raise Broken(row.seq, "link", f"the table carried over is not as {before.day} left it")

    def _opened(self, row: Row, event: TableOpened) -> None:
        try:
            self.state, self.rules_seq = open_table(event, row.seq), row.seq
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
            self._verdict.opened_seats += 1

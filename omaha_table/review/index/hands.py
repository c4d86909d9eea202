"""Hands as a reviewer sees them.

A hand is its events with their times, and what was around it: table, day, dealer, shift, names,
what was unusual. Nothing here can hold a card that was not face up: the log has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from omaha_table.hand.events import BoardDealt, FeeDue, FeePaid, FeeWaived, Tabled
from omaha_table.hand.phases import Street
from omaha_table.review.index.moments import Moment, MovedLater
from omaha_table.table.events import FeeReturned, Ruled

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand.events import HandEnded, HandStarted
    from omaha_table.journal.diary import Refusal
    from omaha_table.money import Cents
    from omaha_table.review.index.incidents import Incident
    from omaha_table.rules import Limit, Profile

IMPORTED: Final = ("import", "played")
"""The note before an imported hand: its detail is when the hand was played, in ISO 8601."""


@dataclass(slots=True)
class Played:
    """One hand from its start to its push."""

    file: str
    table: str
    day: str
    number: int
    profile: Profile
    limit: Limit
    started: HandStarted
    started_us: int
    dealer: str
    shift: str
    box: str
    names: dict[int, str]
    log: str = ""
    """Of the journal: no other has it, whatever its file and table are called."""
    jackpot_box: str = ""
    down: int = 0
    """Which down of the day, counted from 1; 0: before anybody was pushed in."""
    box_day: str = ""
    """On which the boxes were opened; where a shift goes on past six, that is an earlier day."""
    box_log: str = ""
    """The journal of that day."""
    moments: list[Moment] = field(default_factory=list)
    unusual: list[Moment] = field(default_factory=list)
    """Those that are worth a second look."""
    refusals: list[Refusal] = field(default_factory=list)
    """From the diary, which is not sealed."""
    ended: HandEnded | None = None
    ended_us: int = 0
    flags: set[str] = field(default_factory=set)
    later: list[Moment] = field(default_factory=list)
    """What the floor did to the hand after its push: each ruling, then what it moved."""
    played: str = ""
    """Of an imported hand: when it was played, where its file says so. Times are of the import."""
    previous: str = ""
    """The hash of the event before the first."""

    @property
    def pot(self) -> Cents:
        """Everything that was won or taken."""
        ended = self.ended
        return 0 if ended is None else sum(ended.awards.values()) + ended.fee + ended.jackpot

    @property
    def fee(self) -> Cents:
        """What went into the box: out of the pot, or from each player."""
        return 0 if self.ended is None else self.ended.fee + sum(self.fees_paid.values())

    @property
    def fees_paid(self) -> dict[int, Cents]:
        """What players have paid, by seat; of a hand that was called off it went back."""
        if self.outcome in ("misdeal", "void"):
            return {}
        paid = [m.event for m in self.standing if isinstance(m.event, FeePaid)]
        return {event.seat: event.amount for event in paid}

    @property
    def jackpot(self) -> Cents:
        return 0 if self.ended is None else self.ended.jackpot

    @property
    def outcome(self) -> str:
        """Empty while the hand is played."""
        return "" if self.ended is None else self.ended.outcome

    @property
    def dealt(self) -> int:
        """How many hands were dealt."""
        return len(self.started.dealt)

    @property
    def flop_us(self) -> int:
        """When the flop came; 0: there was none."""
        came = [m.at_us for m in self.standing
                if isinstance(m.event, BoardDealt) and m.event.street is Street.FLOP]  # fmt: skip
        return came[-1] if came else 0

    @property
    def seconds(self) -> float:
        return max(self.ended_us - self.started_us, 0) / 1e6

    @property
    def flop(self) -> bool:
        return bool(self.ended is not None and self.ended.board)

    @property
    def waived(self) -> Cents:
        """What of the drop was due and not taken: of a pot too small for it, by the floor, or from
        players who have not paid."""
        ended, standing = self.ended, [m.event for m in self.standing]
        if ended is None or ended.outcome in ("misdeal", "void"):
            return 0
        by_player = self.profile.fee.by == "player"
        if by_player or not any(isinstance(event, FeeWaived) for event in standing):
            return ended.waived
        return sum(event.fee + event.jackpot for event in standing if isinstance(event, FeeDue))

    @property
    def refunded(self) -> Cents:
        """What of the fee was given back."""
        return sum(m.event.amount for m in self.later if isinstance(m.event, FeeReturned))

    @property
    def moved_later(self) -> list[tuple[Moment, MovedLater]]:
        """What was moved after the push."""
        return [(m, m.event) for m in self.later if isinstance(m.event, MovedLater)]

    @property
    def standing(self) -> list[Moment]:
        """The events that were not taken back."""
        return [moment for moment in self.moments if not moment.undone]

    @property
    def tabled(self) -> dict[int, tuple[Card, ...]]:
        return {m.event.seat: m.event.cards for m in self.standing if isinstance(m.event, Tabled)}

    @property
    def rulings(self) -> list[Ruled]:
        return [moment.event for moment in self.moments if isinstance(moment.event, Ruled)]


@dataclass(frozen=True, slots=True)
class Between:
    """Something unusual between two hands."""

    table: str
    day: str
    log: str
    incident: Incident


def board_of(hand: Played) -> tuple[Card, ...]:
    if hand.ended is not None and hand.ended.board:
        return hand.ended.board
    cards: tuple[Card, ...] = ()
    for moment in hand.standing:
        if isinstance(moment.event, BoardDealt):
            cards += moment.event.cards
    return cards

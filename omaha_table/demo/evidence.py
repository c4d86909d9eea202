"""What there is to judge a situation by, and whether it was handled.

From the events of the log and from what the dealer read, never from the screen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omaha_table.dealer.event_text import chips, pot_name
from omaha_table.hand.events import (
    Acted,
    BoardDealt,
    FoldedOutOfTurn,
    HandEnded,
    HandStarted,
    RemedyOrdered,
)

if TYPE_CHECKING:
    from omaha_table.journal.events import Event
    from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class PotRead:
    """What the dealer read of a pot, or what the cards say of it."""

    number: int
    high: tuple[int, ...]
    low: tuple[int, ...]
    awards: tuple[tuple[int, Cents], ...] = ()
    """What each seat gets of this pot, high and low together; empty: it was not asked, because one
    seat was named for all of it."""

    def agrees(self, right: PotRead) -> bool:
        """Whether it was read as it is."""
        if (self.high, self.low) != (right.high, right.low):
            return False
        return not self.awards or self.awards == right.awards


@dataclass(frozen=True, slots=True)
class HandRead:
    """A showdown as the dealer read it, and as it is."""

    hand: int
    said: tuple[PotRead, ...]
    right: tuple[PotRead, ...]
    pots: int = 1
    """How many there were, those with one claim included."""

    @property
    def wrong(self) -> tuple[tuple[PotRead, PotRead], ...]:
        pairs = zip(self.said, self.right, strict=True)
        return tuple((said, right) for said, right in pairs if not said.agrees(right))


@dataclass(frozen=True, slots=True)
class RaiseAnswer:
    """Whether a seat may raise: what the dealer said, and what the rules say."""

    hand: int
    seat: int
    said: bool
    right: bool


@dataclass
class Evidence:
    """What there is to judge the first hand of a practice by."""

    events: list[Event] = field(default_factory=list)
    """Of the log, without what was taken back."""
    readings: tuple[HandRead, ...] = ()
    answers: tuple[RaiseAnswer, ...] = ()
    struck: int | None = None
    """The seat to which it happened: its card was exposed, or it folded out of turn."""

    @property
    def ended(self) -> HandEnded | None:
        return next((event for event in self.events if isinstance(event, HandEnded)), None)

    @property
    def hands(self) -> int:
        return sum(isinstance(event, HandStarted) for event in self.events)


def read_right(evidence: Evidence) -> str:
    """The showdown was read before the console showed it, and the pots went where they belong."""
    ended = evidence.ended
    if ended is None:
        return "The hand was not finished."
    if ended.outcome != "showdown":
        return "The hand was not shown down."
    reading = next(iter(evidence.readings), None)
    if reading is None:
        return "The showdown was not read."
    for said, right in reading.wrong:
        return difference(said, right, reading.pots)
    for pot in reading.right:
        award = ended.pots[pot.number]
        if ended.by_ruling or {**award.high, **award.low}.keys() != dict(pot.awards).keys():
            return "The pots were pushed to the wrong seats."
    return ""


def difference(said: PotRead, right: PotRead, pots: int) -> str:
    """The first thing that was read wrong of a pot."""
    which = "" if pots == 1 else f"{pot_name(right.number, pots)}, "
    for side, named, has in (("high", said.high, right.high), ("low", said.low, right.low)):
        if set(named) != set(has):
            return f"{which}{side.upper()}: it is {_seats(has)}, you said {_seats(named)}."
    gets = dict(right.awards)
    for seat, cents in said.awards:
        if gets.get(seat) != cents:
            who, due = f"{which}seat {seat}" if which else f"Seat {seat}", chips(gets.get(seat, 0))
            return f"{who} gets {due}, you said {chips(cents)}."
    return ""


def _seats(seats: tuple[int, ...]) -> str:
    if not seats:
        return "nobody"
    return f"seat{'s' if len(seats) > 1 else ''} {' and '.join(map(str, sorted(seats)))}"


def keyed_all_in_and_knew_the_raise(evidence: Evidence) -> str:
    started = next((e for e in evidence.events if isinstance(e, HandStarted)), None)
    if started is None:
        return "The hand was not begun."
    short = started.dealt[4]
    stack = started.stacks[short]
    acts = [e for e in evidence.events if isinstance(e, Acted) and e.seat == short]
    if not acts or not acts[0].all_in:
        return f"Seat {short} was all in for {chips(stack or 0)}; that was not keyed."
    if evidence.ended is None:
        return "The hand was not finished."
    if len(evidence.answers) < 2:
        return "It was not asked who may raise."
    for answer in evidence.answers:
        if answer.said != answer.right:
            may = "may raise" if answer.right else "may only call or fold"
            return f"Seat {answer.seat} {may} after the short all-in; you said otherwise."
    return ""


def ordered_the_remedy(evidence: Evidence) -> str:
    seat = evidence.struck
    if seat is None:
        return "The hand was not begun."
    ended = evidence.ended
    for event in evidence.events:
        if isinstance(event, RemedyOrdered) and event.kind == "exposed_card":
            if event.seat != seat:
                return f"The exposed card was seat {seat}'s; the remedy was for seat {event.seat}."
            break
        if isinstance(event, BoardDealt):
            return f"Seat {seat}'s card was exposed, and the flop came without the floor."
    else:
        if ended is not None and ended.outcome in ("misdeal", "void"):
            return "The hand was called off; one exposed card is replaced."
        return f"Seat {seat}'s card was exposed, and nobody called the floor."
    if ended is None:
        return "The hand was not finished."
    return _called_off(ended)


def recorded_out_of_turn(evidence: Evidence) -> str:
    seat = evidence.struck
    if seat is None:
        return "The hand was not begun."
    for event in evidence.events:
        if isinstance(event, FoldedOutOfTurn):
            if event.seat != seat:
                return f"Seat {seat} folded out of turn; recorded was seat {event.seat}."
            break
        if isinstance(event, Acted):
            return f"Seat {seat} folded out of turn; recorded first was seat {event.seat}."
    else:
        return f"Seat {seat} folded out of turn; that was not recorded."
    return _called_off(evidence.ended) if evidence.ended else "The hand was not finished."


def finished_and_went_on(evidence: Evidence) -> str:
    ended = evidence.ended
    if ended is None:
        return "The hand was not finished; it is safe on its own deck."
    off = _called_off(ended)
    if off:
        return off
    return "" if evidence.hands > 1 else "The next hand was not dealt."


def _called_off(ended: HandEnded) -> str:
    called_off = ended.outcome in ("misdeal", "void")
    return "The hand was called off; it could be finished." if called_off else ""

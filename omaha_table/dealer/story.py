"""What the dealer can look back at: the last events in words, and the hand so far."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.dealer.event_text import EventText, action_forms, describe, describe_entry
from omaha_table.hand.events import (
    Acted,
    BackedUp,
    BoardDealt,
    HandDeclared,
    HandEnded,
    HandStarted,
    RemedyOrdered,
    Undone,
)
from omaha_table.hand.frozen import replace
from omaha_table.hand.phases import Street

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.journal.events import Record

LOG_LINES: Final = 60


class SeatAction(NamedTuple):
    """What a seat did, on which street."""

    street: Street
    seat: int
    forms: tuple[str, ...]
    """In words, the longest first: a narrow screen shows a shorter one."""
    out: bool = False
    """It has no live hand any more."""

    @property
    def words(self) -> str:
        return self.forms[0]


@dataclass(frozen=True)
class Story:
    log: tuple[str, ...] = ()
    """The last events, the latest first."""
    hand: tuple[Record, ...] = ()
    """Of this hand, without what was taken back."""
    remedy: tuple[str, ...] = ()
    """What the floor has ordered in this hand, step by step."""

    def entry_text(self, seqs: tuple[int, ...]) -> EventText:
        """What an entry of this hand did, by the numbers of its events."""
        events = [record.event for record in self.hand if record.seq in seqs]
        return describe_entry(events) or EventText("the last entry", brief="IT")

    @property
    def actions(self) -> list[SeatAction]:
        """The actions of this hand that stand, in order; who is out by a ruling acts no more."""
        street, made = Street.PREFLOP, list[SeatAction]()
        for record in self.hand:
            match record.event:
                case BoardDealt(street=dealt):
                    street = dealt
                case Acted() as acted:
                    folds = acted.action == "fold"
                    made.append(SeatAction(street, acted.seat, action_forms(acted), folds))
                case HandDeclared(seat=seat, dead=dead):
                    made = [act for act in made if act.seat != seat or not act.out]
                    if dead:
                        made.append(SeatAction(street, seat, ("DEAD",), out=True))
        return made

    def last_actions(self, street: Street) -> dict[int, tuple[str, ...]]:
        """What each seat did last on a street, in its forms; a fold stays."""
        return {act.seat: act.forms for act in self.actions if act.street == street or act.out}


def continued(story: Story, records: Sequence[Record], wall: float) -> Story:
    """The story after more was recorded."""
    stamp = time.strftime("%H:%M:%S", time.localtime(wall))
    for record in records:
        text = describe(record.event)
        if text is not None:
            log = (f"{stamp}  {text.line}", *story.log[: LOG_LINES - 1])
            story = replace(story, log=log)
        story = with_record(story, record)
    return story


def with_record(story: Story, record: Record) -> Story:
    """The hand so far, without a line in the log: for what was recorded before a restart."""
    event = record.event
    match event:
        case HandStarted():
            return replace(story, hand=(record,), remedy=())
        case Undone():
            stands = [kept for kept in story.hand if kept.seq not in event.seqs]
            return replace(story, hand=tuple(stands))
        case BackedUp():
            stands = [kept for kept in story.hand if getattr(kept.event, "entry", 0) <= event.to]
            return replace(story, hand=tuple(stands))
        case HandEnded():
            story = replace(story, remedy=())
        case RemedyOrdered():
            story = replace(story, remedy=event.steps)
    return replace(story, hand=(*story.hand, record))

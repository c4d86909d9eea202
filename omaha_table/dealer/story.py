"""What the dealer can look back at: the last events in words, and the hand so far."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.dealer.event_text import (
    EARLY_FOLD,
    EventText,
    action_forms,
    describe,
    describe_entry,
)
from omaha_table.hand.events import (
    Acted,
    BackedUp,
    BoardDealt,
    FeeDue,
    FeeWaived,
    FoldedOutOfTurn,
    HandDeclared,
    HandEnded,
    HandStarted,
    RemedyOrdered,
    Undone,
)
from omaha_table.hand.frozen import replace
from omaha_table.hand.phases import Street
from omaha_table.table.events import HandTakenBack, TakenBack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.journal.events import Event, Record

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

    @property
    def remedy(self) -> tuple[str, ...]:
        """What the floor has ordered in this hand and is not done, step by step."""
        # Looked up, not kept: an undo or a ruling may take back the card that was the last step.
        for at in range(len(self.hand) - 1, -1, -1):
            event = self.hand[at].event
            if isinstance(event, HandEnded):
                return ()
            if isinstance(event, RemedyOrdered):
                later = [record.event for record in self.hand[at + 1 :]]
                if not any(_carries_out(event, done) for done in later):
                    return event.steps
        return ()

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
                case FoldedOutOfTurn(seat=seat):
                    made.append(SeatAction(street, seat, EARLY_FOLD, out=True))
                case HandDeclared(seat=seat, dead=dead):
                    made = [act for act in made if act.seat != seat or not act.out]
                    if dead:
                        made.append(SeatAction(street, seat, ("DEAD",), out=True))
        return made

    def last_actions(self, street: Street) -> dict[int, tuple[str, ...]]:
        """What each seat did last on a street, in its forms; a fold stays."""
        return {act.seat: act.forms for act in self.actions if act.street == street or act.out}


def _carries_out(remedy: RemedyOrdered, event: Event) -> bool:
    """Whether an event after a remedy shows that its last step was done."""
    if isinstance(event, BoardDealt):
        return event.street >= min(remedy.no_burn, default=Street.FLOP)
    # "Play on" is done once somebody does.
    return isinstance(event, Acted) and remedy.kind == "no_burn" and not remedy.no_burn


def continued(story: Story, records: Sequence[Record], wall: float) -> Story:
    """The story after more was recorded."""
    stamp = time.strftime("%H:%M:%S", time.localtime(wall))
    for record in records:
        text = _text(story, record.event)
        if text is not None:
            log = (f"{stamp}  {text.line}", *story.log[: LOG_LINES - 1])
            story = replace(story, log=log)
        story = with_record(story, record)
    return story


def _text(story: Story, event: Event) -> EventText | None:
    """An event in the light of the hand so far."""
    match event:
        case FeeDue() if any(isinstance(kept.event, FeeWaived) for kept in story.hand):
            return EventText("drop waived")
        case Undone(seqs=seqs) | TakenBack(seqs=seqs):
            texts = _entry_texts([kept.event for kept in story.hand if kept.seq in seqs])
            what = ", ".join(text.plain for text in texts)
            return EventText(f"taken back: {what}", mark="«") if what else describe(event)
        case BackedUp(to=to):
            gone = [kept for kept in story.hand if getattr(kept.event, "entry", 0) > to]
            return _taken_back(gone) or describe(event)
    return describe(event)


def _entry_texts(events: Sequence[Event]) -> list[EventText]:
    """One text for an action, whoever did it; one for each event of what is done between hands."""
    if any(isinstance(event, Acted) for event in events):
        return list(filter(None, [describe_entry(events)]))
    return list(filter(None, map(describe, events)))


def _taken_back(gone: Sequence[Record]) -> EventText | None:
    """'backup: seat 8 CHECK is taken back', and how many entries where there are more."""
    entries: dict[int, list[Event]] = {}
    for record in gone:
        entries.setdefault(getattr(record.event, "entry", 0), []).append(record.event)
    texts = [text.plain for text in map(describe_entry, entries.values()) if text is not None]
    if not texts:
        return None
    what = f"{texts[0]} is" if len(texts) == 1 else f"{len(texts)} entries, from {texts[0]}, are"
    return EventText(f"backup: {what} taken back", mark="«")


def with_record(story: Story, record: Record) -> Story:
    """The hand so far, without a line in the log: for what was recorded before a restart."""
    event = record.event
    match event:
        case HandStarted():
            return replace(story, hand=(record,))
        case Undone():
            stands = [kept for kept in story.hand if kept.seq not in event.seqs]
            return replace(story, hand=tuple(stands))
        case BackedUp():
            stands = [kept for kept in story.hand if getattr(kept.event, "entry", 0) <= event.to]
            return replace(story, hand=tuple(stands))
        case HandTakenBack():
            return replace(story, hand=())
    return replace(story, hand=(*story.hand, record))

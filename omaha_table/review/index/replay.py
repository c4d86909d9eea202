"""One hand again, event by event, with the table as it stood after each."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omaha_table.dealer.event_text import event_line
from omaha_table.hand.events import HandEnded
from omaha_table.journal.codec import RecordError
from omaha_table.journal.events import StreetSealed
from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.journal.reader import record_of
from omaha_table.journal.replay import advance, table_before
from omaha_table.review.index.store import as_journal

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.diary import Refusal
    from omaha_table.journal.events import Event
    from omaha_table.review.index.store import Journal
    from omaha_table.table import TableState


@dataclass(frozen=True, slots=True)
class Frame:
    """An event, when it was written, and the table after it; or what was refused in between."""

    seq: int
    """Of the event, or of the one before the refusal."""
    at_us: int
    event: Event | Refusal
    state: TableState
    hash: str


def frames(journal: Path | Journal, first: int) -> list[Frame]:
    """The frames of the hand that begins with an event; read from the seal before it.

    What was refused stands where it was refused; it is from the diary, which is not sealed.
    """
    made: list[Frame] = []
    try:
        with contextlib.closing(as_journal(journal).open()) as reader:
            state = table_before(reader, first)
            for row in reader.since(state.seq):
                event = record_of(row).event
                state = advance(state, event)
                # A seal is no step of the hand: nothing happens at the table.
                if not isinstance(event, StreetSealed):
                    made.append(Frame(row.seq, row.at_us, event, state, row.hash.hex()))
                if isinstance(event, HandEnded):
                    break
            refusals = reader.refusals(first, state.seq - 1)
    except (RecordError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Tampered(f"The hand cannot be played again: {type(error).__name__}.") from None
    return _with_refusals(made, refusals)


def event_words(event: Event) -> str:
    """An event in words; empty: it says nothing to a person."""
    return event_line(event)


def steps_of(journal: Path | Journal, first: int, last: int) -> list[tuple[int, str]]:
    """What happened in a hand, in words and with times; nothing where it cannot be read."""
    said: list[tuple[int, str]] = []
    with (
        contextlib.suppress(RecordError, JournalFault),
        contextlib.closing(as_journal(journal).open()) as reader,
    ):
        for row in reader.since(first - 1):
            if row.seq > last:
                break
            said.append((row.at_us, event_line(record_of(row).event)))
    return [(at_us, words) for at_us, words in said if words]


def _with_refusals(made: list[Frame], refusals: list[Refusal]) -> list[Frame]:
    after: defaultdict[int, list[Refusal]] = defaultdict(list)
    for refusal in refusals:
        after[refusal.after_seq].append(refusal)
    return [
        shown
        for frame in made
        for shown in (
            frame,
            *(replace(frame, at_us=r.at_us, event=r) for r in after[frame.seq]),
        )
    ]

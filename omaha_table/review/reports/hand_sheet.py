"""The incident sheet of one hand, made from its journal."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from omaha_table.journal.faults import JournalFault, Tampered
from omaha_table.review.index.moments import around_hands
from omaha_table.review.index.sources import hands_of
from omaha_table.review.reports.call_facts import floor_calls
from omaha_table.review.reports.hand_report import incident
from omaha_table.review.reports.soundness import with_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from omaha_table.office.state import Noted
    from omaha_table.review.index.hands import Played
    from omaha_table.review.index.moments import Given
    from omaha_table.review.index.store import Journal, Store
    from omaha_table.review.reports.call_facts import FloorCall
    from omaha_table.review.reports.page import Report


def calls_in(where: Iterable[Journal]) -> Iterator[FloorCall]:
    """Every call of the floor; who came may be in the journal of the next day."""

    def found() -> Iterator[Given]:
        for journal in where:
            with suppress(JournalFault, OSError):
                yield from around_hands(journal)

    return floor_calls(found())


def incident_of(hand: Played, where: Iterable[Journal], notes: Sequence[Noted]) -> Report:
    """With the calls of the floor in the hand, and between it and the next."""

    def is_of_hand(call: FloorCall) -> bool:
        called = call.called
        return (called.table, called.day, call.of_hand) == (hand.table, hand.day, hand.number)

    return incident(hand, filter(is_of_hand, calls_in(where)), notes)


def sheet_of_hand(store: Store, key: str, number: int, notes: Sequence[Noted]) -> Report:
    """Of a hand of a journal; raises JournalFault. Only the journals that it takes are read."""
    journal = store.journal(key)
    hand = next((hand for hand in hands_of(journal) if hand.number == number), None)
    if hand is None:
        raise Tampered("The hand is not there any more.")
    later = (one for one in store.journals() if one.table == journal.table)
    after = sorted((one for one in later if one.day > journal.day), key=lambda one: one.day)[:1]
    made = incident_of(hand, (journal, *after), notes)
    return with_verdict(made, store.verdict([journal]))

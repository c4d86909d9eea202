"""What a session keeps to itself, for tests of other packages to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.sealed import reveal

if TYPE_CHECKING:
    from omaha_drivers.events import Report

    from omaha_table.cards import Card
    from omaha_table.journal.sealed import SealedCard
    from omaha_table.journal.writer import JournalWriter
    from omaha_table.session import Session
    from omaha_table.session.device_loop import DeviceLoop


def writer_of(session: Session) -> JournalWriter:
    assert session._journal is not None
    return session._journal


def face_down(session: Session) -> list[Card]:
    """Every hole card that the shoe has read in this hand, in the clear."""
    kept = session._vault._kept.values()
    return [reveal(one.card) for one in kept if one.seat is not None and one.card is not None]


def reports_waiting(loop: DeviceLoop) -> int:
    """How many reports of devices nobody has taken yet."""
    return loop._reports.qsize()


def hear(loop: DeviceLoop, report: Report) -> None:
    """A report, as from the thread of a device."""
    loop._enqueue(report)


def has_seen(session: Session, card: SealedCard) -> bool:
    """Whether the session knows that this card is out in this hand."""
    return session._vault.has_seen(card)


def read_of(session: Session, seat: int) -> int:
    """How many of a seat's cards the session can open."""
    return len(session._vault._read(seat))

"""What became of a box, in words: its counts in order, who signed, and the review of a variance."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from omaha_table.money import format_dollars
from omaha_table.review.index.drop import over_or_short

if TYPE_CHECKING:
    from omaha_table.money import Cents
    from omaha_table.office.events import Signature
    from omaha_table.office.state import Counted, CountKey
    from omaha_table.review.index.ledger import Ledger


class Step(NamedTuple):
    """A count, a correction, an explanation or a closing."""

    at: str
    what: str
    fees: str
    jackpot: str
    who: str
    why: str

    @property
    def told(self) -> str:
        return f"{self.at}  {self.what} by {self.who}" + (f": {self.why}" if self.why else "")


def clock(at_us: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_us / 1e6))


def when(counted: Counted) -> str:
    """When a box was counted."""
    taken_in = counted.event.taken_in
    return taken_in.replace("T", " ") if taken_in else clock(counted.at_us)


def person(by: Signature) -> str:
    return f"{by.id} {by.name}".strip()


def names(counted: Counted) -> str:
    """Who counted. A list of 0.1.0 has names that no PIN stands behind."""
    who = " and ".join(map(person, counted.event.by)) or "nobody"
    return f"{who} (unsigned)" if counted.event.taken_in else who


def number(counted: Counted) -> str:
    """How a command names a count; empty for one that is in no office journal yet."""
    return f"{counted.year}-{counted.seq}" if counted.year else ""


def counted_by(counted: Counted) -> str:
    word = "" if counted.event.taken_in else "signed by "
    return f"{word}{names(counted)}, {when(counted)}"


def corrected(counts: tuple[Counted, ...]) -> str:
    """The figure before the one that stands, who wrote it, and why it does not stand."""
    old, new = counts[-2:]
    why = f": {new.event.reason}" if new.event.reason else ""
    who = ", ".join(by.id for by in old.event.by)
    unsigned = " unsigned," if old.event.taken_in else ""
    return f"before: {amounts(old)} ({who},{unsigned} {when(old)}); corrected{why}"


def amounts(counted: Counted) -> str:
    jackpot = counted.event.jackpot
    more = "" if jackpot is None else f" and {format_dollars(jackpot)}"
    return f"{format_dollars(counted.event.counted)}{more}"


def review_words(ledger: Ledger, counted: Counted) -> str:
    """How far the review of a variance is; empty where none is needed."""
    return ledger.review_of(counted).status if counted.needs_review else ""


def review_lines(ledger: Ledger, counted: Counted) -> list[str]:
    """Who explained and closed a variance, when, and why."""
    review = ledger.review_of(counted)
    made = [f"explained by {person(s.event.by)}, {clock(s.at_us)}: {s.event.reason}"
            for s in review.explained]  # fmt: skip
    closed = review.closed
    if closed is not None:
        by = person(closed.event.by)
        made.append(f"closed by {by}, {clock(closed.at_us)}: {closed.event.reason}")
    return made


def variance_words(counted: Counted) -> str:
    """Of both boxes, by what the log said when they were counted."""
    words = over_or_short(counted.variance)
    if counted.jackpot_variance:
        words += f", jackpot {over_or_short(counted.jackpot_variance)}"
    return words


def due_since(counted: Counted, due: Cents) -> str:
    """What the log said of the fees when it was counted, if it says something else now."""
    if counted.event.due == due:
        return ""
    return f"{format_dollars(counted.event.due)} when counted"


def steps(ledger: Ledger, key: CountKey) -> list[Step]:
    """Everything that was recorded of a box, in order."""
    made = []
    for place, counted in enumerate(ledger.counts_of(key)):
        event = counted.event
        jackpot = "-" if event.jackpot is None else format_dollars(event.jackpot)
        what = "corrected" if place else "counted"
        fees = format_dollars(event.counted)
        made.append(Step(when(counted), what, fees, jackpot, names(counted), event.reason))
        review = ledger.review_of(counted)
        closed = () if review.closed is None else (review.closed,)
        for what, signed in (("explained", review.explained), ("closed", closed)):
            for step in signed:
                by, why = person(step.event.by), step.event.reason
                made.append(Step(clock(step.at_us), what, "", "", by, why))
    return made

"""Recorded counts in a report: what stands, the figures before it, who signed, and the reviews."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from omaha_table.money import format_dollars
from omaha_table.review.reports.count_text import (
    due_since,
    names,
    number,
    person,
    review_lines,
    review_words,
    steps,
    variance_words,
    when,
)
from omaha_table.review.reports.page import Fact, Row, Table, numbers, texts, times
from omaha_table.review.reports.wording import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.money import Cents
    from omaha_table.office.state import Counted, CountKey
    from omaha_table.review.index.ledger import Ledger
    from omaha_table.review.reports.page import Report


@dataclass(frozen=True, slots=True)
class Counts:
    counted: Cents | None = None
    """None: not every box was counted."""
    jackpot: Cents | None = None
    facts: tuple[Fact, ...] = ()
    table: Table | None = None
    signatures: tuple[str, ...] = ()
    """Those who signed with a PIN."""
    data: tuple[dict[str, Any], ...] = ()

    def in_report(self, report: Report) -> Report:
        sections = report.sections if self.table is None else (self.table, *report.sections)
        data = report.data | ({"counts": list(self.data)} if self.data else {})
        return replace(
            report,
            facts=(*report.facts, *self.facts),
            sections=sections,
            data=data | ({"signed": list(self.signatures)} if self.signatures else {}),
            signatures=self.signatures,
        )


def counts_of(ledger: Ledger, boxes: Iterable[CountKey], due: Cents | None = None) -> Counts:
    """The recorded counts of some boxes; `due` are the fees that the log says they hold now."""
    keys = sorted(boxes, key=str)
    found = [(key, ledger.count_of(key)) for key in keys]
    # An old count that could be of two boxes is one count.
    kept = {count: key for key, count in found if count is not None}
    if not kept:
        return Counts()
    counts = list(kept)
    who = "; ".join(f"{names(count)}, {when(count)}" for count in counts)
    of = quantity(len(keys), "box", "boxes")
    facts = [Fact("Counted", f"{len(counts)} of {of}"), Fact(_by(counts), who)]
    if len(counts) == 1 and due is not None and due_since(counts[0], due):
        facts.append(Fact("Fees due when counted", format_dollars(counts[0].event.due)))
    for count in counts:
        status = review_words(ledger, count)
        if status:
            steps_taken = review_lines(ledger, count)
            waits = ["not closed yet"] if steps_taken and status != "closed" else []
            about = "; ".join([*steps_taken, *waits] or [status])
            facts.append(Fact(f"Review of box {count.event.box or '-'}", about))
    jackpots = [c.event.jackpot for c in counts if c.event.jackpot is not None]
    whole = len(counts) == len(keys)
    return Counts(
        sum(c.event.counted for c in counts) if whole else None,
        sum(jackpots) if whole and len(jackpots) == len(keys) else None,
        tuple(facts),
        _table(ledger, list(kept.values())),
        _signatures(counts),
        tuple(data_of(ledger, key, count) for count, key in kept.items()),
    )


def _by(counts: list[Counted]) -> str:
    """Without a PIN behind every name, nobody is said to have signed."""
    return "Counters" if any(c.event.taken_in for c in counts) else "Counted by"


def _signatures(counts: list[Counted]) -> tuple[str, ...]:
    signed = [by for c in counts if not c.event.taken_in for by in c.event.by]
    return tuple(dict.fromkeys(map(person, signed)))


def _table(ledger: Ledger, keys: list[CountKey]) -> Table:
    lines = [
        Row((f"{key.box or '-'}/{key.jackpot_box or '-'}", s.at, s.what, s.fees, s.jackpot, s.who,
             s.why))
        for key in keys
        for s in steps(ledger, key)
    ]  # fmt: skip
    columns = (
        *texts("Box"),
        *times("When"),
        *texts("What"),
        *numbers("Fees", "Jackpot"),
        *texts("Who", "Why"),
    )
    return Table("Counts and reviews", columns, tuple(lines))


def data_of(ledger: Ledger, key: CountKey, count: Counted) -> dict[str, Any]:
    """A box with all its counts, for programs."""
    return {
        "table": count.event.table,
        "day": count.event.day,
        "shift": key.shift,
        "box": key.box,
        "jackpot_box": key.jackpot_box,
        "variance": count.variance,
        "review": ledger.review_of(count).status if count.needs_review else None,
        "counts": [
            {
                "number": number(c) or None,
                "at_us": c.at_us or None,
                "at": when(c),
                "counted": c.event.counted,
                "jackpot": c.event.jackpot,
                "due": c.event.due,
                "jackpot_due": c.event.jackpot_due,
                "by": [by.id for by in c.event.by],
                "signed": not c.event.taken_in,
                "reason": c.event.reason,
            }
            for c in ledger.counts_of(key)
        ],
    }


def one_line(ledger: Ledger, count: Counted) -> str:
    """A count on one line, for a list on a terminal."""
    event = count.event
    where = f"{event.table} {event.day}, shift {event.shift or '-'}, box {event.box or '-'}"
    status = review_words(ledger, count)
    figures = f"counted {format_dollars(event.counted)}, {variance_words(count)}"
    return f"{number(count) or '-'}  {where}: {figures}{f', {status}' if status else ''}"

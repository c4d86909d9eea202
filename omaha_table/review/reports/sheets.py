"""The count sheet of one shift: every box that was opened, what was in it, who counted, and what
was corrected, with the old figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from omaha_table.money import format_dollars
from omaha_table.review.index.counting import NO_BOX
from omaha_table.review.index.drop import Drop, over_or_short
from omaha_table.review.reports.count_facts import data_of
from omaha_table.review.reports.count_text import (
    clock,
    names,
    number,
    person,
    review_words,
    when,
)
from omaha_table.review.reports.page import Fact, Report, Table, numbers, rows, texts, times

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_table.money import Cents
    from omaha_table.office.state import Counted, CountKey
    from omaha_table.review.index.box_openings import OpenedBox
    from omaha_table.review.index.ledger import Ledger


class InBox(Protocol):
    """What went into a box and its jackpot box, by whatever adds it up."""

    @property
    def due(self) -> Cents: ...
    @property
    def jackpots(self) -> Cents: ...


def count_sheet(
    ledger: Ledger,
    room: str,
    shift: str,
    day: str,
    boxes: list[OpenedBox],
    drops: Mapping[CountKey, InBox],
) -> Report:
    """`drops` are the sums of the hands that went into each box; a box without hands has none."""
    counts = {box.key: ledger.counts_of(box.key) for box in boxes}
    stands = [found[-1] for found in counts.values() if found]
    jackpots = [box for box in boxes if box.key.jackpot_box not in NO_BOX]
    signed = [by for c in stands if not c.event.taken_in for by in c.event.by]
    sections = [_drop_boxes(ledger, boxes, counts, drops)]
    if jackpots:
        sections.append(_jackpot_boxes(jackpots, counts, drops))
    sections += [_corrections(boxes, counts), _variances(ledger, stands)]
    data = {
        "establishment": room,
        "shift": shift,
        "day": day,
        "boxes": [
            {"table": box.table, "box": box.key.box, "jackpot_box": box.key.jackpot_box,
             "open": box.is_open, "due": _drop(drops, box).due,
             "jackpot_due": _drop(drops, box).jackpots}
            for box in boxes
        ],
        "counts": [
            data_of(ledger, key, found[-1]) for key, found in counts.items() if found
        ],
    }  # fmt: skip
    due = sum(_drop(drops, box).due for box in boxes)
    return Report(
        f"Count sheet, shift {shift}, {day}",
        (
            Fact("Establishment", room or "-", strong=True),
            Fact("Shift", shift, strong=True),
            Fact("Gaming day", day, strong=True),
            *_facts(ledger, due, stands, (len(boxes), len(jackpots))),
        ),
        tuple(sections),
        data,
        signatures=tuple(dict.fromkeys(map(person, signed))),
    )


def _facts(
    ledger: Ledger, due: Cents, stands: list[Counted], opened: tuple[int, int]
) -> tuple[Fact, ...]:
    """`opened`: how many drop boxes and jackpot boxes."""
    times = [when(count) for count in stands]
    counted = " to ".join(dict.fromkeys((min(times), max(times)))) if times else "not yet"
    total = sum(count.event.counted for count in stands)
    whole = len(stands) == opened[0]
    return (
        Fact("Counted", counted, strong=True),
        Fact("Number of drop boxes", f"{opened[0]:,}", strong=True),
        Fact("Number of jackpot boxes", f"{opened[1]:,}", strong=True),
        Fact("Boxes counted", f"{len(stands)} of {opened[0]}"),
        Fact("Fees due", format_dollars(due)),
        Fact("Fees counted", format_dollars(total)),
        Fact("Variance", over_or_short(total - due) if whole else "not all boxes are counted"),
        Fact("Counters", "; ".join(dict.fromkeys(map(names, stands))) or "-"),
        Fact("Variance threshold", format_dollars(ledger.records.brief.threshold)),
    )


def _drop(drops: Mapping[CountKey, InBox], box: OpenedBox) -> InBox:
    return drops.get(box.key) or Drop()


def _drop_boxes(
    ledger: Ledger,
    boxes: list[OpenedBox],
    counts: Mapping[CountKey, tuple[Counted, ...]],
    drops: Mapping[CountKey, InBox],
) -> Table:
    lines = []
    for box in boxes:
        due, found = _drop(drops, box).due, counts[box.key]
        if found:
            count = found[-1]
            amount = format_dollars(count.event.counted)
            words = over_or_short(count.event.counted - due)
            more = (amount, words, when(count), names(count), review_words(ledger, count))
        else:
            more = ("-", "still open" if box.is_open else "not counted", "", "", "")
        lines.append((box.table, box.key.box or "-", format_dollars(due), *more))
    columns = (
        *texts("Table", "Box"),
        *numbers("Due", "Amount"),
        *texts("Over or short"),
        *times("Counted"),
        *texts("By", "Review"),
    )
    return Table("Drop boxes", columns, rows(*lines))


def _jackpot_boxes(
    boxes: list[OpenedBox],
    counts: Mapping[CountKey, tuple[Counted, ...]],
    drops: Mapping[CountKey, InBox],
) -> Table:
    lines = []
    for box in boxes:
        due, found = _drop(drops, box).jackpots, counts[box.key]
        jackpot = found[-1].event.jackpot if found else None
        amount, words = "-", "not counted"
        if jackpot is not None:
            amount, words = format_dollars(jackpot), over_or_short(jackpot - due)
        lines.append((box.table, box.key.jackpot_box or "-", format_dollars(due), amount, words))
    columns = (*texts("Table", "Box"), *numbers("Due", "Amount"), *texts("Over or short"))
    return Table("Jackpot boxes", columns, rows(*lines), narrow=True)


def _corrections(boxes: list[OpenedBox], counts: Mapping[CountKey, tuple[Counted, ...]]) -> Table:
    lines = [
        (box.table, _numbers(box), _figures(old), when(old), names(old), _figures(new), when(new),
         names(new), new.event.reason or "-")
        for box in boxes
        for old, new in zip(counts[box.key], counts[box.key][1:], strict=False)
    ]  # fmt: skip
    columns = (
        *(*texts("Table", "Box", "Old figure"), *times("Counted"), *texts("Counted by")),
        *(*texts("New figure"), *times("Corrected"), *texts("Corrected by", "Why")),
    )
    return Table("Corrections", columns, rows(*lines))


def _numbers(box: OpenedBox) -> str:
    jackpot = box.key.jackpot_box
    return f"{box.key.box or '-'}" if jackpot in NO_BOX else f"{box.key.box or '-'} and {jackpot}"


def _figures(count: Counted) -> str:
    jackpot = count.event.jackpot
    more = "" if jackpot is None else f" and {format_dollars(jackpot)}"
    return f"{format_dollars(count.event.counted)}{more}"


def _variances(ledger: Ledger, counts: list[Counted]) -> Table:
    lines = []
    for count in counts:
        if not count.needs_review:
            continue
        review = ledger.review_of(count)
        about = (number(count), count.event.table, count.event.box or "-")
        amount = over_or_short(count.variance)
        if count.jackpot_variance:
            amount += f", jackpot {over_or_short(count.jackpot_variance)}"
        closed = () if review.closed is None else (review.closed,)
        for what, steps in (("explained", review.explained), ("closed", closed)):
            lines += [
                (*about, amount, what, clock(s.at_us), person(s.event.by), s.event.reason)
                for s in steps
            ]
        if review.status != "closed":
            lines.append((*about, amount, "open" if not review.explained else "to be closed",
                          "", "", ""))  # fmt: skip
    columns = (
        *texts("Count", "Table", "Box", "Variance", "What"),
        *times("When"),
        *texts("By", "Reason"),
    )
    return Table("Variances above the threshold", columns, rows(*lines))

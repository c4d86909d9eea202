"""The report of a shift, a dealer or a day. That of one hand is in `hand_report.py`."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omaha_table.journal.events import ClockStepped, Recovered
from omaha_table.money import format_dollars
from omaha_table.review.index.drop import Drop, over_or_short, reconcile
from omaha_table.review.reports.call_facts import call_data, call_fact, call_table
from omaha_table.review.reports.device_facts import device_data, device_tables
from omaha_table.review.reports.hand_report import incident
from omaha_table.review.reports.pace import charts, seconds_to_push, what_happened
from omaha_table.review.reports.page import (
    Fact,
    Report,
    Row,
    Table,
    clock,
    numbers,
    rows,
    texts,
    times,
)
from omaha_table.review.reports.stack_changes import stack_data, stack_facts
from omaha_table.review.reports.summary_data import rulings_data, sign_ins_data, sums_data
from omaha_table.review.reports.wording import flags_text, quantity, ruling_title, staff_text
from omaha_table.table.events import (
    DealerIn,
    DeviceChanged,
    DeviceIdentified,
    DeviceMetered,
    Ruled,
    StackAdjusted,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.money import Cents
    from omaha_table.review.index.drop import Reconciled
    from omaha_table.review.index.hands import Played
    from omaha_table.review.index.moments import Moment
    from omaha_table.review.reports.call_facts import FloorCall
    from omaha_table.review.reports.comparison import Comparison
    from omaha_table.review.reports.pace import Happened
    from omaha_table.review.reports.page import Section
    from omaha_table.table.state import Check


_GIVEN: Final = (
    *(Ruled, StackAdjusted, Recovered, ClockStepped),
    *(DeviceMetered, DeviceChanged, DeviceIdentified),
)


def summary(
    title: str,
    hands: Iterable[Played],
    counted: Cents | None = None,
    jackpot_counted: Cents | None = None,
    around: Iterable[tuple[int | None, Moment]] | None = None,
    calls: Iterable[FloorCall] = (),
    compared: Comparison | None = None,
) -> Report:
    """A shift, a dealer's hands, or a day.

    `around` are the rulings, sign-ins, restarts and clock steps of the same time with the number
    of their hand; without them, those inside the hands. `compared` sets a dealer beside the room.
    """
    kept = sorted(hands, key=lambda hand: hand.started_us)
    drop = Drop()
    dealers: defaultdict[str, Drop] = defaultdict(Drop)
    for hand in kept:
        drop.add(hand)
        dealers[hand.dealer].add(hand)
    given = _given(kept) if around is None else list(around)
    happened = what_happened(kept, [moment.event for _, moment in given])
    checked = None if counted is None else reconcile(kept, counted)
    signed = [(m, m.event) for _, m in given if isinstance(m.event, DealerIn) and m.event.checked]
    called = list(calls)
    facts = [
        *_where(kept),
        *_facts(drop, happened, seconds_to_push(kept)),
        *_boxes(drop, checked, jackpot_counted),
        *stack_facts(given),
    ]
    sections: list[Section] = []
    if checked is not None and checked.variance:
        sections.append(_suspects(checked))
    if compared is not None:
        sections.append(compared.table)
    sections.append(_brackets(drop))
    if compared is None:
        sections.append(_dealers(dealers))
    if signed:
        sections.append(_sign_ins(signed))
    sections += [*charts(kept), _rulings(given)]
    if called:
        facts.append(call_fact(called))
        sections.append(call_table(called))
    moments = [moment for _, moment in given]
    sections += [*device_tables(moments), _flagged(kept), _journals(kept)]
    data = sums_data(kept, drop, happened, seconds_to_push(kept), dealers, checked)
    if jackpot_counted is not None:
        data |= {"jackpot_counted": jackpot_counted,
                 "jackpot_variance": jackpot_counted - drop.jackpots}  # fmt: skip
    data["rulings"] = rulings_data(given)
    if signed:
        data["sign_ins"] = sign_ins_data(signed)
    data |= stack_data(given) | device_data(moments)
    if called:
        data["floor_calls"] = call_data(called)
    if compared is not None:
        data["compared"] = compared.data
    return Report(title, tuple(facts), tuple(sections), data)


def _where(kept: list[Played]) -> list[Fact]:
    if not kept:
        return []
    boxes = sorted({hand.box for hand in kept if hand.box})
    return [
        Fact("From", clock(kept[0].started_us)),
        Fact("To", clock(max(hand.ended_us for hand in kept))),
        Fact("Table", ", ".join(sorted({hand.table for hand in kept}))),
        Fact("Gaming day", ", ".join(sorted({hand.day for hand in kept}))),
        Fact("Box", ", ".join(boxes) or "-"),
    ]


def _facts(drop: Drop, happened: Happened, pushes: list[float]) -> list[Fact]:
    misdeals = quantity(happened.misdeals, "misdeal") if happened.misdeals else ""
    voids = quantity(happened.voids, "void hand") if happened.voids else ""
    return [
        Fact("Hands", f"{drop.hands:,}"),
        Fact("Called off", ", ".join(filter(None, (misdeals, voids))) or "none"),
        Fact("Hands without a flop", f"{drop.no_flop:,} ({drop.no_flop_share:.0%})"),
        Fact("Hands per hour", f"{drop.hands_an_hour:.1f}"),
        Fact("Average pot", format_dollars(drop.mean_pot)),
        Fact("River to push", f"{sum(pushes) / len(pushes):.0f} s on average" if pushes else "-"),
        Fact("Entries taken back", f"{happened.undos:,}"),
        Fact("Kill pots", f"{happened.kills:,}"),
        Fact("Restarts", f"{happened.restarts:,}"),
        Fact("Clock changes", f"{happened.clock_changes:,}"),
        Fact("Fees taken", format_dollars(drop.fees)),
        Fact("Fees returned", format_dollars(drop.refunded)),
        Fact("Fees waived", format_dollars(drop.waived)),
    ]


def _boxes(drop: Drop, checked: Reconciled | None, jackpot_counted: Cents | None) -> list[Fact]:
    """What must be in each box, and beside it what was."""
    facts = [Fact("Fees due", format_dollars(drop.due), strong=True)]
    if checked is not None:
        facts += [
            Fact("Box counted", format_dollars(checked.counted), strong=True),
            Fact("Variance", over_or_short(checked.variance), strong=True),
        ]
    facts.append(Fact("Jackpot due", format_dollars(drop.jackpots), strong=True))
    if jackpot_counted is not None:
        variance = over_or_short(jackpot_counted - drop.jackpots)
        facts += [
            Fact("Jackpot box counted", format_dollars(jackpot_counted), strong=True),
            Fact("Jackpot variance", variance, strong=True),
        ]
    return facts


def _given(kept: list[Played]) -> list[tuple[int | None, Moment]]:
    found: list[tuple[int | None, Moment]] = [
        (hand.number, m) for hand in kept for m in hand.moments if isinstance(m.event, _GIVEN)
    ]
    seen = {m.seq for _, m in found}
    for hand in kept:
        later = [m for m in hand.later if isinstance(m.event, Ruled) and m.seq not in seen]
        found += [(hand.number, m) for m in later]
    return sorted(found, key=lambda pair: (pair[1].at_us, pair[1].seq))


def _brackets(drop: Drop) -> Table:
    columns = (*texts("Hands dealt"), *numbers("Fee", "Hands", "Total"))
    lines = [
        Row((str(dealt), format_dollars(fee), f"{count:,}", format_dollars(fee * count)))
        for (dealt, fee), count in sorted(drop.brackets.items(), reverse=True)
    ]
    if lines:
        count = sum(drop.brackets.values())
        lines.append(Row(("all", "", f"{count:,}", format_dollars(drop.fees)), strong=True))
    return Table("Fees by number of hands dealt", columns, tuple(lines), narrow=True)


def _dealers(dealers: dict[str, Drop]) -> Table:
    columns = (
        *texts("Dealer"),
        *numbers("Hands", "Per hour", "Seconds each", "Fees", "Jackpot"),
    )
    lines = [
        (
            name or "no dealer signed in",
            f"{drop.hands:,}",
            f"{drop.hands_an_hour:.1f}",
            f"{drop.pace:.0f}",
            format_dollars(drop.fees),
            format_dollars(drop.jackpots),
        )
        # The hands that nobody had signed in for are the last.
        for name, drop in sorted(dealers.items(), key=lambda item: (not item[0], item[0]))
    ]
    return Table("Dealers", columns, rows(*lines), narrow=True)


_IDENTITY: Final[dict[Check, str]] = {
    "pin": "PIN checked",
    "list": "number on the staff list",
    "unknown": "NOT ON THE STAFF LIST",
    "no": "not checked: no dealer is on the staff list",
}


def _sign_ins(signed: list[tuple[Moment, DealerIn]]) -> Table:
    lines = [(clock(m.at_us), came.dealer, _IDENTITY[came.checked]) for m, came in signed]
    return Table(
        "Dealers signed in",
        (*times("Time"), *texts("Dealer", "Identity")),
        rows(*lines),
        narrow=True,
    )


def _rulings(given: list[tuple[int | None, Moment]]) -> Table:
    lines = [
        (
            clock(moment.at_us),
            "-" if number is None else str(number),
            staff_text(moment.event.by),
            ruling_title(moment.event.ruling),
            moment.event.effect,
            moment.event.reason,
        )
        for number, moment in given
        if isinstance(moment.event, Ruled)
    ]
    return Table(
        "Rulings",
        (*times("Time"), *texts("Hand", "By", "Ruling", "Effect", "Reason")),
        rows(*lines),
    )


def _flagged(hands: list[Played]) -> Table:
    lines = [
        (
            str(hand.number),
            clock(hand.started_us),
            format_dollars(hand.pot),
            flags_text(hand.flags),
        )
        for hand in hands
        if hand.flags - {"kill"}
    ]
    columns = (*texts("Hand"), *times("Time"), *numbers("Pot"), *texts("Why"))
    return Table("Hands to look at", columns, rows(*lines))


def _suspects(checked: Reconciled) -> Table:
    lines = [
        (str(s.number), clock(s.started_us), format_dollars(s.fee), s.why) for s in checked.suspects
    ]
    columns = (*texts("Hand"), *times("Time"), *numbers("Fee"), *texts("Why"))
    return Table("Hands that could explain the variance", columns, rows(*lines))


def _journals(kept: list[Played]) -> Table:
    """Which rows of which journals this was made from, so that it can be checked."""
    by_file: defaultdict[str, list[Played]] = defaultdict(list)
    for hand in kept:
        by_file[hand.file].append(hand)
    lines = []
    for file, hands in sorted(by_file.items()):
        first, last = hands[0].moments[0], hands[-1].moments[-1]
        numbers_ = f"{hands[0].number}-{hands[-1].number}"
        lines.append((file, numbers_, f"{first.seq}-{last.seq}", last.hash))
    *columns, last_column = texts("Journal", "Hands", "Events", "Hash of the last event")
    return Table("Journals", (*columns, replace(last_column, kind="hash")), rows(*lines))


__all__ = ["incident", "summary"]

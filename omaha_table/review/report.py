"""Reports of a shift, a dealer or a day, as data; Markdown and HTML are made from it.

The report of one hand, the incident sheet, is in `incident.py`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

from omaha_table.journal.events import ClockStepped, Recovered
from omaha_table.money import format_dollars
from omaha_table.review.drop import Drop, Reconciled, reconcile, with_sign
from omaha_table.review.incident import incident
from omaha_table.review.pace import counts, plots, seconds_to_push
from omaha_table.review.page import Report, Section, clock
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.money import Cents
    from omaha_table.review.hands import Played
    from omaha_table.review.moments import Moment


_KEY: Final = ("Fees due", "Jackpot due", "Box counted", "Variance", "Jackpot box counted",
               "Jackpot variance")  # fmt: skip


def summary(
    title: str,
    hands: Iterable[Played],
    counted: Cents | None = None,
    jackpot_counted: Cents | None = None,
    around: Iterable[tuple[int | None, Moment]] | None = None,
) -> Report:
    """A shift, a dealer's hands, or a day.

    `around` are the rulings, restarts and clock steps of the same time with the number of their
    hand; without them, those inside the hands.
    """
    kept = sorted(hands, key=lambda hand: hand.started_us)
    drop = Drop()
    dealers: defaultdict[str, Drop] = defaultdict(Drop)
    for hand in kept:
        drop.add(hand)
        dealers[hand.dealer or "nobody pushed in"].add(hand)
    given = _given(kept) if around is None else list(around)
    checked = None if counted is None else reconcile(kept, counted)
    times = counts(kept, [moment.event for _, moment in given])
    facts = _facts(kept, drop, times, checked, jackpot_counted)
    sections = [_brackets(drop), _dealers(dealers), *plots(kept), _rulings(given), _flagged(kept)]
    if checked is not None and checked.variance:
        sections.insert(0, _suspects(checked))
    sections.append(_journals(kept))
    data = _data(kept, drop, times, dealers, checked)
    if jackpot_counted is not None:
        data |= {"jackpot_counted": jackpot_counted,
                 "jackpot_variance": jackpot_counted - drop.jackpots}  # fmt: skip
    data["rulings"] = [
        {"hand": number, "at_us": m.at_us, "event": m.seq, "ruling": m.event.ruling,
         "by": list(m.event.by), "reason": m.event.reason}
        for number, m in given
        if isinstance(m.event, Ruled)
    ]  # fmt: skip
    return Report(title, tuple(facts), tuple(sections), data, _KEY)


def _facts(
    kept: list[Played],
    drop: Drop,
    times: Counter[str],
    checked: Reconciled | None,
    jackpot_counted: Cents | None,
) -> list[tuple[str, str]]:
    outcomes = Counter(hand.ended.outcome for hand in kept if hand.ended is not None)
    pushes = seconds_to_push(kept)
    facts = [
        ("Hands", f"{drop.hands:,}"),
        ("Called off", f"{outcomes['misdeal']:,} misdealt, {outcomes['void']:,} void"),
        ("Without a flop", f"{drop.no_flop:,} ({drop.no_flop_share:.0%})"),
        ("Hands an hour", f"{drop.hands_an_hour:.1f}"),
        ("Mean pot", format_dollars(drop.mean_pot)),
        ("River to push", f"{sum(pushes) / len(pushes):.0f} s on average" if pushes else "-"),
        ("Entries taken back", f"{times['undo']:,}"),
        ("Kill pots", f"{times['kill']:,}"),
        ("Restarts, clock moved", f"{times['recovered']:,}, {times['clock']:,}"),
        ("Fees taken", format_dollars(drop.fees)),
        ("Fees given back", format_dollars(drop.refunded)),
        ("Fees due", format_dollars(drop.due)),
        ("Jackpot due", format_dollars(drop.jackpots)),
        ("Waived", format_dollars(drop.waived)),
    ]
    if kept:
        facts.insert(0, ("From", clock(kept[0].started_us)))
        facts.insert(1, ("To", clock(max(hand.ended_us for hand in kept))))
        facts.insert(2, ("Table", ", ".join(sorted({hand.table for hand in kept}))))
        facts.insert(3, ("Day", ", ".join(sorted({hand.day for hand in kept}))))
        boxes = sorted({hand.box for hand in kept if hand.box})
        facts.insert(4, ("Box", ", ".join(boxes) or "-"))
    if checked is not None:
        facts += [
            ("Box counted", format_dollars(checked.counted)),
            ("Variance", with_sign(checked.variance)),
        ]
    if jackpot_counted is not None:
        facts += [
            ("Jackpot box counted", format_dollars(jackpot_counted)),
            ("Jackpot variance", with_sign(jackpot_counted - drop.jackpots)),
        ]
    return facts


def _given(kept: list[Played]) -> list[tuple[int | None, Moment]]:
    found: list[tuple[int | None, Moment]] = [
        (hand.number, m)
        for hand in kept
        for m in hand.moments
        if isinstance(m.event, Ruled | Recovered | ClockStepped)
    ]
    seen = {m.seq for _, m in found}
    for hand in kept:
        later = [m for m in hand.later if isinstance(m.event, Ruled) and m.seq not in seen]
        found += [(hand.number, m) for m in later]
    return sorted(found, key=lambda pair: (pair[1].at_us, pair[1].seq))


def _brackets(drop: Drop) -> Section:
    rows = [("Hands dealt", "Fee", "Hands", "Sum")]
    for (dealt, fee), count in sorted(drop.brackets.items(), reverse=True):
        rows.append((str(dealt), format_dollars(fee), f"{count:,}", format_dollars(fee * count)))
    if len(rows) == 1:
        return Section("Fees by bracket", tuple(rows))
    count = sum(drop.brackets.values())
    rows.append(("all", "", f"{count:,}", format_dollars(drop.fees)))
    return Section("Fees by bracket", tuple(rows), narrow=True, strong=frozenset({len(rows) - 1}))


def _dealers(dealers: dict[str, Drop]) -> Section:
    rows = [("Dealer", "Hands", "An hour", "Seconds each", "Fees", "Jackpot")]
    for name, drop in sorted(dealers.items()):
        rows.append(
            (
                name,
                f"{drop.hands:,}",
                f"{drop.hands_an_hour:.1f}",
                f"{drop.pace:.0f}",
                format_dollars(drop.fees),
                format_dollars(drop.jackpots),
            )
        )
    return Section("Dealers", tuple(rows), narrow=True)


def _rulings(given: list[tuple[int | None, Moment]]) -> Section:
    rows = [("Time", "Hand", "By", "Ruling", "Effect", "Reason")]
    rows += [
        (
            clock(moment.at_us),
            "-" if number is None else str(number),
            "+".join(moment.event.by),
            moment.event.ruling,
            moment.event.effect,
            moment.event.reason,
        )
        for number, moment in given
        if isinstance(moment.event, Ruled)
    ]
    return Section("Rulings", tuple(rows))


def _flagged(hands: list[Played]) -> Section:
    rows = [("Hand", "Time", "Pot", "What")]
    rows += [
        (
            str(hand.number),
            clock(hand.started_us),
            format_dollars(hand.pot),
            ", ".join(sorted(hand.flags)),
        )
        for hand in hands
        if hand.flags - {"kill"}
    ]
    return Section("Hands to look at", tuple(rows))


def _suspects(checked: Reconciled) -> Section:
    rows = [("Hand", "Time", "Fee", "Why")]
    rows += [
        (str(s.number), clock(s.started_us), format_dollars(s.fee), s.why) for s in checked.suspects
    ]
    return Section("Hands that could explain the variance", tuple(rows))


def _journals(kept: list[Played]) -> Section:
    """Which rows of which journals this was made from, so that it can be checked."""
    rows = [("Journal", "Hands", "Events", "Hash of the last event")]
    by_file: defaultdict[str, list[Played]] = defaultdict(list)
    for hand in kept:
        by_file[hand.file].append(hand)
    for file, hands in sorted(by_file.items()):
        first, last = hands[0].moments[0], hands[-1].moments[-1]
        numbers = f"{hands[0].number}-{hands[-1].number}"
        rows.append((file, numbers, f"{first.seq}-{last.seq}", last.hash))
    return Section("In the log", tuple(rows))


def _data(
    kept: list[Played],
    drop: Drop,
    times: Counter[str],
    dealers: dict[str, Drop],
    checked: Reconciled | None,
) -> dict[str, Any]:
    pushes = seconds_to_push(kept)
    data: dict[str, Any] = {
        "tables": sorted({hand.table for hand in kept}),
        "days": sorted({hand.day for hand in kept}),
        "boxes": sorted({hand.box for hand in kept if hand.box}),
        "hands": drop.hands,
        "called_off": drop.called_off,
        "no_flop": drop.no_flop,
        "fees": drop.fees,
        "fees_returned": drop.refunded,
        "due": drop.due,
        "jackpots": drop.jackpots,
        "waived": drop.waived,
        "hands_an_hour": round(drop.hands_an_hour, 2),
        "entries_taken_back": times["undo"],
        "kills": times["kill"],
        "restarts": times["recovered"],
        "clock_moved": times["clock"],
        "seconds_river_to_push": round(sum(pushes) / len(pushes), 1) if pushes else None,
        "brackets": [
            {"dealt": dealt, "fee": fee, "hands": count, "sum": fee * count}
            for (dealt, fee), count in sorted(drop.brackets.items(), reverse=True)
        ],
        "dealers": {
            name: {"hands": own.hands, "fees": own.fees, "jackpots": own.jackpots}
            for name, own in sorted(dealers.items())
        },
    }
    if checked is not None:
        data |= {
            "counted": checked.counted,
            "variance": checked.variance,
            "suspects": [
                {"hand": s.number, "day": s.day, "at_us": s.started_us, "fee": s.fee, "why": s.why}
                for s in checked.suspects
            ],
        }
    return data


__all__ = ["Report", "Section", "clock", "incident", "summary"]

"""Reports of a shift, a dealer, a day or one hand, as data; Markdown and HTML are made from it."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from omaha_table.cards import format_cards
from omaha_table.desk.front.sayings import say
from omaha_table.evaluate import read_hands
from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.money import format_dollars
from omaha_table.review.drop import Drop, Reconciled, reconcile
from omaha_table.review.incidents import NOT_SEALED
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.hand.events import HandEnded
    from omaha_table.money import Cents
    from omaha_table.review.hands import Played


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with rows under it; the first row names the columns."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[tuple[str, float], ...] = ()
    """A plot: a label and a value each."""


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    """The same in whole cents, for programs."""


def clock(at_us: int) -> str:
    """Wall-clock time for the tape."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at_us / 1e6))


def summary(title: str, hands: Iterable[Played], counted: Cents | None = None) -> Report:
    """A shift, a dealer's hands, or a day."""
    kept = list(hands)
    drop = Drop()
    dealers: defaultdict[str, Drop] = defaultdict(Drop)
    hours: defaultdict[str, int] = defaultdict(int)
    for hand in kept:
        drop.add(hand)
        dealers[hand.dealer or "nobody pushed in"].add(hand)
        hours[clock(hand.started_us)[11:13]] += 1
    checked = None if counted is None else reconcile(kept, counted)
    facts = [
        ("Hands", f"{drop.hands:,}"),
        ("Called off", f"{drop.called_off:,}"),
        ("Without a flop", f"{drop.no_flop:,} ({drop.no_flop_share:.0%})"),
        ("Fees due", format_dollars(drop.fees)),
        ("Jackpot due", format_dollars(drop.jackpots)),
        ("Waived", format_dollars(drop.waived)),
        ("Hands an hour", f"{drop.hands_an_hour:.1f}"),
        ("Mean pot", format_dollars(drop.mean_pot)),
    ]
    if kept:
        facts.insert(0, ("From", clock(kept[0].started_us)))
        facts.insert(1, ("To", clock(kept[-1].ended_us)))
    if checked is not None:
        facts += [
            ("Box counted", format_dollars(checked.counted)),
            ("Variance", format_dollars(checked.variance)),
        ]
    sections = [_brackets(drop), _dealers(dealers), _flagged(kept)]
    if checked is not None and checked.variance:
        sections.insert(0, _suspects(checked))
    plot = tuple((f"{hour}:00", float(count)) for hour, count in sorted(hours.items()))
    sections.append(Section("Hands by the hour", (), plot))
    return Report(title, tuple(facts), tuple(sections), _data(drop, dealers, checked))


def _brackets(drop: Drop) -> Section:
    rows = [("Hands dealt", "Fee", "Hands", "Sum")]
    for (dealt, fee), count in sorted(drop.brackets.items(), reverse=True):
        rows.append((str(dealt), format_dollars(fee), f"{count:,}", format_dollars(fee * count)))
    return Section("Fees by bracket", tuple(rows))


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
    return Section("Dealers", tuple(rows))


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
        if hand.flags
    ]
    return Section("Hands to look at", tuple(rows))


def _suspects(checked: Reconciled) -> Section:
    rows = [("Hand", "Time", "Fee", "Why")]
    rows += [
        (str(s.number), clock(s.started_us), format_dollars(s.fee), s.why) for s in checked.suspects
    ]
    return Section("Hands that could explain the variance", tuple(rows))


def _data(drop: Drop, dealers: dict[str, Drop], checked: Reconciled | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "hands": drop.hands,
        "called_off": drop.called_off,
        "no_flop": drop.no_flop,
        "fees": drop.fees,
        "jackpots": drop.jackpots,
        "waived": drop.waived,
        "hands_an_hour": round(drop.hands_an_hour, 2),
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


def incident(hand: Played) -> Report:
    """One hand on one page: seats, every action with its time, pots, readings, rulings, hashes."""
    started, ended = hand.started, hand.ended
    assert ended is not None
    facts = [
        ("Table", hand.table),
        ("Day", hand.day),
        ("Hand", str(hand.number)),
        ("Game", f"{hand.profile.profile.title}, {hand.limit.id}"),
        ("From", clock(hand.started_us)),
        ("To", clock(hand.ended_us)),
        ("Dealer", hand.dealer or "-"),
        ("Board", format_cards(ended.board) or "-"),
        ("Outcome", ended.outcome),
        ("Fee, jackpot", f"{format_dollars(ended.fee)}, {format_dollars(ended.jackpot)}"),
    ]
    sections = [_seats(hand, ended), _actions(hand), _pots(ended), _readings(hand, ended)]
    ruled = [m for m in hand.moments if isinstance(m.event, Ruled)]
    if ruled:
        rows = [("Time", "By", "Ruling", "Effect", "Reason")]
        rows += [
            (clock(m.at_us)[11:], "+".join(m.event.by), m.event.ruling, m.event.effect,
             m.event.reason)
            for m in ruled
            if isinstance(m.event, Ruled)
        ]  # fmt: skip
        sections.append(Section("Rulings", tuple(rows)))
    if hand.refusals:
        refused = [(clock(r.at_us)[11:], r.message, r.rule, r.source) for r in hand.refusals]
        head = ("Time", "Message", "Rule", "Source")
        sections.append(Section(f"Refused ({NOT_SEALED})", (head, *refused)))
    first, last = hand.moments[0], hand.moments[-1]
    chain = (("Event", "Hash"), (str(first.seq), first.hash), (str(last.seq), last.hash))
    sections.append(Section("In the log", chain))
    data = {
        "hand": hand.number,
        "awards": ended.awards,
        "fee": ended.fee,
        "first_seq": first.seq,
        "last_seq": last.seq,
        "flags": sorted(hand.flags),
    }
    title = f"Hand {hand.number}, {hand.table}, {hand.day}"
    kept = tuple(section for section in sections if len(section.rows) > 1)
    names = {seat: hand.names.get(seat, "") for seat in started.dealt}
    return Report(title, tuple(facts), kept, data | {"names": names})


def _seats(hand: Played, ended: HandEnded) -> Section:
    rows = [("Seat", "Player", "Before", "Put in", "Won", "Cards")]
    tabled = hand.tabled
    for seat in sorted(hand.started.dealt):
        stack = hand.started.stacks.get(seat)
        rows.append(
            (
                f"{seat}{' D' if seat == hand.started.button else ''}",
                hand.names.get(seat, ""),
                "not tracked" if stack is None else format_dollars(stack),
                format_dollars(ended.invested.get(seat, 0)),
                format_dollars(ended.awards.get(seat, 0)),
                format_cards(tabled.get(seat, ())) or "-",
            )
        )
    return Section("Seats", tuple(rows))


def _actions(hand: Played) -> Section:
    rows = [("Time", "What", "Event")]
    for moment in hand.moments:
        words = say(moment.event)
        if words and not isinstance(moment.event, Ruled):
            taken_back = " (taken back)" if moment.undone else ""
            rows.append((clock(moment.at_us)[11:], f"{words}{taken_back}", str(moment.seq)))
    return Section("What happened", tuple(rows))


def _pots(ended: HandEnded) -> Section:
    rows = [("Pot", "Amount", "Seats", "High", "Low")]
    for number, pot in enumerate(ended.pots):
        rows.append(
            (
                "Main" if number == 0 else f"Side {number}",
                format_dollars(pot.amount),
                " ".join(map(str, pot.eligible)),
                _shares(pot.high),
                _shares(pot.low) or "-",
            )
        )
    return Section("Pots", tuple(rows))


def _shares(shares: dict[int, Cents]) -> str:
    return ", ".join(f"seat {seat} {format_dollars(cents)}" for seat, cents in shares.items())


def _readings(hand: Played, ended: HandEnded) -> Section:
    rows = [("Seat", "High", "Low")]
    tabled = hand.tabled
    if len(ended.board) == 5 and tabled:
        highs, lows = read_hands(
            [card.code for card in ended.board],
            [[card.code for card in cards] for cards in tabled.values()],
        )
        for seat, high, low in zip(tabled, highs, lows, strict=True):
            shown = describe_low(low) if hand.profile.splits else "-"
            rows.append((str(seat), describe_high(high), shown))
    return Section("Readings", tuple(rows))

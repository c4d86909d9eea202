"""The incident sheet: one hand on one page, with all that a reviewer or a tape needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.cards import format_cards
from omaha_table.dealer.event_text import event_line
from omaha_table.evaluate import read_hands
from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.hand.events import (
    BackedUp,
    BoardDealt,
    FeePaid,
    HandEnded,
    HandStarted,
    PotCorrected,
)
from omaha_table.hand.events import FeeWaived as Waived
from omaha_table.hand.events import HandDeclared as Declared
from omaha_table.money import format_dollars
from omaha_table.review.hands import board_of
from omaha_table.review.incidents import NOT_SEALED
from omaha_table.review.page import Report, Section, clock
from omaha_table.rules.sources import with_titles
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from omaha_table.journal.events import Event
    from omaha_table.money import Cents
    from omaha_table.review.hands import Played


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
        ("Shift, box", f"{hand.shift or '-'}, {hand.box or '-'}"),
        ("Board", format_cards(board_of(hand)) or "-"),
        ("Outcome", ended.outcome),
        ("Fee, jackpot", f"{format_dollars(hand.fee)}, {format_dollars(ended.jackpot)}"),
        ("Journal", hand.file),
    ]
    if hand.flags:
        facts.append(("Worth a look for", ", ".join(sorted(hand.flags))))
    if hand.waived:
        facts.append(("Waived", format_dollars(hand.waived)))
    if hand.played:
        facts.append(("Played, as imported", hand.played))
    first, last = hand.moments[0], hand.moments[-1]
    chain = (
        ("Event", "Hash"),
        (f"before {first.seq}", hand.previous or "-"),
        (str(first.seq), first.hash),
        (str(last.seq), last.hash),
    )
    sections = [
        _seats(hand, ended),
        _pots(ended),
        Section("In the log", chain, narrow=True),
        _rulings(hand),
        _refused(hand),
        _actions(hand),
    ]
    data = {
        "hand": hand.number,
        "awards": ended.awards,
        "fee": hand.fee,
        "first_seq": first.seq,
        "last_seq": last.seq,
        "first_hash": first.hash,
        "last_hash": last.hash,
        "flags": sorted(hand.flags),
        "names": {seat: hand.names.get(seat, "") for seat in started.dealt},
    }
    title = f"Hand {hand.number}, {hand.table}, {hand.day}"
    kept = tuple(section for section in sections if len(section.rows) > 1)
    return Report(title, tuple(facts), kept, data, one_page=True)


def _seats(hand: Played, ended: HandEnded) -> Section:
    """Who had what before and after; of tabled hands how they read."""
    splits = hand.profile.splits
    head = ("Seat", "Player", "Before", "Put in", "Back", "Won", "Net", "Cards", "High", "Low")
    rows = [head if splits else head[:-1]]
    tabled, readings = hand.tabled, _readings(hand, ended)
    for seat in sorted({*hand.started.dealt, *hand.started.no_hand}):
        stack = hand.started.stacks.get(seat)
        put_in, won = ended.invested.get(seat, 0), ended.awards.get(seat, 0)
        dealt = seat in hand.started.dealt
        high, low = readings.get(seat, ("-", "-"))
        row = (
            f"{seat}{' D' if seat == hand.started.button else ''}",
            hand.names.get(seat, ""),
            "not tracked" if stack is None else format_dollars(stack),
            format_dollars(put_in),
            format_dollars(ended.returned.get(seat, 0)),
            format_dollars(won),
            format_dollars(won - put_in),
            (format_cards(tabled.get(seat, ())) or "-") if dealt else "no hand",
            high,
        )
        rows.append((*row, low) if splits else row)
    return Section("Seats", tuple(rows))


def _readings(hand: Played, ended: HandEnded) -> dict[int, tuple[str, str]]:
    tabled = hand.tabled
    if len(ended.board) != 5 or not tabled:
        return {}
    highs, lows = read_hands(
        [card.code for card in ended.board],
        [[card.code for card in cards] for cards in tabled.values()],
        hand.profile.game.low_qualifier,
    )
    return {
        seat: (describe_high(high), describe_low(low))
        for seat, high, low in zip(tabled, highs, lows, strict=True)
    }


def _actions(hand: Played) -> Section:
    """Everything that happened, to the second, with its event in the log."""
    rows = [("Time", "What", "Event")]
    strong = set()
    for moment in hand.moments:
        words = _words(moment.event)
        if not words:
            continue
        taken_back = " (taken back)" if moment.undone else ""
        if isinstance(moment.event, HandStarted | BoardDealt | HandEnded) and not moment.undone:
            strong.add(len(rows))
        rows.append((clock(moment.at_us)[11:], f"{words}{taken_back}", str(moment.seq)))
    return Section("What happened", tuple(rows), log=True, strong=frozenset(strong))


def _words(event: Event) -> str:
    """As at the table, and what a dealer need not read there."""
    match event:
        case Ruled():
            return f"! FLOOR {'+'.join(event.by)} {event.ruling}"
        case BackedUp():
            return "« the action is backed up"
        case Declared():
            back = f", {format_dollars(event.returned)} back" if event.returned else ""
            return f"seat {event.seat} {'DEAD' if event.dead else 'ALIVE again'}{back}"
        case PotCorrected():
            way = "into" if event.amount >= 0 else "out of"
            return f"{format_dollars(abs(event.amount))} {way} the pot, seat {event.seat}"
        case Waived():
            return "the drop is waived"
        case FeePaid():
            return f"seat {event.seat} pays its fee of {format_dollars(event.amount)}"
    return event_line(event)


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
    return Section("Pots", tuple(rows), narrow=True)


def _refused(hand: Played) -> Section:
    rows = [("Time", "Message", "Rule", "Source")]
    rows += [(clock(r.at_us)[11:], r.message, r.rule, with_titles(r.source)) for r in hand.refusals]
    return Section(f"Refused ({NOT_SEALED})", tuple(rows))


def _shares(shares: dict[int, Cents]) -> str:
    return ", ".join(f"seat {seat} {format_dollars(cents)}" for seat, cents in shares.items())


def _rulings(hand: Played) -> Section:
    """Those in the hand, and those that mended it after the push."""
    rows = [("Time", "By", "Ruling", "Effect", "Reason", "Event")]
    ruled = [(m, "") for m in hand.moments] + [(m, ", after the push") for m in hand.later]
    rows += [
        (
            clock(moment.at_us)[11:],
            "+".join(event.by),
            " ".join((event.ruling, *event.words)) + after,
            event.effect,
            event.reason,
            str(moment.seq),
        )
        for moment, after in ruled
        if isinstance(event := moment.event, Ruled)
    ]
    return Section("Rulings", tuple(rows))

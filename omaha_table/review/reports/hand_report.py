"""The incident report: one hand on one page, with all that a reviewer or a camera needs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from omaha_table.dealer.event_text import EventText, describe
from omaha_table.dealer.ruling_text import what_ruling_did
from omaha_table.evaluate import read_hands
from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.hand.events import (
    BackedUp,
    BoardDealt,
    FeePaid,
    FeeWaived,
    HandDeclared,
    HandEnded,
    HandStarted,
    PotCorrected,
)
from omaha_table.money import format_dollars
from omaha_table.review.index.hands import board_of
from omaha_table.review.reports.call_facts import call_table
from omaha_table.review.reports.count_text import person
from omaha_table.review.reports.page import (
    Column,
    Entry,
    Fact,
    Report,
    Table,
    Timeline,
    clock,
    numbers,
    rows,
    texts,
    times,
)
from omaha_table.review.reports.wording import flags_text, ruling_title, staff_text
from omaha_table.rules.sources import with_titles
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omaha_table.journal.events import Event
    from omaha_table.money import Cents
    from omaha_table.office.state import Noted
    from omaha_table.review.index.hands import Played
    from omaha_table.review.reports.call_facts import FloorCall
    from omaha_table.review.reports.page import Cell, Section

REFUSED_NOTE = "From the refusal log, which no seal covers."


def incident(hand: Played, calls: Iterable[FloorCall] = (), notes: Sequence[Noted] = ()) -> Report:
    """One hand on one page: seats, every action with its time, pots, readings, rulings, hashes.

    `calls` are those of the floor in the hand, and between it and the next; `notes` are what
    reviewers wrote.
    """
    ended = hand.ended
    assert ended is not None
    sections: list[Section] = [
        _seats(hand, ended),
        _pots(ended),
        _hashes(hand),
        _rulings(hand),
        call_table(calls),
        _refused(hand),
        _notes(notes),
    ]
    kept = tuple(s for s in sections if isinstance(s, Table) and s.rows)
    return Report(
        f"Hand {hand.number}, {hand.table}, {hand.day}",
        tuple(_facts(hand, ended)),
        (*kept, _timeline(hand)),
        _data(hand, ended) | ({"notes": _note_data(notes)} if notes else {}),
        one_page=True,
    )


def _notes(notes: Sequence[Noted]) -> Table:
    lines = [
        (clock(at_us), "unsigned" if event.by is None else person(event.by), event.note)
        for at_us, event in notes
    ]
    return Table("Notes", (*times("Time"), *texts("By", "Note")), rows(*lines))


def _note_data(notes: Sequence[Noted]) -> list[dict[str, Any]]:
    return [
        {"at_us": at_us, "by": event.by.id if event.by else None, "note": event.note}
        for at_us, event in notes
    ]


def _facts(hand: Played, ended: HandEnded) -> list[Fact]:
    facts = [
        Fact("Table", hand.table),
        Fact("Gaming day", hand.day),
        Fact("Hand", str(hand.number)),
        Fact("Game", f"{hand.profile.profile.title}, {hand.limit.id}"),
        Fact("From", clock(hand.started_us)),
        Fact("To", clock(hand.ended_us)),
        Fact("Dealer", hand.dealer or "-"),
        Fact("Shift, box", f"{hand.shift or '-'}, {hand.box or '-'}"),
        Fact("Board", board_of(hand) or "-"),
        Fact("Outcome", ended.outcome),
        Fact("Fee, jackpot", f"{format_dollars(hand.fee)}, {format_dollars(ended.jackpot)}"),
        Fact("Journal", hand.file),
    ]
    if hand.flags:
        facts.append(Fact("Look at", flags_text(hand.flags)))
    if hand.waived:
        facts.append(Fact("Fee waived", format_dollars(hand.waived)))
    if hand.played:
        facts.append(Fact("Played (imported hand)", hand.played))
    return facts


def _data(hand: Played, ended: HandEnded) -> dict[str, Any]:
    first, last = hand.moments[0], hand.moments[-1]
    return {
        "hand": hand.number,
        "awards": ended.awards,
        "fee": hand.fee,
        "first_seq": first.seq,
        "last_seq": last.seq,
        "first_hash": first.hash,
        "last_hash": last.hash,
        "flags": sorted(hand.flags),
        "names": {seat: hand.names.get(seat, "") for seat in hand.started.dealt},
    }


def _hashes(hand: Played) -> Table:
    first, last = hand.moments[0], hand.moments[-1]
    lines = (
        (f"before {first.seq}", hand.previous or "-"),
        (str(first.seq), first.hash),
        (str(last.seq), last.hash),
    )
    return Table(
        "In the journal", (Column("Event"), Column("Hash", "hash")), rows(*lines), narrow=True
    )


def _seats(hand: Played, ended: HandEnded) -> Table:
    """Who had what before and after; of tabled hands how they read."""
    splits = hand.profile.splits
    tabled, readings = hand.tabled, _readings(hand, ended)
    lines = []
    for seat in sorted({*hand.started.dealt, *hand.started.no_hand}):
        stack = hand.started.stacks.get(seat)
        put_in, won = ended.invested.get(seat, 0), ended.awards.get(seat, 0)
        cards: Cell = tabled.get(seat) or "-"
        high, low = readings.get(seat, ("-", "-"))
        line: tuple[Cell, ...] = (
            f"{seat}{' D' if seat == hand.started.button else ''}",
            hand.names.get(seat, ""),
            "not tracked" if stack is None else format_dollars(stack),
            format_dollars(put_in),
            format_dollars(ended.returned.get(seat, 0)),
            format_dollars(won),
            format_dollars(won - put_in),
            cards if seat in hand.started.dealt else "no hand",
            high,
        )
        lines.append((*line, low) if splits else line)
    columns = (
        *texts("Seat", "Player"),
        *numbers("Before", "Put in", "Back", "Won", "Net"),
        *texts("Cards", "High", "Low"),
    )
    return Table("Seats", columns if splits else columns[:-1], rows(*lines))


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


def _timeline(hand: Played) -> Timeline:
    """Everything that happened, to the second, with its event in the journal."""
    entries = []
    for moment in hand.moments:
        text = _text(moment.event)
        if text is None:
            continue
        strong = isinstance(moment.event, HandStarted | BoardDealt | HandEnded)
        entries.append(
            Entry(
                _time(moment.at_us),
                text.words,
                moment.seq,
                text.cards,
                strong and not moment.undone,
                moment.undone,
            )
        )
    return Timeline("What happened", tuple(entries))


def _text(event: Event) -> EventText | None:
    """As at the table, and what a dealer need not read there."""
    match event:
        case Ruled():
            by = staff_text(event.by)
            return EventText(f"FLOOR {by}: {ruling_title(event.ruling)}", mark="!")
        case BackedUp():
            return EventText("the action is backed up", mark="«")
        case HandDeclared():
            back = f", {format_dollars(event.returned)} back" if event.returned else ""
            return EventText(f"{'DEAD' if event.dead else 'LIVE again'}{back}", event.seat)
        case PotCorrected():
            moved = format_dollars(abs(event.amount))
            adds = event.amount >= 0
            what = f"adds {moved} to the pot" if adds else f"takes {moved} back from the pot"
            return EventText(what, event.seat)
        case FeeWaived():
            return EventText("the drop is waived")
        case FeePaid():
            return EventText(f"pays its fee of {format_dollars(event.amount)}", event.seat)
    # What else a ruling did is in the table of rulings.
    return None if what_ruling_did(event) else describe(event)


def _time(at_us: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at_us / 1e6))


def _pots(ended: HandEnded) -> Table:
    lines = [
        (
            "Main" if number == 0 else f"Side {number}",
            format_dollars(pot.amount),
            " ".join(map(str, pot.eligible)),
            _shares(pot.high),
            _shares(pot.low) or "-",
        )
        for number, pot in enumerate(ended.pots)
    ]
    columns = (*texts("Pot"), *numbers("Amount"), *texts("Seats", "High", "Low"))
    return Table("Pots", columns, rows(*lines), narrow=True)


def _refused(hand: Played) -> Table:
    lines = [(_time(r.at_us), r.message, r.rule, with_titles(r.source)) for r in hand.refusals]
    columns = (*times("Time"), *texts("Message", "Rule", "Source"))
    return Table("Refused entries", columns, rows(*lines), note=REFUSED_NOTE)


def _shares(shares: dict[int, Cents]) -> str:
    return ", ".join(f"seat {seat} {format_dollars(cents)}" for seat, cents in shares.items())


def _rulings(hand: Played) -> Table:
    """Those in the hand, and those that corrected it after the push."""
    ruled = [(m, "") for m in hand.moments] + [(m, ", after the push") for m in hand.later]
    lines = [
        (
            _time(moment.at_us),
            staff_text(event.by),
            f"{ruling_title(event.ruling)}{after}",
            event.effect,
            event.reason,
            str(moment.seq),
        )
        for moment, after in ruled
        if isinstance(event := moment.event, Ruled)
    ]
    columns = (*times("Time"), *texts("By", "Ruling", "Effect", "Reason", "Event"))
    return Table("Rulings", columns, rows(*lines))

"""`omaha-table report`: reports on a shift, a dealer, a day or one hand."""

from __future__ import annotations

import sys
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table.cli.counting import Amounts, amounts_given, count_one, ledger_of
from omaha_table.cli.lines import any_table, say
from omaha_table.cli.output import check_target
from omaha_table.cli.pins import staff_folder
from omaha_table.cli.report_files import FORMS, write_report
from omaha_table.cli.room_reading import JournalsGiven, journals_given, room_option
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.verdict import Verdict, damage_lines
from omaha_table.process import protect_memory
from omaha_table.review.index.drop import total
from omaha_table.review.index.hands import Played
from omaha_table.review.index.ledger import Ledger, box_of
from omaha_table.review.index.moments import Given, Moment, around_hands
from omaha_table.review.index.sources import doubled, hands_of
from omaha_table.review.reports.comparison import Comparison, DealerTally, compare
from omaha_table.review.reports.count_facts import Counts, counts_of
from omaha_table.review.reports.hand_sheet import calls_in, incident_of
from omaha_table.review.reports.page import Fact
from omaha_table.review.reports.soundness import with_verdict
from omaha_table.review.reports.summaries import summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_table.office.state import CountKey
    from omaha_table.review.index.store import Journal, Store
    from omaha_table.review.reports.page import Report


@click.command()
@click.argument("kind", type=click.Choice(["shift", "dealer", "day", "hand"]))
@click.argument("name")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="The folder of the journals, or one journal; default: the user's data folder.",
)
@room_option
@click.option(
    "--table", callback=any_table, default="", metavar="ID", help="Only this table's journals."
)
@click.option("--day", default="", metavar="DATE", help="Only this gaming day, as 2026-11-14.")
@click.option("--box", metavar="AMOUNT", help="What was counted in the drop box.")
@click.option("--jackpot-box", metavar="AMOUNT", help="What was counted in the jackpot box.")
@click.option(
    "--signed",
    multiple=True,
    metavar="ID",
    help="The staff number of a person who counted; two sign, each with a PIN.",
)
@click.option("--reason", default="", metavar="TEXT", help="Why an earlier count is corrected.")
@click.option(
    "--staff",
    "staff_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the staff list; default: the folder of the journals.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="md",
    show_default=True,
    help="Markdown, an HTML page, or JSON.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file to write; default: standard output.",
)
def report(
    kind: str,
    name: str,
    data: Path | None,
    bundle_file: Path | None,
    table: str,
    day: str,
    box: str | None,
    jackpot_box: str | None,
    signed: tuple[str, ...],
    reason: str,
    staff_dir: Path | None,
    form: str,
    out: Path | None,
) -> None:
    """Reports on the shift, dealer, day or hand NAME.

    With --box it records a count in the office journal, signed by two people with their PINs,
    compares it with the log and lists the hands that could explain a variance. A box that was
    counted before is corrected with --reason; both figures are shown.

    A journal that cannot be read is named on standard error, and the report is made from the
    others. The journals it is made from are verified, and it says so.

    With --room it reads the room, with the counts of the offices there; --data then only names the
    folder of an office journal. Name the day, if you can: without it every journal is read.

    Exit status 0: done; 1: a journal could not be read or is not sound; 2: there is nothing to
    report; 4: the room does not answer.

    \b
    Examples:
      omaha-table report shift swing --data /srv/t7 --box 843 --signed F1 --signed S1
      omaha-table report hand 118 --data /srv/t7 --format html --out hand118.html
      omaha-table report day 2026-11-19 --room auditor.toml
    """
    if kind in ("hand", "dealer") and (box, jackpot_box, signed, reason) != (None, None, (), ""):
        raise click.UsageError(f"A count is for a shift or a day, not for one {kind}.")
    amounts = amounts_given(box, jackpot_box, signed, reason)
    request = _Request(kind, name, table, day)
    with journals_given(data, bundle_file, amounts is not None) as given:
        _report(given, request, amounts, signed, reason, staff_dir, form, out)


def _report(
    given: JournalsGiven,
    request: _Request,
    amounts: Amounts | None,
    signed: tuple[str, ...],
    reason: str,
    staff_dir: Path | None,
    form: str,
    out: Path | None,
) -> None:
    kind, name = request.kind, request.name
    # A dealer is compared with those of all tables.
    table = "" if kind == "dealer" else request.table
    where = given.store.near(table, request.days)
    faults: list[str] = []
    left_out: set[CountKey] = set()
    room: defaultdict[str, DealerTally] = defaultdict(DealerTally)
    kept = list(_matching(where, request, faults, left_out, room))
    for fault in faults:
        say(fault, err=True)
    if not kept:
        part = "the readable journals of " if faults else ""
        raise click.UsageError(f"No {kind} {name!r} in {part}{given.name}.")
    ledger = ledger_of(given.folder, given.offices)
    if amounts is not None:
        protect_memory()
        _one_box(kind, name, kept, left_out)
        if out is not None:
            check_target(out)
        first, drop = kept[0], total(kept)
        count_one(
            ledger, where, first.table, first.box_day, box_of(first), amounts,
            (drop.due, drop.jackpots), signed, reason, staff_folder(ledger.folder, staff_dir),
        )  # fmt: skip
    if kind == "hand":
        if len(kept) > 1:
            days = ", ".join(f"{hand.table} {hand.day}" for hand in kept[:6])
            raise click.UsageError(
                f"Hand {name} was dealt on {days}: choose with --table and --day."
            )
        [hand] = kept
        notes = ledger.notes_of(f"{hand.table} {hand.day} {hand.number}")
        made = incident_of(hand, where, notes)
    else:
        counts = Counts() if kind == "dealer" else _kept_counts(ledger, kept, left_out)
        around = _around(where, request)
        calls = [call for call in calls_in(where) if request.includes(call.called)]
        title = f"{kind.capitalize()} {name}"
        compared = _beside_the_room(room, kept) if kind == "dealer" else None
        made = summary(title, kept, counts.counted, counts.jackpot, around, calls, compared)
        made = counts.in_report(made)
    verdict = _verdict(given.store, where, kept)
    made = with_verdict(made, verdict)
    if ledger.fault:
        say(ledger.fault, err=True)
        made = _with_warning(made, ledger.fault, {"office": ledger.fault})
    if faults:
        made = _with_warning(made, f"Incomplete: {' '.join(faults)}", {"incomplete": faults})
    write_report(made, form, out)
    for line in damage_lines(verdict):
        say(f"NOT SOUND: {line}", err=True)
    sys.exit(0 if verdict.sound and not faults and not ledger.fault else 1)


def _beside_the_room(room: dict[str, DealerTally], hands: list[Played]) -> Comparison:
    own = DealerTally()
    for hand in hands:
        own.add(hand)
    return compare(own.figures(), [tally.figures() for name, tally in room.items() if name])


def _with_warning(report: Report, warning: str, data: dict[str, str | list[str]]) -> Report:
    return replace(report, warnings=(*report.warnings, warning), data=report.data | data)


def _verdict(store: Store, where: Sequence[Journal], kept: list[Played]) -> Verdict:
    """Whether the journals that a report is made from can be trusted; no others are checked."""
    shown = {hand.file for hand in kept}
    return store.verdict([journal for journal in where if journal.name in shown])


def _kept_counts(ledger: Ledger, hands: list[Played], left_out: set[CountKey]) -> Counts:
    """The recorded counts of the boxes of these hands.

    `left_out` are the boxes of hands that the report leaves out: their count says nothing of it.
    """
    if any(box_of(hand) in left_out for hand in hands):
        told = "not shown: a box holds fees of hands outside this report; report on its shift"
        return Counts(facts=(Fact("Counted", told),))
    return counts_of(ledger, {box_of(hand) for hand in hands}, total(hands).due)


def _one_box(kind: str, name: str, kept: list[Played], left_out: set[CountKey]) -> None:
    """A count is for one box and all of it: other hands would explain nothing."""
    if any(box_of(hand) in left_out for hand in kept):
        raise click.UsageError(
            f"The {kind} {name!r} has only some of the hands of a box, but a count is for all of "
            "it: report on the shift."
        )
    boxes = {box_of(hand): (hand.table, hand.box_day) for hand in kept}
    if len(boxes) > 1:
        names = ", ".join(
            f"{table} {day} {key.box or 'no box'}/{key.jackpot_box or 'none'}"
            for key, (table, day) in list(boxes.items())[:6]
        )
        raise click.UsageError(
            f"The {kind} {name!r} has {len(boxes)} boxes ({names}), but a count is for one box. "
            "Choose with --table and --day, or name the boxes: omaha-table office count --boxes."
        )


@dataclass(frozen=True, slots=True)
class _Request:
    """What to report on."""

    kind: str
    name: str
    table: str
    day: str

    @property
    def days(self) -> str:
        """The day whose journals are asked for; empty: any."""
        return self.day or (self.name if self.kind == "day" else "")

    def is_of_its_days(self, hand: Played) -> bool:
        """Whether a hand, of whichever dealer and table, counts for the room in the same days."""
        return self.day in ("", hand.day, hand.day[:10])

    def includes(self, found: Played | Given) -> bool:
        # A shift that goes on past six is of the day on which it began.
        day = found.box_day if self.kind == "shift" else found.day
        days = (day, day[:10])  # a day may go on in a second file
        if self.table not in ("", found.table) or self.day not in ("", *days):
            return False
        match self.kind:
            case "shift":
                return found.shift == self.name
            case "dealer":
                return found.dealer == self.name
            case "day":
                return self.name in days
            case _:
                return isinstance(found, Played) and str(found.number) == self.name


def _matching(
    where: Sequence[Journal],
    request: _Request,
    faults: list[str],
    left_out: set[CountKey],
    room: defaultdict[str, DealerTally],
) -> Iterator[Played]:
    """The requested hands; adds a fault for each journal that cannot be read, every box that other
    hands went into, and for a dealer's report what every dealer of those days dealt."""
    mixed = doubled(where)
    if mixed:
        raise click.UsageError(mixed)
    for journal in where:
        try:
            for hand in hands_of(journal):
                if request.kind == "dealer" and request.is_of_its_days(hand):
                    room[hand.dealer].add(hand)
                if request.includes(hand):
                    yield hand
                elif hand.box:
                    left_out.add(box_of(hand))
        except JournalFault as fault:
            faults.append(f"{journal.name}: {fault.message}")


def _around(where: Sequence[Journal], request: _Request) -> Iterator[tuple[int | None, Moment]]:
    """What belongs in the report, including events between hands."""
    for journal in where:
        with suppress(JournalFault, OSError):
            for given in around_hands(journal):
                if request.includes(given):
                    yield given.hand, given.moment

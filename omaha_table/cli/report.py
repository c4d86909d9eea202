"""`omaha-table report`: reports on a shift, a dealer, a day or one hand."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_data_path

from omaha_table.cli.lines import any_table, say
from omaha_table.cli.output import output_file
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.verification import Verdict, damage_lines, files_in, trust_lines, verify
from omaha_table.money import Cents, MoneyError, parse_dollars
from omaha_table.review.counts import Box, Counts, box_of, counts_beside
from omaha_table.review.hands import Played
from omaha_table.review.moments import Given, Moment, around_hands
from omaha_table.review.render import as_html, as_json, as_markdown
from omaha_table.review.report import incident, summary
from omaha_table.review.sources import doubled, hands_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.review.page import Report

_FORMS: Final[dict[str, Callable[[Report], str]]] = {
    "html": as_html,
    "md": as_markdown,
    "json": as_json,
}


@click.command()
@click.argument("kind", type=click.Choice(["shift", "dealer", "day", "hand"]))
@click.argument("name")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="The folder of the journals, or one journal; default: the user's data folder.",
)
@click.option(
    "--table", callback=any_table, default="", metavar="ID", help="Only this table's journals."
)
@click.option("--day", default="", metavar="DATE", help="Only this gaming day, as 2026-11-14.")
@click.option("--box", metavar="AMOUNT", help="What was counted in the drop box.")
@click.option("--jackpot-box", metavar="AMOUNT", help="What was counted in the jackpot box.")
@click.option("--signed", multiple=True, metavar="WHO", help="Who counted; two people for a box.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMS)),
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
    table: str,
    day: str,
    box: str | None,
    jackpot_box: str | None,
    signed: tuple[str, ...],
    form: str,
    out: Path | None,
) -> None:
    """Reports on the shift, dealer, day or hand NAME.

    With --box it compares the count with the log and lists the hands that could explain a variance;
    two people sign for a count. A journal that cannot be read is named on standard error, and the
    report is made from the others. The journals it is made from are verified, and it says so.

    Exit status 0: done; 1: a journal could not be read or is not sound; 2: there is nothing to
    report.

    \b
    Examples:
      omaha-table report shift swing --data /srv/t7 --box 843 --signed F1 --signed S1
      omaha-table report hand 118 --data /srv/t7 --format html --out hand118.html
    """
    if kind == "hand" and (box, jackpot_box, signed) != (None, None, ()):
        raise click.UsageError("A count is for a shift, a dealer or a day, not for one hand.")
    counted = _counted("--box", box, signed)
    jackpot = _counted("--jackpot-box", jackpot_box, signed)
    where = data or user_data_path("omaha-table")
    faults: list[str] = []
    request = _Request(kind, name, table, day)
    left_out: set[Box] = set()
    kept = list(_matching(where, request, faults, left_out))
    for fault in faults:
        say(fault, err=True)
    if not kept:
        part = "the readable journals of " if faults else ""
        raise click.UsageError(f"No {kind} {name!r} in {part}{where}.")
    if counted is not None or jackpot is not None:
        _one_box(kind, name, kept, left_out)
    if kind == "hand":
        if len(kept) > 1:
            days = ", ".join(f"{hand.table} {hand.day}" for hand in kept[:6])
            raise click.UsageError(
                f"Hand {name} was dealt on {days}: choose with --table and --day."
            )
        made = incident(kept[0])
    else:
        signatures = signed
        counters: list[tuple[str, str]] = [("Counted by", " and ".join(signed))] if signed else []
        if counted is None and jackpot is None and kind != "dealer":
            counted, jackpot, signatures, counters = _kept_counts(where, kept, left_out)
        around = _around(where, request)
        made = summary(f"{kind.capitalize()} {name}", kept, counted, jackpot, around)
        signs = {"signed": list(signatures)} if signatures else {}
        made = replace(
            made,
            facts=(*made.facts, *counters),
            data=made.data | signs,
            signatures=signatures,
        )
    verdict = _verdict(where, kept)
    damage = list(damage_lines(verdict))
    made = replace(made, data=made.data | {"log": {"sound": verdict.sound, "damage": damage}})
    warnings = []
    if verdict.sound:
        made = replace(made, facts=(*made.facts, ("Log", " ".join(trust_lines(verdict)))))
    else:
        warnings.append(f"Do not rely on this: the log is NOT SOUND. {' '.join(damage)}")
    if faults:
        warnings.append("Incomplete: " + " ".join(faults))
        made = replace(made, data=made.data | {"incomplete": faults})
    made = replace(made, warning=" ".join(warnings))
    text = _FORMS[form](made)
    if out is None:
        click.echo(text.encode(), nl=False)
    else:
        try:
            with output_file(out) as file:
                file.write(text)
        except OSError as error:
            raise click.UsageError(f"{out} cannot be written: {error.strerror}.") from None
    for line in damage:
        say(f"NOT SOUND: {line}", err=True)
    sys.exit(0 if verdict.sound and not faults else 1)


def _verdict(where: Path, kept: list[Played]) -> Verdict:
    """Whether the journals that a report is made from can be trusted; no others are checked."""
    shown = {hand.file for hand in kept}
    return verify([path for path in files_in(where) if path.name in shown])


def _kept_counts(
    where: Path, hands: list[Played], left_out: set[Box]
) -> tuple[Cents | None, Cents | None, tuple[str, ...], list[tuple[str, str]]]:
    """The counts from the review screen, if it has one for every box of these hands.

    `left_out` are the boxes of hands that the report leaves out: their count says nothing of it.
    """
    if any(box_of(hand) in left_out for hand in hands):
        told = "no: a box has hands that are not in this report (report on its shift)"
        return None, None, (), [("Counted in the review", told)]
    counts, boxes = Counts(counts_beside(where if where.is_dir() else where.parent)).of_hands(hands)
    if not counts:
        return None, None, (), []
    who = "; ".join(f"{' and '.join(c.signed)} ({c.at.replace('T', ' ')})" for c in counts)
    counters = [("Counted in the review", f"{len(counts)} of {boxes} boxes, by {who}")]
    if len(counts) < boxes:
        return None, None, (), counters
    jackpots = [count.jackpot for count in counts if count.jackpot is not None]
    signed = tuple(dict.fromkeys(name for count in counts for name in count.signed))
    jackpot = sum(jackpots) if len(jackpots) == boxes else None
    return sum(c.counted for c in counts), jackpot, signed, counters


def _counted(option: str, box: str | None, signed: tuple[str, ...]) -> Cents | None:
    if box is None:
        return None
    try:
        counted = parse_dollars(box)
    except MoneyError as error:
        raise click.UsageError(f"{option}: {error}") from None
    names = {name.strip().casefold() for name in signed} - {""}
    if len(names) < 2:
        raise click.UsageError("Two people must sign for a count: --signed WHO --signed WHO.")
    return counted


def _one_box(kind: str, name: str, kept: list[Played], left_out: set[Box]) -> None:
    """A count is for one box and all of it: other hands would explain nothing."""
    if any(box_of(hand) in left_out for hand in kept):
        raise click.UsageError(
            f"The {kind} {name!r} has only some of the hands of a box, but a count is for all of "
            "it: report on the shift."
        )
    boxes = sorted({(hand.table, hand.box_day, hand.box) for hand in kept})
    if len(boxes) > 1:
        names = ", ".join(f"{table} {day} {box or 'no box'}" for table, day, box in boxes[:6])
        raise click.UsageError(
            f"The {kind} {name!r} has {len(boxes)} boxes ({names}), but a count is for one box. "
            "Choose with --table and --day, or count by shift."
        )


@dataclass(frozen=True, slots=True)
class _Request:
    """What to report on."""

    kind: str
    name: str
    table: str
    day: str

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
    where: Path, request: _Request, faults: list[str], left_out: set[Box]
) -> Iterator[Played]:
    """The requested hands; adds a fault for each journal that cannot be read, and every box that
    other hands went into."""
    files = files_in(where) if where.exists() else []
    if not files:
        raise click.UsageError(f"No journals in {where}.")
    mixed = doubled(files)
    if mixed:
        raise click.UsageError(mixed)
    for path in files:
        try:
            for hand in hands_of(path):
                if request.includes(hand):
                    yield hand
                elif hand.box:
                    left_out.add(box_of(hand))
        except JournalFault as fault:
            faults.append(f"{path.name}: {fault.message}")


def _around(where: Path, request: _Request) -> Iterator[tuple[int | None, Moment]]:
    """What belongs in the report, including events between hands."""
    for path in files_in(where):
        with suppress(JournalFault, OSError):
            for given in around_hands(path):
                if request.includes(given):
                    yield given.hand, given.moment

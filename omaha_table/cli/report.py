"""`omaha-table report`: a shift, a dealer, a day, or one hand on one page."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_data_path

from omaha_table.desk.verify import files_in
from omaha_table.journal.faults import JournalFault
from omaha_table.money import Cents, MoneyError, format_dollars, parse_dollars
from omaha_table.review.counts import Counts, counts_beside
from omaha_table.review.hands import Played, hands_in
from omaha_table.review.render import as_html, as_json, as_markdown
from omaha_table.review.report import Report, incident, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    help="Where the journals are; the user's data folder.",
)
@click.option("--table", default="", metavar="ID", help="Only this table's journals.")
@click.option("--box", metavar="AMOUNT", help="What was counted in the drop box.")
@click.option("--signed", multiple=True, metavar="WHO", help="Who counted; two for a box.")
@click.option("--format", "form", type=click.Choice(list(_FORMS)), default="md", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
def report(
    kind: str,
    name: str,
    data: Path | None,
    table: str,
    box: str | None,
    signed: tuple[str, ...],
    form: str,
    out: Path | None,
) -> None:
    """A report of the shift, dealer, day or hand NAME.

    With --box the count is compared with the log, and hands that could explain a variance are
    named; two people sign for a count.

    \b
    Examples:
      omaha-table report shift swing --data /srv/t7 --box 843 --signed F1 --signed S1
      omaha-table report hand 118 --data /srv/t7 --format html --out hand118.html
    """
    counted = _counted(box, signed)
    said: list[tuple[str, str]] = [("Counted by", " and ".join(signed))] if signed else []
    where = data or user_data_path("omaha-table")
    faults: list[str] = []
    kept = list(_matching(where, table, kind, name, faults))
    for fault in faults:
        click.echo(fault, err=True)
    if not kept:
        raise click.UsageError(f"There is no {kind} {name!r} in {where}.")
    if kind == "hand":
        if len(kept) > 1:
            days = ", ".join(f"{hand.table} {hand.day}" for hand in kept[:6])
            raise click.UsageError(f"Hand {name} was dealt on {days}: name one journal file.")
        made = incident(kept[0])
    else:
        if counted is None and kind != "dealer":
            counted, said = _kept_counts(where, kept)
        said += _several_journals(kept)
        made = summary(f"{kind.capitalize()} {name}", kept, counted)
        signatures = {"signed": list(signed)} if signed else {}
        made = replace(made, facts=(*made.facts, *said), data=made.data | signatures)
    text = _FORMS[form](made)
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
    sys.exit(1 if faults else 0)


def _kept_counts(where: Path, hands: list[Played]) -> tuple[Cents | None, list[tuple[str, str]]]:
    """What was counted in the review, where that is all the boxes of these hands."""
    counts, boxes = Counts(counts_beside(where if where.is_dir() else where.parent)).of_hands(hands)
    if not counts:
        return None, []
    who = "; ".join(f"{' and '.join(c.signed)} ({c.at.replace('T', ' ')})" for c in counts)
    said = [("Counted in the review", f"{len(counts)} of {boxes} boxes, by {who}")]
    if any(count.jackpot is not None for count in counts):
        jackpot = sum(count.jackpot or 0 for count in counts)
        said.append(("Jackpot counted", format_dollars(jackpot)))
    return sum(c.counted for c in counts) if len(counts) == boxes else None, said


def _several_journals(hands: list[Played]) -> list[tuple[str, str]]:
    """Says so where hands of several journals that claim one table and day are added up."""
    claimed: defaultdict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for hand in hands:
        claimed[hand.table, hand.day].add((hand.log, hand.file))
    return [
        ("Added up", f"{len(logs)} journals that all say they are {table} {day}: name one file")
        for (table, day), logs in sorted(claimed.items())
        if len(logs) > 1
    ]


def _counted(box: str | None, signed: tuple[str, ...]) -> Cents | None:
    if box is None:
        return None
    try:
        counted = parse_dollars(box)
    except MoneyError as error:
        raise click.UsageError(f"--box: {error}") from None
    if len(set(signed)) < 2:
        raise click.UsageError("A box is counted by two: --signed WHO --signed WHO.")
    return counted


def _matching(where: Path, table: str, kind: str, name: str, faults: list[str]) -> Iterator[Played]:
    """The hands that are asked for; a journal that cannot be read is told, the rest is read."""
    if not where.exists():
        raise click.UsageError(f"{where} is not there.")
    for path in files_in(where):
        try:
            for hand in hands_in(path):
                if (not table or hand.table == table) and _is(hand, kind, name):
                    yield hand
        except JournalFault as fault:
            faults.append(f"{path.name}: {fault.message}")


def _is(hand: Played, kind: str, name: str) -> bool:
    match kind:
        case "shift":
            return hand.shift == name
        case "dealer":
            return hand.dealer == name
        case "day":
            return hand.day == name
        case _:
            return str(hand.number) == name

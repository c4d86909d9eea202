"""`omaha-table office`: counts, variances, count sheets, and what is recorded."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import click

from omaha_table.cli.counting import Amounts, amounts_given, count_one, ledger_of
from omaha_table.cli.lines import any_table, say
from omaha_table.cli.office_folder import (
    boxes_of,
    chosen_box,
    counted_as,
    drops_of,
    journals_since,
    sound_ledger,
    where_of,
)
from omaha_table.cli.pins import staff_folder
from omaha_table.cli.report_files import FORMS, write_report
from omaha_table.cli.signing import refusals, sign
from omaha_table.journal.days import office_files
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.office_book import OfficeReading
from omaha_table.journal.verdict import damage_lines
from omaha_table.journal.verification import files_in, verify
from omaha_table.money import MoneyError, format_dollars, parse_dollars
from omaha_table.office.events import ThresholdSet
from omaha_table.process import protect_memory
from omaha_table.review.index.drop import Drop
from omaha_table.review.index.ledger import on_its_face
from omaha_table.review.reports.count_facts import one_line
from omaha_table.review.reports.count_text import amounts, person, review_lines, variance_words
from omaha_table.review.reports.office_text import office_line
from omaha_table.review.reports.sheets import count_sheet
from omaha_table.review.reports.soundness import with_verdict

_data = click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The data folder; default: the user's data folder.",
)
_staff = click.option(
    "--staff",
    "staff_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the staff list; default: the data folder.",
)
_by = click.option(
    "--by", required=True, metavar="ID", help="The staff number of the person who signs."
)
_reason = click.option("--reason", required=True, metavar="TEXT", help="Why.")
_table = click.option(
    "--table", callback=any_table, default="", metavar="ID", help="Only this table's boxes."
)
_day = click.option("--day", default="", metavar="DATE", help="Only this gaming day.")


@click.group()
def office() -> None:
    """Counts boxes, reviews variances and prints count sheets.

    What is recorded is signed with PINs and goes into the office journal of the data folder, which
    'verify' checks like a table's. Nothing in it is changed: a correction leaves the old figure.

    \b
    Example:
      omaha-table office variances --data /srv/t7
    """
    protect_memory()


@office.command()
@click.argument("shift")
@click.option("--box", metavar="AMOUNT", required=True, help="What was in the drop box.")
@click.option("--jackpot-box", metavar="AMOUNT", help="What was in the jackpot box.")
@click.option("--boxes", default="", metavar="BOX/BOX", help="Which of several boxes, as B7/J7.")
@click.option(
    "--signed",
    multiple=True,
    metavar="ID",
    help="The staff number of a person who counted; two sign.",
)
@click.option("--reason", default="", metavar="TEXT", help="Why an earlier count is corrected.")
@_table
@_day
@_data
@_staff
def count(
    shift: str,
    box: str,
    jackpot_box: str | None,
    boxes: str,
    signed: tuple[str, ...],
    reason: str,
    table: str,
    day: str,
    data: Path | None,
    staff_dir: Path | None,
) -> None:
    """Records what was in the boxes of SHIFT.

    Two people sign for it, and both are asked for their PINs. A shift that is still open is not
    counted. A box that was counted before is corrected with --reason; the old figure stays.

    Exit status 0: done; 1: it is recorded, but the table's journal is not sound.

    \b
    Example:
      omaha-table office count swing --box 843 --jackpot-box 180 --data /srv/t7 \\
        --signed F1 --signed S1
    """
    given = amounts_given(box, jackpot_box, signed, reason)
    assert given is not None
    where = where_of(data)
    files = files_in(where)
    chosen = chosen_box(boxes_of(files, shift, table, day), shift, boxes)
    ledger = ledger_of(where)
    drop = drops_of(files).get(chosen.key) or Drop()
    damage = list(damage_lines(verify(journals_since(files, chosen))))
    for line in damage:
        say(f"The log is NOT SOUND, so its sums may be wrong. {line}", err=True)
    counted = count_one(
        ledger, files, chosen.table, chosen.day, chosen.key, Amounts(*given),
        (drop.due, drop.jackpots), signed, reason, staff_folder(ledger.folder, staff_dir),
    )  # fmt: skip
    say(f"Counted {amounts(counted)}: {variance_words(counted)}.")
    if jackpot_box is None and chosen.key.jackpot_box not in ("", "none", None):
        say(f"Jackpot box {chosen.key.jackpot_box} is not counted.")
    if counted.needs_review:
        say(f"It needs a review: omaha-table office explain {counted.year}-{counted.seq}")
    sys.exit(1 if damage else 0)


@office.command()
@_data
@click.option(
    "--status",
    type=click.Choice(["open", "explained", "closed"]),
    help="Only variances in this state; default: all.",
)
def variances(data: Path | None, status: str | None) -> None:
    """Lists the variances above the threshold.

    \b
    Example:
      omaha-table office variances --status open --data /srv/t7
    """
    ledger = sound_ledger(where_of(data, journals=False))
    found = [c for counts in ledger.records.counts.values() for c in counts[-1:] if c.needs_review]
    found = [c for c in found if status in (None, ledger.review_of(c).status)]
    for counted in sorted(found):
        say(one_line(ledger, counted))
        for line in review_lines(ledger, counted):
            say(f"    {line}")
    if not found:
        click.echo("No variances.")


@office.command()
@click.argument("number", metavar="COUNT")
@_by
@_reason
@_data
@_staff
def explain(number: str, by: str, reason: str, data: Path | None, staff_dir: Path | None) -> None:
    """Explains the variance of COUNT.

    COUNT is a number from 'office variances'. The PIN is asked for.

    \b
    Example:
      omaha-table office explain 2026-17 --by F1 --reason "fee of hand 31 not taken" --data /srv/t7
    """
    ledger, counted = counted_as(data, number)
    [signature] = sign(staff_folder(ledger.folder, staff_dir), "explain", (by,))
    with refusals():
        ledger.explain(counted, reason, signature)
    say(f"{variance_words(counted)}: explained by {person(signature)}. A shift manager closes it.")


@office.command()
@click.argument("number", metavar="COUNT")
@_by
@_reason
@_data
@_staff
def close(number: str, by: str, reason: str, data: Path | None, staff_dir: Path | None) -> None:
    """Closes the variance of COUNT once it is explained.

    A shift manager signs, but not the one who explained it. The PIN is asked for.

    \b
    Example:
      omaha-table office close 2026-17 --by S1 --reason "seen on camera" --data /srv/t7
    """
    ledger, counted = counted_as(data, number)
    [signature] = sign(staff_folder(ledger.folder, staff_dir), "close", (by,))
    with refusals():
        ledger.close(counted, reason, signature)
    say(f"{variance_words(counted)}: closed by {person(signature)}.")


@office.command()
@click.argument("amount", required=False)
@click.option("--by", default="", metavar="ID", help="The staff number of a shift manager.")
@_data
@_staff
def threshold(amount: str | None, by: str, data: Path | None, staff_dir: Path | None) -> None:
    """Sets the threshold of a variance, or shows it.

    A variance above AMOUNT needs a review. A shift manager signs, and is asked for the PIN.

    \b
    Example:
      omaha-table office threshold 5 --by S1 --data /srv/t7
    """
    ledger = sound_ledger(where_of(data, journals=False))
    if amount is None:
        present = format_dollars(ledger.records.brief.threshold)
        say(f"A variance above {present} needs a review.")
        return
    try:
        cents = parse_dollars(amount)
    except MoneyError as error:
        raise click.UsageError(str(error)) from None
    if not by:
        raise click.UsageError("Name the shift manager who signs with --by ID.")
    [signature] = sign(staff_folder(ledger.folder, staff_dir), "threshold", (by,))
    with refusals():
        ledger.record(ThresholdSet(cents, signature), signature)
    say(f"A variance above {format_dollars(cents)} needs a review from now on.")


@office.command()
@click.argument("shift")
@_table
@_day
@click.option("--room", default="", metavar="NAME", help="The name of the cardroom.")
@_data
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="md",
    show_default=True,
    help="Markdown, an HTML page to print, or JSON.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="The file to write; default: standard output.",
)  # fmt: skip
def sheet(
    shift: str,
    table: str,
    day: str,
    room: str,
    data: Path | None,
    form: str,
    out: Path | None,
) -> None:
    """Makes the count sheet of SHIFT.

    It has every box that was opened, who counted it, and every correction with the old figure.

    Exit status 0: done; 1: a journal is not sound.

    \b
    Example:
      omaha-table office sheet swing --day 2026-11-14 --format html --out sheet.html --data /srv/t7
    """
    where = where_of(data)
    files = files_in(where)
    boxes = boxes_of(files, shift, table, day)
    days = sorted({box.day for box in boxes})
    if len(days) > 1:
        raise click.UsageError(f"Shift {shift!r} was on {', '.join(days)}: choose with --day.")
    ledger = ledger_of(where)
    verdict = verify([*files, *office_files(ledger.folder)])
    made = with_verdict(count_sheet(ledger, room, shift, days[0], boxes, drops_of(files)), verdict)
    if ledger.fault:
        made = replace(made, warnings=(*made.warnings, ledger.fault))
    write_report(made, form, out)
    for line in made.warnings:
        say(line, err=True)
    sys.exit(0 if verdict.sound and not ledger.fault else 1)


@office.command()
@click.option("--day", default="", metavar="DATE", help="Only this date, as 2026-11-14.")
@_data
def log(day: str, data: Path | None) -> None:
    """Lists what is recorded, in plain words.

    \b
    Example:
      omaha-table office log --day 2026-11-14 --data /srv/t7
    """
    where = where_of(data, journals=False)
    folder = where if where.is_dir() else where.parent
    try:
        for entry in OfficeReading(folder).entries():
            at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.at_us / 1e6))
            if at.startswith(day):
                say(f"{entry.year}-{entry.seq}  {at}  {office_line(entry.event)}")
    except JournalFault as fault:
        say(on_its_face(fault), err=True)
        sys.exit(1)

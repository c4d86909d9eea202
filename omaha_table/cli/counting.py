"""Counting a box from the command line: the same for `report --box` and `office count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from omaha_table.cli.lines import Problem
from omaha_table.cli.signing import refusals, sign
from omaha_table.files import FileError
from omaha_table.money import Cents, MoneyError, parse_dollars
from omaha_table.review.index.box_openings import OpenedBox, opened_boxes
from omaha_table.review.index.counting import obstacle, still_open
from omaha_table.review.index.ledger import COUNTED_ELSEWHERE, Ledger
from omaha_table.review.reports.count_text import amounts, names, when

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omaha_table.office.state import Counted, CountKey
    from omaha_table.review.index.store import Journal, OtherOffices


class Amounts(NamedTuple):
    box: Cents
    jackpot: Cents | None


def amounts_given(
    box: str | None, jackpot: str | None, signed: tuple[str, ...], reason: str
) -> Amounts | None:
    """What the options say was counted; None: nothing was."""
    boxed = None if box is None else _amount("--box", box)
    jackpots = None if jackpot is None else _amount("--jackpot-box", jackpot)
    if boxed is None:
        if jackpots is not None:
            raise click.UsageError("--jackpot-box goes with --box: both are counted together.")
        if signed or reason:
            raise click.UsageError("--signed and --reason go with a count: --box AMOUNT.")
        return None
    if len({name.strip() for name in signed} - {""}) < 2:
        raise click.UsageError("Two people must sign for a count: --signed ID --signed ID.")
    if len(signed) > 2:
        raise click.UsageError("Two people sign for a count, not more.")
    return Amounts(boxed, jackpots)


def _amount(option: str, text: str) -> Cents:
    try:
        return parse_dollars(text)
    except MoneyError as error:
        raise click.UsageError(f"{option}: {error}") from None


def ledger_of(where: Path | None, elsewhere: OtherOffices | None = None) -> Ledger:
    """The office's records beside some journals; lists of 0.1.0 that cannot be read end it."""
    folder = where if where is None or where.is_dir() else where.parent
    try:
        return Ledger(folder, holder="the office", elsewhere=elsewhere)
    except (OSError, FileError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.UsageError(f"The counts in {folder} cannot be read: {why}.") from None


def count_one(
    ledger: Ledger,
    files: Sequence[Path | Journal],
    table: str,
    day: str,
    key: CountKey,
    counted: Amounts,
    due: tuple[Cents, Cents],
    signed: tuple[str, ...],
    reason: str,
    staff_folder: Path,
) -> Counted:
    """Records a count, after all that can be wrong with it is told, and then the PINs asked for."""
    _can_be_counted(ledger, opened_boxes(files), table, key, counted, reason)
    by = sign(staff_folder, "count", tuple(number.strip() for number in signed))
    with refusals():
        return ledger.count(table, day, key, counted, due, by, reason)


def _can_be_counted(
    ledger: Ledger,
    opened: list[OpenedBox],
    table: str,
    key: CountKey,
    counted: Amounts,
    reason: str,
) -> None:
    before = ledger.count_of(key)
    match obstacle(ledger, opened, key, counted.jackpot, reason):
        case "fault":
            raise Problem(f"Nothing was recorded. {ledger.fault}")
        case "still_open":
            raise Problem(f"{still_open(table, key)} Nothing was recorded.")
        case "no_jackpot_box":
            raise click.UsageError("This shift has no jackpot box: leave out --jackpot-box.")
        case "elsewhere":
            raise Problem(f"Nothing was recorded. {COUNTED_ELSEWHERE}")
        case "counted_before":
            assert before is not None
            raise click.UsageError(
                f"This box was counted before: {amounts(before)}, by {names(before)}, "
                f"{when(before)}. To correct it, say why with --reason; the old figure stays."
            )
        case "not_counted":
            raise click.UsageError("This box was not counted before: leave out --reason.")

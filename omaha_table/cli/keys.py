"""`omaha-table keys` and `omaha-table unseal`: sealed cards, for the surveillance office."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from omaha_table.cards import format_cards
from omaha_table.cli.keyfiles import make_pair, read_private_key
from omaha_table.cli.lines import say
from omaha_table.files import append_line
from omaha_table.journal.codec import RecordError
from omaha_table.journal.events import DayOpened, HoleCardsSealed, SealedSeat
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.sealed import SealError, open_as_office
from omaha_table.process import protect_memory


@click.group()
def keys() -> None:
    """Makes the surveillance office's key pair.

    \b
    Example:
      omaha-table keys new /media/safe
    """
    protect_memory()


@keys.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def new(folder: Path) -> None:
    """Makes a key pair: a public key for the tables, a private key for the safe.

    \b
    Example:
      omaha-table keys new /media/safe
    """
    private, public = make_pair(folder)
    say(f"{public}: copy this to the tables.")
    say(f"{private}: keep this in the safe, never on a table's machine.")


@click.command()
@click.argument("journal", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--hand", type=int, required=True, metavar="N", help="The number of the hand.")
@click.option("--seat", type=int, required=True, metavar="N", help="The seat to open.")
@click.option(
    "--key", type=click.Path(path_type=Path), required=True, help="The office's private key."
)
@click.option("--case", required=True, help="The case number.")
@click.option("--reason", required=True, help="Why this hand is opened.")
def unseal(journal: Path, hand: int, seat: int, key: Path, case: str, reason: str) -> None:
    """Opens one seat's sealed cards, and records the opening beside the key.

    \b
    Example:
      omaha-table unseal t7-2026-11-14.journal --hand 118 --seat 4 \\
        --key /media/safe/surveillance.private --case 26-117 --reason "collusion report"
    """
    protect_memory()
    if len(case.strip()) < 2 or len(reason.strip()) < 3:
        raise click.UsageError("Opening a hand needs a case number and a reason.")
    private = read_private_key(key)
    day, sealed = _find(journal, hand, seat)
    _record(key.with_name("unsealed.jsonl"), journal, hand, seat, case, reason)
    try:
        cards = open_as_office(sealed, private, day.table, day.day, hand)
    except SealError as error:
        raise click.UsageError(f"Seat {seat} of hand {hand} cannot be opened: {error}.") from None
    click.echo(format_cards(cards))


def _find(journal: Path, hand: int, seat: int) -> tuple[DayOpened, SealedSeat]:
    """The seat as it was sealed last: redealt cards are sealed again."""
    day: DayOpened | None = None
    seats: tuple[SealedSeat, ...] = ()
    try:
        with Reader(journal) as reader:
            for row in reader.since(0, ("day_opened", "hole_cards_sealed")):
                event = record_of(row).event
                if isinstance(event, DayOpened):
                    day = event
                if isinstance(event, HoleCardsSealed) and row.hand == hand:
                    seats = event.seats
    except (JournalFault, RecordError) as error:
        raise click.UsageError(f"{journal} cannot be read: {error}") from None
    for sealed in seats:
        if sealed.seat == seat and day is not None:
            return day, sealed
    raise click.UsageError(f"{journal.name} has no sealed cards for seat {seat} in hand {hand}.")


def _record(log: Path, journal: Path, hand: int, seat: int, case: str, reason: str) -> None:
    """Records the opening; called before the cards are shown."""
    entry = {
        "at": datetime.now(UTC).isoformat(),
        "journal": journal.name,
        "hand": hand,
        "seat": seat,
        "case": case,
        "reason": reason,
    }
    try:
        append_line(log, json.dumps(entry))
    except OSError as error:
        raise click.UsageError(f"The opening cannot be recorded: {error.strerror}.") from None

"""`omaha-table keys` and `omaha-table unseal`: sealed cards, for the surveillance office."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from omaha_table.cli.keyfiles import make_pair, read_private_key
from omaha_table.cli.lines import say
from omaha_table.files import append_line
from omaha_table.journal.codec import RecordError
from omaha_table.journal.events import DayOpened
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.sealed import SealError, open_as_office
from omaha_table.journal.sealed_deal import SealedDeal
from omaha_table.journal.sealed_hands import open_as_office as open_old_as_office
from omaha_table.process import protect_memory

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey


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
@click.option(
    "--seat", type=int, required=True, metavar="N", help="The seat to open; 0: burn cards."
)
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
    day, deal = _find(journal, hand, seat)
    _record(key.with_name("unsealed.jsonl"), journal, hand, seat, case, reason)
    try:
        cards = _open(deal, seat, private, day)
    except SealError as error:
        raise click.UsageError(f"Seat {seat} of hand {hand} cannot be opened: {error}.") from None
    click.echo(" ".join(cards))
    for entry in (entry for replaced, entry in deal.replaced if replaced == seat):
        most = sum(dealt.entry < entry for dealt in deal.of_seat(seat or None)) or len(cards)
        click.echo(f"One of the first {most} was replaced by a card that was not read.", err=True)


_OF_CARDS: Final = (
    "hand_started", "card_dealt", "card_sealed", "backed_up", "remedy_ordered", "identities_lost",
    "hole_cards_sealed",
)  # fmt: skip


def _find(journal: Path, hand: int, seat: int) -> tuple[DayOpened, SealedDeal]:
    """The cards of the hand as they were when it ended, or as they are now."""
    day: DayOpened | None = None
    deal = SealedDeal()
    try:
        with Reader(journal) as reader:
            for row in reader.since(0, ("day_opened", *_OF_CARDS)):
                if row.hand == hand or row.kind == "day_opened":
                    event = record_of(row).event
                    deal.take(event)
                    day = event if isinstance(event, DayOpened) else day
    except (JournalFault, RecordError) as error:
        raise click.UsageError(f"{journal} cannot be read: {error}") from None
    out = deal.of_seat(seat or None)
    if day is None or not (any(dealt.sealed for dealt in out) or (seat in deal.old and out)):
        raise click.UsageError(
            f"{journal.name} has no sealed cards for seat {seat} in hand {hand}."
        )
    return day, deal


def _open(deal: SealedDeal, seat: int, private: X25519PrivateKey, day: DayOpened) -> list[str]:
    """The seat's cards in dealing order; ?? is a card that was not read. Raises SealError."""
    where, out = (day.table, day.day, deal.hand), deal.of_seat(seat or None)
    if seat in deal.old:
        cards = iter(open_old_as_office(deal.old[seat], private, *where))
        return [next(cards).text if deal.in_old(dealt) else "??" for dealt in out]
    return [
        "??"
        if dealt.sealed is None
        else open_as_office(dealt.sealed, dealt.key, private, *where).text
        for dealt in out
    ]


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

"""`omaha-table unseal`: the surveillance office opens face-down cards, on record."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omaha_table.cli.keyfiles import read_private_key
from omaha_table.cli.lines import Problem, say, use_folder
from omaha_table.cli.pins import not_recorded, pin_check, signed_by
from omaha_table.journal.codec import RecordError
from omaha_table.journal.days import day_files, table_of
from omaha_table.journal.events import DayOpened
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.office_book import open_office
from omaha_table.journal.opening import writer_name
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.sealed import SealError, open_as_office
from omaha_table.journal.sealed_deal import SealedDeal
from omaha_table.journal.sealed_hands import open_as_office as open_old_as_office
from omaha_table.journal.verdict import damage_lines
from omaha_table.journal.verification import verify
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import Unsealed
from omaha_table.process import protect_memory

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from omaha_table.journal.sealed_deal import DealtCard

_PERSONS = 2
_BURNS = 0
"""The burn cards among the seats."""


class _Hands(click.ParamType[tuple[int, int]]):
    name = "hands"

    def convert(self, value: Any, param: object, ctx: object) -> tuple[int, int]:
        found = re.fullmatch(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", str(value))
        if found is None or int(found[2] or found[1]) < int(found[1]):
            self.fail("give one hand, as 118, or a range of them, as 110-118")
        return int(found[1]), int(found[2] or found[1])


@dataclass(frozen=True, slots=True)
class _Sealed:
    """A seat's sealed cards in one hand."""

    hand: int
    seat: int
    deal: SealedDeal

    @property
    def where(self) -> str:
        who = "burn cards" if self.seat == _BURNS else f"seat {self.seat}"
        return f"hand {self.hand}, {who}"

    @property
    def cards(self) -> list[DealtCard]:
        """In dealing order."""
        return self.deal.of_seat(self.seat or None)

    @property
    def is_sealed(self) -> bool:
        old = self.seat in self.deal.old and bool(self.cards)
        return old or any(dealt.sealed for dealt in self.cards)

    def opened(self, private: X25519PrivateKey, day: DayOpened) -> list[str]:
        """?? is a card that was not read. Raises SealError."""
        where, out = (day.table, day.day, self.hand), self.cards
        if self.seat in self.deal.old:
            old = iter(open_old_as_office(self.deal.old[self.seat], private, *where))
            return [next(old).text if self.deal.in_old(dealt) else "??" for dealt in out]
        return [
            "??"
            if dealt.sealed is None
            else open_as_office(dealt.sealed, dealt.key, private, *where).text
            for dealt in out
        ]

    def remarks(self) -> list[str]:
        """What the cards do not tell."""
        said = []
        for unread in (unread for unread in self.deal.unread if unread.seat == self.seat):
            before = sum(dealt.entry < unread.entry for dealt in self.cards)
            if unread.missing:
                said.append("One more card came from the stub for a missing one; it was not read.")
            else:
                said.append(
                    f"One of the first {before or len(self.cards)} was replaced by a card that was "
                    "not read."
                )
        return said


@click.command()
@click.argument("journal", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--hand", "hands", type=_Hands(), required=True, metavar="N[-M]", help="One hand, or a range."
)
@click.option(
    "--seat",
    type=click.IntRange(0, 12),
    metavar="N",
    help="Only this seat; 0: the burn cards. Default: all seats.",
)
@click.option(
    "--key", type=click.Path(path_type=Path), required=True, help="The office's private key."
)
@click.option(
    "--office",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The surveillance office's own folder, with its staff list and its journal.",
)
@click.option(
    "--signed",
    multiple=True,
    required=True,
    metavar="ID",
    help="A person who signs with a PIN; give it twice.",
)
@click.option("--case", required=True, help="The case number.")
@click.option("--reason", required=True, help="Why these cards are opened.")
@click.option("--force", is_flag=True, help="Open them on the machine that deals; recorded so.")
def unseal(
    journal: Path,
    hands: tuple[int, int],
    seat: int | None,
    key: Path,
    office: Path,
    signed: tuple[str, ...],
    case: str,
    reason: str,
    force: bool,
) -> None:
    """Opens sealed cards, once two persons have signed for it and it is recorded.

    Asks both for their PINs, on the terminal or one per line from a pipe.

    \b
    Example:
      omaha-table unseal t7-2026-11-14.journal --hand 118 --seat 4 \\
        --key /media/safe/surveillance.private --office /srv/surveillance \\
        --signed S1 --signed A1 --case 26-117 --reason "collusion report"
    """
    protect_memory()
    if len(case.strip()) < 2 or len(reason.strip()) < 3:
        raise click.UsageError("Opening a hand needs a case number and a reason.")
    if len(signed) != _PERSONS or len(set(signed)) != _PERSONS:
        raise click.UsageError("Two different persons sign: --signed ID --signed ID.")
    private = read_private_key(key)
    day, found = _find(journal, hands, seat)
    # A link elsewhere does not make it another machine's.
    own = journal.resolve()
    at_the_table = _signs_in(own.parent, day.table, table_of(own), table_of(journal))
    if at_the_table and not force:
        raise click.UsageError(
            f"{own.parent} is the table's own folder: its signing key lies there. Copy the "
            "journal to the office's machine, or give --force, which is recorded."
        )
    if _signs_in(office, *(table_of(path) for path in day_files(office))):
        raise click.UsageError(
            f"{office} is a table's own folder: openings are recorded in a folder of the office."
        )
    check = pin_check(office)
    use_folder(office, keep_group=True)
    wrong = next(damage_lines(verify([journal])), "")
    if wrong:
        say(f"The journal is not sound. {wrong} This is recorded with the opening.", err=True)
    by = tuple(signed_by(check, "unseal", number) for number in signed)
    seats = () if seat is None else (seat,)
    event = Unsealed(
        day.table, day.day, journal.name, *hands, seats, case, reason, by, at_the_table, wrong
    )
    _record(office, event)
    _show(found, private, day, plain=seat is not None and hands[0] == hands[1])


def _signs_in(folder: Path, *tables: str) -> bool:
    """Whether one of these tables keeps its signing key in a folder: then it is dealt there."""
    return any((folder / f"{table}.{end}").exists() for table in tables for end in ("key", "next"))


_OF_CARDS = (
    "hand_started", "card_dealt", "card_sealed", "backed_up", "remedy_ordered", "identities_lost",
    "hole_cards_sealed",
)  # fmt: skip


def _find(
    journal: Path, hands: tuple[int, int], seat: int | None
) -> tuple[DayOpened, list[_Sealed]]:
    """The cards of the hands as they were when each ended, or as they are now."""
    day: DayOpened | None = None
    deals: dict[int, SealedDeal] = {}
    try:
        with Reader(journal) as reader:
            for row in reader.since(0, ("day_opened", *_OF_CARDS)):
                if row.kind == "day_opened":
                    event = record_of(row).event
                    day = event if isinstance(event, DayOpened) else day
                elif row.hand is not None and hands[0] <= row.hand <= hands[1]:
                    deals.setdefault(row.hand, SealedDeal()).take(record_of(row).event)
    except (JournalFault, RecordError) as error:
        raise click.UsageError(f"{journal} cannot be read: {error}") from None
    found = [
        sealed
        for hand, deal in sorted(deals.items())
        for number in _seats(deal, seat)
        if (sealed := _Sealed(hand, number, deal)).is_sealed
    ]
    if day is None or not found:
        of = "" if seat is None else f" for seat {seat}"
        first, last = hands
        which = f"hand {first}" if first == last else f"hands {first} to {last}"
        raise click.UsageError(f"{journal.name} has no sealed cards{of} in {which}.")
    return day, found


def _seats(deal: SealedDeal, seat: int | None) -> list[int]:
    """The seats of a hand to look at, the burn cards last."""
    if seat is not None:
        return [seat]
    dealt = {out.seat or _BURNS for out in deal.slots.values() if out.face_down}
    return sorted(dealt, key=lambda number: (number == _BURNS, number))


def _record(office: Path, event: Unsealed) -> None:
    """Records the opening; called before a card is opened."""
    who = "+".join(person.id for person in event.by)
    try:
        with open_office(office, writer_name()) as book:
            book.record(event, actor=f"office:{who}")
    except OfficeRefused as refused:
        raise Problem(refused.message) from None
    except JournalFault as fault:
        raise not_recorded(fault) from None


def _show(found: list[_Sealed], private: X25519PrivateKey, day: DayOpened, *, plain: bool) -> None:
    """The cards, on standard output and nowhere else."""
    closed = []
    for sealed in found:
        try:
            cards = " ".join(sealed.opened(private, day))
        except SealError as error:
            closed.append(f"{sealed.where}: cannot be opened: {error}.")
            continue
        click.echo(cards if plain else f"{sealed.where}: {cards}")
        for remark in sealed.remarks():
            say(remark if plain else f"{sealed.where}: {remark}", err=True)
    if closed:
        raise Problem("\n".join(closed))

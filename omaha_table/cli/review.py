"""`omaha-table review`: the hand-log review screen."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_cache_path

from omaha_table.cli.lines import say_if
from omaha_table.cli.pins import staff_folder
from omaha_table.cli.room_reading import JournalsGiven, journals_given, room_option
from omaha_table.files import FileError, make_folder
from omaha_table.journal.faults import JournalFault
from omaha_table.office.decisions import OfficeRefused
from omaha_table.process import protect_memory
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.index.projection import Projection
from omaha_table.review.screens.desk import Desk

if TYPE_CHECKING:
    from omaha_table.review.index.store import OtherOffices

_SERVED: Final = "textual.drivers.web_driver:WebDriver"
"""What textual-serve sets as TEXTUAL_DRIVER: the terminal is then a page in a browser."""
_FIRST_WAIT: Final = 0.5


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="The folder of the journals, or one journal; default: the user's data folder.",
)
@click.option(
    "--staff",
    "staff_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the staff list, for signatures; default: the folder of the journals.",
)
@room_option
@click.option("--light", is_flag=True, help="Begin with the light theme (F2 switches).")
@click.option("--fresh", is_flag=True, help="Rebuild the list of hands instead of updating it.")
def review(
    data: Path | None,
    staff_dir: Path | None,
    bundle_file: Path | None,
    fresh: bool,
    light: bool,
) -> None:
    """Finds hands in one or many journals, steps through them and takes notes.

    Also shows unusual events one by one, the drop boxes to count and sign for, and statistics. It
    only reads the journals of tables, so they may be dealing. Counts, reviews of variances, notes
    and tags go into the office journal, each signed with a PIN; who may not write there can look.

    With --room it reads every table of the room, and the counts and notes of the offices there.
    The room is only read: --data then names the folder of an office journal, if something is to be
    recorded.

    Exit status 4: the room does not answer.

    \b
    Example:
      omaha-table review --data /srv/t7
      omaha-table review --room auditor.toml
    """
    protect_memory()
    with journals_given(data, bundle_file) as given:
        served = os.environ.get("TEXTUAL_DRIVER") == _SERVED
        if not served and not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise click.UsageError(
                "The review needs a terminal. 'omaha-table report' works without one."
            )
        from omaha_table.dealer.screen.terminal import speaks_unicode, suits_are_narrow
        from omaha_table.review.screens.app import Review

        desk = _desk(given, staff_dir, fresh=fresh)
        # A browser draws a suit in one column and knows Unicode, whatever the locale here is.
        letters = not served and not suits_are_narrow()
        plain = not served and not speaks_unicode()
        try:
            app = Review(desk, letters=letters, plain=plain, light=light)
            # What was loaded by now stays. To look through it for garbage again and again would
            # let a key wait for a tenth of a second now and then.
            gc.freeze()
            app.run()
        finally:
            desk.projection.close()
    if app.crash is not None:
        raise app.crash


def _desk(given: JournalsGiven, staff_dir: Path | None, *, fresh: bool) -> Desk:
    store, folder = given.store, given.folder
    journals = len(store.journals())
    ledger = _ledger(folder, staff_dir, given.offices)
    projection = Projection(_cache(given.cache_name), fresh=fresh)
    # The newest day is there in a moment; what is older comes in while somebody looks.
    projection.keep(store).wait(_FIRST_WAIT)
    return Desk(
        projection,
        ledger,
        verdict=f"{journals:,} journal{'s' if journals > 1 else ''}, checking the chain",
        check=given.trust,
        store=store,
        watches=given.offices is not None,
    )


def _cache(name: str) -> Path | None:
    """The file that keeps the list for next time; None if there can be none."""
    try:
        folder = user_cache_path("omaha-table")
        say_if(make_folder(folder))
        return folder / f"{_name(name)}.db"
    except OSError:
        return None


def _ledger(where: Path | None, staff_dir: Path | None, offices: OtherOffices | None) -> Ledger:
    """The office's records of a folder; takes over the lists of 0.1.0 if it may write there."""
    if where is None:
        return Ledger(None, elsewhere=offices)
    folder = where if where.is_dir() else where.parent
    staff = staff_folder(folder, staff_dir)
    try:
        ledger = Ledger(folder, staff_folder=staff, elsewhere=offices)
    except (OSError, FileError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.UsageError(f"The notes in {folder} cannot be read: {why}.") from None
    if ledger.may_write and not ledger.fault:
        # If it fails they are shown as they are, and the first entry says why it cannot be written.
        with suppress(OfficeRefused, JournalFault):
            ledger.take_over()
    return ledger


def _name(reviewed: str) -> str:
    """A cache name for each folder or room that is reviewed."""
    import hashlib

    return hashlib.sha256(reviewed.encode()).hexdigest()[:16]

"""`omaha-table review`: the hand-log review screen."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from platformdirs import user_cache_path, user_data_path

from omaha_table.cli.lines import say_if
from omaha_table.files import make_folder
from omaha_table.floor.files import load_staff
from omaha_table.floor.staff import StaffError
from omaha_table.journal.verification import files_in
from omaha_table.review.counts import Counts, counts_beside
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes, notes_beside
from omaha_table.review.projection import Projection
from omaha_table.review.trust import trust


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="The folder of the journals, or one journal; default: the user's data folder.",
)
@click.option("--fresh", is_flag=True, help="Rebuild the list of hands instead of updating it.")
def review(data: Path | None, fresh: bool) -> None:
    """Finds hands in one or many journals, steps through them and takes notes.

    Also shows unusual events one by one, the drop boxes to count and sign for, and statistics. It
    only reads journals, so tables may be dealing. Notes and counts are kept in files of their own.

    \b
    Example:
      omaha-table review --data /srv/t7
    """
    where = data or user_data_path("omaha-table")
    if not where.exists() or not files_in(where):
        raise click.UsageError(f"No journals in {where}.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "The review needs a terminal. 'omaha-table report' works without one."
        )
    from omaha_table.dealer.screen.terminal import speaks_unicode, suits_are_narrow
    from omaha_table.review.app import Review

    cache = _cache(where)
    if fresh and cache is not None:
        cache.unlink(missing_ok=True)
    projection = Projection(cache)
    try:
        files = files_in(where)
        projection.refresh(
            files, lambda hands: click.echo(f"\r{hands:,} hands", nl=False, err=True)
        )
        folder = where if where.is_dir() else where.parent
        try:
            notes, counts = Notes(notes_beside(folder)), Counts(counts_beside(folder))
        except OSError as error:
            raise click.UsageError(
                f"The notes in {folder} cannot be read: {error.strerror}."
            ) from None
        front = ReviewFront(
            projection,
            notes,
            counts,
            verdict=f"{len(files)} journal{'s' if len(files) > 1 else ''}, checking the chain",
            refresh=lambda: projection.refresh(files_in(where)),
            staff=_staff(folder),
            check=lambda: trust(files_in(where)),
        )
        letters, plain = not suits_are_narrow(), not speaks_unicode()
        app = Review(front, letters=letters, plain=plain)
        app.run(mouse=False)
    finally:
        projection.close()
    if app.crash is not None:
        raise app.crash


def _cache(where: Path) -> Path | None:
    """The file that keeps the list for next time; None if there can be none."""
    try:
        folder = user_cache_path("omaha-table")
        say_if(make_folder(folder))
        return folder / f"{_name(where)}.db"
    except OSError:
        return None


def _staff(folder: Path) -> list[str]:
    """Who may sign for a count, from the staff file."""
    try:
        people = load_staff(folder).people
    except (StaffError, OSError):
        return []
    return [f"{person.id} {person.name}" for person in people if not person.disabled]


def _name(where: Path) -> str:
    """A cache name for each reviewed folder."""
    import hashlib

    return hashlib.sha256(str(where.resolve()).encode()).hexdigest()[:16]

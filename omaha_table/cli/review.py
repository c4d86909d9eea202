"""`omaha-table review`: the hand-log review screen."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from platformdirs import user_cache_path, user_data_path

from omaha_table.desk.verify import files_in
from omaha_table.review.front import ReviewFront, notes_beside
from omaha_table.review.notes import Notes
from omaha_table.review.projection import Projection


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="Where the journals are; the user's data folder.",
)
@click.option("--fresh", is_flag=True, help="Make the list anew instead of going on with it.")
def review(data: Path | None, fresh: bool) -> None:
    """Hands of one or many journals: find them, step through them, note what was found.

    Reads only; a table may go on dealing meanwhile. Notes are kept in a file of their own.

    \b
    Example:
      omaha-table review --data /srv/t7
    """
    where = data or user_data_path("omaha-table")
    if not where.exists() or not files_in(where):
        raise click.UsageError(f"There is no journal in {where}.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("The review needs a terminal; 'omaha-table report' does not.")
    from omaha_table.console.terminal import speaks_unicode, suits_are_narrow
    from omaha_table.review.app import Review

    cache = user_cache_path("omaha-table", ensure_exists=True) / f"{_name(where)}.db"
    if fresh:
        cache.unlink(missing_ok=True)
    projection = Projection(cache)
    try:
        faults = projection.refresh(
            files_in(where), lambda hands: click.echo(f"\r{hands:,} hands", nl=False, err=True)
        )
        said = faults[0] if faults else f"{len(files_in(where))} journals read"
        folder = where if where.is_dir() else where.parent
        front = ReviewFront(
            projection,
            Notes(notes_beside(folder)),
            verdict=said,
            refresh=lambda: projection.refresh(files_in(where)),
        )
        letters, plain = not suits_are_narrow(), not speaks_unicode()
        Review(front, letters=letters, plain=plain).run(mouse=False)
    finally:
        projection.close()


def _name(where: Path) -> str:
    """One cache for each place that is looked at."""
    import hashlib

    return hashlib.sha256(str(where.resolve()).encode()).hexdigest()[:16]

"""`omaha-table keys`: the surveillance office's key pair."""

from __future__ import annotations

from pathlib import Path

import click

from omaha_table.cli.keyfiles import make_pair
from omaha_table.cli.lines import say
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

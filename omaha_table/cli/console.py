"""`omaha-table console`, `practice`, and the demo that opens when nothing is asked for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from platformdirs import user_data_path

from drivers.registry import UnknownAdapterError
from drivers.transport import TransportError
from omaha_table.cli.keyfiles import read_office_key
from omaha_table.desk.config import ConfigError, TableConfig, demo_table, load_table
from omaha_table.floor.files import STAFF_FILE, load_staff
from omaha_table.floor.staff import StaffError
from omaha_table.journal.faults import JournalFault
from omaha_table.rules import ProfileError

if TYPE_CHECKING:
    from omaha_table.console.run import Evening, Outcome
    from omaha_table.floor import Staff


@click.command()
@click.option(
    "--table",
    "table_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The table's configuration; without it the demo table.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the journal is; the user's data folder.",
)
@click.option("--autoplay", is_flag=True, help="The demo table deals by itself.")
@click.option("--hands", type=click.IntRange(1), metavar="N", help="Autoplay stops after N hands.")
@click.option("--faults", is_flag=True, help="The demo's machines fail now and then.")
@click.option("--pace", type=click.Choice(["real", "brisk", "fast"]), default="brisk")
@click.option("--seed", type=int, default=1, metavar="N", help="Of the simulated players.")
def console(
    table_file: Path | None,
    data: Path | None,
    autoplay: bool,
    hands: int | None,
    faults: bool,
    pace: str,
    seed: int,
) -> None:
    """The dealer's console.

    Without --table it is the demo: emulated machines and simulated players; nothing to set up.

    \b
    Example:
      omaha-table console --table /etc/omaha-table/t7.toml --data /srv/t7
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "The console needs a terminal; 'omaha-table script' takes commands as text, "
            "and 'omaha-table --help' lists the rest."
        )
    if table_file is None:
        run_demo(data, autoplay=autoplay, hands=hands, faults=faults, pace=pace, seed=seed)
        return
    if autoplay:
        raise click.UsageError("--autoplay is for the demo table: leave --table out.")
    try:
        config = load_table(table_file)
        folder = data or user_data_path("omaha-table") / config.table.id
        office = None
        if config.table.surveillance_key:
            office = read_office_key(config.beside(config.table.surveillance_key))
        _report(_evening(config, folder, _staff(folder), office=office).run())
    except (
        ConfigError,
        ProfileError,
        StaffError,
        UnknownAdapterError,
        TransportError,
        ValueError,
    ) as error:
        raise click.UsageError(str(error)) from None
    except JournalFault as fault:
        raise click.UsageError(f"{fault.message} {fault.todo}") from None


def run_demo(
    data: Path | None, *, autoplay: bool, hands: int | None, faults: bool, pace: str, seed: int
) -> None:
    """The demo table on emulated machines; its log stays behind to be looked at."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from omaha_table.console.demo import QUICK, REAL, Pace, Rig
    from omaha_table.console.run import demo_folder

    chosen = {"real": REAL, "brisk": Pace(), "fast": QUICK}[pace]
    folder = data or demo_folder()
    folder.mkdir(parents=True, exist_ok=True)
    # Nobody keeps the private half: what is mucked in the demo stays closed.
    office = X25519PrivateKey.generate().public_key()
    try:
        outcome = _evening(
            demo_table(),
            folder,
            None,
            office=office,
            rig=Rig(folder, chosen, seed),
            pace=chosen,
            autoplay=autoplay,
            hands=hands,
            seed=seed,
            faults=0.004 if faults else 0.0,
        ).run()
    except JournalFault as fault:
        raise click.UsageError(f"{fault.message} {fault.todo}") from None
    _report(outcome)


def _evening(config: TableConfig, folder: Path, staff: Staff | None, **given: object) -> Evening:
    from omaha_table.console.run import Evening

    return Evening(config, folder, staff, **given)  # type: ignore[arg-type]


def _staff(folder: Path) -> Staff | None:
    return load_staff(folder) if (folder / STAFF_FILE).exists() else None


def _report(outcome: Outcome) -> None:
    hands = "1 hand" if outcome.hands == 1 else f"{outcome.hands} hands"
    click.echo(f"{hands} dealt. The log: {outcome.folder}")
    click.echo(f"Check it with: omaha-table verify {outcome.folder}")
    if outcome.said:
        raise click.ClickException(outcome.said)

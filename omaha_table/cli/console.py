"""`omaha-table console`, `practice`, and the demo that opens when nothing is asked for."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from omaha_drivers.registry import UnknownAdapterError
from omaha_drivers.transport import TransportError
from platformdirs import user_data_path

from omaha_table.cli.keyfiles import read_office_key
from omaha_table.cli.lines import Problem
from omaha_table.floor.files import load_staff
from omaha_table.floor.staff import StaffError
from omaha_table.journal.faults import JournalFault
from omaha_table.rules import ProfileError
from omaha_table.session.config import ConfigError, demo_table, load_table

if TYPE_CHECKING:
    from omaha_table.console.practice import Situation
    from omaha_table.console.run import Outcome


_pace_option = click.option(
    "--pace",
    type=click.Choice(["real", "brisk", "fast"]),
    default="brisk",
    show_default=True,
    help="How fast the demo's machines and players are.",
)
_seed_option = click.option(
    "--seed", type=int, default=1, metavar="N", help="Of the simulated players."
)


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
@_pace_option
@_seed_option
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
    _need_terminal()
    if table_file is None:
        run_demo(data, autoplay=autoplay, hands=hands, faults=faults, pace=pace, seed=seed)
        return
    if autoplay or hands is not None or faults:
        raise click.UsageError(
            "--autoplay, --hands and --faults are for the demo table: leave --table out."
        )
    from omaha_table.console.run import Evening

    try:
        config = load_table(table_file)
        folder = data or user_data_path("omaha-table") / config.table.id
        office = None
        if config.table.surveillance_key:
            office = read_office_key(config.beside(config.table.surveillance_key))
        _report(Evening(config, folder, load_staff(folder), office=office).run())
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
        raise Problem.of(fault) from None


@click.command()
@click.option(
    "--hands", type=click.IntRange(1, 500), default=3, show_default=True, help="How many to deal."
)
@click.option(
    "--situation",
    "name",
    metavar="NAME",
    help="Begin with one: 'list' says which there are.",
)
@click.option("--no-hints", is_flag=True, help="Players speak, but nobody says which key.")
@_pace_option
@_seed_option
def practice(hands: int, name: str | None, no_hints: bool, pace: str, seed: int) -> None:
    """Deal at the demo table for a score: pace, refused keys, entries nobody asked for.

    \b
    Examples:
      omaha-table practice --hands 10
      omaha-table practice --situation quartering
    """
    from omaha_table.console.practice import SITUATIONS, situation

    if name == "list":
        for given in SITUATIONS:
            click.echo(f"{given.name:<14} {given.told}")
        return
    chosen = None if name is None else situation(name)
    if name is not None and chosen is None:
        known = ", ".join(given.name for given in SITUATIONS)
        raise click.UsageError(f"There is no situation {name!r}; there are {known}.")
    _need_terminal()
    run_demo(
        None,
        autoplay=False,
        hands=hands,
        faults=False,
        pace=pace,
        seed=seed,
        hints=not no_hints,
        situation=chosen,
        practice=True,
    )


def run_demo(
    data: Path | None,
    *,
    autoplay: bool,
    hands: int | None,
    faults: bool,
    pace: str,
    seed: int,
    hints: bool = True,
    practice: bool = False,
    situation: Situation | None = None,
) -> None:
    """The demo table on emulated machines; its log stays behind to be looked at."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from omaha_table.console.demo import QUICK, REAL, Pace, Rig
    from omaha_table.console.run import Evening, demo_folder

    chosen = {"real": REAL, "brisk": Pace(), "fast": QUICK}[pace]
    folder = data or demo_folder()
    folder.mkdir(parents=True, exist_ok=True)
    table = demo_table()
    if situation is not None:
        table = table.with_stacks(dict(situation.stacks))
    # Nobody keeps the private half: what is mucked in the demo stays closed.
    office = X25519PrivateKey.generate().public_key()
    try:
        evening = Evening(
            table,
            folder,
            None,
            office=office,
            rig=Rig(folder, chosen, seed),
            pace=chosen,
            autoplay=autoplay,
            hands=hands,
            seed=seed,
            hints=hints,
            faults=0.004 if faults else 0.0,
            practice=practice,
            situation=situation,
        )
        outcome = evening.run()
    except JournalFault as fault:
        raise Problem.of(fault) from None
    if evening.examiner is not None:
        for line in evening.examiner.score.lines():
            click.echo(line)
    _report(outcome)


def _need_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "The console needs a terminal; 'omaha-table script' takes commands as text, "
            "and 'omaha-table --help' lists the rest."
        )


def _report(outcome: Outcome) -> None:
    hands = "1 hand" if outcome.hands == 1 else f"{outcome.hands} hands"
    click.echo(f"{hands} dealt. The log: {outcome.folder}")
    command = os.environ.get("OMAHA_TABLE_COMMAND", "omaha-table")
    click.echo(f"Check it with: {command} verify {outcome.folder}")
    if outcome.said:
        raise click.ClickException(outcome.said)

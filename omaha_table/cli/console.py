"""`omaha-table console` and `practice`, and the demo that opens without a command."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from omaha_drivers.registry import UnknownAdapterError
from omaha_drivers.transport import TransportError
from platformdirs import user_data_path

from omaha_table.cli.keyfiles import read_office_key
from omaha_table.cli.lines import Problem, on_terminal, use_folder, use_mirror
from omaha_table.cli.shipper_process import ShipperProcess
from omaha_table.floor.staff import StaffError
from omaha_table.journal.faults import JournalFault
from omaha_table.process import protect_memory
from omaha_table.rules import ProfileError
from omaha_table.session.config import ConfigError, demo_table, load_table
from omaha_table.session.equipment import (
    Missing,
    no_room_bundle,
    no_second_copy,
    no_surveillance_key,
)

if TYPE_CHECKING:
    from omaha_table.dealer.screen.run import Outcome
    from omaha_table.demo.situations import Situation
    from omaha_table.session.config import TableConfig


_pace_option = click.option(
    "--pace",
    type=click.Choice(["real", "brisk", "fast"]),
    default="brisk",
    show_default=True,
    help="The speed of the demo's machines and players.",
)
_seed_option = click.option(
    "--seed", type=int, default=1, metavar="N", help="Random seed of the simulated players."
)


@click.command()
@click.option(
    "--table",
    "table_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The table's configuration; without it, the demo table.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the journal; default: the user's data folder.",
)
@click.option("--autoplay", is_flag=True, help="Let the demo table deal by itself.")
@click.option("--hands", type=click.IntRange(1), metavar="N", help="Stop autoplay after N hands.")
@click.option("--faults", is_flag=True, help="Let the demo's machines fail now and then.")
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
    """Runs the dealer's console.

    Without --table it opens the demo table, with emulated machines and simulated players.

    \b
    Example:
      omaha-table console --table /etc/omaha-table/t7.toml --data /srv/t7
    """
    _need_terminal()
    protect_memory()
    if table_file is None:
        run_demo(data, autoplay=autoplay, hands=hands, faults=faults, pace=pace, seed=seed)
        return
    if autoplay or hands is not None or faults:
        raise click.UsageError(
            "--autoplay, --hands and --faults are for the demo table: leave --table out."
        )
    from omaha_table.dealer.screen.run import Evening

    try:
        config = load_table(table_file)
        folder = data or user_data_path("omaha-table") / config.table.id
        said = [use_folder(folder, config.group)]
        missing: list[Missing] = []
        office = None
        if config.table.surveillance_key:
            key_file = config.beside(config.table.surveillance_key)
            try:
                office = read_office_key(key_file)
            except click.UsageError as error:
                shoe = config.has("shoe")
                missing.append(no_surveillance_key(key_file, error.message, shoe=shoe))
        if config.second_copy is not None:
            said.append(use_mirror(config.second_copy))
        elif config.table.mirror:
            missing.append(no_second_copy(config.beside(config.table.mirror)))
        with ExitStack() as held:
            link = _link_to_room(config, folder, missing, held)
            evening = Evening(config, folder, office=office, missing=missing, link=link)
            evening.notices = [*filter(None, said), *(one.detail for one in evening.missing)]
            outcome = evening.run()
        _report(outcome)
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


def _link_to_room(
    config: TableConfig, folder: Path, missing: list[Missing], held: ExitStack
) -> ShipperProcess | None:
    """The shipper, which ends with the console; None: there is no room, or no bundle for it."""
    if config.room is None:
        return None
    bundle = config.beside(config.room.bundle)
    if not bundle.is_file():
        missing.append(no_room_bundle(bundle))
        return None
    return held.enter_context(ShipperProcess(folder, bundle))


@click.command()
@click.option(
    "--hands",
    type=click.IntRange(1, 500),
    default=3,
    show_default=True,
    help="How many hands to deal.",
)
@click.option(
    "--situation",
    "name",
    metavar="NAME",
    help="Start with this situation; 'list' shows them all.",
)
@click.option(
    "--rules",
    "rules_name",
    default="ca_big_o",
    show_default=True,
    metavar="ID|FILE",
    help="The rule profile: a shipped one, or a file.",
)
@click.option("--limit", metavar="ID", help="The limit; default: the first of the profile.")
@click.option(
    "--no-shoe", is_flag=True, help="Deal without a card-reader shoe: key the board by hand."
)
@click.option(
    "--no-hints", is_flag=True, help="Players announce their actions, but no key is suggested."
)
@_pace_option
@_seed_option
def practice(
    hands: int,
    name: str | None,
    rules_name: str,
    limit: str | None,
    no_shoe: bool,
    no_hints: bool,
    pace: str,
    seed: int,
) -> None:
    """Deal at the demo table for marks: entries, readings, pace.

    At each showdown you name the winners and the split before the console shows them.

    \b
    Examples:
      omaha-table practice --hands 10
      omaha-table practice --situation quartering
      omaha-table practice --rules ca_omaha_hilo --limit 4-8 --no-shoe
    """
    from omaha_table.demo.practice_config import MisfitError, practice_table
    from omaha_table.demo.situations import SITUATIONS, situation

    if name == "list":
        for given in SITUATIONS:
            click.echo(f"{given.name:<14} {given.told}")
        return
    chosen = None if name is None else situation(name)
    if name is not None and chosen is None:
        known = ", ".join(given.name for given in SITUATIONS)
        raise click.UsageError(f"Unknown situation {name!r}. Known situations: {known}.")
    try:
        table = practice_table(rules_name, limit, chosen)
    except (ProfileError, MisfitError) as error:
        raise click.UsageError(str(error)) from None
    _need_terminal()
    protect_memory()
    run_demo(
        None,
        autoplay=False,
        hands=max(hands, 1 if chosen is None else chosen.least_hands),
        faults=False,
        pace=pace,
        seed=seed,
        hints=not no_hints,
        table=table,
        shoe=not no_shoe,
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
    table: TableConfig | None = None,
    shoe: bool = True,
    practice: bool = False,
    situation: Situation | None = None,
) -> None:
    """Runs the demo table on emulated machines; its log is kept to look at."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from omaha_table.demo.emulated_table import QUICK, REAL, Pace, Rig
    from omaha_table.demo.evening import DemoEvening, demo_folder
    from omaha_table.demo.practice_config import machines

    chosen = {"real": REAL, "brisk": Pace(), "fast": QUICK}[pace]
    used = table or demo_table()
    folder = data or demo_folder()
    use_folder(folder)
    # The private key is not kept: cards mucked in the demo can never be opened.
    office = X25519PrivateKey.generate().public_key()
    try:
        evening = DemoEvening(
            used,
            folder,
            Rig(folder, chosen, seed, machines=machines(used, shoe=shoe)),
            office=office,
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
    except StaffError as error:
        raise click.UsageError(str(error)) from None
    except JournalFault as fault:
        raise Problem.of(fault) from None
    if evening.examiner is not None:
        score = evening.examiner.score
        click.echo(score.banner)
        for line in score.lines():
            click.echo(line)
    _report(outcome)


def _need_terminal() -> None:
    if not on_terminal():
        raise click.UsageError(
            "The console needs a terminal. 'omaha-table script' runs commands from a text file; "
            "'omaha-table --help' lists all commands."
        )


def _report(outcome: Outcome) -> None:
    # Its number: hands that were taken back or called off have numbers too.
    click.echo(f"Last hand: {outcome.hands or 'none'}. Log: {outcome.folder}")
    command = os.environ.get("OMAHA_TABLE_COMMAND", "omaha-table")
    click.echo(f"Check it with: {command} verify {outcome.folder}")
    if outcome.gave_up:
        raise click.ClickException(outcome.gave_up)

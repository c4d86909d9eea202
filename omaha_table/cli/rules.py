"""`omaha-table rules`: lists, shows and checks rule profiles."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from omaha_table.cards import quote
from omaha_table.cli.lines import say
from omaha_table.rules import Fault, Profile, ProfileError, examine, load_profile, shipped_ids
from omaha_table.text import visible, visible_lines
from omaha_table.toml_files import TomlError, read_toml


@click.group()
def rules() -> None:
    """Lists, shows and checks rule profiles.

    \b
    Examples:
      omaha-table rules list
      omaha-table rules show ca_big_o
      omaha-table rules check my_room.toml
    """


@rules.command("list")
def list_profiles() -> None:
    """Lists the shipped profiles.

    \b
    Example:
      omaha-table rules list
    """
    ids = shipped_ids()
    width = max(map(len, ids))
    for profile_id in ids:
        profile = load_profile(profile_id)
        limits = ", ".join(limit.id for limit in profile.limits)
        click.echo(f"{profile_id:<{width}}  {profile.profile.title}  ({limits})")


@rules.command()
@click.argument("reference", metavar="ID|FILE")
def show(reference: str) -> None:
    """Prints the posted-rules card of a profile, with the source of each rule.

    \b
    Example:
      omaha-table rules show house_omaha_hilo
    """
    try:
        profile = load_profile(reference)
    except ProfileError as error:
        raise click.UsageError(str(error)) from None
    _print_card(profile)


@rules.command()
@click.argument("file", metavar="FILE")
def check(file: str) -> None:
    """Checks a profile and lists every fault; exit status 1 if there are any.

    \b
    Example:
      omaha-table rules check my_room.toml
    """
    try:
        data = read_toml(Path(file))
    except TomlError as error:
        raise click.UsageError(f"{quote(file)} is not a TOML file: {error}.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "not a file name"
        raise click.UsageError(f"{quote(file)} cannot be read: {why}.") from None
    profile, faults = examine(data)
    for fault in faults:
        click.echo(visible_lines(_fault_text(fault)))
    if profile is None:
        sys.exit(1)
    say(f"{file}: {profile.id} version {profile.profile.version} is valid.")


def _fault_text(fault: Fault) -> str:
    kind = "warning" if fault.warning else "fault"
    return f"{kind}: {fault.key}\n  {fault.problem}.\n  Allowed: {fault.allowed}."


def _print_card(profile: Profile) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from omaha_table.rules.posted_card import card
    from omaha_table.rules.sources import with_titles

    console = Console(highlight=False)
    console.print(Text(visible(profile.profile.title), "bold"))
    console.print(Text(f"{profile.id}, version {profile.profile.version}", "dim"))
    sources: dict[str, int] = {}
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column()
    for line in card(profile):
        if any(rule.setting == "limits.small_bet" for rule in line.rules):
            grid.add_row()
        text = Text()
        for at, rule in enumerate(line.rules):
            text.append(f"{rule.joined_by if at else ''}{rule.text}")
            # A number stands for all rules before it that have none: they come from the same.
            if rule.source != next((r.source for r in line.rules[at + 1 :]), None):
                number = sources.setdefault(rule.source, len(sources) + 1)
                text.append(f" [{number}]", "dim")
        grid.add_row(Text(line.topic), text)
    console.print()
    console.print(grid)
    console.print()
    console.print(Text("Sources", "bold"))
    for source, number in sources.items():
        console.print(Text(f"[{number}] {with_titles(source)}"))

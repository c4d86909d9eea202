"""`omaha-table staff`: the staff list. PINs are prompted for, never arguments, never shown."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table.cli.lines import say, use_folder
from omaha_table.floor.files import load_staff, new_staff, save_staff
from omaha_table.floor.staff import Role, Staff, StaffError
from omaha_table.process import protect_memory

if TYPE_CHECKING:
    from collections.abc import Callable

_data = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The table's data folder.",
)


@click.group()
def staff() -> None:
    """Manages floor and dealer staff and their PINs.

    \b
    Examples:
      omaha-table staff add F1 "Fern Hill" floor --data /srv/table7
      omaha-table staff list --data /srv/table7
    """
    protect_memory()


@staff.command()
@click.argument("person_id", metavar="ID")
@click.argument("name")
@click.argument("role", type=click.Choice([role.value for role in Role]))
@_data
def add(person_id: str, name: str, role: str, data: Path) -> None:
    """Adds a person; prompts for the PIN.

    \b
    Example:
      omaha-table staff add F1 "Fern Hill" floor --data /srv/table7
    """
    for text in (person_id, name):
        if not (text.isprintable() and 0 < len(text) <= 40):
            raise click.UsageError("ID and NAME must have 1 to 40 printable characters.")
    use_folder(data, keep_group=True)
    people = _known(new_staff, data)
    if any(person.id == person_id for person in people.people):
        raise click.UsageError(f"The staff id {person_id} is already in use.")
    _save(data, lambda: people.add(person_id, name, Role(role), _ask_new_pin()))
    click.echo(f"Added {person_id} as {role}.")


@staff.command("list")
@_data
def list_people(data: Path) -> None:
    """Lists everybody, without PINs.

    \b
    Example:
      omaha-table staff list --data /srv/table7
    """
    people = _known(load_staff, data).people
    if not people:
        click.echo("No staff yet. Add somebody with: omaha-table staff add")
    for person in people:
        note = "  disabled" if person.disabled else ""
        say(f"{person.id:<8} {person.role.value:<14} {person.name}{note}")


@staff.command()
@click.argument("person_id", metavar="ID")
@_data
def disable(person_id: str, data: Path) -> None:
    """Disables a person's PIN; the name stays for the log.

    \b
    Example:
      omaha-table staff disable F1 --data /srv/table7
    """
    people = _known(load_staff, data)
    _save(data, lambda: people.disable(person_id))
    say(f"{person_id} is disabled.")


@staff.command()
@click.argument("person_id", metavar="ID")
@_data
def pin(person_id: str, data: Path) -> None:
    """Changes a person's PIN; prompts for the new one.

    \b
    Example:
      omaha-table staff pin F1 --data /srv/table7
    """
    people = _known(load_staff, data)

    def changed() -> Staff:
        people.get(person_id)
        return people.change_pin(person_id, _ask_new_pin())

    _save(data, changed)
    say(f"{person_id} has a new PIN.")


def _known(read: Callable[[Path], Staff], data: Path) -> Staff:
    try:
        return read(data)
    except StaffError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{data} cannot be used: {error.strerror}.") from None


def _save(data: Path, change: Callable[[], Staff]) -> None:
    try:
        save_staff(data, change())
    except StaffError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{data} cannot be written: {error.strerror}.") from None


def _ask_new_pin() -> str:
    """Prompts twice without echo on a terminal; reads two lines from a pipe."""
    first, second = _ask("New PIN: "), _ask("Repeat the PIN: ")
    if first != second:
        raise StaffError("The two PINs do not match. Nothing was changed.")
    return first


def _ask(prompt: str) -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass(prompt)
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise StaffError("No PIN was entered.")
    return line.rstrip("\n")

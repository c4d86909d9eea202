"""`omaha-table staff`: the staff list, whose every change stands in the office journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table.cli.lines import Problem, say, use_folder
from omaha_table.cli.pins import ask, ask_new, pin_check, said, staff_of
from omaha_table.floor.staff import Role, StaffError, check_new_pin
from omaha_table.journal.office_book import brief_of
from omaha_table.journal.opening import writer_name
from omaha_table.journal.staff_list import change_staff, has_list
from omaha_table.office.decisions import ROOM_LIST
from omaha_table.office.events import StaffChanged
from omaha_table.process import protect_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.floor.staff import Staff
    from omaha_table.journal.pins import PinCheck
    from omaha_table.office.events import Change, Signature

_data = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The table's data folder.",
)
_by = click.option(
    "--by",
    metavar="ID",
    required=True,
    help="The staff number of the shift manager who signs; the PIN is asked for.",
)


@click.group()
def staff() -> None:
    """Manages floor and dealer staff and their PINs.

    The first shift manager is made with `init`. Every later change needs a shift manager's PIN,
    stands in the office journal, and reaches running tables with the next PIN.

    \b
    Examples:
      omaha-table staff init S1 "Sam Ortiz" --data /srv/table7
      omaha-table staff add F1 "Fern Hill" floor --by S1 --data /srv/table7
      omaha-table staff list --data /srv/table7
    """
    protect_memory()


@staff.command()
@click.argument("person_id", metavar="ID")
@click.argument("name")
@_data
def init(person_id: str, name: str, data: Path) -> None:
    """Makes the first shift manager, while there is none; prompts for the PIN.

    A list of 0.1.0 without a shift manager gets its first one by a floor supervisor's PIN.

    \b
    Example:
      omaha-table staff init S1 "Sam Ortiz" --data /srv/table7
    """
    _check_texts(person_id, name)
    use_folder(data, keep_group=True)
    with said():
        check_own_list(data)
        people = staff_of(data)
        if people.has_shift_manager or brief_of(data).staff:
            raise StaffError(
                "There is a staff list already: a shift manager adds people with "
                "'omaha-table staff add'."
            )
        by, pin = None, ""
        if people.people:
            check = pin_check(data)
            by = check.sign("first", ask("Floor supervisor's PIN: "))
            pin = _new_pin(check, f"New PIN of {person_id}: ", by, purpose="first")
        first_shift_manager(data, person_id, name, pin or ask_new(), by)
    say(f"{person_id} is the first shift manager.")


def first_shift_manager(
    folder: Path, person_id: str, name: str, pin: str, by: Signature | None = None
) -> None:
    """Raises StaffError, OfficeRefused or JournalFault."""
    role = Role.SHIFT
    change = StaffChanged("init", person_id, name, role.value, by, "")
    change_staff(
        folder, writer_name(), change, lambda people: people.add(person_id, name, role, pin)
    )


@staff.command()
@click.argument("person_id", metavar="ID")
@click.argument("name")
@click.argument("role", type=click.Choice([role.value for role in Role]))
@_by
@_data
def add(person_id: str, name: str, role: str, by: str, data: Path) -> None:
    """Adds a person; prompts for the shift manager's PIN, then for the new one.

    \b
    Example:
      omaha-table staff add F1 "Fern Hill" floor --by S1 --data /srv/table7
    """
    _check_texts(person_id, name)
    with said():
        check = _changing(data)
        if check.listed(person_id) is not None:
            raise StaffError(f"The staff id {person_id} is already in use.")
        signed = _signed(check, by)
        pin = _new_pin(check, f"New PIN of {person_id}: ", signed)
        _change(
            data, check, StaffChanged("add", person_id, name, role, signed, ""),
            lambda people: people.add(person_id, name, Role(role), pin),
        )  # fmt: skip
    say(f"Added {person_id} as {role}.")


@staff.command()
@click.option(
    "--room",
    "bundle_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The table's bundle, which names the office and has its pepper.",
)
@click.option("--off", is_flag=True, help="The folder has a list of its own again.")
@click.option("--by", metavar="ID", default="", help="The shift manager of this folder who signs.")
@_data
def follow(bundle_file: Path | None, off: bool, by: str, data: Path) -> None:
    """From now on this folder takes the staff list that the room's office publishes.

    A shift manager of the list that is here signs; where there is none, nobody has to. From then on
    the list is changed in the office alone.

    \b
    Examples:
      omaha-table staff follow --room t7-room.toml --by S1 --data /srv/table7
      omaha-table staff follow --off --by S1 --data /srv/table7
    """
    from omaha_table.journal import room_list

    if off == (bundle_file is not None):
        raise click.UsageError("Give --room FILE or --off.")
    key = "" if bundle_file is None else _office_key(bundle_file)
    with said():
        listed = has_list(data)
        if listed and not by:
            raise click.UsageError("There is a staff list here: a shift manager signs, --by ID.")
        check = pin_check(data) if listed else None
        signed = None
        if check is not None:
            signed = check.sign("follow", ask(f"PIN of {by}: "), by, settle=False)
        settled = () if check is None or signed is None else check.settled("follow", signed)
        use_folder(data, keep_group=True)
        room_list.follow(data, writer_name(), key, signed, settled)
    say("This folder takes the staff list of the room." if key else "The list is changed here.")


def _office_key(bundle_file: Path) -> str:
    try:
        from omaha_table.room.bundle import BundleError, read_bundle
    except ImportError:
        raise Problem("The room needs more libraries: pip install 'omaha-table[room]'.") from None
    try:
        bundle = read_bundle(bundle_file)
    except BundleError as error:
        raise Problem(str(error)) from None
    if not bundle.lists_key:
        raise Problem(f"{bundle_file} names no office: enroll the table with --lists-from DIR.")
    return bundle.lists_key


@staff.command("list")
@_data
def list_people(data: Path) -> None:
    """Lists everybody, without PINs.

    \b
    Example:
      omaha-table staff list --data /srv/table7
    """
    people = staff_of(data).people
    if not people:
        click.echo("No staff yet. Make the first shift manager with: omaha-table staff init")
    for person in people:
        note = "  disabled" if person.disabled else ""
        say(f"{person.id:<8} {person.role.value:<14} {person.name}{note}")


@staff.command()
@click.argument("person_id", metavar="ID")
@_by
@_data
def disable(person_id: str, by: str, data: Path) -> None:
    """Disables a person's PIN; the name stays for the log.

    \b
    Example:
      omaha-table staff disable F1 --by S1 --data /srv/table7
    """
    with said():
        check = _changing(data)
        change = _of(check, "disable", person_id, _signed(check, by))
        _change(data, check, change, lambda people: people.disable(person_id))
    say(f"{person_id} is disabled.")


@staff.command()
@click.argument("person_id", metavar="ID")
@_by
@_data
def enable(person_id: str, by: str, data: Path) -> None:
    """Lets a disabled person back in, with the PIN as it was.

    \b
    Example:
      omaha-table staff enable F1 --by S1 --data /srv/table7
    """
    with said():
        check = _changing(data)
        change = _of(check, "enable", person_id, _signed(check, by))
        _change(data, check, change, lambda people: people.enable(person_id))
    say(f"{person_id} is enabled.")


@staff.command()
@click.argument("person_id", metavar="ID")
@click.option(
    "--by",
    metavar="ID",
    default="",
    help="The shift manager who signs; without it, ID signs with the old PIN.",
)
@_data
def pin(person_id: str, by: str, data: Path) -> None:
    """Changes a person's PIN: by a shift manager, or by the person with the old one.

    \b
    Examples:
      omaha-table staff pin F1 --data /srv/table7
      omaha-table staff pin F1 --by S1 --data /srv/table7
    """
    with said():
        check = _changing(data)
        check.staff.get(person_id)
        own = by in ("", person_id)
        if own:
            signed = check.sign(
                "own_pin", ask(f"Old PIN of {person_id}: "), person_id, settle=False
            )
        else:
            signed = _signed(check, by)
        new = _new_pin(check, f"New PIN of {person_id}: ", signed, person_id)
        change = _of(check, "pin", person_id, signed)
        _change(data, check, change, lambda people: people.change_pin(person_id, new))
    say(f"{person_id} has a new PIN.")


def check_own_list(folder: Path) -> None:
    """Before a PIN is asked for; the office journal refuses it too."""
    if brief_of(folder).room_list.key:
        raise StaffError(ROOM_LIST)


def _changing(folder: Path) -> PinCheck:
    check_own_list(folder)
    return pin_check(folder)


def _check_texts(person_id: str, name: str) -> None:
    for text in (person_id, name):
        if not (text.isprintable() and 0 < len(text) <= 40):
            raise click.UsageError("ID and NAME must have 1 to 40 printable characters.")


def _signed(check: PinCheck, by: str) -> Signature:
    """The shift manager who signs. Failures before it go on counting until the change is made."""
    return check.sign("staff", ask(f"PIN of {by}: "), by, settle=False)


def _new_pin(
    check: PinCheck, prompt: str, signed: Signature, whose: str = "", purpose: str = "staff"
) -> str:
    """A PIN that nobody has. Whoever tries one that somebody has could be looking for it."""
    new = ask_new(prompt)
    check_new_pin(new)
    found = check.staff.whose(new)
    if found is not None and found.id == whose == signed.id:
        raise StaffError("That is the old PIN. Nothing was changed.")
    if found is not None:
        raise check.taken(purpose, signed.id)
    return new


def _of(check: PinCheck, change: Change, person_id: str, signed: Signature) -> StaffChanged:
    who = check.staff.get(person_id)
    return StaffChanged(change, who.id, who.name, who.role.value, signed, "")


def _change(
    data: Path, check: PinCheck, change: StaffChanged, make: Callable[[Staff], Staff]
) -> None:
    assert change.by is not None
    change_staff(data, writer_name(), change, make, check.settled("staff", change.by))

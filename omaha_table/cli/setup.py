"""`omaha-table setup`: asks what a new table needs, writes its file and its first shift manager.

Nothing is written before the last question is answered, so that it can be left at any of them.
"""

from __future__ import annotations

import os
import shlex
import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_data_path

from omaha_table.cli.asking import ask, check_writable, confirm, path_of
from omaha_table.cli.console import console
from omaha_table.cli.lines import on_terminal, say, use_folder
from omaha_table.cli.pins import said, staff_of
from omaha_table.cli.setup_table import DEFAULT_ID, ask_table
from omaha_table.cli.staff import first_shift_manager
from omaha_table.cli.table_text import table_text
from omaha_table.floor.staff import NEW_PIN, check_new_pin
from omaha_table.journal.keys import write_durably
from omaha_table.journal.verification import files_in
from omaha_table.process import protect_memory
from omaha_table.rules import load_profile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_drivers.settings import DeviceSettings

    from omaha_table.cli.table_text import TableAnswers

_WELCOME: Final = """\
A new table. ENTER takes the answer in brackets, ? explains the question.
Nothing is written before the last answer; Ctrl-C leaves everything as it is.
"""
_MOST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class Manager:
    id: str
    name: str
    pin: str

    def __repr__(self) -> str:
        return f"<{self.id}>"


@click.command()
@click.option(
    "--table",
    "table_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file to write; asked for if it is not given.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the log and the staff; asked for if it is not given.",
)
@click.option("--no-console", is_flag=True, help="Write the files and stop there.")
@click.pass_context
def setup(
    context: click.Context, table_file: Path | None, data: Path | None, no_console: bool
) -> None:
    """Asks what a new table needs, writes its file and its first shift manager, and opens it.

    \b
    Example:
      omaha-table setup --table t7.toml --data /srv/t7
    """
    if not on_terminal():
        raise click.UsageError(
            "Setup asks questions and needs a terminal. A table's file can also be written by "
            "hand: docs/operations.md."
        )
    protect_memory()
    try:
        click.echo(_WELCOME)
        if table_file is not None:
            table_file = _given(_check_table_file, table_file)
            if table_file.exists() and not _may_replace(table_file):
                raise click.Abort
        if data is not None:
            data = _given(_data_folder, data)
        answers = ask_table(DEFAULT_ID if table_file is None else table_file.stem)
        data = data or _ask_data(answers.id)
        manager = _ask_manager(data)
        table_file = table_file or _ask_table_file(answers.id)
        _show(answers, manager, table_file, data)
        if not confirm("Write this", "n leaves everything as it was.", default=True):
            raise click.Abort
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nNothing was written.")
        context.exit(1)
    with _uninterrupted():
        _write(answers, manager, table_file, data)
    program = shlex.split(os.environ.get("OMAHA_TABLE_COMMAND", "omaha-table"))
    opens = [*program, "console", "--table", str(table_file), "--data", str(data)]
    click.echo("The table is set up. This opens it from now on:")
    say(f"  {shlex.join(opens)}")
    if not no_console:
        context.invoke(console, table_file=table_file, data=data)


# Staff, folder and file


def _ask_data(table: str) -> Path:
    return ask(
        "Folder for the log and the staff",
        "It is for the console alone. Keep it on a disk of this machine.",
        _data_folder,
        str(user_data_path("omaha-table") / table),
    )


def _data_folder(given: str) -> Path:
    folder = path_of(given)
    check_writable(folder)
    return folder


def _ask_manager(data: Path) -> Manager | None:
    people = staff_of(data).people
    if people:
        say(f"  The staff there is kept: {', '.join(f'{who.name} ({who.id})' for who in people)}.")
        return None
    click.echo("\nThe first shift manager, who gives rulings and adds the other staff.")
    name = ask("Name", "As it is to stand in the log and in reports.", _staff_text)
    id_ = ask("Staff number", "A short id for the log, such as a badge number.", _staff_text, "S1")
    while True:
        pin = ask(
            f"PIN, {NEW_PIN.start} to {NEW_PIN.stop - 1} digits (it is not shown)",
            "It is typed at the table for each ruling, where players can see the keys.",
            _pin,
            hidden=True,
        )
        again = ask("The same PIN again", "To be sure of it.", str, hidden=True)
        if again == pin:
            return Manager(id_, name, pin)
        click.echo("  The two PINs are not the same. Type both again.")


def _staff_text(given: str) -> str:
    if not (given.isprintable() and 0 < len(given) <= _MOST_NAME):
        raise ValueError(f"Type 1 to {_MOST_NAME} printable characters.")
    return given


def _pin(given: str) -> str:
    check_new_pin(given)
    return given


def _ask_table_file(table: str) -> Path:
    while True:
        path = ask(
            "The table's file",
            "What you have answered is written there, to be read and changed with an editor.",
            _check_table_file,
            f"{table}.toml",
        )
        if not path.exists() or _may_replace(path):
            return path


def _check_table_file(given: str) -> Path:
    path = path_of(given)
    if path.is_dir():
        raise ValueError(f"{path} is a folder. Type the name of a file.")
    if path.suffix != ".toml":
        raise ValueError("The name of a table's file ends in .toml.")
    check_writable(path.parent)
    return path


def _given(check: Callable[[str], Path], path: Path) -> Path:
    """The whole path of what the command line names; a usage error if it cannot be used."""
    try:
        return check(str(path))
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _may_replace(path: Path) -> bool:
    why = "n keeps the file that is there."
    return confirm(f"{path} exists. Replace it", why, default=False)


# The end


def _show(answers: TableAnswers, manager: Manager | None, file: Path, data: Path) -> None:
    click.echo()
    rules = answers.rules
    title = load_profile(rules).profile.title
    rows = [
        ("Table", ", ".join(filter(None, (answers.id, answers.title, answers.room)))),
        ("Rules", f"{title}, limit {answers.limit}"),
        ("Shuffler", _device_text(answers.shuffler)),
        ("Shoe", _device_text(answers.shoe)),
    ]
    if answers.shoe is not None:
        sealed = f"sealed for {answers.surveillance_key}" if answers.surveillance_key else ""
        rows.append(("Cards", sealed or "only counted"))
    if manager is not None:
        rows.append(("Staff", f"{manager.name} ({manager.id}), shift manager"))
    rows += [("File", str(file)), ("Log", str(data))]
    for name, text in rows:
        say(f"  {name:<9} {text}")
    if data.is_dir() and any(path.name.startswith(f"{answers.id}-") for path in files_in(data)):
        click.echo("  The folder has a log of this table: it goes on with its rules and limit.")
    click.echo()


def _device_text(device: DeviceSettings | None) -> str:
    if device is None:
        return "none"
    return f"{device.adapter} on {device.port}" + (device.serial and f", serial {device.serial}")


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Lets Ctrl-C wait for the moment that it takes to write two files."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _write(answers: TableAnswers, manager: Manager | None, file: Path, data: Path) -> None:
    """The staff first: a table whose file is there can be opened."""
    use_folder(data, keep_group=True)
    with said():
        if manager is not None:
            first_shift_manager(data, manager.id, manager.name, manager.pin)
    try:
        write_durably(file, table_text(answers).encode())
    except OSError as error:
        raise click.UsageError(f"{error.filename or file}: {error.strerror}.") from None

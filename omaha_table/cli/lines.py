"""Reads lines in bounded memory, and reports a problem without a usage line."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from omaha_table.files import FileError, group_id, make_folder
from omaha_table.journal.days import TABLE_NAME
from omaha_table.journal.faults import Tampered
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.journal.faults import JournalFault

MAX_LINE: Final = 64 * 1024


class Problem(click.ClickException):
    """An error that is not bad usage: no usage line is printed with it."""

    exit_code = 2

    @classmethod
    def of(cls, fault: JournalFault) -> Problem:
        how = ": omaha-table enroll --data DIR --table NAME --reason …"
        more = how if isinstance(fault, Tampered) else ""
        return cls(f"{fault.message} {fault.todo.removesuffix('.')}{more or '.'}")


def say(text: str, *, err: bool = False) -> None:
    """Prints a line with words from outside; nothing in it acts on the terminal."""
    click.echo(visible(text), err=err)


def on_terminal() -> bool:
    """Whether somebody sits there. A shell can start a program without a standard input."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def table_name(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """For `--table NAME`: a name, which becomes part of file names, and never a path."""
    if not re.fullmatch(TABLE_NAME, value):
        raise click.BadParameter("A table's name is 1 to 32 letters, digits or underscores.")
    return value


def any_table(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """The same where an empty name stands for every table."""
    return table_name(context, parameter, value) if value else value


def use_folder(folder: Path, group: str | int | None = None, *, keep_group: bool = False) -> str:
    """Creates a data folder, or narrows it and says so; returns what was said."""
    try:
        number = group_id(group) if isinstance(group, str) else group
        return say_if(make_folder(folder, number, keep_group=keep_group))
    except FileError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be used: {error.strerror}.") from None


def use_mirror(folder: Path) -> str:
    """The same for the folder of the second copy, without which a table can be dealt."""
    with suppress(OSError):
        return say_if(make_folder(folder))
    return ""


def say_if(text: str) -> str:
    if text:
        say(text, err=True)
    return text


@contextmanager
def open_source(file: str | None, what: str) -> Iterator[BinaryIO]:
    """The file, or standard input for '-' or no file; a usage error if it cannot be read."""
    if file in (None, "-"):
        if sys.stdin is None:
            raise click.UsageError("There is no standard input: name a file.")
        if sys.stdin.isatty():
            click.echo(f"Reading {what} per line. Press Ctrl-D to end.", err=True)
        yield sys.stdin.buffer
        return
    path = Path(str(file))
    try:
        source = path.open("rb")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "not a file name"
        raise click.UsageError(f"{path} cannot be read: {why}.") from None
    with source:
        yield source


def read_lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; a line that is too long is cut, just long enough to notice."""
    while line := source.readline(MAX_LINE + 1):
        part = line
        while len(part) > MAX_LINE and not part.endswith(b"\n"):
            part = source.readline(MAX_LINE + 1)
        yield line

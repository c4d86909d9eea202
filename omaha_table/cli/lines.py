"""Reads lines in bounded memory, and reports a problem without a usage line."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from omaha_table.journal.faults import Tampered

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

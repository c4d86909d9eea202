"""The `--room` option of commands that read: the whole room with a reader's bundle."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from platformdirs import user_data_path

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_database import UNREACHABLE
from omaha_table.journal.faults import Away
from omaha_table.review.index.soundness import trust
from omaha_table.review.index.store import Folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.review.index.store import OtherOffices, Store
    from omaha_table.room.bundle import Bundle
    from omaha_table.room.link import ReaderLink
    from omaha_table.room.store import RoomStore


def room_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--room",
        "bundle_file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="A reader's bundle: read the whole room instead of a folder.",
    )(command)


def bundle_in(file: Path) -> Bundle:
    try:
        from omaha_table.room.bundle import BundleError, read_bundle
    except ImportError:
        raise Problem("The room needs more libraries: pip install 'omaha-table[room]'.") from None
    try:
        return read_bundle(file)
    except BundleError as error:
        raise Problem(str(error)) from None


@contextmanager
def reading(bundle_file: Path) -> Iterator[ReaderLink]:
    """A link to the room that answers now; what it refuses ends the command with 2, silence,
    then or later, with 4."""
    bundle = bundle_in(bundle_file)
    from omaha_table.room.database import RoomRefused, RoomUnreachable
    from omaha_table.room.link import ReaderLink

    try:
        link = ReaderLink(bundle)
        link.connect()
    except RoomRefused as refused:
        raise Problem(str(refused)) from None
    except RoomUnreachable as away:
        say(str(away), err=True)
        sys.exit(UNREACHABLE)
    try:
        yield link
    except Away as away:
        say(away.message, err=True)
        sys.exit(UNREACHABLE)
    finally:
        link.close()


@contextmanager
def room_store(bundle_file: Path) -> Iterator[RoomStore]:
    with reading(bundle_file) as link:
        from omaha_table.room.store import RoomStore

        yield RoomStore(link)


@dataclass(frozen=True, slots=True)
class JournalsGiven:
    """What a command reads: a folder, or the room."""

    store: Store
    name: str
    folder: Path | None
    """Of the office journal; None: there is none, and nothing can be recorded."""
    cache_name: str
    """Which index belongs to it."""
    trust: Callable[[], tuple[bool, str]]
    """Whether it can be trusted, in a few words; takes its time."""
    offices: OtherOffices | None = None


@contextmanager
def journals_given(
    data: Path | None, bundle_file: Path | None, records: bool = False
) -> Iterator[JournalsGiven]:
    """Raises UsageError if there are none. `records`: the command also writes a count."""
    if bundle_file is None:
        where = data or user_data_path("omaha-table")
        store = Folder(where)
        if not where.exists() or not store.journals():
            raise click.UsageError(f"No journals in {where}.")
        cache_name = str(where.resolve())
        yield JournalsGiven(store, str(where), where, cache_name, lambda: trust(store))
        return
    if data is not None and not data.is_dir():
        raise click.UsageError("With --room, --data is the folder of an office journal.")
    if records and data is None:
        raise click.UsageError(
            "The room is only read. To record a count, name the folder of your office journal: "
            "--data DIR."
        )
    with room_store(bundle_file) as room:
        if not room.journals():
            raise click.UsageError("The room has no journal of a table yet.")
        cache_name = f"room {room.link.name}"
        yield JournalsGiven(room, "the room", data, cache_name, room.standing, room.office())

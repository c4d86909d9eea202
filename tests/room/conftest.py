"""A real PostgreSQL for each worker, and a room of its own for each test."""

from __future__ import annotations

import shutil
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.cli.office_folder import drops_of
from omaha_table.review.index.box_openings import opened_boxes
from omaha_table.room.database import connect, upgrade
from omaha_table.room.embedded import EmbeddedServer
from omaha_table.room.enrollment import enroll
from omaha_table.room.shipper import Shipper
from tests.counters import ledger, signature
from tests.journal.days import LINES, open_session, say
from tests.review.swing import Swing
from tests.room.reading import ReadRoom

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.room.database import Connection


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedServer]:
    with EmbeddedServer(settings=("fsync=off", "shared_buffers=16MB")) as running:
        yield running


@dataclass
class Room:
    """A room, with the rights of whoever runs its server."""

    url: str
    owner: Connection
    open: ExitStack

    def connect(self, url: str) -> Connection:
        """A connection that is closed after the test."""
        return self.open.enter_context(closing(connect(url)))

    def table(self, name: str = "t7") -> Connection:
        """A connection with the rights of a table that is enrolled now."""
        return self.connect(enroll(self.owner, name, "table").url)

    def events(self, source: str = "t7") -> list[tuple[object, ...]]:
        """All that the room has of a source, in order."""
        return self.owner.execute(
            "SELECT day, seq, hand, at_us, mono_us, kind, actor, body, hash FROM room.event "
            "WHERE source = %s ORDER BY day, generation, seq",
            (source,),
        ).fetchall()

    def alarms(self) -> list[tuple[str, str]]:
        """Source and kind of each alarm, answered or not, oldest first."""
        found = self.owner.execute("SELECT source, what FROM room.alarm ORDER BY id").fetchall()
        return [(source, what) for source, what in found]


@pytest.fixture
def room(server: EmbeddedServer) -> Iterator[Room]:
    url = server.url()
    with ExitStack() as stack:
        owner = stack.enter_context(closing(connect(url)))
        # Much cheaper than a database for each test.
        owner.execute("DROP SCHEMA IF EXISTS room CASCADE")
        upgrade(owner)
        yield Room(url, owner, stack)


def shipper_of(folder: Path, name: str = "t7") -> Shipper:
    return Shipper(folder, name, "table")


@pytest.fixture
def read(room: Room, tmp_path: Path) -> ReadRoom:
    return ReadRoom(room, tmp_path)


@pytest.fixture(scope="session")
def _universal_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture(scope="session")
def swing(_universal_time: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a shift with a bit of everything in it and a count; not to be written to."""
    folder = tmp_path_factory.mktemp("swing")
    Swing(folder).play()
    files = list(folder.glob("t7-*.journal"))
    [box] = opened_boxes(files)
    due, office = drops_of(files)[box.key], ledger(folder)
    counted = office.count(
        box.table, box.day, box.key, (due.due - 200, due.jackpots), (due.due, due.jackpots),
        (signature("F1"), signature("S1")),
    )  # fmt: skip
    office.explain(counted, "one chip on the floor", signature("F1"))
    office.note(f"{box.table} {box.day} 19", "look again", signature("F1"))
    return folder


@pytest.fixture(scope="session")
def _dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening") / "data"
    session = open_session(folder)
    say(session, *LINES)
    session.close()
    return folder


@pytest.fixture
def evening(tmp_path: Path, _dealt: Path) -> Path:
    """The folder of a table that has dealt some hands and was not closed."""
    return Path(shutil.copytree(_dealt, tmp_path / "data"))

"""A real console on a pty, with the shipper that it starts, against a real room."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from omaha_table.room.bundle import write_bundle
from omaha_table.room.enrollment import enroll
from omaha_table.room.overview import overview
from omaha_table.room.witness import Witness, witness_key
from omaha_table.room.witness_record import WitnessRecord
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.room.overview import TableStatus
    from tests.room.conftest import Room

DEADLINE = 40.0
"""Seconds: a shipper takes a second to start on an idle machine, and many on a busy one."""


def wait_for(true: Callable[[], object], what: str = "", seconds: float = DEADLINE) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what or "waited in vain"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The processes that a process has started and that are still there."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*"):
        found += [int(one) for one in (task / "children").read_text().split()]
    return [one for one in found if is_alive(one)]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@dataclass
class AtTheTable:
    """A table's folder with its file and bundle, and the room that it was enrolled in."""

    folder: Path
    room: Room
    witness: Witness

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def bundle(self) -> Path:
        return self.folder / "room.toml"

    def enroll(self, signed_by: str = "", reason: str = "") -> None:
        """Admits the table, or admits it again with a new secret."""
        given = replace(
            enroll(self.room.owner, "t7", "table", signed_by=signed_by, reason=reason),
            witness_key=self.witness.public,
        )
        new = self.folder / "new.toml"
        write_bundle(new, given)
        new.replace(self.bundle)

    def console(self, size: tuple[int, int] = (120, 40)) -> Terminal:
        path = table_file(self.folder)
        path.write_text(f'{path.read_text()}\n[room]\nbundle = "room.toml"\n')
        return Terminal(["console", "--table", str(path), "--data", str(self.data)], size)

    def look(self) -> None:
        """The witness looks once."""
        self.witness.look(self.room.owner)

    @property
    def status(self) -> TableStatus:
        [found] = overview(self.room.owner)
        return found

    @property
    def beat(self) -> dict[str, Any]:
        """The last heartbeat that the room has."""
        found = self.room.owner.execute("SELECT beat FROM room.heartbeat").fetchone()
        return {} if found is None else found[0]

    def events(self) -> list[str]:
        """The bodies of all rows in the table's log."""
        with Reader(day_files(self.data, "t7")[-1]) as reader:
            return [f"{row.kind} {row.body}" for row in reader.since()]

    def cut_off(self) -> None:
        """Ends the table's connections, as a room that goes away does."""
        self.room.owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE usename LIKE '%table_t7' AND pid <> pg_backend_pid()"
        )

    def let_in(self, *, allowed: bool) -> None:
        """Whether the table's role may sign in at all: without it, the room is away for it."""
        limit = -1 if allowed else 0
        [role] = self.room.owner.execute("SELECT role FROM room.source").fetchall()
        self.room.owner.execute(f'ALTER ROLE "{role[0]}" CONNECTION LIMIT {limit}'.encode())
        if not allowed:
            self.cut_off()


def at_the_table(folder: Path, room: Room, keys: Path) -> AtTheTable:
    table = AtTheTable(
        folder, room, Witness(witness_key(keys / "witness.key"), WitnessRecord(keys / "signed"))
    )
    table.enroll()
    return table

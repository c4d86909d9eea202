"""A folder whose tables are all in a room, witnessed, and a reader of that room."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.keys import public_hex
from omaha_table.room.bundle import write_bundle
from omaha_table.room.enrollment import enroll
from omaha_table.room.link import ReaderLink
from omaha_table.room.shipper import Shipper
from omaha_table.room.store import RoomStore
from omaha_table.room.witness import Witness, witness_key
from omaha_table.room.witness_record import WitnessRecord

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from click.testing import Result

    from tests.room.conftest import Room


def run(*words: object, typed: str = "") -> Result:
    return CliRunner().invoke(omaha_table, [str(word) for word in words], input=typed)


@dataclass
class ReadRoom:
    """A room that is sent what some folders have, and read with one bundle."""

    room: Room
    tmp_path: Path

    def __post_init__(self) -> None:
        self.bundle = self.tmp_path / "reader.toml"
        given = enroll(self.room.owner, "auditor", "reader")
        key = public_hex(witness_key(self.tmp_path / "witness.key"))
        self.given = replace(given, witness_key=key)
        write_bundle(self.bundle, self.given)

    def ship(self, folder: Path, table: str = "t7", office: str = "") -> None:
        """Sends a table's journals, and an office's under a name of its own."""
        for name, kind in ((table, "table"), (office, "office")):
            if name:
                bundle = enroll(self.room.owner, name, kind, signed_by="S1", reason="a test")  # type: ignore[arg-type]
                shipper = Shipper(folder, name, kind)
                table_side = self.room.connect(bundle.url)
                shipper.start(table_side)
                shipper.ship(table_side)

    def witness(self) -> list[str]:
        """Lets the witness sign all that is there; what it had to say."""
        said: list[str] = []
        with closing(WitnessRecord(self.tmp_path / "witness.signed")) as record:
            Witness(witness_key(self.tmp_path / "witness.key"), record, said.append).look(
                self.room.owner
            )
        return said

    def store(self) -> AbstractContextManager[RoomStore]:
        return closing(RoomStore(ReaderLink(self.given)))

    def run(self, *words: object, typed: str = "") -> Result:
        return run(*words, "--room", self.bundle, typed=typed)

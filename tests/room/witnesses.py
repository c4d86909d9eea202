"""A witness in a folder, a shipper for it to have something to sign, and what it signed."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from omaha_table.journal.cosignatures import Cosignature
from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from omaha_table.room.shipper import Shipper
from omaha_table.room.witness import HEALING_SECONDS, Witness, witness_key
from omaha_table.room.witness_record import WitnessRecord

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.room.database import Connection
    from tests.room.conftest import Room


@contextmanager
def witness_in(
    folder: Path, said: list[str] | None = None, *, healing: float = HEALING_SECONDS
) -> Iterator[Witness]:
    lines = [] if said is None else said
    with closing(WitnessRecord(folder / "witness.signed")) as record:
        key = witness_key(folder / "witness.key")
        yield Witness(key, record, lines.append, healing=healing)


def shipped(table: Connection, folder: Path) -> None:
    shipper = Shipper(folder, "t7", "table")
    shipper.start(table)
    shipper.ship(table)


def cosigned(room: Room) -> list[Cosignature]:
    found = room.owner.execute(
        "SELECT source, day, generation, seq, encode(head, 'hex'), at_us, key, signature "
        "FROM room.cosignature ORDER BY day, generation"
    ).fetchall()
    return [Cosignature(*row) for row in found]


def last_row(folder: Path) -> tuple[int, str]:
    with Reader(day_files(folder, "t7")[-1]) as reader:
        last = reader.last()
    assert last is not None
    return last.seq, last.hash.hex()

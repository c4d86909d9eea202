"""Reading a room beside reading the same tables from a folder: hands, and the review's index."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Figure
from room import HAND, _room, _table

from omaha_table.review.index.projection import Projection
from omaha_table.review.index.reading import hands_in
from omaha_table.review.index.store import Folder
from omaha_table.room.database import connect
from omaha_table.room.enrollment import enroll
from omaha_table.room.link import ReaderLink
from omaha_table.room.shipper import Shipper
from omaha_table.room.store import RoomStore
from omaha_table.session.script import run_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.review.index.store import Store


def reading(hands: int = 150, tables: int = 2) -> list[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        owner = _room(stack)
        for number in range(tables):
            name = f"t{number}"
            session = _table(folder / name, name)
            for line in HAND * hands:
                list(run_line(session, 1, line))
            session.close()
            room = stack.enter_context(closing(connect(enroll(owner, name, "table").url)))
            shipper = Shipper(folder / name, name, "table")
            shipper.start(room)
            shipper.ship(room)
        link = ReaderLink(enroll(owner, "auditor", "reader"))
        there = stack.enter_context(closing(RoomStore(link)))
        found: list[Figure] = []
        for what, read in (("hands of a report", _hands), ("the index", _index)):
            here = _spent(read, Folder(folder))
            from_room = _spent(read, there)
            found += [
                Figure(f"{what}, from a folder", here * 1e6, 1.0, f"CPU, {1 / here:,.0f} hands/s"),
                Figure(f"{what}, from the room", from_room * 1e6, from_room / here,
                       f"CPU beside the server's, {1 / from_room:,.0f} hands/s"),
            ]  # fmt: skip
    return found


def _spent(read: Callable[[Store], int], store: Store) -> float:
    """CPU seconds for a hand."""
    before = time.process_time()
    hands = read(store)
    return (time.process_time() - before) / hands


def _hands(store: Store) -> int:
    return sum(1 for journal in store.journals() for _ in hands_in(journal))


def _index(store: Store) -> int:
    with closing(Projection()) as index:
        index.refresh(store.journals())
        return index.count()

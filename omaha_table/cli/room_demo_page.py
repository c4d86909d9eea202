"""The floor's page of the demonstration room, with staff whose PINs everybody may know."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from omaha_table.files import open_private
from omaha_table.floor.files import STAFF_FILE, content_of, demo_staff, nobody_yet
from omaha_table.floor.staff import Person, PinHash, Staff
from omaha_table.journal.office_book import open_office

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PINS: Final = {"F1": "4711", "F2": "4712", "S1": "9000", "A1": "2222"}
"""Of the demo alone; its office journal says that it is one."""


@contextmanager
def demo_page(database: str, folder: Path, port: int) -> Iterator[str]:
    """Serves the page of a room; its address. At another port if that one is taken."""
    from omaha_table.room.page.serving import PageServer
    from omaha_table.room.page.settings import CannotServeError, Settings

    hire(folder)
    settings = Settings(database, folder, "Demonstration room", port=port)
    try:
        server = PageServer(settings)
    except CannotServeError:
        server = PageServer(Settings(database, folder, "Demonstration room", port=0))
    thread = threading.Thread(target=server.run, name="floor's page", daemon=True)
    thread.start()
    try:
        yield server.address
    finally:
        server.stop()
        thread.join(10)


def hire(folder: Path) -> None:
    """The office of the demo: its staff list, and a journal that is marked as a demo's."""
    folder.mkdir(0o700)
    pepper = nobody_yet(folder).pepper
    staff = Staff(
        tuple(
            Person(one.id, one.name, one.role, PinHash.of(PINS[one.id], pepper, 64, 1))
            for one in demo_staff().people
            if one.id in PINS
        ),
        pepper,
    )
    descriptor = open_private(folder / STAFF_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content_of(staff))
    with open_office(folder, "room demo", demo=True):
        pass

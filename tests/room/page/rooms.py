"""A room with tables in known states, the page that shows it, and a browser's view of both."""

from __future__ import annotations

import html
import re
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import httpx

from omaha_table.room.database import connect
from omaha_table.room.enrollment import enroll
from omaha_table.room.page.serving import PageServer
from omaha_table.room.page.settings import Settings
from omaha_table.room.shipper import Shipper
from tests.counters import PINS, hire
from tests.office.evening import rules
from tests.review.html_pages import Reader
from tests.review.nights import Night

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    from omaha_table.room.database import Connection
    from omaha_table.rules import Profile


@dataclass
class Table:
    """A table that deals, and its shipper."""

    night: Night
    room: Connection
    shipper: Shipper

    @classmethod
    def open(
        cls, owner: Connection, folder: Path, name: str, profile: Profile | None = None,
        seats: int = 3, office: X25519PublicKey | None = None,
    ) -> Self:  # fmt: skip
        """`office`: it has a shoe that reads every card."""
        night = Night(folder / name, profile or rules(), table=name, office=office).seat(seats)
        room = connect(enroll(owner, name, "table").url)
        made = cls(night, room, Shipper(folder / name, name, "table"))
        made.shipper.start(room)
        return made

    def say(self, *lines: str) -> Self:
        """Lines at the table, and then what they did in the room."""
        self.night.say(*lines)
        return self.ship()

    def ship(self) -> Self:
        self.shipper.ship(self.room)
        return self

    def close(self) -> None:
        self.night.session.close()
        self.room.close()


@dataclass
class Visitor:
    """Somebody with a browser that follows no script."""

    address: str
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.address, follow_redirects=True, timeout=60)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def sign_in(self, number: str, pin: str = "", **more: str) -> httpx.Response:
        form = fields(self.get("/sign-in").text)
        return self.client.post(
            "/sign-in", data=form | {"number": number, "pin": pin or PINS[number]} | more
        )

    def send(self, path: str, page: str = "", **more: str) -> httpx.Response:
        """A form of a page, or one with nothing but what every form has."""
        form = fields(page) if page else {"csrf": self.csrf}
        return self.client.post(path, data=form | more)

    @property
    def csrf(self) -> str:
        return fields(self.get("/").text)["csrf"]


def text(answer: httpx.Response) -> str:
    """What a browser shows, whatever it is in."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", answer.text)))


def fields(page: str) -> dict[str, str]:
    """The hidden fields of a page's forms."""
    return Reader(page).hidden


@contextmanager
def served(database: str, folder: Path, **options: Any) -> Iterator[PageServer]:
    """The page of a room, in a thread, at a port of its own."""
    folder.mkdir(exist_ok=True)
    if not (folder / "staff.json").exists():
        hire(folder)
    server = PageServer(Settings(database, folder, **{"port": 0, **options}))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        with closing(httpx.Client(base_url=server.address, verify=False, timeout=30)) as client:
            client.get("/static/icon.svg")
        yield server
    finally:
        server.stop()
        thread.join(30)


def wait_until(true: Callable[[], Any], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)

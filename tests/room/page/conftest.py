"""One room, its page and a browser for all tests of a worker; a test takes tables of its own."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from omaha_table.room.database import connect, upgrade
from omaha_table.room.page.live import Live
from tests.room.page.browser import Browser, Tab
from tests.room.page.rooms import Table, Visitor, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.room.database import Connection
    from omaha_table.room.embedded import EmbeddedServer
    from omaha_table.room.page.serving import PageServer
    from omaha_table.rules import Profile


@dataclass
class Floor:
    """A room whose page is served."""

    url: str
    owner: Connection
    folder: Path
    page: PageServer
    open: ExitStack
    live: Live
    """All tables, as the page follows them."""
    count: int = 0
    signed_in: dict[str, Visitor] = field(default_factory=dict)

    @property
    def office(self) -> Path:
        return self.folder / "office"

    def table(self, profile: Profile | None = None, seats: int = 3, name: str = "") -> Table:
        """A new table, at the end of the test still there."""
        self.count += 1
        name = name or f"t{self.count}"
        made = Table.open(self.owner, self.folder, name, profile, seats)
        self.open.callback(made.close)
        return made.ship()

    def visitor(self, number: str = "") -> Visitor:
        """Somebody with a new browser, signed in if there is a staff number."""
        made = Visitor(self.page.address)
        self.open.callback(made.client.close)
        if number:
            assert made.sign_in(number).status_code == 200
        return made

    def known(self, number: str = "F1") -> Visitor:
        """Somebody who has been here all the time."""
        if number not in self.signed_in:
            self.signed_in[number] = self.visitor(number)
        return self.signed_in[number]


@pytest.fixture(scope="session")
def floor(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with closing(connect(server.url())) as owner:
        owner.execute("CREATE DATABASE floor")
    url, folder = server.url("floor"), tmp_path_factory.mktemp("floor")
    with ExitStack() as stack:
        owner = stack.enter_context(closing(connect(url)))
        upgrade(owner)
        page = stack.enter_context(served(url, folder / "office", establishment="Silver Creek"))
        live = Live(url)
        live.start()
        stack.callback(live.stop)
        yield Floor(url, owner, folder, page, stack, live)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def tab(browser: Browser) -> Tab:
    """A window with no cookies."""
    return browser.open()

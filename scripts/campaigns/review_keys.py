"""Presses every key of every page of the review on an index of millions of hands, and times it.

The real screens run on a terminal of their own (a pty that somebody reads), 140 columns by 45 rows.
A key counts from when it is sent until the last change of the screen it makes has been written to
the terminal. One process goes through everything, as a reviewer would, so its memory tells whether
anything piles up.

The hands of the index are made up and have no journals. So that hands can be opened, a night that
was really dealt is taken into the index first, as the newest.
"""

from __future__ import annotations

import asyncio
import fcntl
import gc
import inspect
import json
import os
import pty
import shutil
import struct
import termios
import time
import traceback
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from textual.events import Key
from textual.keys import _character_to_key

from omaha_table.journal.faults import Gone
from omaha_table.review.index.database import connect
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.store import Folder
from omaha_table.review.screens.app import Review
from omaha_table.review.screens.desk import Desk
from tests.counters import PINS, ledger
from tests.review.swing import Swing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType
    from textual.pilot import Pilot
    from textual.screen import Screen

    from omaha_table.journal.reader import Reader
    from omaha_table.review.index.store import Journal

SIZE: Final = (140, 45)
FILTERS: Final = ("flag:override", "pot>=200", "pot>=5", "player:player0118", "seats<6", '"ruled"')
"""Rare and common, found at once and beside the screen."""

_PAGES: Final = {
    "Hands": "hands", "Replay": "hand", "Unusual": "unusual", "Boxes": "boxes", "Box": "box",
    "Statistics": "statistics", "FilterDialog": "filter", "Text": "note", "Money": "count",
    "CommandPalette": "palette",
}  # fmt: skip


@dataclass
class KeyTimed:
    page: str
    key: str
    spent: list[float] = field(default_factory=list)
    """Milliseconds."""
    worked: list[float] = field(default_factory=list)
    """Milliseconds of them in which this thread worked: the rest went to others on the machine, to
    a search beside the screen, or to waiting for the next frame."""

    @property
    def line(self) -> str:
        spent, worked = sorted(self.spent), sorted(self.worked)
        half = len(spent) // 2
        return (
            f"| {self.page} | `{self.key}` | {len(spent)} | {worked[0]:.0f} | {worked[half]:.0f} "
            f"| {spent[0]:.0f} | {spent[half]:.0f} | {spent[-1]:.0f} |"
        )


@dataclass
class Walked:
    keys: list[KeyTimed]
    open_seconds: float
    """From the start of the process until the newest hands are seen."""
    memory: list[tuple[str, float]]
    """Resident MB at some points of the walk."""

    @property
    def text(self) -> str:
        load = " ".join(f"{one:.1f}" for one in os.getloadavg())
        pressed = [one for one in self.keys if one.spent]
        slow = max(pressed, key=lambda one: max(one.spent))
        return "\n".join(
            (
                HEADER,
                *(one.line for one in pressed),
                f"Opened after {self.open_seconds:.2f} s. Slowest: {slow.key} on {slow.page}.",
                "Memory: " + ", ".join(f"{when} {size:.0f} MB" for when, size in self.memory),
                f"Load of the machine, the last 1, 5 and 15 minutes: {load}",
            )
        )


HEADER: Final = """\
| page | key | pressed | at work: least | p50 | painted after: least | p50 | worst |
|---|---|---:|---:|---:|---:|---:|---:|"""


class Watched(Review):
    """Knows when it last wrote to the terminal."""

    CSS_PATH = str(Path(inspect.getfile(Review)).with_name("review.tcss"))
    painted = worked = 0.0

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        self.painted, self.worked = time.perf_counter(), time.thread_time()

    @property
    def is_calm(self) -> bool:
        """Whether there is nothing more to do or to paint."""
        screen = self.screen
        waits = screen._layout_required or screen._repaint_required or screen._dirty_widgets
        queues = (self, *screen.walk_children(with_self=True))
        return not (
            self.held or waits or screen._callbacks or any(q.message_queue_size for q in queues)
        )


def memory() -> float:
    """What this process has in memory now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Walk:
    def __init__(self, app: Watched, pilot: Pilot[Any]) -> None:
        self.app, self.pilot = app, pilot
        self.keys: dict[tuple[str, str], KeyTimed] = {}
        self.memory: list[tuple[str, float]] = []

    async def settled(self, since: float = 0.0) -> None:
        """Until what a key has changed is on the screen; or until it is plain that it has changed
        nothing."""
        calm = 0
        # One look is enough once it has painted: a search may go on painting what it finds.
        while calm < (1 if self.app.painted > since else 30):
            calm = calm + 1 if self.app.is_calm else 0
            await asyncio.sleep(0.002)
            if self.app.crash is not None:
                raise self.app.crash

    async def press(self, *keys: str) -> None:
        """Without timing."""
        for key in keys:
            self.app.post_message(_event(key))
            await self.settled()

    async def time(self, page: str, key: str, label: str = "", times: int = 1) -> None:
        """Some milliseconds apart at least, as somebody holds a key down."""
        timed = self.keys.setdefault((page, label or key), KeyTimed(page, label or key))
        for _ in range(times):
            here = type(self.app.screen).__name__
            if page.split(",")[0] != _PAGES.get(here, here):
                raise RuntimeError(f"{key} on {here} instead of {page}: {self.app.said}")
            begun, worked = time.perf_counter(), time.thread_time()
            self.app.post_message(_event(key))
            await self.settled(begun)
            if self.app.painted > begun:
                timed.spent.append((self.app.painted - begun) * 1000)
                timed.worked.append((self.app.worked - worked) * 1000)

    async def each(self, page: str, keys: Iterable[str], times: int = 5) -> None:
        for key in keys:
            await self.time(page, key, times=times)

    def remember(self, when: str) -> None:
        self.memory.append((when, memory()))

    # Page by page

    async def everything(self, filters: tuple[str, ...], pages: int) -> None:
        await self.settled()
        self.remember("opened")
        await self.hands()
        self.remember("hands gone through")
        await self.replay()
        await self.unusual()
        self.remember("unusual events gone through")
        await self.boxes()
        await self.statistics()
        self.remember("statistics")
        for text in filters:
            await self.filtered(text)
        self.remember("filters")
        await self.press("/", "0", "enter", "7")
        await self.time("hands", "3", "3, again and again", times=pages)
        self.remember(f"{pages:,} pages more")

    async def hands(self) -> None:
        page = "hands"
        await self.each(page, ("2", "8", "3", "9", "1", "9", "8", "7"))
        self.app.page.listed.go(self.app.page.listed.total // 2)
        await self.settled()
        await self.each(page, ("2", "8", "3", "9"), times=20)
        await self.time(page, "1")
        await self.time(page, "7")
        # Notes and tags are signed once; how long a PIN takes is no matter of the index.
        await self.press("*", "1", *PINS["F1"], "enter")
        await self.time(page, "*", times=4)
        for _ in range(3):
            await self.time(page, "+")
            await self.time("note", "1")
        await self.each(page, ("c", "<", ">"))
        await self.time(page, "f2", times=2)
        await self.time(page, "f1", times=2)
        await self.time(page, "ctrl+p")
        await self.time("palette", "s")
        await self.press("escape")
        await self.time(page, "tab", times=2)
        for key in ("-", "4", "0", "/"):
            for _ in range(3):
                await self.time(page, key)
                await self.time(
                    {"-": "unusual", "4": "boxes", "0": "statistics", "/": "filter"}[key], "escape"
                )

    async def replay(self) -> None:
        page = "hand"
        await self.press("7", "2", "2")
        for _ in range(5):
            await self.time("hands", "5")
            await self.time(page, ".")
        await self.press("5")
        await self.each(page, ("6", "4", "3", "9", "1", "7", "2", "8", "0", "c", "h"))
        await self.time(page, "+")
        await self.time("note", "2")
        await self.time(page, "*", times=2)
        await self.press(".")

    async def unusual(self) -> None:
        page = "unusual"
        await self.press("-")
        await self._all_found()
        await self.each(page, ("2", "8", "3", "9", "1", "9", "7"))
        await self.time(page, "*", times=4)
        await self.time(page, "0", times=4)
        await self.time(page, "*", "* (unseen only)", times=4)
        await self.each(page, ("2", "3", "1", "9", "7"), times=3)
        await self.time(page, "0")
        for _ in range(3):
            await self.time(page, "4")
            await self._all_found()
        await self.each(page, ("2", "3", "1", "9", "7", "c"), times=3)
        await self.time(page, "+")
        await self.time("note", "1")
        listed = self.app.page.listed
        lines = map(listed.source.line, range(listed.total))
        listed.go(next(at for at, line in enumerate(lines) if line is not None and line.cells[3]))
        await self.time(page, "5")
        await self.press(".")
        await self.press(".")

    async def boxes(self) -> None:
        await self.press("4")
        await self.each("boxes", ("2", "8", "3", "9", "1", "9", "7", "c"))
        await self.time("boxes", "5")
        await self.each("box", ("6", "2", "3", "1", "7", "4"))
        for _ in range(6):
            await self.time("box", "6", "sheet after sheet")
            await self.each("box", ("3", "1", "7"), times=1)
        await self.press(".")
        await self.time("boxes", "+")
        await self.press("escape")
        await self.press(".")

    async def statistics(self) -> None:
        await self.press("0")
        await self.settled()
        await self.time("statistics", "/")
        await self.time("filter", "escape")
        await self.press(".")

    async def filtered(self, text: str) -> None:
        await self.time("hands", "/")
        await self.time("filter", "0")
        for character in text:
            await self.time("filter", character, "a letter")
        await self.time("filter", "enter", f"ENTER: {text}")
        await self.each(f"hands, {text}", ("2", "3", "1", "9", "7"), times=5)
        for key, page in (("-", "unusual"), ("4", "boxes"), ("0", "statistics")):
            await self.time(f"hands, {text}", key)
            await self.each(f"{page}, {text}", ("2", "3", "1", "7") if key != "0" else (), times=1)
            await self.time(f"{page}, {text}", ".")

    async def _all_found(self) -> None:
        desk = self.app.desk
        while desk.projection.found_incidents(desk.filter).is_searching:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.6)
        await self.settled()


def _event(key: str) -> Key:
    if len(key) > 1:
        return Key(key, None)
    return Key(key if key.isalnum() else _character_to_key(key), key)


class MadeUp:
    """A journal of which only the index knows."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.name = Path(key).name
        self.table, _, self.day = Path(key).stem.partition("-")

    def state(self) -> str:
        return "read"

    def changed_us(self) -> int:
        return 0

    def open(self) -> Reader:
        raise Gone(f"{self.name} was never dealt.")

    def of_day(self, table: str, day: str) -> str:
        return self.key

    def latest(self, table: str) -> Journal:
        return self


class Room(Folder):
    """The journals that were made up, and those of a folder."""

    def __init__(self, index: Path, where: Path) -> None:
        super().__init__(where)
        with closing(connect(index)) as connection:
            found = connection.execute("SELECT file FROM source").fetchall()
        self._made_up = [MadeUp(file) for (file,) in found]

    def journals(self) -> list[Journal]:  # type: ignore[override]
        return [*self._made_up, *super().journals()]


def walk(
    index: Path, folder: Path, filters: tuple[str, ...] = FILTERS, pages: int = 1000
) -> Walked:
    """On a copy of the index, since a night is taken into it."""
    made, told = folder / "index.db", folder / "walked.json"
    shutil.copy(index, made)
    room = Room(made, folder)
    Swing(folder).play()
    child, terminal = pty.fork()
    if not child:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        try:
            told.write_text(
                json.dumps(asdict(_walked(made, room, folder / "kept", filters, pages)))
            )
        except BaseException:
            told.with_suffix(".error").write_text(traceback.format_exc())
        os._exit(0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    # Until the child has let go of its terminal, what it writes must be read, or it waits.
    with suppress(OSError):
        while os.read(terminal, 65536):
            pass
    os.waitpid(child, 0)
    if not told.exists():
        raise RuntimeError(told.with_suffix(".error").read_text())
    found = json.loads(told.read_text())
    keys = [KeyTimed(**key) for key in found["keys"]]
    return Walked(keys, found["open_seconds"], [(when, size) for when, size in found["memory"]])


def _walked(index: Path, room: Room, kept: Path, filters: tuple[str, ...], pages: int) -> Walked:
    while os.get_terminal_size().columns != SIZE[0]:
        time.sleep(0.01)
    begun = time.perf_counter()
    projection = Projection(index)
    projection.keep(room).wait(30.0)
    app = Watched(Desk(projection, ledger(kept), verdict="not checked"))
    opened, walks = [], []
    failed: list[Exception] = []

    async def walked(pilot: Pilot[Any]) -> None:
        walks.append(Walk(app, pilot))
        while not app.painted or app.held:
            await asyncio.sleep(0.001)
        opened.append(app.painted - begun)
        try:
            await walks[0].everything(filters, pages)
        except Exception as error:
            failed.append(error)
        app.exit()

    gc.freeze()  # as the program does
    app.run(auto_pilot=walked)
    projection.close()
    for error in (app.crash, *failed):
        if error is not None:
            raise error
    return Walked(list(walks[0].keys.values()), opened[0], walks[0].memory)

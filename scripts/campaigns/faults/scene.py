"""One table with one device, brought to where a fault strikes it."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from omaha_drivers.angel_eye_options import AngelEyeOptions
from omaha_drivers.emulate.angel_eye import AngelShoeModel
from omaha_drivers.emulate.tdp import ShoeModel, ShufflerModel
from omaha_drivers.tdp_codec import CARDS

from omaha_table.cards import parse_card
from omaha_table.cli.keyfiles import make_pair
from omaha_table.demo.deal import typed
from omaha_table.journal.codec import type_name
from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verdict import damage_lines
from omaha_table.journal.verification import files_in, verify
from scripts.campaigns.faults.fronts import SPELLED, Headless, NotSeen, OnTerminal, squeezed, wait
from scripts.campaigns.faults.line import Line
from tests.console.terminal import table_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.events import Record
    from scripts.campaigns.faults.fronts import Front
    from scripts.campaigns.faults.line import Transport

Adapter = Literal["tdp", "angel_eye"]
Kind = Literal["shoe", "shuffler"]

SERIALS: Final = {"shoe": "SHOE-1", "shuffler": "SHUF-1"}
SEATS: Final = 3
SLOTS: Final = 15
"""Five cards to each of three."""
DEALT: Final = "FOLD"
"""A key that is there once the cards are out."""
USABLE: Final = "DECK IS CUT"
"""The key after a deck that may be dealt."""
QUIET: Final = "No alarms"


class Wrong(AssertionError):  # noqa: N818 - it is what a row of the table says
    """Something that must never be, whatever the fault."""


@dataclass
class Scene:
    """Used as a context; `begin` brings it to the pitch, or to where a deck is asked for."""

    folder: Path
    kind: Kind
    adapter: Adapter
    over: Transport
    on_terminal: bool = False
    key: bytes = b""
    section: str = ""
    """More lines of the device's section in the table's file."""
    model: Any = None
    screens: list[str] = field(default_factory=list)
    drawn: set[str] = field(default_factory=set)
    _front: Front | None = None

    def __post_init__(self) -> None:
        chance = random.Random(1)
        if self.model is None and self.adapter == "angel_eye":
            self.model = AngelShoeModel(options=AngelEyeOptions())
        elif self.model is None:
            make = ShoeModel if self.kind == "shoe" else ShufflerModel
            self.model = make(SERIALS[self.kind], self.key, chance=chance)
        speed = 4800 if self.adapter == "angel_eye" else 115200
        self.line = Line(self.folder, self.kind, self.model, speed, self.over)
        self.deck: list[str] = random.Random(7).sample(CARDS, 52)
        self.out = 0
        """Cards that have left the shoe in this hand."""

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        if self._front is not None:
            self._front.stop()
        self.line.stop()

    @property
    def front(self) -> Front:
        assert self._front is not None
        return self._front

    # The console

    def open(self, *, plugged: bool = True, before: Callable[[], object] | None = None) -> None:
        """Starts the device and the console, which asks for the draw."""
        self.line.start(plugged=plugged)
        if before is not None:
            self.line.do(before)
        make_pair(self.folder)
        table = table_file(self.folder, 'surveillance_key = "surveillance.public"')
        serial = f'serial = "{self.model.serial}"\n' if self.model.serial else ""
        if "serial" in self.section:
            serial = ""
        with table.open("a", encoding="utf-8") as file:
            file.write(
                f'\n[devices.{self.kind}]\nadapter = "{self.adapter}"\nport = "{self.line.port}"\n'
                f"{serial}{self.section}"
            )
        if self.key:
            (self.folder / "device.key").write_bytes(self.key)
        data = self.folder / "data"
        self._front = (OnTerminal if self.on_terminal else Headless)(table, data)
        self.front.start()
        self.until("BUTTON DRAW", seconds=30)

    def again(self, between: Callable[[], object]) -> None:
        """Closes the console, lets something happen and opens it again."""
        self.front.stop()
        self.line.do(between)
        self.front.start()

    def begin(self, cards: int = 7) -> None:
        """To the pitch, with this many cards out; or to where a deck is asked for."""
        self.open()
        self.to_the_table(cards)

    def to_the_table(self, cards: int = 7) -> None:
        if self.kind == "shuffler":
            self.connected()
            self.key_the_draw()
            self.until("Take the deck")
            return
        if self.adapter == "tdp":
            self.connected()
        else:
            self.until("The port is open.")
        self.load()
        for _ in range(SEATS):
            self.line.do(self.model.draw)
        self.drawn = set(self.deck[:SEATS])
        if QUIET not in self.until("START HAND"):
            # An Angel Eye always says that it must be checked against the vendor's document.
            self.press("/", "*", "7")
        self.press("+")
        self.until("DEAL BY HAND")
        self.load()
        self.deal(cards)

    def connected(self) -> None:
        self.until("The device is connected.", seconds=20)

    def key_the_draw(self) -> None:
        self.front.press("enter")
        for card in ("As", "Kd", "7c"):
            self.front.press(*typed(parse_card(card)))
        self.drawn = {"As", "Kd", "7c"}

    def press(self, *keys: str) -> None:
        self.front.press(*keys)

    def until(self, sentence: str, seconds: float = 8.0) -> str:
        return self.when(lambda shown: sentence in shown, seconds)

    def when(self, seen: Callable[[str], bool], seconds: float = 8.0) -> str:
        shown = wait(self.front, seen, seconds)
        self.screens.append(shown)
        return shown

    def settled(self, seconds: float = 0.3) -> str:
        """The screen after a pause in which nothing is expected."""
        end = time.monotonic() + seconds
        shown = self.front.look()
        while time.monotonic() < end:
            shown = self.front.look()
        self.screens.append(shown)
        return shown

    # The device

    def load(self) -> None:
        self.out = 0
        self.line.do(lambda: self.model.load(self.deck))

    def draw(self, count: int = 1) -> None:
        for _ in range(count):
            self.out += 1
            self.line.do(self.model.draw)

    def deal(self, count: int) -> None:
        """Draws cards at a dealer's pace, and waits until the console has dealt them."""
        for _ in range(count):
            self.draw()
            time.sleep(0.005)
        self.dealt(self.out)

    def dealt(self, count: int) -> None:
        """Waits until the log has so many cards: the screen shows them in large digits."""
        end = time.monotonic() + 8
        while len(self.records("card_dealt")) < count:
            shown = self.front.look()
            if time.monotonic() > end:
                raise NotSeen(shown)
            time.sleep(0.01)

    def rest(self) -> None:
        """The rest of the deal, at the dealer's pace."""
        while self.out < SLOTS:
            self.draw()
            time.sleep(0.01)

    # The log

    def records(self, *kinds: str) -> list[Record]:
        found: list[Record] = []
        for path in day_files(self.folder / "data", "t7"):
            with Reader(path) as rows:
                found += [record_of(row) for row in rows.since(0, kinds)]
        return found

    def noted(self) -> set[str]:
        """What the log says of the device and of the deal."""
        found: set[str] = set()
        for record in self.records():
            event = record.event
            found.add(type_name(type(event)))
            for part in ("what", "trouble", "kind"):
                value = getattr(event, part, None)
                if isinstance(value, str):
                    found.add(value)
        return found

    def check(self) -> None:
        """What holds after every fault: a sound log, and no face-down card on any screen."""
        self.front.stop()
        damage = list(damage_lines(verify(files_in(self.folder / "data"))))
        if damage:
            raise Wrong(f"the log is not sound: {damage[0]}")
        for shown in self.screens:
            signs = shown.translate(str.maketrans("♣♦♥♠", "cdhs"))
            leaked = set(SPELLED.findall(signs)) - self.drawn
            if leaked:
                raise Wrong("a card that lies face down is on the screen")


def line_with(shown: str, sentence: str) -> str:
    """What the dealer reads: the line of the screen with this in it, and the one it goes on in."""
    lines = [squeezed(line) for line in shown.splitlines()]
    for at, line in enumerate(lines):
        if sentence[:30] in line:
            after = lines[at + 1] if at + 1 < len(lines) else ""
            goes_on = after and not line.endswith(".") and after[0].isalnum()
            return f"{line} {after}" if goes_on else line
    return squeezed(sentence)

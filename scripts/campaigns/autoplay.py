"""The campaign of `scripts/autoplay`; the tests run a short form of the same.

The real app, headless, with emulated machines on ptys that fail at random. After every change the
screen is searched for cards that do not lie face up, and at the end everything that was written.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.dealer.room_status import ShipperReport
from omaha_table.dealer.screen.drawing import draw
from omaha_table.demo.emulated_table import QUICK, Rig
from omaha_table.demo.evening import DemoEvening
from omaha_table.journal.verdict import damage_lines
from omaha_table.journal.verification import files_in, verify
from omaha_table.log import set_up_log
from omaha_table.session.config import demo_table
from tests.dealer.inside import keyed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_table.dealer.console import Console

SPELLED = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])[cdhs♣♦♥♠](?![A-Za-z0-9])")
_SIGNS = str.maketrans("♣♦♥♠", "cdhs")
FACE_UP = re.compile(r"^\S+  (?:FLOP|TURN|RIVER|seat \d+ tables|draw seat \d+) ")


@dataclass
class Tally:
    wanted: int = 0
    """Hands that were to be dealt."""
    hands: int = 0
    screens: int = 0
    boards: int = 0
    """Screens on which a board lay face up, and was found."""
    unseen: int = 0
    """Screens on which it was not found: there the search shows nothing."""
    lines: int = 0
    """Of the list of events, searched."""
    beats: int = 0
    """Heartbeats for the room, searched."""
    leaks: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    crashes: int = 0
    logged: int = 0
    log_lines: int = 0
    """Of the program's log, read."""
    events: int = 0
    verified: int = 0
    """Events that were dealt, and those that were verified."""
    damage: list[str] = field(default_factory=list)
    megabytes: dict[int, float] = field(default_factory=dict)
    seconds: float = 0.0

    def wrong(self) -> list[str]:
        """What is wrong, and what was never looked at and so shows nothing."""
        found = [
            f"{name} {count}"
            for name, count in (
                ("leaks:", len(self.leaks)),
                ("crashes:", self.crashes),
                ("errors logged:", self.logged),
                ("damage in the journal:", len(self.damage)),
                ("screens without the board:", self.unseen),
                ("hands not dealt:", max(self.wanted - self.hands, 0)),
            )
            if count
        ]
        looked_at = (
            ("screen", self.screens),
            ("board on a screen", self.boards),
            ("line of the list of events", self.lines),
            ("heartbeat", self.beats),
            ("line of the log", self.log_lines),
            ("event of the journal", self.verified),
        )
        found += [f"no {name} was looked at" for name, count in looked_at if not count]
        if self.verified != self.events:
            found.append(f"{self.events} events were written, {self.verified} verified")
        return found


class Watcher:
    def __init__(self, tally: Tally, show: bool) -> None:
        self._tally, self._show = tally, show
        self._seen: object = None

    # As the shipper's pipe has it

    @property
    def said(self) -> ShipperReport:
        return ShipperReport("shipped")

    def beat(self, beat: Mapping[str, object]) -> None:
        self._tally.beats += 1
        if SPELLED.search(json.dumps(beat, ensure_ascii=False)):
            self._tally.leaks.append("in a heartbeat")

    def __call__(self, console: Console) -> None:
        console.link = self
        state = console.session.state
        here = (
            state.seq,
            console.prompt.title,
            len(console.model.story.log),
            console.model.answer,
            console.model.hint,
        )
        if here == self._seen:
            return
        self._seen = here
        console.beat()
        view = console.view()
        self._tally.screens += 1
        hand = state.hand
        up = {card.text for card in state.drawn.values()}
        if hand is not None:
            up = {card.text for card in (*hand.board, *hand.turned)}
            up |= {card.text for cards in hand.tabled.values() for card in cards}
        # Half a flop that the dealer keys lies face up too.
        up |= set(keyed(console))
        size = ((80, 24), (100, 30), (120, 40))[self._tally.screens % 3]
        screen = draw(replace(view, log=()), *size).text()
        spelled = {text.translate(_SIGNS) for text in SPELLED.findall(screen)}
        if spelled - up:
            self._tally.leaks.append(f"on screen in hand {state.hands}, {console.prompt.title}")
        if hand is not None and hand.board and isinstance(console.model.mode, AtTable):
            # A search that finds nothing must find what does lie face up.
            found = {card.text for card in hand.board} <= spelled
            self._tally.boards += found
            self._tally.unseen += not found
        self._tally.events = max(self._tally.events, state.seq)
        for line in view.log:
            self._tally.lines += 1
            if SPELLED.search(line) and not FACE_UP.match(line):
                self._tally.leaks.append("in the list of events")
        if state.hands not in self._tally.megabytes and state.hands % 50 == 0:
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            self._tally.megabytes[state.hands] = used
            if self._show:
                print(f"\rhand {state.hands}, {used:.0f} MB", end="", file=sys.stderr)


def campaign(folder: Path, hands: int, seed: int, faults: float, *, show: bool = False) -> Tally:
    tally = Tally(wanted=hands)
    log = folder / "console.log"
    set_up_log(file=log, on_terminal=False)
    evening = DemoEvening(
        demo_table(),
        folder,
        Rig(folder, QUICK, seed),
        office=X25519PrivateKey.generate().public_key(),
        pace=QUICK,
        autoplay=True,
        hands=hands,
        seed=seed,
        headless=(80, 24),
        faults=faults,
    )
    evening.watch = Watcher(tally, show)
    began = time.monotonic()
    outcome = evening.run()
    tally.seconds = time.monotonic() - began
    tally.hands, tally.crashes = outcome.hands, outcome.crashes
    if evening.faults is not None:
        tally.faults = evening.faults.made
    if evening.console is not None:
        tally.events = evening.console.session.state.seq
    # So that there is a line to be found: an empty log may be one that nobody writes.
    structlog.get_logger(__name__).info("autoplay has ended")
    levels = [json.loads(line)["level"] for line in log.read_text(encoding="utf-8").splitlines()]
    tally.log_lines = len(levels)
    tally.logged = sum(level in ("error", "critical") for level in levels)
    if SPELLED.search(log.read_text(encoding="utf-8")):
        tally.leaks.append("in the log")
    verdict = verify(files_in(folder))
    tally.verified, tally.damage = verdict.events, list(damage_lines(verdict))
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--faults", type=float, default=0.004, help="chance of one at each beat")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        tally = campaign(Path(name), given.hands, given.seed, given.faults, show=True)
    memory = list(tally.megabytes.values())
    print(
        f"\n{tally.hands:,} hands in {tally.seconds:.0f} s, {tally.screens:,} screens searched "
        f"(the board found on {tally.boards:,}) and {tally.lines:,} lines, "
        f"{sum(tally.faults.values())} faults {dict(tally.faults)}; leaks: {len(tally.leaks)}; "
        f"crashes: {tally.crashes}; {tally.log_lines:,} lines of the log read, errors: "
        f"{tally.logged}; {tally.verified:,} of {tally.events:,} events verified, damage: "
        f"{len(tally.damage)}; memory MB first and last: {memory[:1]} {memory[-1:]}; "
        f"seed {given.seed}"
    )
    wrong = tally.wrong()
    for sentence in (*wrong, *tally.leaks[:5], *tally.damage[:5]):
        print(f"WRONG: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

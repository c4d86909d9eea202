"""Practice: the same table, with a score. Pace, refusals, and what was keyed against what was said.

Situations are set up through the same commands as everything else, so that what a dealer learns
here is what the table will ask for.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.table_view import Page
from omaha_table.demo.players import Intent
from omaha_table.hand.events import Acted, HandEnded, Mucked, Tabled, Undone
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.dealer.console import Console
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.demo.emulated_table import Life
    from omaha_table.journal.events import Record

GOOD_PACE: Final = 35.0
"""Hands an hour at a full table with a practiced dealer."""


@dataclass
class Score:
    """What a dealer did; the figures of the result."""

    hands: int = 0
    seconds: float = 0.0
    keys: int = 0
    actions: int = 0
    refusals: int = 0
    undos: int = 0
    wrong: list[str] = field(default_factory=list)
    """What was keyed differently from what the player said."""

    @property
    def hands_an_hour(self) -> float:
        return 3600 * self.hands / self.seconds if self.seconds else 0.0

    @property
    def marks(self) -> int:
        """Out of 100: pace up to 40, every refusal, undo and wrong entry costs."""
        pace = min(self.hands_an_hour / GOOD_PACE, 1.0) * 40 if self.hands else 0.0
        lost = 3 * self.refusals + 2 * self.undos + 10 * len(self.wrong)
        return max(round(pace + 60 - lost), 0)

    def lines(self) -> list[str]:
        each = self.seconds / self.hands if self.hands else 0.0
        shown = [
            f"{'1 hand' if self.hands == 1 else f'{self.hands} hands'} "
            f"in {self.seconds / 60:.1f} minutes: "
            f"{self.hands_an_hour:.0f} an hour, {each:.0f} seconds each",
            f"{self.actions} actions of players, {self.keys} keys in all",
            f"{self.refusals} refused keys, {self.undos} entries taken back",
            f"{len(self.wrong)} entries that were not what the player said",
            *(f"  {text}" for text in self.wrong[:5]),
            *(["  and more"] if len(self.wrong) > 5 else []),
            f"Marks: {self.marks} of 100",
        ]
        return shown if self.hands else ["No hand was finished.", *shown[1:-1]]


class Examiner:
    """Watches the console and compares what is recorded with what was said."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self.score = Score()
        self._began = time.monotonic()
        self._console = life.console
        life.console.listeners.append(self.look)

    def look(self, records: Sequence[Record]) -> None:
        """Takes in what has just been recorded, while the player's words still stand."""
        console = self._console
        for record in records:
            event = record.event
            if isinstance(event, Acted | Mucked | Tabled):
                self.score.actions += 1
                self._compare(console, event)
            elif isinstance(event, Undone):
                self.score.undos += 1
            elif isinstance(event, HandEnded):
                self.score.hands += 1
                self.score.seconds = time.monotonic() - self._began
        self.score.refusals = console.model.refusals
        self.score.keys = console.model.keys

    def _compare(self, console: Console, event: Acted | Mucked | Tabled) -> None:
        intent = self._life.intent
        if intent is None:
            return
        word = event.action if isinstance(event, Acted) else _word(event)
        amount = event.to if isinstance(event, Acted) and intent.amount is not None else None
        if word != intent.word or (intent.amount is not None and amount != intent.amount):
            name = console.session.state.seats[event.seat].name
            done = f"{word} {amount // 100}" if amount else word
            self.score.wrong.append(f'{name} said "{intent.announcement()}", keyed was {done}')


def _word(event: Mucked | Tabled) -> str:
    return "muck" if isinstance(event, Mucked) else "show"


@dataclass(frozen=True, slots=True)
class Result(Mode):
    """The marks, which the key that is being hammered does not turn away."""

    lines: tuple[str, ...]

    def show(self, model: Model, strip: Strip) -> Prompt:
        strip.add("+", "END THE PRACTICE", _end, strong=True)
        strip.add(".", "DEAL ON", leave)
        page = Page("RESULT", self.lines)
        return strip.prompt("READY", "WELL DEALT", "The result of these hands.", page=page)


def _end(model: Model) -> Change:
    return Change(replace(model, quit=True))


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that a dealer should have met before it happens at a live table."""

    name: str
    told: str
    intents: tuple[Intent, ...] = ()
    """What the players do, in order; then they go on as they like."""
    stacks: tuple[tuple[int, int], ...] = ()
    """Stacks in cents by seat, for short all-ins."""
    deck: tuple[str, ...] = ()
    """Cards on top of the deck, in the order of the deal."""
    fault: str = ""
    """A fault of the machines: 'jam', 'exposed'."""


def _quartering() -> tuple[str, ...]:
    """The blinds share the low, and the small blind has the high too."""
    hands = {
        0: "Ah 3d Kc Kh 9c", 1: "As 3c 8d 8c Jh", 2: "Ts Tc 9h 9d Qs", 3: "Js Jc Qd Qh Td",
        4: "2h 2d 4h 4d 6h", 5: "6d 6s 8h 8s Th", 6: "3h 3s 4c 4s Ks", 7: "9s 6c Jd Qc Ad",
    }  # fmt: skip
    dealt = [hands[seat].split()[round_] for round_ in range(5) for seat in range(8)]
    return (*dealt, "2c", "7c", "5h", "2s", "5c", "Kd", "5d", "Ac")


SITUATIONS: Final = (
    Situation(
        "quartering",
        "Two players tie for the low and one of them has the high: watch the fractions you push.",
        intents=tuple(
            Intent(word)
            for word in (*["fold"] * 6, "raise", *["call", "bet"] * 3, "call", "show", "show")
        ),
        deck=_quartering(),
    ),
    Situation(
        "short all-in",
        "A player goes all in for less than a full bet: key the all-in, and read who may raise.",
        stacks=((4, 900), (6, 1100)),
        intents=(Intent("raise"), Intent("call"), Intent("call")),
    ),
    Situation(
        "exposed card",
        "A hole card flashes in the pitch: call the floor with /, PIN 4711, and take the remedy.",
        fault="exposed",
    ),
    Situation(
        "jam",
        "The shuffler jams while a hand is on: finish it, then go on by hand or with the floor.",
        fault="jam",
    ),
)


def situation(name: str) -> Situation | None:
    return next((given for given in SITUATIONS if given.name == name), None)

"""Days of a simulated table, for benchmarks and campaigns.

Players with tracked stacks, a shoe whose face-down cards are sealed, calls, folds, raises,
shows and mucks from a seed, and players who buy again. The same seed makes the same hands; only
keys and signatures differ, which are random in any journal. What benchmarks use is made once and
kept outside the checkout; `OMAHA_BENCH_CACHE` names another folder for it.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from platformdirs import user_cache_path

from omaha_table.cards import DECK
from omaha_table.demo.players import Intent, choose
from omaha_table.floor.files import demo_staff
from omaha_table.hand import commands as hand
from omaha_table.journal.sealed import SealedCard
from omaha_table.journal.writer import Clock
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.commands import DealSealedCard
from omaha_table.session.script import run_line
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.session.commands import SessionCommand

_MADE_BY = 1
"""Raised when this file deals differently: what is in the cache is then made again."""
_BUY_IN = 40_000
_LEAST = 10_000
"""Who has less between two hands buys again."""
_TIGHT = 0.3
"""How often somebody folds who would have called: about three see a flop, as in a raked game."""
_START = datetime(2026, 3, 2, 6, 30).timestamp()
"""Half an hour after a gaming day begins."""
_DAY = 86_400.0


@dataclass(frozen=True)
class Days:
    """How much is dealt: so many gaming days of one table, with so many hands each."""

    hands: int = 1000
    days: int = 1
    seats: int = 8
    table: str = "t1"
    seed: int = 23

    @property
    def name(self) -> str:
        shape = f"{self.days}x{self.hands}-{self.seats}-seats"
        return f"{_MADE_BY}-{self.table}-{shape}-seed-{self.seed}"


def simulated(wanted: Days) -> Path:
    """A folder with the closed journals of these days."""
    cache = Path(os.environ.get("OMAHA_BENCH_CACHE") or user_cache_path("omaha-table-bench"))
    folder = cache / wanted.name
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        # In memory where there is a disk for it: every event is flushed, and nothing is measured.
        fast = Path("/dev/shm")
        with tempfile.TemporaryDirectory(dir=fast if fast.is_dir() else None) as name:
            make(Path(name) / "data", wanted)
            making = cache / f".{wanted.name}.{os.getpid()}"
            shutil.copytree(Path(name) / "data", making)
        making.rename(folder)
    return folder


def make(folder: Path, wanted: Days, *, close: bool = True) -> None:
    """Deals the days; the last one is left open unless it is to be closed."""
    for day in range(wanted.days):
        print(f"dealing {wanted.name}, day {day + 1} of {wanted.days}", file=sys.stderr)
        _Day(folder, wanted, day).play(close=close or day < wanted.days - 1)


class _Day:
    """One gaming day, from its first hand to the receipt."""

    def __init__(self, folder: Path, wanted: Days, day: int) -> None:
        self._wanted, self._day = wanted, day
        self._now = _START + day * _DAY
        self._pace = min(1.0, 600 / wanted.hands)
        """Of the clock: more hands than a table deals in a day still fit into one."""
        self._rng = random.Random(f"{wanted.seed} {wanted.table} {day}")
        profile = load_profile("ca_omaha_hilo")
        office = X25519PrivateKey.generate().public_key()
        clock = Clock(lambda: self._now, lambda: self._now)
        self.session = Session.on_journal(
            folder, wanted.table, profile, profile.limits[0], demo_staff(), office=office,
            clock=clock,
        )  # fmt: skip

    def do(self, command: SessionCommand, seconds: float = 1.0) -> None:
        self._now += seconds * self._pace
        answer = self.session.do(command)
        assert answer.refusal is None, answer.refusal

    def play(self, *, close: bool) -> None:
        if self.session.reopening is not None:
            self.do(table.ReopenTable("empty"))
        seats = range(1, self._wanted.seats + 1)
        for seat in seats:
            self.do(table.SeatPlayer(seat, f"Player {seat}", _BUY_IN), 20)
        self.do(table.PushIn("D1"))
        self.do(table.OpenShift("day", f"F{self._day}", f"J{self._day}"))
        for seat, card in zip(seats, self._rng.sample(DECK, len(seats)), strict=True):
            self.do(table.Draw(seat, card), 2)
        for _ in range(self._wanted.hands):
            self._hand()
            for seat in seats:
                stack = self.session.state.seats[seat].stack
                if stack is not None and stack < _LEAST:
                    self.do(table.Buy(seat, _BUY_IN - stack), 15)
        if close:
            self.do(table.CloseShift())
            self._now += 60
            for said in run_line(self.session, 1, 'floor 4711 close "end of the day"'):
                assert said["type"] != "refused", said
        self.session.close()

    def _hand(self) -> None:
        deck = self._rng.sample(DECK, len(DECK))
        self.do(table.StartHand(), 12)
        while self.session.state.hand is not None:
            self._next(deck)

    def _next(self, deck: list[Card]) -> None:
        """What the table waits for."""
        state, step = self.session.state.hand, self.session.step
        assert state is not None
        match step.what:
            case "deal" | "flop" | "turn" | "river":
                self.do(DealSealedCard(SealedCard(deck[state.next_slot or 0])), 0.6)
            case "act":
                said = choose(step, self._rng)
                if said.word == "call" and self._rng.random() < _TIGHT:
                    said = Intent("fold")
                self.do(hand.Act(said.word, said.amount), 3)  # type: ignore[arg-type]
            case "show":
                assert step.seat is not None
                if choose(step, self._rng).word == "muck":
                    self.do(hand.Muck(step.seat), 3)
                    return
                slots = enumerate(state.setup.slots[: state.hole_slots])
                held = tuple(deck[at] for at, slot in slots if slot.seat == step.seat)
                self.do(hand.Show(step.seat, held), 5)
            case "push":
                self.do(hand.Push(), 6)
            case other:
                raise AssertionError(f"nobody here can answer {other}")

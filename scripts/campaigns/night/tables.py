"""A night of hands that the console deals by itself, at four tables, with everything that can go
wrong: machines that fail, rulings of every kind, misdeals, kills, side pots, fees given back.

Beside each journal lies what the emulated shoe has dealt to whom, which the console never wrote.
`scripts/night` plays it at length; the tests run a short form of the same.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.dealer.change import Change, Do, Rule
from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.demo.emulated_table import QUICK, Rig
from omaha_table.demo.evening import DemoEvening
from omaha_table.floor import RULINGS, Give
from omaha_table.hand import Refused
from omaha_table.hand.commands import Undo
from omaha_table.log import set_up_log
from omaha_table.session.config import load_table
from omaha_table.shipped import config_dir
from omaha_table.table import commands as table
from tests.drivers.inside import next_card
from tests.ruling_words import random_words

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.dealer.console import Console
    from omaha_table.dealer.model import Model
    from omaha_table.session.answer import Answer

NAMES = ("Ada", "Ben", "Carmen", "Dov", "Esther", "Farid", "Grace", "Hugo", "Ines", "Jo")
PATIENCE = 400
"""So often the table may be looked at without anything new, before the floor helps."""
NOT_HERE = ("close", "binding", "rules")
"""Rulings that the night leaves out: it is told by one set of rules from its first hand on."""


@dataclass(frozen=True)
class Game:
    table: str
    rules: str
    limit: str
    seats: int
    stack: int
    jackpot: str = ""


GAMES = (
    Game("bigo", "ca_big_o", "4-8", 9, 120),
    Game("jack", "ca_omaha_hilo", "4-8", 8, 90, jackpot="1.00"),
    Game("plo", "ca_omaha_high", "5-5", 7, 150),
    Game("kill", "house_omaha_hilo", "6-12", 6, 140),
)


def written(game: Game, folder: Path) -> Path:
    """The table as a room would configure it, with rules of its own where it has a jackpot."""
    rules = (config_dir() / "rules" / f"{game.rules}.toml").read_text(encoding="utf-8")
    if game.jackpot:
        rules = rules.replace('.00" }', f'.00", jackpot = "{game.jackpot}" }}')
    (folder / f"{game.table}_rules.toml").write_text(rules)
    players = "".join(
        f'[[players]]\nseat = {seat}\nname = "{NAMES[seat - 1]}"\n'
        + ("" if seat == 2 else f'stack = "{game.stack + 20 * seat}.00"\n')
        for seat in range(1, game.seats + 1)
    )
    path = folder / f"{game.table}.toml"
    path.write_text(
        f'[table]\nid = "{game.table}"\nrules = "{game.table}_rules.toml"\n'
        f'limit = "{game.limit}"\n{players}'
    )
    return path


class KnownRig(Rig):
    """Machines that remember which card went to which seat."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, QUICK, seed)
        self.console: Console | None = None
        self.dealt: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def draw(self) -> None:
        session = self.console.session if self.console is not None else None
        if session is not None and session.state.hand is not None and session.step.what == "deal":
            seat = session.step.seat or 0
            self.dealt[session.state.hands][seat] += next_card(self.shoe.model)
        super().draw()


class Floor:
    """Rulings, undos, pushes of dealers, boxes, players who come and go: at random."""

    def __init__(self, game: Game, seed: int, rig: KnownRig) -> None:
        self._game, self._rng, self._rig = game, random.Random(seed), rig
        self._seen, self._idle = -1, 0
        self.given: Counter[str] = Counter()

    def __call__(self, console: Console) -> None:
        self._rig.console = console
        state = console.session.state
        if state.seq == self._seen:
            self._idle += 1
            if self._idle > (PATIENCE if console.session.step.what != "deck" else PATIENCE // 4):
                self._idle = 0
                self._help(console)
            return
        self._seen, self._idle = state.seq, 0
        if not isinstance(console.model.mode, AtTable):
            return
        roll = self._rng.random()
        if state.hand is None:
            for device in state.devices_out:
                self._give(console, "restore", device)
            if state.hands % 12 == 0 and (state.down is None or roll < 0.2):
                console.carry_out(Do(table.PushIn(f"D{self._rng.randint(101, 104)}")))
            if state.hands % 40 == 0 and state.shift != f"s{state.hands // 40}":
                if state.shift is not None:
                    console.carry_out(Do(table.CloseShift()))
                console.carry_out(
                    Do(table.OpenShift(f"s{state.hands // 40}", f"B{state.hands}", "J1"))
                )
            if roll < 0.25:
                self._seat(console)
            elif roll < 0.45:
                self._rule(console)
        elif roll < 0.012:
            self._rule(console)
        elif roll < 0.018:
            console.carry_out(Do(Undo()))

    def _seat(self, console: Console) -> None:
        rng, seat = self._rng, self._rng.randint(1, self._game.seats)
        state = console.session.state
        if seat not in state.seats:
            stack = rng.choice([None, 100_00, self._game.stack * 100])
            console.carry_out(Do(table.SeatPlayer(seat, rng.choice(NAMES), stack)))
        elif state.seats[seat].away:
            posting = rng.randrange(3) == 2
            console.carry_out(Do(table.PostOwed(seat) if posting else table.Back(seat)))
        elif len(state.seats) > 4 and rng.random() < 0.4:
            console.carry_out(Do(table.Away(seat) if rng.randrange(2) else table.Leave(seat)))

    def _rule(self, console: Console) -> None:
        session, rng = console.session, self._rng
        for _ in range(30):
            ruling = rng.choice([r for r in RULINGS if r.name not in NOT_HERE])
            if ruling.name == "device" and session.step.what != "act":
                continue
            words = random_words(ruling, session.state, rng)
            with contextlib.suppress(Refused):
                session.effect(Give((), ruling.name, words))
                self._give(console, ruling.name, *words)
                return

    def _give(self, console: Console, name: str, *words: str) -> bool:
        pins = ("4711", "9000")
        answers: list[Answer] = []

        def then(model: Model, answer: Answer) -> Change:
            answers.append(answer)
            return Change(model.leave_all())

        console.carry_out(Rule(Give(pins, name, (*words, "seen on camera")), then))
        given = all(answer.refusal is None for answer in answers)
        self.given[name] += given
        return given

    def _help(self, console: Console) -> None:
        """What a floor does when a table does not move: look at the cards, else call it off."""
        state = console.session.state
        if state.hand is None:
            if len(state.present) < 2:
                for seat, at in state.seats.items():
                    if at.away:
                        console.carry_out(Do(table.Back(seat)))
                return
            console.model = console.model.leave_all()
            if console.session.step.what == "deck":
                if not console.session.state.may_shuffle_by_hand:
                    self._give(console, "device", "shuffler")
                console.carry_out(Do(table.ReportDeck("manual")))
            return
        for name in ("playon", "misdeal", "void"):
            if self._give(console, name):
                self.given["help"] += 1
                return


def play(game: Game, folder: Path, hands: int, seed: int, faults: float = 0.002) -> dict[str, int]:
    """Deals hands into a journal of a folder; what was done to them is counted."""
    folder.mkdir(parents=True, exist_ok=True)
    set_up_log(file=folder / "console.log", on_terminal=False)
    rig = KnownRig(folder, seed)
    evening = DemoEvening(
        load_table(written(game, folder)),
        folder,
        rig,
        office=X25519PrivateKey.generate().public_key(),
        pace=QUICK,
        autoplay=True,
        hands=hands,
        seed=seed,
        headless=(80, 24),
        faults=faults,
    )
    floor = Floor(game, seed, rig)
    evening.watch = floor
    outcome = evening.run()
    assert not outcome.crashes, (folder / "console.log").read_text(encoding="utf-8")[-3000:]
    (folder / "dealt.json").write_text(json.dumps(rig.dealt))
    done = Counter({f"ruling {name}": count for name, count in floor.given.items()})
    if evening.faults is not None:
        done.update(evening.faults.made)
    (folder / "done.json").write_text(json.dumps(done))
    return dict(done)

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

from omaha_table.console.demo import QUICK, Rig
from omaha_table.console.run import Evening
from omaha_table.dealer.at_table import AtTable
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

    from omaha_table.dealer.controller import Front

NAMES = ("Ada", "Ben", "Carmen", "Dov", "Esther", "Farid", "Grace", "Hugo", "Ines", "Jo")
PATIENCE = 400
"""So often the table may be looked at without anything new, before the floor helps."""


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
        self.front: Front | None = None
        self.dealt: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def draw(self) -> None:
        session = self.front.session if self.front is not None else None
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

    def __call__(self, front: Front) -> None:
        self._rig.front = front
        state = front.session.state
        if state.seq == self._seen:
            self._idle += 1
            if self._idle > (PATIENCE if front.session.step.what != "deck" else PATIENCE // 4):
                self._idle = 0
                self._help(front)
            return
        self._seen, self._idle = state.seq, 0
        if not isinstance(front.mode, AtTable):
            return
        roll = self._rng.random()
        if state.hand is None:
            for device in state.devices_out:
                self._give(front, "restore", device)
            if state.hands % 12 == 0 and (state.down is None or roll < 0.2):
                front.do(table.PushIn(f"D{self._rng.randint(101, 104)}"))
            if state.hands % 40 == 0 and state.shift != f"s{state.hands // 40}":
                if state.shift is not None:
                    front.do(table.CloseShift())
                front.do(table.OpenShift(f"s{state.hands // 40}", f"B{state.hands}", "J1"))
            if roll < 0.25:
                self._seat(front)
            elif roll < 0.45:
                self._rule(front)
        elif roll < 0.012:
            self._rule(front)
        elif roll < 0.018:
            front.do(Undo())

    def _seat(self, front: Front) -> None:
        rng, seat = self._rng, self._rng.randint(1, self._game.seats)
        state = front.session.state
        if seat not in state.seats:
            stack = rng.choice([None, 100_00, self._game.stack * 100])
            front.do(table.SeatPlayer(seat, rng.choice(NAMES), stack))
        elif state.seats[seat].away:
            posting = rng.randrange(3) == 2
            front.do(table.PostOwed(seat) if posting else table.Back(seat))
        elif len(state.seats) > 4 and rng.random() < 0.4:
            front.do(table.Away(seat) if rng.randrange(2) else table.Leave(seat))

    def _rule(self, front: Front) -> None:
        session, rng = front.session, self._rng
        for _ in range(30):
            ruling = rng.choice([r for r in RULINGS if r.name not in ("close", "binding")])
            if ruling.name == "device" and session.step.what != "act":
                continue
            words = random_words(ruling, session.state, rng)
            with contextlib.suppress(Refused):
                session.effect(Give((), ruling.name, words))
                self._give(front, ruling.name, *words)
                return

    def _give(self, front: Front, name: str, *words: str) -> bool:
        pins = ("4711", "9000")
        answer = front.session.rule(Give(pins, name, (*words, "seen on camera")))
        front.leave_all()
        front.heard(answer.records)
        front.released()
        self.given[name] += answer.refusal is None
        return answer.refusal is None

    def _help(self, front: Front) -> None:
        """What a floor does when a table does not move: look at the cards, else call it off."""
        state = front.session.state
        if state.hand is None:
            if len(state.present) < 2:
                for seat, at in state.seats.items():
                    if at.away:
                        front.do(table.Back(seat))
                return
            front.leave_all()
            if front.session.step.what == "deck":
                front.do(table.ReportDeck("manual"))
            return
        for name in ("playon", "misdeal", "void"):
            if self._give(front, name):
                self.given["help"] += 1
                return


def play(game: Game, folder: Path, hands: int, seed: int, faults: float = 0.002) -> dict[str, int]:
    """Deals hands into a journal of a folder; what was done to them is counted."""
    folder.mkdir(parents=True, exist_ok=True)
    set_up_log(file=folder / "console.log", on_terminal=False)
    rig = KnownRig(folder, seed)
    evening = Evening(
        load_table(written(game, folder)),
        folder,
        None,
        office=X25519PrivateKey.generate().public_key(),
        rig=rig,
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
    if evening.gremlin is not None:
        done.update(evening.gremlin.faults)
    (folder / "done.json").write_text(json.dumps(done))
    return dict(done)

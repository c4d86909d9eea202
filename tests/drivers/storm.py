"""Decks through a line on which everything goes wrong: each card once and in order, or told lost.

`scripts/storm [--decks N] [--seed N] [--live]`; with --live on a real pty, through a supervisor,
with the cable pulled every few seconds.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from drivers.emulate import EmulatedShoe
from drivers.emulate.faults import Faults
from drivers.emulate.tdp import ShoeModel
from drivers.events import CardDrawn, DeviceEvent, EventsLost, Link, Restarted, ShoeLoaded
from drivers.sealed import reveal
from drivers.settings import DeviceSettings
from drivers.tdp import Tdp
from drivers.tdp_codec import CARDS
from tests.drivers.bench import Bench
from tests.drivers.live import Host

KEY = b"a key of thirty-two bytes, or so"
FAULTS = ("garbage", "split", "bad_check", "repeat", "lose", "reorder")


@dataclass
class Figures:
    decks: int = 0
    cards: int = 0
    told_lost: int = 0
    """Cards that did not come; each within a loss that was told."""
    losses: int = 0
    unplugs: int = 0


def account(events: list[DeviceEvent], decks: list[list[str]], figures: Figures) -> None:
    """Checks what was reported against what was dealt; raises where something is wrong."""
    expected = [(deck, number) for deck in range(len(decks)) for number in range(53)]
    position = 0
    allowed = 0
    for event in events:
        if isinstance(event, EventsLost):
            assert event.count is not None, "a loss without a number"
            figures.losses += 1
            allowed += event.count
            continue
        assert not isinstance(event, Restarted), "a restart that was none"
        if not isinstance(event, CardDrawn | ShoeLoaded):
            continue
        number = 0 if isinstance(event, ShoeLoaded) else event.number
        position += allowed
        figures.told_lost += allowed
        allowed = 0
        deck, due = expected[position]
        assert number == due, f"deck {deck}: {number} came where {due} was due"
        if isinstance(event, CardDrawn):
            assert event.card is not None
            assert reveal(event.card) == decks[deck][number - 1], f"deck {deck}: a wrong card"
            figures.cards += 1
        position += 1
    figures.told_lost += allowed
    assert position + allowed == len(expected), "events are missing and nobody was told"
    figures.decks += len(decks)


def shuffled(chance: random.Random) -> list[str]:
    return chance.sample(CARDS, 52)


def without_ports(count: int, seed: int, rate: float = 0.1) -> Figures:
    figures = Figures()
    chance = random.Random(seed)
    for deck in range(count):
        faults = Faults(FAULTS, seed * 100_003 + deck, rate)
        model = ShoeModel("SHOE-1", KEY, chance=random.Random(deck))
        settings = DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1", key=KEY)
        bench = Bench(Tdp(settings), model).open().run(0.1)
        bench.line = faults.pieces
        cards = shuffled(chance)
        model.load(cards)
        for _ in cards:
            model.draw()
            bench.run(0.1)
            if chance.random() < 0.03:
                figures.unplugs += 1
                bench.close()
                model.draw() if model.drawn < 52 else None
                bench.open()
        while model.drawn < 52:
            model.draw()
        bench.line = list
        bench.run(5)
        account(bench.events, [cards], figures)
    return figures


def on_a_pty(count: int, seed: int, rate: float = 0.1, pace: float = 0.01) -> Figures:
    figures = Figures()
    chance = random.Random(seed)
    decks = [shuffled(chance) for _ in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "shoe"
        faults = Faults((*FAULTS, "unplug"), seed, rate, every=2.0)
        shoe = EmulatedShoe(link, key=KEY, faults=faults)
        shoe.start()
        with Host(link, key=KEY, serial="SHOE-EMU-1") as host:
            host.wait_link(Link.LIVE)
            for deck in decks:
                shoe.load(deck)
                for _ in deck:
                    shoe.draw()
                    time.sleep(pace)
            faults.names = ()
            end = f"{shoe.model.session}:{shoe.model.last:08X}"
            host.wait(lambda: end in [report.place for report in host.reports[-60:]], 60)
            figures.unplugs = host.supervisor.status.counters["opened"] - 1
        shoe.stop()
    account(host.events, decks, figures)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.1, help="how often each fault strikes")
    parser.add_argument("--live", action="store_true", help="on a real pty, at a fast pace")
    given = parser.parse_args()
    start = time.monotonic()
    storm = on_a_pty if given.live else without_ports
    found = storm(given.decks, given.seed, given.rate)
    print(
        f"{found.decks:,} decks, {found.cards:,} cards once and in order, {found.told_lost:,} told "
        f"lost in {found.losses:,} losses, {found.unplugs:,} unplugs, none untold, "
        f"{time.monotonic() - start:.0f} s"
    )


if __name__ == "__main__":
    main()

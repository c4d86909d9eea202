"""Decks through a line on which everything goes wrong: each event once, in order, as it was sent.

`scripts/storm [--decks N] [--seed N] [--rate R] [--live | --table]`; with --live on a real pty,
through a supervisor, with the cable pulled every few seconds; with --table through the session into
the log, with restarts (`table_storm`). An event may be reported lost only where the
faults on the line explain it: `line_account` says how.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from omaha_drivers.conformance.bench import Bench
from omaha_drivers.emulate import EmulatedShoe
from omaha_drivers.emulate.faults import Faults
from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import Link
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_codec import CARDS
from omaha_drivers.transport import READ_WAIT, open_port

from scripts.campaigns import table_storm
from scripts.campaigns.line_account import Figures, LineAccount, Listened, Wrong
from tests.drivers.live import Host

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_drivers.adapter import Adapter, PortDefaults
    from omaha_drivers.events import Report
    from omaha_drivers.transport import Transport

    from scripts.campaigns.line_account import Said

KEY = b"a key of thirty-two bytes, or so"
FAULTS = ("garbage", "split", "bad_check", "repeat", "lose", "reorder")


def shuffled(chance: random.Random) -> list[str]:
    return chance.sample(CARDS, 52)


def listen_to(model: ShoeModel) -> list[Said]:
    """Every event that a model makes from now on, as it makes it."""
    said: list[Said] = []
    make = model.event

    def event(code: str, *args: str) -> None:
        said.append((code, args))
        make(code, *args)

    setattr(model, "event", event)  # noqa: B010 - a method of this one model
    return said


def without_ports(
    count: int,
    seed: int,
    rate: float = 0.1,
    *,
    names: Sequence[str] = FAULTS,
    unplugs: float = 0.03,
    restarts: float = 0.0,
    unheard: int = 0,
    driver: Callable[[Adapter], Adapter] = lambda adapter: adapter,
) -> Figures:
    """Each deck through a driver of its own; raises Wrong at what must not be.

    `unheard` decks are dealt with the cable out after the first half of each deck; with `driver`
    the driver under test is made to do wrong. After a card the host is killed with the probability
    `restarts`: a new driver resumes after the last event that was reported.
    """
    figures = Figures()
    chance, kills = random.Random(seed), random.Random(seed + 1)
    for deck in range(count):
        faults = Faults(names, seed * 100_003 + deck, rate)
        model = ShoeModel("SHOE-1", KEY, chance=random.Random(deck))
        said, account = listen_to(model), LineAccount()
        settings = DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1", key=KEY)

        def listened(token: str = "", settings: DeviceSettings = settings) -> Adapter:
            return Listened(driver(Tdp(settings, token)), account)  # noqa: B023 - of this deck

        bench = Bench(listened(), model).open().run(0.1)
        bench.line = faults.pieces
        model.load(shuffled(chance))
        for number in range(52):
            model.draw()
            bench.run(0.1)
            if kills.random() < restarts:
                figures.restarts += 1
                bench.adapter = listened(next(filter(None, reversed(bench.places)), ""))
                bench.open()
            pulled = chance.random() < unplugs
            if pulled or (unheard and number == 26):
                figures.unplugs += 1
                bench.close()
                model.draw()
                for _ in range(unheard if number == 26 else 0):
                    model.load(shuffled(chance))
                    for _ in range(52):
                        model.draw()
                bench.open()
        bench.line = list
        bench.run(5)
        account.check(model.session, said, figures)
        figures.decks += 1
        figures.add(faults.struck)
    return figures


class _Port:
    """A port, with everything that is read and written kept in an account."""

    def __init__(self, port: Transport, account: LineAccount) -> None:
        self._port, self._account = port, account
        account.opened(time.monotonic())

    def read(self, wait: float = READ_WAIT) -> bytes:
        data = self._port.read(wait)
        self._account.heard(time.monotonic(), data)
        return data

    def write(self, data: bytes) -> None:
        self._account.asked(time.monotonic(), data)
        self._port.write(data)

    def wake(self) -> None:
        self._port.wake()

    def close(self) -> None:
        self._port.close()


def on_a_pty(
    count: int,
    seed: int,
    rate: float = 0.1,
    pace: float = 0.01,
    *,
    driver: Callable[[Report], Sequence[Report]] = lambda report: (report,),
) -> Figures:
    """The same through a real port and a supervisor; with `driver` the reports are changed."""
    figures, account = Figures(), LineAccount()
    chance = random.Random(seed)

    def opened(path: str, speed: int, defaults: PortDefaults) -> Transport:
        return _Port(open_port(path, speed, defaults), account)

    def sink(report: Report) -> None:
        for each in driver(report):
            account.reported(time.monotonic(), each.event, each.resume_token)
        host.keep(report)

    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "shoe"
        faults = Faults((*FAULTS, "unplug"), seed, rate, every=2.0)
        shoe = EmulatedShoe(link, key=KEY, faults=faults)
        said = listen_to(shoe.model)
        shoe.start()
        try:
            host = Host(link, key=KEY, serial="SHOE-EMU-1", open_port=opened, sink=sink)
            with host:
                host.wait_link(Link.LIVE)
                for _ in range(count):
                    shoe.load(shuffled(chance))
                    for _ in range(52):
                        shoe.draw()
                        time.sleep(pace)
                faults.names = ()
                end = f"{shoe.model.session}:{shoe.model.last:08X}"
                host.wait(lambda: end in [report.resume_token for report in host.reports[-60:]], 60)
                figures.unplugs = host.supervisor.status.counters["opened"] - 1
        finally:
            shoe.stop()
    account.check(shoe.model.session, said, figures)
    figures.decks = count
    figures.add(faults.struck)
    return figures


def uncompared(figures: Figures) -> str:
    """Why these figures prove nothing; empty where they do."""
    if not figures.compared or figures.compared + figures.lost != figures.sent:
        return f"{figures.compared:,} of {figures.sent:,} events were compared"
    if figures.lost and not (figures.unplugs or any(figures.struck.values())):
        return f"{figures.lost:,} events were lost on a line without a fault"
    return ""


def report(found: Figures) -> str:
    struck = {name: count for name, count in sorted(found.struck.items()) if count}
    return (
        f"{found.decks:,} decks, {found.sent:,} events sent, {found.compared:,} compared "
        f"({found.cards:,} cards): as sent, once and in order; {found.lost:,} reported lost in "
        f"{found.losses:,} losses, each explained; {found.unplugs:,} unplugs, {found.restarts:,} "
        f"restarts of the host, faults {struck}"
    )


def to_the_log(decks: int, seed: int, rate: float, start: float) -> int:
    try:
        found = table_storm.at_the_table(decks, seed, rate)
    except AssertionError as wrong:
        print(f"WRONG: {wrong}; seed {seed}")
        return 1
    print(f"{table_storm.report(found)}; {time.monotonic() - start:.0f} s; seed {seed}")
    if why := table_storm.unshown(found):
        print(f"NOT SHOWN: {why}")
        return 1
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.1, help="how often each fault strikes")
    parser.add_argument("--live", action="store_true", help="on a real pty, at a fast pace")
    parser.add_argument("--table", action="store_true", help="to the log, with restarts")
    given = parser.parse_args()
    start = time.monotonic()
    if given.table:
        return to_the_log(given.decks, given.seed, given.rate, start)
    try:
        if given.live:
            found = on_a_pty(given.decks, given.seed, given.rate)
        else:
            found = without_ports(given.decks, given.seed, given.rate, restarts=0.02)
    except Wrong as wrong:
        print(f"WRONG: {wrong}; seed {given.seed}")
        return 1
    print(f"{report(found)}; {time.monotonic() - start:.0f} s; seed {given.seed}")
    if why := uncompared(found):
        print(f"NOT SHOWN: {why}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

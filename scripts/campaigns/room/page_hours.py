"""A shift of many tables under the page: hands at random, calls, rulings, lost connections.

At the end every box is counted at the page, and page, PostgreSQL and journals must agree to the
cent. Exit status 1: they do not.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from omaha_table.cli import omaha_table
from omaha_table.journal.reader import Reader
from omaha_table.money import format_dollars
from omaha_table.review.index.box_openings import opened_boxes
from omaha_table.room.database import connect, upgrade
from omaha_table.room.embedded import EmbeddedServer
from omaha_table.room.page.box_words import path_of
from omaha_table.rules import load_profile
from tests.counters import PINS
from tests.room.page.rooms import Table, Visitor, fields, served, text

if TYPE_CHECKING:
    from omaha_table.room.database import Connection

RULES = ("ca_big_o", "ca_omaha_hilo", "house_omaha_hilo", "ca_omaha_high")


@dataclass
class Shift:
    owner: Connection
    tables: list[Table]
    visitor: Visitor
    rng: random.Random
    done: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def step(self) -> None:
        """Something happens at some table, or to its connection."""
        table, what = self.rng.choice(self.tables), self.rng.random()
        night = table.night
        if what < 0.7:
            kind = "hand"
            night.play(1)
        elif what < 0.8:
            kind = "misdeal"
            night.say("deal", 'floor 4711 misdeal "two cards exposed"')
        elif what < 0.9:
            kind = "call"
            night.say("callfloor")
            table.ship()
            self.check(table.night.table, "Floor called")
            night.say("callfloor off")
        elif what < 0.95:
            kind = "dealer"
            night.say(f"down D{self.rng.randint(100, 120)}")
        else:
            kind = "lost connections"
            self.owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                "pid <> pg_backend_pid() AND usename = 'postgres' AND datname = current_database()"
            )
        self.done[kind] = self.done.get(kind, 0) + 1
        table.ship()

    def check(self, name: str, words: str) -> None:
        """The tile says it soon."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            page = self.visitor.get("/").text
            tile = page.partition(f'id="tile-{name}"')[2].partition("</li>")[0]
            if words in tile:
                return
            time.sleep(0.05)
        self.wrong.append(f"{name} never says: {words}")

    def count(self, table: Table) -> None:
        """Its box is counted at the page with what the journal says, and must agree."""
        name = table.night.table
        hands, fees, jackpots = in_journal(table)
        if in_room(self.owner, name) != (hands, fees, jackpots):
            self.wrong.append(f"{name}: PostgreSQL and the journal differ")
        [box] = opened_boxes([*table.night.folder.glob(f"{name}-*.journal")])
        shown = self.visitor.get(path_of(box)).text
        typed = self.visitor.client.post("/box/check", data=fields(shown) | {
            "amount": f"{fees / 100:.2f}", "jackpot_amount": f"{jackpots / 100:.2f}",
        })  # fmt: skip
        signed = self.visitor.client.post("/box/count", data=fields(typed.text) | {
            "number1": "F1", "pin1": PINS["F1"], "number2": "S1", "pin2": PINS["S1"],
        })  # fmt: skip
        said = text(signed)
        if f"Agrees counted {format_dollars(fees)}, due {format_dollars(fees)}" not in said:
            self.wrong.append(f"{name}: the page does not agree with {format_dollars(fees)}")
        day = text(self.visitor.get("/day"))
        if f" {name} {hands} {format_dollars(fees)} {format_dollars(jackpots)} " not in day:
            self.wrong.append(f"{name}: the day view has other sums")


def in_journal(table: Table) -> tuple[int, int, int]:
    """Hands, fees and jackpots, from the rows of the files and nothing else."""
    played = []
    for path in table.night.folder.glob(f"{table.night.table}-*.journal"):
        with Reader(path) as journal:
            ended = [json.loads(row.body) for row in journal.since() if row.kind == "hand_ended"]
        played += [one for one in ended if one["outcome"] not in ("misdeal", "void")]
    return len(played), sum(one["fee"] for one in played), sum(one["jackpot"] for one in played)


def in_room(owner: Connection, table: str) -> tuple[int, int, int]:
    found = owner.execute(
        "SELECT count(*), coalesce(sum((body::json ->> 'fee')::bigint), 0), "
        "coalesce(sum((body::json ->> 'jackpot')::bigint), 0) FROM room.event WHERE source = %s "
        "AND kind = 'hand_ended' AND body::json ->> 'outcome' NOT IN ('misdeal', 'void')",
        (table,),
    ).fetchone()
    assert found is not None
    hands, fees, jackpots = map(int, found)
    return hands, fees, jackpots


def run(minutes: float, count: int, seed: int) -> list[str]:
    with (
        EmbeddedServer() as server,
        tempfile.TemporaryDirectory() as name,
        closing(connect(server.url())) as owner,
    ):
        folder = Path(name)
        upgrade(owner)
        tables = []
        for number in range(1, count + 1):
            rules = load_profile(RULES[number % len(RULES)])
            table = Table.open(owner, folder, f"t{number}", rules, 4 + number % 5)
            tables.append(table.say(f"shift swing B{number} J{number}", "down D100"))
        with served(server.url(), folder / "office") as page:
            visitor = Visitor(page.address)
            visitor.sign_in("F1")
            shift = Shift(owner, tables, visitor, random.Random(seed))
            end = time.monotonic() + 60 * minutes
            while time.monotonic() < end:
                shift.step()
                if visitor.get("/").url.path != "/":
                    visitor.sign_in("F1")
            for table in tables:
                table.say("shift close")
            while visitor.get("/boxes").status_code != 200:
                time.sleep(1)
            for table in tables:
                shift.count(table)
            visitor.client.close()
        for table in tables:
            table.close()
        try:
            omaha_table(["verify", str(folder / "office")])
        except SystemExit as ended:
            if ended.code:
                shift.wrong.append("the office journal is not sound")
        print(f"{count} tables, {minutes:g} minutes: {shift.done}")
        return shift.wrong


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--minutes", type=float, default=60.0)
    given.add_argument("--tables", type=int, default=12)
    given.add_argument("--seed", type=int, default=1)
    chosen = given.parse_args()
    wrong = run(chosen.minutes, chosen.tables, chosen.seed)
    for line in wrong:
        print(line)
    print("Page, PostgreSQL and journals agree." if not wrong else f"{len(wrong)} are wrong.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

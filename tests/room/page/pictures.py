"""Draws the pictures of the floor's page for the docs, from a real browser: `scripts/pictures`."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

from psycopg.types.json import Jsonb

from omaha_table.room.database import connect, upgrade
from omaha_table.room.embedded import EmbeddedServer
from omaha_table.room.witness import Witness, witness_key
from omaha_table.room.witness_record import WitnessRecord
from omaha_table.rules import load_profile
from tests.counters import PINS
from tests.paths import ROOT
from tests.room.page.browser import Browser
from tests.room.page.counting import path
from tests.room.page.rooms import Table, served

NAMES = ("ca_big_o", "ca_omaha_hilo", "house_omaha_hilo", "ca_omaha_high")


def main() -> None:
    to = ROOT / "docs" / "pictures"
    with (
        EmbeddedServer(settings=("fsync=off",)) as server,
        tempfile.TemporaryDirectory() as name,
        closing(connect(server.url())) as owner,
    ):
        folder = Path(name)
        upgrade(owner)
        tables = []
        for number in range(1, 9):
            rules = load_profile(NAMES[number % len(NAMES)])
            table = Table.open(owner, folder, f"t{number}", rules, 5 + number % 4)
            table.night.say(f"shift swing B{number} J{number}", f"down D{100 + number}")
            table.night.play(2 + number % 3)
            tables.append(table.ship())
        tables[1].say("hand", "deal")
        tables[5].say("hand", "deal", "call", "call")
        tables[3].say("callfloor")
        tables[6].say("shift close")
        for number, table in enumerate(tables, start=1):
            jam = {"name": "SHUF", "state": "fault", "doing": "jam"}
            beat = {"title": f"Table {number}", "devices": [jam] if number == 6 else []}
            table.room.execute("SELECT room.beat(%s)", (Jsonb(beat),))
        with closing(WitnessRecord(folder / "witness.signed")) as record:
            Witness(witness_key(folder / "witness.key"), record, print).look(owner)
        with (
            served(server.url(), folder / "office", establishment="Silver Creek") as page,
            Browser(folder / "browser") as browser,
        ):
            tab = browser.open()
            tab.size((1200, 620))
            tab.dark()
            tab.go(page.address)
            tab.fill(number="F1", pin=PINS["F1"])
            tab.submit("Open seats")
            tab.wait("document.querySelectorAll('.tile').length == 8")
            tab.picture(to / "floor_page.png")
            tab.size((900, 760))
            tab.dark(on=False)
            tab.go(page.address + path(tables[6])[1:])
            tab.fill(amount="9")
            tab.submit("Two persons sign")
            tab.picture(to / "floor_page_count.png")
        for table in tables:
            table.close()


if __name__ == "__main__":
    main()

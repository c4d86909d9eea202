"""From an event at a table to the changed tile in browsers, with 60 tables and 20 viewers.

    PYTHONPATH=.:drivers .venv/bin/python -P scripts/benchmarks/floor_page.py [--tables 60]

Each table sends about one event a second, as in a real room. A viewer is an open stream; the time
is taken when the change has arrived at it. Needs the embedded PostgreSQL.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlsplit

from omaha_table.room.database import connect, upgrade
from omaha_table.room.embedded import EmbeddedServer
from tests.room.page.rooms import Table, Visitor, served

CALLS = 120
"""How often a table calls the floor: each is timed at every viewer."""


class Viewer(threading.Thread):
    """An open page: notes when each tile says something new."""

    def __init__(self, address: str, cookie: str) -> None:
        super().__init__(daemon=True)
        self._parts, self._cookie = urlsplit(address), cookie
        self.seen: list[tuple[float, str, bool]] = []
        self.bytes = 0

    def run(self) -> None:
        line = http.client.HTTPConnection(self._parts.hostname or "", self._parts.port or 80)
        line.request("GET", "/events", headers={"Cookie": self._cookie})
        answer = line.getresponse()
        while part := answer.readline():
            self.bytes += len(part)
            if part.startswith(b"data: ") and b'"tiles"' in part:
                now = time.perf_counter()
                for tile in json.loads(part[6:])["tiles"]:
                    self.seen.append((now, tile["id"], "Floor called" in tile["html"]))


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--tables", type=int, default=60)
    given.add_argument("--viewers", type=int, default=20)
    chosen = given.parse_args()
    with EmbeddedServer() as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with closing(connect(server.url())) as owner:
            upgrade(owner)
            tables = [
                Table.open(owner, folder, f"t{number}", seats=6)
                for number in range(1, chosen.tables + 1)
            ]
            for table in tables:
                table.say("shift swing B1 J1", "down D1")
            with served(server.url(), folder / "office") as page:
                measure(page.address, tables, chosen.viewers)
            for table in tables:
                table.close()


def measure(address: str, tables: list[Table], viewers: int) -> None:
    visitor = Visitor(address)
    visitor.sign_in("F1")
    while visitor.get("/").text.count('<li class="tile') < len(tables):
        time.sleep(0.1)
    size = len(visitor.get("/").content)
    cookie = f"omaha={visitor.client.cookies['omaha']}"
    looking = [Viewer(address, cookie) for _ in range(viewers)]
    for viewer in looking:
        viewer.start()
    time.sleep(2)
    sent: dict[tuple[str, int], float] = {}
    lags_of_tables: list[float] = []
    rng, cpu, began = random.Random(1), os.times(), time.perf_counter()
    state = dict.fromkeys((table.night.table for table in tables), 0)
    for call in range(CALLS):
        # One event a second and table: in each sixtieth of a second another table's turn.
        for table in rng.sample(tables, min(len(tables), 30)):
            tick = time.perf_counter()
            name = table.night.table
            state[name] += 1
            table.say("callfloor" if state[name] % 2 else "callfloor off")
            shipped = time.perf_counter()
            lags_of_tables.append(shipped - tick)
            sent[name, state[name]] = shipped
        left = began + (call + 1) * 0.5 - time.perf_counter()
        if left > 0:
            time.sleep(left)
    time.sleep(2)
    spent = os.times()
    lags = []
    for viewer in looking:
        by_table: dict[str, list[tuple[float, bool]]] = {}
        for at, name, called in viewer.seen:
            by_table.setdefault(name, []).append((at, called))
        for (name, number), at in sent.items():
            wanted = bool(number % 2)
            found = next((t for t, called in by_table.get(name, []) if t >= at - 0.05
                          and called == wanted), None)  # fmt: skip
            if found is not None:
                lags.append(max(found - at, 0.0))
    share = (spent.user + spent.system - cpu.user - cpu.system) / (time.perf_counter() - began)
    report("event at a table to tile", lags)
    report("an event: to the journal and the room", lags_of_tables)
    expected = len(sent) * viewers
    print(f"{len(lags):,} of {expected:,} changes seen by {viewers} viewers")
    print(f"page of {len(tables)} tables: {size / 1000:.0f} kB")
    print(f"streams: {sum(v.bytes for v in looking) / viewers / 1000:.0f} kB to each viewer")
    print(f"tables, shippers, page and viewers in one process: {share:.2f} of a core")
    visitor.client.close()


def report(what: str, lags: list[float]) -> None:
    cuts = quantiles(lags, n=100)
    print(f"{what}: p50 {cuts[49] * 1000:.0f} ms, p95 {cuts[94] * 1000:.0f} ms, "
          f"p99 {cuts[98] * 1000:.0f} ms, most {max(lags) * 1000:.0f} ms")  # fmt: skip


if __name__ == "__main__":
    main()

"""The campaign of `scripts/night`: one process a table, then everything is checked."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from omaha_table.journal.verification import files_in, verify
from scripts.campaigns.night.checks import check, not_shown
from scripts.campaigns.night.tables import GAMES, play


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=900, help="over all tables")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--out", type=Path, help="a folder that is kept")
    parser.add_argument("--table", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.table:
        [game] = [game for game in GAMES if game.table == given.table]
        play(game, given.out, given.hands, given.seed)
        return 0
    with tempfile.TemporaryDirectory() as name:
        return night(given.out or Path(name), given.hands // len(GAMES), given.seed)


def night(folder: Path, hands: int, seed: int) -> int:
    running = {
        game.table: subprocess.Popen(
            [sys.executable, "-P", "-m", "scripts.campaigns.night.campaign", "--table", game.table,
             "--hands", str(hands), "--seed", str(seed + n), "--out", str(folder / game.table)]
        )
        for n, game in enumerate(GAMES)
    }  # fmt: skip
    failed = [table for table, process in running.items() if process.wait()]
    if failed:
        print(f"failed: {', '.join(failed)}")
        return 1
    total: Counter[str] = Counter()
    for game in GAMES:
        [journal] = files_in(folder / game.table)
        assert verify([journal]).sound, journal
        counted = check(journal, folder / "out" / game.table)
        assert counted["hands"] >= hands > 0, counted
        total += counted
        print(f"{game.table}: " + ", ".join(f"{what} {n:,}" for what, n in counted.items()))
    print("all: " + ", ".join(f"{what} {n:,}" for what, n in total.items()) + f"; seed {seed}")
    missed = not_shown(total)
    if missed:
        print(f"not shown, play more hands: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""One table of the drill: deals for ever, and prints the number of each event that is on disk.

`python -m scripts.campaigns.room.dealer FOLDER NAME SEED SECONDS`: one command every SECONDS.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from omaha_table.cards import DECK
from omaha_table.floor.files import demo_staff
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evening_text import next_line
from tests.evenings import opening

SEATS = 6


def lines_of(session: Session, rng: random.Random) -> list[str]:
    """What the dealer keys next, from wherever the table stands."""
    state = session.state
    if not state.seats:
        return [f"seat {seat} P{seat} 5000" for seat in range(1, SEATS + 1)]
    if session.step.what == "draw" or state.button is None:
        return [*opening(state.profile, SEATS, range(1, SEATS + 1))]
    if state.hand is None:
        poor = [seat for seat, at in state.seats.items() if (at.stack or 0) < 50_000]
        return [*(f"buy {seat} 5000" for seat in poor), "hand", "deal"]
    deck = [card.text for card in rng.sample(DECK, 52)]
    return [next_line(session, rng, deck, shoe=False)]


def deal(folder: Path, name: str, seed: int, pause: float) -> None:
    profile = load_profile("ca_big_o")
    session = Session.on_journal(folder, name, profile, profile.limits[0], demo_staff())
    rng = random.Random(f"{seed} {session.state.seq}")
    while True:
        for line in lines_of(session, rng):
            # A card that lies somewhere already is refused; the next try has another one.
            for answer in run_line(session, 1, line):
                if "seq" in answer:
                    print(answer["seq"], flush=True)
            time.sleep(pause)


if __name__ == "__main__":
    where, table, given_seed, given_pause = sys.argv[1:]
    deal(Path(where), table, int(given_seed), float(given_pause))

"""E29 as a shift that was really dealt: 197 hands to eight seats and ever fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import profile_with
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHIFT = {8: (62, 9), 7: (88, 6), 6: (31, 2), 5: (9, 0), 4: (5, 0), 3: (2, 0)}
"""E29: how many hands were dealt to how many seats, and how many of them ended before the flop."""


def lines() -> Iterator[str]:
    yield from (f"seat {seat} P{seat}" for seat in range(1, 9))
    yield "button 8"
    yield "shift swing B7 J7"
    yield "down D114"
    undone = False
    for seats, (count, early) in SHIFT.items():
        if seats < 8:
            yield f"leave {seats + 1}"
        for hand in range(count):
            yield "deal"
            if hand < early:
                yield from ["fold"] * (seats - 1)
                yield "push"
                continue
            yield from ["call"] * (seats - 1)
            yield "check"
            if seats == 6 and not undone:
                undone = True
                yield "flop 7c 5h 3s"
                yield "undo"
            yield "flop 7c 5h 2s"
            yield "check around"
            yield "turn Kd"
            yield "check around"
            yield "river As"
            yield "check around"
            yield "high 1"
            yield "low 2"
            yield "push"
    yield "shift close"


def play_e29(folder: Path) -> Path:
    fees = [
        {"players": "7+", "fee": "5.00", "jackpot": "1.00"},
        {"players": "5-6", "fee": "4.00", "jackpot": "1.00"},
        {"players": "2-4", "fee": "3.00", "jackpot": "1.00"},
    ]
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00", "fees": fees}  # fmt: skip
    profile = profile_with("ca_big_o", limit=limit)
    session = Session.on_journal(folder, "t7", profile, profile.limits[0], without_dealers())
    for line in lines():
        for answer in run_line(session, 1, line):
            assert answer["type"] != "refused", (line, answer)
    session.close()
    return folder

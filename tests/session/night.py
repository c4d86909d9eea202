"""A table that deals through the night, for the tests of what happens at six in the morning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import codes, of_type, profile_with
from tests.review.found import Wall
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from pathlib import Path

RULES = profile_with(
    "house_omaha_hilo",
    button={"initial": "placed"},
    limit={
        "id": "6-12",
        "structure": "limit",
        "small_bet": "6.00",
        "big_bet": "12.00",
        "small_blind": "3.00",
        "big_blind": "6.00",
        "fees": [{"players": "2+", "fee": "3.00", "jackpot": "1.00"}],
        "kill": {
            "kind": "half",
            "small_bet": "9.00",
            "big_bet": "18.00",
            "blind": "9.00",
            "threshold": "60.00",
        },
    },
)
SEATS = (
    "seat 1 Ada 200", "seat 3 Ben 150", "seat 4 Cara", "seat 6 Dan 300", "seat 8 Eve 90",
    "button 8", "shift night B7 J7", "down Dee",
)  # fmt: skip
BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")
FOLDED = ("deal", "fold", "fold", "fold", "fold", "push")
"""The blinds alone, and no flop."""
SCOOPED = (
    *("deal", "raise", "call", "call", "call", "call", *BOARD, "high 6", "low none", "push"),
)
"""Five put 12 in: 60, of which one wins all: the next hand is a kill."""


def open_session(folder: Path, wall: Wall) -> Session:
    return Session.on_journal(
        folder, "t7", RULES, RULES.limits[0], without_dealers(), clock=wall.clock
    )


def say(session: Session, *lines: str) -> list[dict[str, Any]]:
    answers = [a for line in lines for a in run_line(session, 1, line)]
    assert not codes(answers), of_type(answers, "refused")
    return answers


def past_six(wall: Wall) -> None:
    wall.at = Wall(2026, 11, 15, 6, 0, 1).at


def journals(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.journal"))

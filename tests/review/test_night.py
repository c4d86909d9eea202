"""Nights with everything in them, told by every export; `scripts/night` plays a long one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.desk.verify import files_in, verify
from tests.evenings import profile_with
from tests.review.check import check
from tests.review.night import GAMES, play
from tests.table.test_evenings import Night

if TYPE_CHECKING:
    from pathlib import Path

    from tests.review.night import Game

FEES = [
    {"players": "7+", "fee": "5.00", "jackpot": "2.00"},
    {"players": "5-6", "fee": "4.00", "jackpot": "1.00"},
    {"players": "2-4", "fee": "3.00", "jackpot": "1.00"},
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.table)
def test_a_night_at_the_console_with_faults_and_rulings_is_exported_to_the_cent(
    tmp_path: Path, game: Game
) -> None:
    play(game, tmp_path, 4, seed=9)
    assert verify(files_in(tmp_path)).sound
    counted = check(files_in(tmp_path)[0], tmp_path / "out")
    assert counted["hands"] >= 4
    assert counted["face-down cards looked for"]


@pytest.mark.parametrize(("base", "seed"), [("ca_omaha_hilo", 1), ("ca_big_o", 2)])
def test_a_night_of_rulings_at_the_desk_is_exported_to_the_cent(
    tmp_path: Path, base: str, seed: int
) -> None:
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00", "fees": FEES}  # fmt: skip
    night = Night(profile_with(base, limit=limit), "4-8", seed, tmp_path)
    night.evening.pace = 2.5
    night.deal(40)
    night.evening.desk.close()
    counted = check(files_in(tmp_path)[0], tmp_path / "out")
    for what in ("rulings", "side pots", "waived", "jackpot, cents"):
        assert counted[what], what

"""A drop that a side pot has paid: what the log, the exports and the reports say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.verification import files_in, verify
from omaha_table.review.exchange.as_json import json_of
from omaha_table.review.exchange.ohh import ohh_of
from omaha_table.review.index.drop import total
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.hands import Played

ALL_IN_FOR_A_DOLLAR = (
    *("seat 1 Ada", "seat 2 Ben", "seat 3 Cam", "draw 1 5d", "draw 2 8s", "draw 3 Qh", "deal"),
    *("3 allin 1", "1 raise", "2 call", "flop 7c 5h 2s", "1 bet", "2 raise", "1 call"),
    *("turn Kd", "1 bet", "2 call", "river As", "check around"),
    *("high 3", "high 1", "low none", "push"),
)
"""8-16: a main pot of $3 and a side pot of $94, of which the fee of $3 is taken."""


@pytest.fixture
def hand(tmp_path: Path) -> Played:
    night = Night(tmp_path, "ca_big_o", "8-16")
    night.say(*ALL_IN_FOR_A_DOLLAR)
    [played] = read(night.close())
    return played


def test_the_log_is_sound_and_the_fee_is_due(hand: Played, tmp_path: Path) -> None:
    assert verify(files_in(tmp_path)).damage == []
    drop = total([hand])
    assert (drop.due, drop.waived, drop.pots) == (3_00, 0, 97_00)


def test_the_summary_names_the_pot_that_paid(hand: Played) -> None:
    summary = json_of(hand)["summary"]
    assert (summary["fee"], summary["drop_from"]) == (3_00, 1)


def test_the_rake_is_in_the_pot_that_paid(hand: Played) -> None:
    main, side = ohh_of(hand)["ohh"]["pots"]
    assert (main["amount"], main["rake"]) == (3.0, 0.0)
    assert (side["amount"], side["rake"]) == (94.0, 3.0)
    assert [won["win_amount"] for won in side["player_wins"]] == [91.0]

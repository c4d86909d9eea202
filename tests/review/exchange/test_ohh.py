from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.exchange.ohh import ohh_of
from tests.review.nights import STACK, Night, read
from tests.review.ohh_schema import Hand

if TYPE_CHECKING:
    from pathlib import Path


def cents(amount: float | None) -> int:
    return round((amount or 0) * 100)


@pytest.mark.parametrize(
    ("rules", "limit", "stack"),
    [
        ("ca_big_o", None, None),
        ("ca_omaha_high", "5-5", STACK),
        ("ca_omaha_high", "5-100", STACK),
        ("house_omaha_hilo", None, STACK),
    ],
)
def test_the_objects_are_as_specified_and_add_up_to_the_journal(
    tmp_path: Path, rules: str, limit: str | None, stack: int | None
) -> None:
    path = Night(tmp_path, rules, limit, seed=8).seat(7, stack).play(40).close()
    for played in read(path):
        ended = played.ended
        assert ended is not None
        hand = Hand.model_validate_json(json.dumps(ohh_of(played)["ohh"]))
        put_in = dict.fromkeys(played.started.dealt, 0)
        numbers = []
        for part in hand.rounds:
            for action in part.actions:
                put_in[action.player_id] += cents(action.amount)
                numbers.append(action.action_number)
        assert numbers == list(range(1, len(numbers) + 1))
        for seat, total in put_in.items():
            assert total - ended.returned.get(seat, 0) == ended.invested[seat]
        won = dict.fromkeys(put_in, 0)
        for pot in hand.pots:
            for win in pot.player_wins:
                won[win.player_id] += cents(win.win_amount)
        assert {seat: total for seat, total in won.items() if total} == ended.awards
        assert sum(cents(pot.rake) for pot in hand.pots) == ended.fee
        assert sum(cents(pot.amount) for pot in hand.pots) == played.pot
        board = [card for part in hand.rounds for card in part.cards]
        assert board == [card.text for card in ended.board]


def test_five_hole_cards_and_unknown_stacks_are_said_beside_the_object(tmp_path: Path) -> None:
    path = Night(tmp_path, "ca_big_o").seat(3).play(1).close()
    beside = ohh_of(read(path)[0])["_omaha_table"]
    assert beside["variant"] == "_F5O/8"
    assert beside["hole_cards"] == 5
    assert sorted(beside["untracked_player_ids"]) == [1, 2, 3]

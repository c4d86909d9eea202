"""Pots of games whose low needs a seven, a nine, or only five different ranks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evenings import codes, hand_end, of_type, profile_with, run
from tests.hand.lines import seats


def game(qualifier: object) -> Any:
    return profile_with(
        "ca_omaha_hilo",
        game={"low_qualifier": qualifier},
        button={"initial": "placed"},
        fee={"short_pot": "waive"},
        limit={
            "id": "4-8",
            "structure": "limit",
            "small_bet": "4.00",
            "big_bet": "8.00",
            "small_blind": "2.00",
            "big_blind": "4.00",
            "fees": [{"players": "2+", "fee": "0.00"}],
        },
    )


def limped(board: str, *hands: str) -> str:
    """Three seats put $4 in each and check to the showdown: a pot of $12."""
    flop, turn, river = board[:8], board[9:11], board[12:]
    shows = "\n".join(f"show {seat} {hand}" for seat, hand in enumerate(hands, start=1))
    streets = f"flop {flop}\ncheck around\nturn {turn}\ncheck around\nriver {river}\ncheck around\n"
    return f"{seats([1, 2, 3])}\nbutton 3\ndeal\ncall\ncall\ncheck\n{streets}{shows}"


NINE = limped("9c 5h 2s Kd Qs", "Kc Kh 9d 9h", "Ah 3d Jc Jh", "8c 7d Js Jd")
"""Seat 1 has three kings, seat 2 a 9-5-3-2-A, seat 3 a 9-8-7-5-2."""


@pytest.mark.parametrize(
    ("qualifier", "awards"),
    [
        (7, {"1": 1200}),
        (8, {"1": 1200}),
        (9, {"1": 600, "2": 600}),
        ("none", {"1": 600, "2": 600}),
        (0, {"1": 600, "2": 600}),
    ],
)
def test_a_nine_low_wins_half_only_where_nines_qualify(
    qualifier: object, awards: dict[str, int]
) -> None:
    assert hand_end(run(NINE + "\npush", game(qualifier)))["awards"] == awards


def test_an_eight_low_wins_nothing_where_a_seven_is_needed() -> None:
    script = limped("7c 5h 2s Kd Qs", "Kc Kh 9d 9h", "Ah 8d Jc Jh", "9c 9s Js Jd") + "\npush"
    assert hand_end(run(script, game(7)))["awards"] == {"1": 1200}
    assert hand_end(run(script, game(8)))["awards"] == {"1": 600, "2": 600}


def test_without_a_qualifier_a_pair_is_still_no_low() -> None:
    """Two ranks on the board: no hand can make five different ones."""
    script = limped("Kd Ks Qh Qc Qd", "Ah 2d 3c 4s", "Ac 5d 6c 7s", "Ad 8d 9c Ts")
    answers = run(script + "\npush", game("none"))
    assert not codes(answers)
    [ended] = of_type(answers, "hand_ended")
    assert ended["pots"][0]["low"] == {}


@pytest.mark.parametrize(
    ("qualifier", "board", "possible"),
    [
        (7, "8c 5h 2s Kd Qs", False),
        (8, "8c 5h 2s Kd Qs", True),
        (9, "9c 5h 2s Kd Qs", True),
        (9, "Tc 5h 2s Kd Qs", False),
        ("none", "Tc 5h 2s Kd Qs", True),
        ("none", "Kc Kh Qs Qd Qc", False),
    ],
)
def test_a_dealer_can_read_a_low_where_the_board_allows_one(
    qualifier: object, board: str, possible: bool
) -> None:
    answers = run(limped(board) + "\nstep\nhigh 1\nlow 2\npush", game(qualifier))
    [step] = of_type(answers, "step")
    assert ("low" in [choice["word"] for choice in step["choices"]]) is possible
    if possible:
        assert of_type(answers, "hand_ended")[0]["awards"] == {"1": 600, "2": 600}
    else:
        [refused] = of_type(answers, "refused")
        assert (refused["code"], refused["rule"]) == ("cards_speak", "game.low_qualifier")

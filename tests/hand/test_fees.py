"""The fee past the flop: out of which pot it comes, and what is given up where none can bear it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.hand.pots import Pot, take_drop
from tests.evenings import hand_end, profile_with, run

MAIN = (1, 2, 3)


def first_able(*amounts: int, fee: int = 300, jackpot: int = 100, short: Any = "waive") -> Any:
    pots = tuple(Pot(cents, MAIN) for cents in amounts)
    drop = take_drop(pots, fee, jackpot, short, "first_able")
    return [pot.amount for pot in drop.pots], drop.fee, drop.jackpot, drop.waived, drop.taken_from


def test_the_main_pot_pays_where_something_is_left_in_it_to_win() -> None:
    assert first_able(401, 9000) == ([1, 9000], 300, 100, 0, 0)


def test_the_first_side_pot_that_can_bear_the_whole_drop_pays_it() -> None:
    assert first_able(400, 400, 401, 9000) == ([400, 400, 1, 9000], 300, 100, 0, 2)


def test_fee_and_jackpot_come_out_of_one_pot_and_the_jackpot_is_given_up_first() -> None:
    """No pot can bear both, the second can bear the fee."""
    assert first_able(300, 400) == ([300, 100], 300, 0, 100, 1)
    assert first_able(350, 400) == ([50, 400], 300, 0, 100, 0)


@pytest.mark.parametrize(
    ("short", "left"),
    [("waive", ([300, 200], 0, 0, 400, 0)), ("cap", ([0, 200], 300, 0, 100, 0))],
)
def test_where_no_pot_can_bear_the_fee_the_setting_for_short_pots_decides(
    short: str, left: Any
) -> None:
    assert first_able(300, 200, short=short) == left


def test_a_jackpot_without_a_fee_comes_from_the_first_pot_that_can_bear_it() -> None:
    assert first_able(100, 500, fee=0) == ([100, 400], 0, 100, 0, 1)
    assert first_able(100, 100, fee=0) == ([100, 100], 0, 0, 100, 0)


def test_where_nothing_is_due_or_there_is_no_pot_nothing_is_taken() -> None:
    assert first_able(100, 500, fee=0, jackpot=0) == ([100, 500], 0, 0, 0, 0)
    assert first_able() == ([], 0, 0, 400, 0)


def test_nothing_due_is_taken_from_the_main_pot_even_if_a_ruling_has_emptied_it() -> None:
    assert first_able(0, 9000, fee=0, jackpot=0) == ([0, 9000], 0, 0, 0, 0)


@given(
    st.lists(st.integers(0, 1000), max_size=4),
    st.integers(0, 700),
    st.integers(0, 300),
    st.sampled_from(["waive", "cap"]),
)
def test_a_drop_is_whole_from_one_pot_and_loses_nothing(
    amounts: list[int], fee: int, jackpot: int, short: str
) -> None:
    left, got, fund, waived, number = first_able(*amounts, fee=fee, jackpot=jackpot, short=short)
    assert got + fund + waived == fee + jackpot
    assert sum(left) + got + fund == sum(amounts)
    changed = [at for at, cents in enumerate(amounts) if left[at] != cents]
    assert changed == ([number] if got + fund else [])
    if not fee + jackpot:
        assert number == 0
    elif any(cents > fee + jackpot for cents in amounts):
        assert (got, fund) == (fee, jackpot)
        assert number == next(at for at, cents in enumerate(amounts) if cents > fee + jackpot)
        assert left[number] > 0


ONE_DOLLAR = """
seat 1 Ada
seat 2 Ben
seat 3 Carmen
button 3
deal
3 allin 1
1 raise
2 call
flop 7c 5h 2s
1 bet
2 raise
1 call
turn Kd
1 bet
2 call
river As
1 check
2 check
high 3
high 1
low none
push
"""


def eight_sixteen(**fee: str) -> Any:
    """The 8-16 game of the Big O document, its button placed."""
    limit = {
        "id": "8-16",
        "structure": "limit",
        "small_bet": "8.00",
        "big_bet": "16.00",
        "small_blind": "4.00",
        "big_blind": "8.00",
        "fees": [{"players": "2+", "fee": "3.00"}],
    }
    return profile_with("ca_big_o", button={"initial": "placed"}, fee=fee, limit=limit)


def test_a_seat_all_in_for_a_dollar_does_not_cost_the_house_its_fee() -> None:
    """$97: a main pot of 3 x $1 and a side pot of 2 x $47; the fee is $3."""
    ended = hand_end(run(ONE_DOLLAR, eight_sixteen()))
    assert (ended["fee"], ended["drop_from"], ended["waived"]) == (300, 1, 0)
    assert [pot["amount"] for pot in ended["pots"]] == [300, 9100]
    assert ended["awards"] == {"1": 9100, "3": 300}


def test_a_log_of_the_first_release_waives_that_fee_as_it_did() -> None:
    """Without the setting: its profile names no pot, which means the main pot."""
    profile = eight_sixteen(**{"from": "main"})
    data = profile.as_data()
    assert data["fee"].pop("from") == "main"
    old = type(profile).model_validate(data)
    assert old == profile
    ended = hand_end(run(ONE_DOLLAR, old))
    assert (ended["fee"], ended["drop_from"], ended["waived"]) == (0, 0, 300)
    assert ended["awards"] == {"1": 9400, "3": 300}


def test_awards_that_the_floor_sets_leave_the_drop_in_the_same_pot() -> None:
    script = ONE_DOLLAR.replace("push", 'floor 4711 award 2 94 "seat 2 had the best hand"')
    ended = hand_end(run(script, eight_sixteen()))
    assert (ended["fee"], ended["drop_from"]) == (300, 1)
    assert ended["awards"] == {"2": 9400}

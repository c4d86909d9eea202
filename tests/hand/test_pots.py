from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.hand.pots import Pot, build_pots, take_drop
from omaha_table.rules import load_profile
from tests.worked_examples import BIG_O_FEES, POTS, Pots

put_ins = st.dictionaries(st.integers(1, 10), st.integers(0, 40), min_size=1, max_size=10)


@pytest.mark.parametrize("example", POTS, ids=lambda example: example.name)
def test_worked_pots(example: Pots) -> None:
    pots, returned = build_pots(example.put_in, example.folded)
    assert tuple((pot.amount, pot.eligible) for pot in pots) == example.pots
    assert returned == example.returned


def test_dead_money_is_in_the_main_pot_and_matches_nothing() -> None:
    pots, returned = build_pots({1: 400, 2: 1000, 3: 1000}, dead=200)
    assert pots == (Pot(1400, (1, 2, 3)), Pot(1200, (2, 3)))
    assert returned == {}


def test_what_is_taken_back_leaves_no_pot_below_nothing() -> None:
    pots, _ = build_pots({1: 100, 2: 1000, 3: 1000}, dead=-500)
    assert pots == (Pot(0, (1, 2, 3)), Pot(1600, (2, 3)))
    pots, _ = build_pots({1: 100, 2: 1000, 3: 1000}, dead=-200)
    assert pots == (Pot(100, (1, 2, 3)), Pot(1800, (2, 3)))


def test_money_of_dead_hands_above_the_last_live_level_stays_in_the_pot() -> None:
    pots, returned = build_pots({2: 5000, 3: 5000, 5: 2000}, folded={2, 3})
    assert pots == (Pot(12000, (5,)),)
    assert returned == {}


def test_who_folds_gets_nothing_back() -> None:
    pots, returned = build_pots({2: 5000, 5: 2000}, folded={2})
    assert pots == (Pot(7000, (5,)),)
    assert returned == {}


@given(put_ins, st.sets(st.integers(1, 10)), st.integers(0, 5))
def test_every_chip_is_in_a_pot_or_returned(
    put_in: dict[int, int], folded: set[int], dead: int
) -> None:
    if folded >= put_in.keys():
        folded = folded - {min(put_in)}
    pots, returned = build_pots(put_in, folded, dead)
    assert sum(pot.amount for pot in pots) + sum(returned.values()) == sum(put_in.values()) + dead
    for pot in pots:
        assert pot.amount > 0
        assert pot.eligible
        assert not set(pot.eligible) & folded
    for wider, narrower in pairwise(pots):
        assert set(narrower.eligible) < set(wider.eligible)


@pytest.mark.parametrize(("hands", "flop", "cents"), BIG_O_FEES)
def test_the_filed_fees_of_big_o(hands: int, flop: bool, cents: int) -> None:
    for limit in load_profile("ca_big_o").limits:
        bracket = limit.bracket(hands)
        assert bracket is not None
        assert (bracket.fee if flop else 0) == cents


def test_fee_and_jackpot_come_out_of_the_main_pot() -> None:
    drop = take_drop((Pot(16000, (1, 4, 6)), Pot(9000, (4, 6))), 500, 100, "waive")
    assert drop.pots == (Pot(15400, (1, 4, 6)), Pot(9000, (4, 6)))
    assert (drop.fee, drop.jackpot, drop.waived) == (500, 100, 0)


def test_a_fee_larger_than_the_pot_is_waived_or_capped() -> None:
    short = (Pot(200, (1, 2)),)
    waived = take_drop(short, 300, 0, "waive")
    assert (waived.pots, waived.fee, waived.waived) == (short, 0, 300)
    capped = take_drop(short, 300, 100, "cap")
    assert (capped.pots[0].amount, capped.fee, capped.jackpot, capped.waived) == (0, 200, 0, 200)


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000))
def test_a_drop_makes_and_loses_nothing(amount: int, fee: int, jackpot: int) -> None:
    for short_pot in ("waive", "cap"):
        drop = take_drop((Pot(amount, (1, 2)),), fee, jackpot, short_pot)
        assert drop.pots[0].amount + drop.fee + drop.jackpot == amount
        assert drop.fee + drop.jackpot + drop.waived == fee + jackpot
        assert drop.pots[0].amount >= 0

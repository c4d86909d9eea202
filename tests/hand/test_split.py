from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.cards import parse_cards
from omaha_table.evaluate import read_hands
from omaha_table.hand.pots import Pot, build_pots, take_drop
from omaha_table.hand.split import award_pots, clockwise, share_out, split_pot, total_awards
from tests.worked_examples import SPLITS, Split


@dataclass(frozen=True)
class Odd:
    side: Literal["high", "left_of_button"]
    tie: Literal["all_to_first", "one_each"]
    unit: int = 100
    most: int | None = None


RT = Odd("high", "one_each")
CN = Odd("left_of_button", "all_to_first")
POLICY = {"RT": RT, "CN": CN}

odds = st.builds(
    Odd,
    st.sampled_from(["high", "left_of_button"]),
    st.sampled_from(["all_to_first", "one_each"]),
    st.sampled_from([1, 50, 100, 500]),
    st.none(),
)
SEATS = 9
winners = st.sets(st.integers(1, SEATS), min_size=1)


def totals(high: dict[int, int], low: dict[int, int]) -> dict[int, int]:
    return {seat: high.get(seat, 0) + low.get(seat, 0) for seat in sorted({*high, *low})}


@pytest.mark.parametrize("example", SPLITS, ids=lambda e: f"{e.name}-{e.policy}")
def test_worked_splits(example: Split) -> None:
    policy = POLICY[example.policy]
    odd = Odd(policy.side, policy.tie, example.unit_cents)
    split = split_pot(example.dollars * 100, example.high, example.low, example.button, odd)
    assert totals(*split) == example.expected_cents


def test_e4_says_which_half_the_odd_chip_was_in() -> None:
    assert split_pot(10100, [4], [4, 8], 6, RT) == ({4: 5100}, {4: 2500, 8: 2500})
    assert split_pot(10100, [4], [4, 8], 6, CN) == ({4: 5000}, {4: 2500, 8: 2600})


E15_BOARD = "Kh 7c 4d 2s Jh"
E15_HANDS = {1: "Kc Ks 9d 8c", 4: "Jd Jc Ac 3h", 6: "As 3d Qc Td", 8: "6s 5h Kd Qd"}
E17_HANDS = {1: "Ac 3h 9d 9c", 6: "Kc Ks Qd Tc", 8: "Jd Jc Qs Th"}


def values(hands: dict[int, str]) -> tuple[dict[int, int], dict[int, int]]:
    highs, lows = read_hands(
        [card.code for card in parse_cards(E15_BOARD)],
        [[card.code for card in parse_cards(text)] for text in hands.values()],
    )
    return dict(zip(hands, highs, strict=True)), dict(zip(hands, lows, strict=True))


@pytest.mark.parametrize("odd", [RT, CN])
def test_e15_three_pots_with_real_cards(odd: Odd) -> None:
    pots, _ = build_pots({1: 4000, 4: 10000, 6: 16000, 8: 16000})
    awards = award_pots(pots, *values(E15_HANDS), button=9, rule=odd)
    assert [(a.high, a.low) for a in awards] == [
        ({1: 8000}, {4: 4000, 6: 4000}),
        ({4: 9000}, {4: 4500, 6: 4500}),
        ({8: 6000}, {6: 6000}),
    ]
    assert total_awards(awards) == {1: 8000, 4: 17500, 6: 14500, 8: 6000}


@pytest.mark.parametrize("odd", [RT, CN])
def test_e16_the_drop_comes_out_of_the_main_pot(odd: Odd) -> None:
    pots, _ = build_pots({1: 4000, 4: 10000, 6: 16000, 8: 16000})
    drop = take_drop(pots, 500, 0, "waive")
    awards = award_pots(drop.pots, *values(E15_HANDS), button=9, rule=odd)
    assert total_awards(awards) == {1: 7800, 4: 17400, 6: 14300, 8: 6000}


@pytest.mark.parametrize("odd", [RT, CN])
def test_e17_low_qualifies_by_pot(odd: Odd) -> None:
    pots, _ = build_pots({1: 4000, 6: 16000, 8: 16000})
    awards = award_pots(pots, *values(E17_HANDS), button=9, rule=odd)
    assert [(a.high, a.low) for a in awards] == [({6: 6000}, {1: 6000}), ({6: 24000}, {})]


def test_seats_are_counted_from_the_left_of_the_button() -> None:
    assert clockwise([1, 5, 6, 9], 5) == [6, 9, 1, 5]


def test_one_odd_chip_each_and_the_loose_cents_to_the_next() -> None:
    assert share_out(1050, [1, 2, 3, 4], 4, RT) == {1: 300, 2: 300, 3: 250, 4: 200}
    assert share_out(1050, [1, 2, 3, 4], 4, CN) == {1: 450, 2: 200, 3: 200, 4: 200}


@given(st.integers(0, 100_000), winners, st.sets(st.integers(1, SEATS)), st.integers(1, 9), odds)
def test_shares_sum_to_the_pot_and_only_winners_are_paid(
    amount: int, high: set[int], low: set[int], button: int, odd: Odd
) -> None:
    high_shares, low_shares = split_pot(amount, high, low, button, odd)
    assert sum(high_shares.values()) + sum(low_shares.values()) == amount
    assert high_shares.keys() == high
    assert low_shares.keys() == low
    assert all(cents >= 0 for cents in (*high_shares.values(), *low_shares.values()))


@given(st.integers(0, 1000), winners, st.sets(st.integers(1, SEATS)), st.integers(1, 9), odds)
def test_in_whole_chips_halves_differ_by_at_most_one_and_ties_by_the_odd_chips(
    chips: int, high: set[int], low: set[int], button: int, odd: Odd
) -> None:
    high_shares, low_shares = split_pot(chips * odd.unit, high, low, button, odd)
    assert all(c % odd.unit == 0 for c in (*high_shares.values(), *low_shares.values()))
    if low:
        assert abs(sum(high_shares.values()) - sum(low_shares.values())) <= odd.unit
    for shares in filter(None, (high_shares, low_shares)):
        most = odd.unit if odd.tie == "one_each" else odd.unit * (len(shares) - 1)
        assert max(shares.values()) - min(shares.values()) <= most


@given(
    st.integers(0, 100_000),
    winners,
    st.sets(st.integers(1, SEATS)),
    st.integers(1, 9),
    odds,
    st.integers(0, SEATS - 1),
)
def test_turning_seats_and_button_together_turns_the_awards(
    amount: int, high: set[int], low: set[int], button: int, odd: Odd, turn: int
) -> None:
    def turned(seat: int) -> int:
        return (seat - 1 + turn) % SEATS + 1

    split = split_pot(amount, high, low, button, odd)
    moved = split_pot(
        amount, {turned(s) for s in high}, {turned(s) for s in low}, turned(button), odd
    )
    for before, after in zip(split, moved, strict=True):
        assert {turned(seat): cents for seat, cents in before.items()} == after


@given(
    st.dictionaries(st.integers(1, 9), st.integers(1, 50), min_size=2),
    st.data(),
    st.integers(1, 9),
    odds,
)
def test_nobody_ineligible_is_paid_over_any_pots(
    put_in: dict[int, int], data: st.DataObject, button: int, odd: Odd
) -> None:
    folded = data.draw(st.sets(st.sampled_from(sorted(put_in)), max_size=len(put_in) - 1))
    live = sorted(put_in.keys() - folded)
    highs = {seat: data.draw(st.integers(1, 4)) for seat in live}
    lows = {seat: data.draw(st.integers(0, 2)) for seat in live}
    pots, _ = build_pots({seat: cents * 100 for seat, cents in put_in.items()}, folded)
    awards = award_pots(pots, highs, lows, button, odd)
    for award in awards:
        assert {*award.high, *award.low} <= set(award.eligible) <= set(live)
        assert bool(award.low) == any(lows[seat] for seat in award.eligible)
    assert sum(total_awards(awards).values()) == sum(pot.amount for pot in pots)


NJ = Odd("left_of_button", "all_to_first", 50, most=100)


@pytest.mark.parametrize(
    ("cents", "button", "shares"),
    [
        # $11.50 in four: half dollars leave 1.50, quarters 11.50 - 4 x 2.75 = 0.50.
        (1150, 1, {2: 325, 3: 275, 4: 275, 5: 275}),
        # $9.50 in seven: half dollars leave 2.50, quarters 9.50 - 7 x 1.25 = 0.75.
        (950, 6, {1: 125, 2: 125, 3: 125, 4: 125, 5: 125, 6: 125, 7: 200}),
        # $10 in seven: quarters leave 1.25, nickels 10 - 7 x 1.40 = 0.20.
        (1000, 6, {1: 140, 2: 140, 3: 140, 4: 140, 5: 140, 6: 140, 7: 160}),
        # $10 in three: just a dollar may be left over.
        (1000, 1, {1: 300, 2: 400, 3: 300}),
        # Worked example E7: $53 in three.
        (5300, 9, {3: 1800, 5: 1750, 8: 1750}),
    ],
)
def test_in_new_jersey_nobody_gets_an_excess_of_more_than_a_dollar(
    cents: int, button: int, shares: dict[int, int]
) -> None:
    assert share_out(cents, shares.keys(), button, NJ) == shares


@given(st.integers(0, 100_000), winners, st.sets(st.integers(1, SEATS)), st.integers(1, 9))
def test_an_excess_has_a_limit_in_every_division(
    amount: int, high: set[int], low: set[int], button: int
) -> None:
    """Between the halves and between tied hands, each by itself."""
    high_shares, low_shares = split_pot(amount, high, low, button, NJ)
    assert sum(high_shares.values()) + sum(low_shares.values()) == amount
    if low:
        assert abs(sum(high_shares.values()) - sum(low_shares.values())) <= 100
    for shares in filter(None, (high_shares, low_shares)):
        assert max(shares.values()) - min(shares.values()) <= 100


def test_a_large_chip_is_broken_between_the_halves_too() -> None:
    """$5 chips and a limit of $1: $45 is cut in half dollars."""
    halves = split_pot(4500, [2], [5], 3, Odd("left_of_button", "all_to_first", 500, most=100))
    assert halves == ({2: 2250}, {5: 2250})


def test_where_each_tied_hand_gets_a_chip_the_chip_is_what_is_limited() -> None:
    each = Odd("high", "one_each", 200, most=100)
    assert share_out(1600, [1, 2, 3], 3, each) == {1: 550, 2: 550, 3: 500}
    dollars = Odd("high", "one_each", 100, most=100)
    assert share_out(300, [1, 2], 2, dollars) == {1: 200, 2: 100}
    # $3 are left over in all, and nobody gets more than one of them.
    assert share_out(1100, [1, 2, 3, 4], 4, dollars) == {1: 300, 2: 300, 3: 300, 4: 200}


def test_chips_are_broken_down_to_the_cent_and_no_further() -> None:
    to_the_cent = Odd("high", "all_to_first", most=1)
    assert share_out(100, [1, 2, 3], 9, to_the_cent) == {1: 34, 2: 33, 3: 33}
    # Two cents cannot be left over in halves of one; the rules check refuses such a limit.
    assert share_out(5, [1, 2, 3], 9, to_the_cent) == {1: 3, 2: 1, 3: 1}


def test_a_pot_without_a_low_goes_wholly_to_the_high() -> None:
    [award] = award_pots([Pot(1000, (1, 2))], {1: 5, 2: 9}, {1: 0, 2: 0}, 1, RT)
    assert (award.high, award.low) == ({2: 1000}, {})

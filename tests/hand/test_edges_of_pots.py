"""Pots, drops and shares at the edge of their rules: nothing there, just enough, exactly equal."""

from __future__ import annotations

from omaha_table.hand.pots import Pot, build_pots, take_drop, uncalled
from omaha_table.hand.split import Award, share_out, total_awards
from omaha_table.rules import load_profile

MAIN, SIDE = (1, 4, 6), (4, 6)


def test_without_bets_there_is_no_pot_and_nothing_goes_back() -> None:
    assert uncalled({}) == {}
    assert build_pots({}) == ((), {})


def test_a_bet_that_nobody_else_met_with_a_chip_goes_back_whole() -> None:
    assert uncalled({3: 500}) == {3: 500}
    assert uncalled({3: 500, 5: 0}) == {3: 500}


def test_who_has_put_nothing_in_takes_what_dead_hands_have() -> None:
    """Blinds of 2 and 4 are dead; the button has not called yet."""
    pots, returned = build_pots({1: 200, 2: 400, 3: 0}, folded={1, 2})
    assert pots == (Pot(600, (3,)),)
    assert returned == {}


def test_there_is_no_pot_that_nobody_can_win() -> None:
    assert build_pots({1: 400, 2: 400}, folded={1, 2}) == ((), {})


def test_without_a_pot_everything_due_is_waived() -> None:
    drop = take_drop((), 500, 100, "waive")
    assert (drop.pots, drop.fee, drop.jackpot, drop.waived) == ((), 0, 0, 600)


def test_a_pot_of_exactly_the_fee_feeds_neither_the_house_nor_the_jackpot() -> None:
    """The jackpot comes after the fee: where no fee is taken, nothing is."""
    pots = (Pot(300, MAIN), Pot(9000, SIDE))
    drop = take_drop(pots, 300, 100, "waive")
    assert (drop.pots, drop.fee, drop.jackpot, drop.waived) == (pots, 0, 0, 400)


def test_a_jackpot_that_would_take_the_last_chip_is_waived_and_the_fee_is_not() -> None:
    drop = take_drop((Pot(400, MAIN), Pot(9000, SIDE)), 300, 100, "waive")
    assert drop.pots == (Pot(100, MAIN), Pot(9000, SIDE))
    assert (drop.fee, drop.jackpot, drop.waived) == (300, 0, 100)


def test_one_cent_more_than_what_is_due_is_enough() -> None:
    drop = take_drop((Pot(401, MAIN),), 300, 100, "waive")
    assert (drop.pots[0].amount, drop.fee, drop.jackpot, drop.waived) == (1, 300, 100, 0)


def test_capped_a_short_pot_pays_the_fee_first_and_then_the_jackpot() -> None:
    drop = take_drop((Pot(350, MAIN), Pot(9000, SIDE)), 300, 100, "cap")
    assert drop.pots == (Pot(0, MAIN), Pot(9000, SIDE))
    assert (drop.fee, drop.jackpot, drop.waived) == (300, 50, 50)


def test_shares_and_totals_are_named_by_seat_ascending() -> None:
    """As the log has them: the button is on 6, so that seat 7 comes first and 2 last."""
    rule = load_profile("ca_omaha_hilo").odd_chip
    assert list(share_out(9000, [9, 2, 7], 6, rule)) == [2, 7, 9]
    award = Award(1000, (2, 7, 9), {9: 500}, {7: 300, 2: 200})
    assert list(total_awards([award])) == [2, 7, 9]


def test_dead_money_is_a_pot_of_its_own_only_for_who_is_live_and_has_nothing_else_in() -> None:
    """300 of dead money, two with 500 in; seats 1 and 4 are all in with dead money alone."""
    put_in = {1: 0, 2: 500, 3: 500, 4: 0}

    def pots(folded: set[int], for_dead: tuple[int, ...], dead: int = 300) -> list[object]:
        made, returned = build_pots(put_in, folded, dead, for_dead)
        assert not returned
        return [(pot.amount, pot.eligible) for pot in made]

    assert pots({4}, (1, 4)) == [(300, (1, 2, 3)), (1000, (2, 3))]
    assert pots({1, 4}, (1, 4)) == [(1300, (2, 3))]
    assert pots({1, 4}, ()) == [(1300, (2, 3))]
    assert pots({4}, ()) == [(1300, (2, 3))]  # seat 1 has yet to act
    assert pots({4}, (1, 4), dead=1) == [(1, (1, 2, 3)), (1000, (2, 3))]
    assert pots({4}, (1,), dead=0) == [(1000, (2, 3))]
    assert pots({2, 3, 4}, (1,)) == [(1300, (1,))]

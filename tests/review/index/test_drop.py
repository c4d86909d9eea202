"""The sums of the drop, and which hands could explain what is missing, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omaha_table.review.index.drop import reconcile, total
from omaha_table.review.index.projection import Taken

MINUTE = 60_000_000
PLAIN = Taken(
    id=1, file="t7.journal", seq=10, number=1, day="2026-11-14", dealer="D1", down=1,
    started_us=1000 * MINUTE, ended_us=1002 * MINUTE, seconds=120.0, dealt=3, flop=True,
    outcome="showdown", pot=12_00, fee=3_00, jackpot=1_00, waived=0, refunded=0,
    flags=frozenset(),
)  # fmt: skip
"""Three players with 4 each, two minutes, a fee of 3 and a jackpot drop of 1."""


def hand(number: int, *flags: str, **changes: object) -> Taken:
    return replace(PLAIN, id=number, number=number, flags=frozenset(flags), **changes)  # type: ignore[arg-type]


def test_hands_are_added_up_and_those_called_off_are_only_counted() -> None:
    drop = total(
        [
            hand(1),
            hand(2, fee=2_00, dealt=2, pot=9_00, seconds=60.0),
            hand(3, flop=False, fee=0, jackpot=0, pot=4_00, seconds=30.0, outcome="fold"),
            hand(4, refunded=1_00, waived=50),
            *(hand(n, outcome=off, pot=5_00) for n, off in ((5, "misdeal"), (6, "void"))),
            hand(7, outcome=""),
        ]
    )
    assert (drop.hands, drop.called_off, drop.no_flop) == (4, 2, 1)
    assert (drop.fees, drop.refunded, drop.due) == (8_00, 1_00, 7_00)
    assert (drop.jackpots, drop.waived) == (3_00, 50)
    assert (drop.pots, drop.mean_pot) == (37_00, 9_25)
    assert (drop.seconds, drop.pace, drop.no_flop_share) == (330.0, 82.5, 0.25)
    assert dict(drop.brackets) == {(3, 3_00): 2, (2, 2_00): 1}
    assert dict(drop.dealt) == {3: 3, 2: 1}


def test_a_break_between_two_downs_is_not_work() -> None:
    """Half an hour, an hour's break, half an hour: four hands in an hour."""
    drop = total(
        hand(number, down=down, started_us=at * MINUTE, ended_us=(at + 15) * MINUTE)
        for number, (down, at) in enumerate(((1, 0), (1, 15), (2, 90), (2, 105)))
    )
    assert drop.hours == 1.0
    assert drop.hands_an_hour == 4.0


def test_downs_of_two_journals_with_one_number_are_two() -> None:
    hands = [
        hand(1, file=file, started_us=at * MINUTE, ended_us=(at + 30) * MINUTE)
        for file, at in (("t7.journal", 0), ("t8.journal", 600))
    ]
    assert total(hands).hours == 1.0


def test_without_a_hand_there_is_no_average() -> None:
    drop = total([])
    assert (drop.hands_an_hour, drop.no_flop_share, drop.pace, drop.mean_pot) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (hand(2, waived=2_00), "fee waived"),
        (hand(2, refunded=2_00), "fee returned"),
        (hand(2, "override"), "floor ruling"),
        (hand(2, "undo"), "entry taken back"),
        (hand(2, "recovered"), "restart"),
        (hand(2, outcome="misdeal"), "called off (misdeal)"),
        (hand(2, outcome="void"), "called off (void)"),
        (hand(2, "slow"), "slow hand"),
    ],
)
def test_a_hand_in_which_something_was_unusual_could_explain_a_variance(
    odd: Taken, why: str
) -> None:
    usual = [hand(1), hand(3, "kill"), hand(4, "slow", fee=0), hand(5, "dealer_read")]
    checked = reconcile([*usual, odd], total([*usual, odd]).due + 77)
    assert [(suspect.number, suspect.why) for suspect in checked.suspects] == [(2, why)]
    assert checked.variance == 77


def test_nothing_explains_a_variance_that_is_not_there() -> None:
    hands = [hand(1), hand(2, "undo", "override", waived=1_00)]
    checked = reconcile(hands, 6_00)
    assert (checked.due, checked.variance, checked.suspects) == (6_00, 0, ())


@pytest.mark.parametrize("counted", [9_00, 15_00], ids=["missing", "too much"])
def test_the_likeliest_comes_first_a_hand_of_just_the_difference(counted: int) -> None:
    """Four fees of 3 are due. Then those with most reasons, then the earliest."""
    hands = [
        hand(1, "undo", fee=2_00),
        hand(2, "undo", fee=2_00),
        hand(3, "undo", "override", fee=2_00),
        hand(4, "undo"),
        hand(5),
    ]
    checked = reconcile(hands, counted)
    assert checked.due == 12_00
    assert [suspect.number for suspect in checked.suspects] == [4, 3, 1, 2]
    assert checked.suspects[0].why.startswith("exactly the variance, ")


@pytest.mark.parametrize("amount", ["waived", "refunded"])
def test_what_was_waived_or_given_back_can_be_just_the_difference(amount: str) -> None:
    odd = hand(2, fee=5_00, **{amount: 4_00})
    hands = [hand(1, "undo"), odd]
    first = reconcile(hands, total(hands).due - 4_00).suspects[0]
    assert (first.number, first.why.startswith("exactly the variance")) == (2, True)

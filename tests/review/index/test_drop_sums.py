"""The sums over hands and the hands that could explain a difference, worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.review.index.drop import Drop, reconcile, total

if TYPE_CHECKING:
    from collections.abc import Set

    from omaha_table.money import Cents

SECOND = 1_000_000
HOUR = 3600 * SECOND


@dataclass(frozen=True)
class Hand:
    number: int = 1
    started_us: int = HOUR
    ended_us: int = HOUR + 60 * SECOND
    seconds: float = 60.0
    dealt: int = 6
    flop: bool = True
    outcome: str = "awarded"
    pot: Cents = 10_000
    fee: Cents = 500
    jackpot: Cents = 100
    waived: Cents = 0
    refunded: Cents = 0
    flags: Set[str] = frozenset()
    file: str = "t7"
    down: int = 1
    day: str = "2026-11-14"


def test_what_is_due_is_what_was_taken_less_what_went_back() -> None:
    drop = total([Hand(), Hand(fee=400, refunded=150, jackpot=50), Hand(fee=0, waived=300)])
    assert (drop.fees, drop.refunded, drop.due) == (900, 150, 750)
    assert (drop.jackpots, drop.waived) == (250, 300)
    assert drop.brackets == {(6, 500): 1, (6, 400): 1}
    assert drop.dealt == {6: 3}


def test_hands_by_the_number_dealt_and_by_fee() -> None:
    hands = [Hand(), Hand(), Hand(dealt=4, fee=300), Hand(dealt=4, fee=0)]
    drop = total(hands)
    assert drop.brackets == {(6, 500): 2, (4, 300): 1}
    assert drop.dealt == {6: 2, 4: 2}


@pytest.mark.parametrize("outcome", ["misdeal", "void"])
def test_a_hand_that_was_called_off_is_counted_apart_and_pays_nothing(outcome: str) -> None:
    drop = total([Hand(), Hand(outcome=outcome), Hand(outcome="")])
    assert (drop.hands, drop.called_off) == (1, 1)
    assert (drop.fees, drop.jackpots, drop.pots, drop.seconds) == (500, 100, 10_000, 60.0)
    assert drop.dealt == {6: 1}


def test_no_hands_have_no_rates_and_no_share() -> None:
    drop = Drop()
    assert (drop.hours, drop.hands_an_hour, drop.no_flop_share) == (0, 0, 0)
    assert (drop.pace, drop.mean_pot, drop.due) == (0, 0, 0)
    assert (drop.first_us, drop.last_us) == (0, 0)


def test_rates_are_of_hands_that_were_played() -> None:
    hands = [
        Hand(started_us=HOUR, ended_us=HOUR + HOUR // 4, pot=10_000, seconds=30.0),
        Hand(started_us=2 * HOUR, ended_us=3 * HOUR, pot=10_001, seconds=90.0, flop=False),
        Hand(outcome="misdeal", started_us=3 * HOUR, ended_us=3 * HOUR, pot=7),
    ]
    drop = total(hands)
    assert (drop.first_us, drop.last_us) == (HOUR, 3 * HOUR)
    assert drop.hours == 2.0
    assert drop.hands_an_hour == 1.0
    assert (drop.no_flop, drop.no_flop_share) == (1, 0.5)
    assert drop.pace == 60.0
    assert drop.mean_pot == 10_000  # whole cents


def test_the_break_between_two_downs_is_no_work() -> None:
    first = Hand(started_us=HOUR, ended_us=2 * HOUR)
    second = replace(first, started_us=5 * HOUR, ended_us=6 * HOUR)
    assert total([first, replace(second, down=2)]).hours == 2.0
    assert total([first, replace(second, file="t8")]).hours == 2.0
    assert total([first, second]).hours == 5.0
    assert total([second, first]).hours == 5.0
    # A clock that was moved back takes no hours away.
    moved = replace(first, started_us=9 * HOUR, ended_us=8 * HOUR, down=3)
    assert total([first, moved]).hours == 1.0


def reasons(counted: Cents, *hands: Hand) -> list[tuple[int, str]]:
    return [(found.number, found.why) for found in reconcile(hands, counted).suspects]


def test_a_variance_is_counted_less_due_and_none_needs_no_suspect() -> None:
    hands = [Hand(flags={"override"}), Hand(number=2)]
    assert reconcile(hands, 995).variance == 995 - 1000
    assert reconcile(hands, 1005).variance == 5
    agreed = reconcile(hands, 1000)
    assert (agreed.variance, agreed.suspects) == (0, ())


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (Hand(waived=300), "fee waived"),
        (Hand(refunded=300), "fee returned"),
        (Hand(flags={"override"}), "floor ruling"),
        (Hand(flags={"undo"}), "entry taken back"),
        (Hand(flags={"recovered"}), "restart"),
        (Hand(outcome="misdeal", fee=0), "called off (misdeal)"),
        (Hand(outcome="void", fee=0), "called off (void)"),
        (Hand(flags={"slow"}), "slow hand"),
    ],
)
def test_each_thing_that_could_explain_a_difference(hand: Hand, why: str) -> None:
    assert reasons(1, hand, Hand(number=2)) == [(1, why)]


def test_what_explains_nothing() -> None:
    assert not reasons(1, Hand(), Hand(flags={"kill"}), Hand(flags={"slow"}, fee=0))


@pytest.mark.parametrize("field", ["fee", "waived", "refunded"])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_hand_of_just_the_difference_comes_first(field: str, sign: int) -> None:
    """Missing or too much; among the rest, who has more reasons, then the earlier hand."""
    far = Hand(number=1, flags={"override"}, waived=1)
    amount: dict[str, Any] = {"fee": 0, field: 700}
    exact = Hand(number=9, flags={"undo"}, **amount)
    late, early = Hand(number=8, flags={"undo"}), Hand(number=7, flags={"undo"})
    hands = [late, early, far, exact]
    due = total(hands).due
    found = reasons(due + sign * 700, *hands)
    assert [number for number, _ in found] == [9, 1, 7, 8]
    assert found[0][1].startswith("exactly the variance, ")
    assert "exactly the variance" not in found[1][1]

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pokerkit.notation import HandHistory

from omaha_table.review.exchange.phh import UNTRACKED, phh_of
from tests.review.nights import STACK, Night, read

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.hands import Played


def pokerkit_stacks(text: str, drop: int) -> list[int]:
    """The stacks PokerKit comes to, in cents, when the drop is taken from the first pot."""

    def rake(amount: int, state: object) -> tuple[int, int]:
        return min(drop, amount), amount - min(drop, amount)

    history = HandHistory.loads(text, rake=rake)
    *_, last = history
    assert not last.status
    return [int(stack * 100) for stack in last.stacks]


def rules_agree(hand: Played) -> bool:
    """No odd chips, no low in side pots, no drop from one of several pots, no winner unshown.

    PokerKit divides these otherwise, or cannot be told: it gives a pot that the last claimant wins
    without showing to nobody.
    """
    assert hand.ended is not None
    if hand.ended.outcome == "showdown" and not set(hand.ended.awards) <= set(hand.tabled):
        return False
    for pot in hand.ended.pots:
        if len({*pot.high.values()}) > 1 or len({*pot.low.values()}) > 1:
            return False
        if pot.low and sum(pot.low.values()) != sum(pot.high.values()):
            return False
    free = not (hand.profile.splits or hand.ended.fee)
    return free or len(hand.ended.pots) == 1


@pytest.mark.parametrize(
    ("rules", "limit", "stack", "fees", "seats"),
    [
        ("ca_omaha_high", "5-5", STACK, True, 6),
        ("ca_omaha_high", "5-5", STACK, False, 6),
        ("ca_omaha_high", "5-5", STACK, True, 2),
        ("ca_omaha_hilo", None, 100 * STACK, True, 9),
        ("ca_omaha_hilo", None, None, True, 6),
        ("ca_omaha_hilo", None, None, True, 2),
        ("house_omaha_hilo", None, None, True, 5),
    ],
)
def test_pokerkit_reads_the_hands_and_comes_to_the_same_stacks(
    tmp_path: Path, rules: str, limit: str | None, stack: int | None, fees: bool, seats: int
) -> None:
    path = Night(tmp_path, rules, limit, seed=5, fees=fees).seat(seats, stack).play(60).close()
    compared = 0
    for hand in read(path):
        ended = hand.ended
        assert ended is not None
        text = phh_of(hand)
        if not rules_agree(hand):
            assert HandHistory.loads(text).actions
            continue
        after = pokerkit_stacks(text, (ended.fee + ended.jackpot) // 100)
        for seat, cents in zip(hand.started.dealt, after, strict=True):
            before = hand.started.stacks[seat]
            before = UNTRACKED if before is None else before
            assert cents == before - ended.invested[seat] + ended.awards.get(seat, 0), text
        compared += 1
    assert compared > 30

"""One push at a time: what goes from which pot to which seat, and why."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.hand.showdown import end_hand, read_tabled

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class PushDue:
    seat: int
    amount: Cents
    what: str
    """'MAIN pot, HIGH half'."""
    why: str
    pot: int


def pushes(state: HandState) -> list[PushDue]:
    """Side pots first, as they are pushed; each share by itself."""
    ended = end_hand(state, 0)
    highs, lows = read_tabled(state)
    alone = len(state.contenders) == 1
    made = []
    for number in range(len(ended.pots) - 1, -1, -1):
        award = ended.pots[number]
        name = "MAIN pot" if number == 0 else f"SIDE pot {number}"
        for side, shares, values in (("HIGH", award.high, highs), ("LOW", award.low, lows)):
            for seat, amount in shares.items():
                if not amount:
                    continue
                part = _part(side, len(shares), split=bool(award.low))
                if alone:
                    why = "Everybody else has folded."
                elif values.get(seat):
                    words = describe_high if side == "HIGH" else describe_low
                    why = f"{words(values[seat])}."
                else:
                    why = "Read by the dealer." if len(shares) else ""
                made.append(PushDue(seat, amount, f"{name}{part}", why, number))
    return made


def _part(side: str, winners: int, *, split: bool) -> str:
    """', HIGH half', ', 1/4 (LOW)': a tie in a half is a quarter of the pot."""
    if not split:
        return "" if winners == 1 else f", 1/{winners} (tie)"
    if winners == 1:
        return f", {side} half"
    return f", {Fraction(1, 2 * winners)} ({side} tie)"

"""One push at a time: what goes from which pot to which seat, and why."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from omaha_table.dealer.event_text import pot_name
from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.hand.showdown import claims, end_hand, read_tabled

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.hand.split import Award
    from omaha_table.money import Cents
    from omaha_table.rules.profile import OddChip


@dataclass(frozen=True, slots=True)
class PushDue:
    seat: int
    amount: Cents
    pot: str
    """'MAIN pot'; 'The pot' where there is only one."""
    part: str
    """'HIGH half', '1/4 (LOW tie)': a tie in a half is a quarter. Empty: all of it."""
    why: tuple[str, ...]
    """In words, and in ever fewer: half a sentence would be read as the whole."""
    odd: str = ""
    """Where the odd chip goes, if this share has it."""

    @property
    def what(self) -> str:
        return f"{self.pot}, {self.part}" if self.part else self.pot


def pushes(state: HandState) -> list[PushDue]:
    """Side pots first, as they are read and pushed; of each the high and then the low.

    A seat that wins both halves alone is pushed the whole pot at once.
    """
    ended, pots = end_hand(state, 0), state.pots()
    rule = state.setup.profile.odd_chip
    made = []
    for number in range(len(ended.pots) - 1, -1, -1):
        award = ended.pots[number]
        name = pot_name(number, len(ended.pots))
        alone = len(claims(state, pots[number])) == 1
        if not alone and len(award.high) == 1 and list(award.high) == list(award.low):
            [seat] = award.high
            why = _why(state, seat, "HIGH", "LOW")
            made.append(PushDue(seat, award.amount, name, "HIGH and LOW", why))
            continue
        for side, shares in (("HIGH", award.high), ("LOW", award.low)):
            part = _part(side, len(shares), split=bool(award.low))
            for seat, amount in shares.items():
                if amount:
                    why = (_last_hand(state),) if alone else _why(state, seat, side)
                    odd = _odd_chip(award, side, seat, rule)
                    made.append(PushDue(seat, amount, name, part, why, odd))
    return made


def _part(side: str, winners: int, *, split: bool) -> str:
    if not split:
        return "" if winners == 1 else f"1/{winners} (tie)"
    if winners == 1:
        return f"{side} half"
    return f"{Fraction(1, 2 * winners)} ({side} tie)"


def _last_hand(state: HandState) -> str:
    if len(state.contenders) == 1:
        return "Everybody else has folded."
    return "No other hand has a claim."


def _why(state: HandState, seat: int, *sides: str) -> tuple[str, ...]:
    """What the seat has, first whole and then without its kickers."""
    highs, lows = read_tabled(state)
    whole: list[str] = []
    short: list[str] = []
    for side in sides:
        value = (highs if side == "HIGH" else lows).get(seat)
        if not value:
            return ("Read by the dealer.",)
        words = describe_high(value) if side == "HIGH" else describe_low(value)
        words = f"low {words}" if whole else words
        whole.append(words)
        short.append(words.rpartition(", ")[0] or words)
    return f"{'; '.join(whole)}.", f"{'; '.join(short)}."


def _odd_chip(award: Award, side: str, seat: int, rule: OddChip) -> str:
    """Why this share is larger than another that is like it."""
    mine, other = (award.high, award.low) if side == "HIGH" else (award.low, award.high)
    more = mine[seat] - min(mine.values())
    if more:
        return f"Odd {'chips' if more > rule.unit else 'chip'} to seat {seat}, left of the button."
    in_tie = max(mine.values()) > min(mine.values())
    if in_tie or not other or sum(mine.values()) <= sum(other.values()):
        return ""
    if rule.side == "left_of_button" and len(mine) == 1:
        return f"Odd chip to seat {seat}, left of the button."
    return f"Odd chip to the {side.lower()} half."

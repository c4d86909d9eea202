"""Who gets what of a pot: halves, ties and odd chips, to the cent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from omaha_table.money import Cents  # noqa: TC001 - an award's fields are read at run time

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from omaha_table.hand.pots import Pot


class OddChipRule(Protocol):
    """The `[odd_chip]` part of a profile."""

    @property
    def side(self) -> str: ...
    @property
    def tie(self) -> str: ...
    @property
    def unit(self) -> Cents: ...
    @property
    def most(self) -> Cents | None: ...


SMALLER_UNITS: Final[tuple[Cents, ...]] = (50, 25, 5, 1)
"""What a pot is cut into where whole chips would leave one player more than the rules allow."""


@dataclass(frozen=True, slots=True)
class Award:
    """A pot as it is pushed: the shares of its high half and of its low half."""

    amount: Cents
    eligible: tuple[int, ...]
    high: dict[int, Cents]
    low: dict[int, Cents]
    """Empty when nobody won a low: the high half is then the whole pot."""


def clockwise(seats: Iterable[int], button: int) -> list[int]:
    """From the left of the button around to the button itself."""
    return sorted(seats, key=lambda seat: (seat <= button, seat))


def share_out(
    amount: Cents, seats: Collection[int], button: int, rule: OddChipRule
) -> dict[int, Cents]:
    """Equal shares in whole chips; the odd chips by the profile, from the button's left."""
    order = clockwise(seats, button)
    equal, unit = _equal_share(amount, len(order), rule, chip_each=rule.tie == "one_each")
    shares = dict.fromkeys(order, equal)
    odd = amount - equal * len(order)
    # The California rules give the odd chips, however many, to one player; Robert's Rules give
    # nobody more than one (profile setting `odd_chip.tie`).
    if rule.tie == "all_to_first":
        shares[order[0]] += odd
    else:
        for seat in order:
            # There are fewer odd chips than seats, so one round is enough. The last may be less
            # than a chip if the pot was no whole number of chips.
            chip = min(odd, unit)
            shares[seat] += chip
            odd -= chip
    return dict(sorted(shares.items()))


def _equal_share(
    amount: Cents, ways: int, rule: OddChipRule, *, chip_each: bool = False
) -> tuple[Cents, Cents]:
    """An equal share in whole chips, and the chip."""
    unit = rule.unit
    while True:
        # Rounded down to the smallest chip in play, not to the cent: chips are what is pushed.
        share = amount // ways // unit * unit
        excess = amount - share * ways
        if rule.most is None or (min(excess, unit) if chip_each else excess) <= rule.most:
            return share, unit
        # New Jersey limits what is left over to $1, and chips alone cannot keep to that: four tied
        # hands can leave three half dollars (profile setting `odd_chip.most`).
        smaller = next((chip for chip in SMALLER_UNITS if chip < unit), None)
        if smaller is None:
            return share, unit
        unit = smaller


def split_pot(
    amount: Cents, high: Collection[int], low: Collection[int], button: int, rule: OddChipRule
) -> tuple[dict[int, Cents], dict[int, Cents]]:
    """The shares of the high half and of the low half; all is high when there is no low.

    An odd chip between the halves goes to the high half, or with `left_of_button` to the
    half of the winner nearest to the button's left; one who is in both takes it as high.
    """
    if not low:
        return share_out(amount, high, button, rule), {}
    half, _ = _equal_share(amount, 2, rule)
    # The first *winner* from the button's left: the next seat as such may have lost.
    nearest = clockwise({*high, *low}, button)[0]
    to_low = half if rule.side == "high" or nearest in high else amount - half
    return (
        share_out(amount - to_low, high, button, rule),
        share_out(to_low, low, button, rule),
    )


def award_pots(
    pots: Sequence[Pot],
    highs: Mapping[int, int],
    lows: Mapping[int, int],
    button: int,
    rule: OddChipRule,
) -> list[Award]:
    """Splits each pot by itself among its eligible seats, from their values (a low of 0 is none).

    A seat without a high value has no claim.
    """
    awards = []
    for pot in pots:
        high = _best(pot.eligible, highs)
        low = _best(pot.eligible, lows)
        awards.append(
            Award(pot.amount, pot.eligible, *split_pot(pot.amount, high, low, button, rule))
        )
    return awards


def total_awards(awards: Iterable[Award]) -> dict[int, Cents]:
    """What each seat receives over all pots."""
    totals: dict[int, Cents] = {}
    for award in awards:
        for shares in (award.high, award.low):
            for seat, cents in shares.items():
                if cents:
                    totals[seat] = totals.get(seat, 0) + cents
    return dict(sorted(totals.items()))


def _best(eligible: Iterable[int], values: Mapping[int, int]) -> list[int]:
    claims = {seat: values[seat] for seat in eligible if values.get(seat)}
    best = max(claims.values(), default=0)
    return [seat for seat, value in claims.items() if value == best]

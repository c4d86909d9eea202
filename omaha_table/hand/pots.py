"""Main and side pots from what each seat put in, and the fee and jackpot out of the main pot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class Pot:
    amount: Cents
    eligible: tuple[int, ...]
    """The seats that can win it, ascending."""


@dataclass(frozen=True, slots=True)
class Drop:
    """What the house took from the main pot, and what it gave up because the pot was short."""

    pots: tuple[Pot, ...]
    fee: Cents
    jackpot: Cents
    waived: Cents


def uncalled(put_in: Mapping[int, Cents], folded: Collection[int] = ()) -> dict[int, Cents]:
    """The part of the largest bet that no other seat matched, to go back to its owner.

    Who folds gives up everything.
    """
    if not put_in:
        return {}
    largest, *rest = sorted(put_in.values(), reverse=True)
    excess = largest - max(rest, default=0)
    owner = next(seat for seat, cents in put_in.items() if cents == largest)
    return {owner: excess} if excess and owner not in folded else {}


def build_pots(
    put_in: Mapping[int, Cents],
    folded: Collection[int] = (),
    dead: Cents = 0,
    for_dead: Collection[int] = (),
) -> tuple[tuple[Pot, ...], dict[int, Cents]]:
    """The pots, main first, and what goes back uncalled.

    `dead` is money that is nobody's bet (a missed small blind): it is in the main pot and
    matches nothing; less than nothing is taken from the main pot, and then from the others. Seats
    `for_dead` are all in with dead money alone: that is then a pot of its own, which they can win.
    Money of folded seats above the last live level stays in the last pot.
    """
    returned = uncalled(put_in, folded)
    kept = {seat: cents - returned.get(seat, 0) for seat, cents in put_in.items()}
    live = sorted(seat for seat in put_in if seat not in folded)
    levels = sorted({kept[seat] for seat in live} - {0})
    pots: list[Pot] = []
    if dead > 0 and any(seat in live for seat in for_dead):
        pots.append(Pot(dead, tuple(live)))
        dead = 0
    below = 0
    for level in levels:
        amount = sum(min(cents, level) - min(cents, below) for cents in kept.values())
        eligible = tuple(seat for seat in live if kept[seat] >= level)
        pots.append(Pot(amount, eligible))
        below = level
    stranded = sum(max(cents - below, 0) for cents in kept.values())
    if not pots and live and (dead or stranded):
        pots.append(Pot(0, tuple(live)))
    if pots:
        pots[-1] = replace(pots[-1], amount=pots[-1].amount + stranded)
        for number, pot in enumerate(pots):
            amount = max(pot.amount + dead, 0)
            dead -= amount - pot.amount
            pots[number] = replace(pot, amount=amount)
    return tuple(pots), returned


def take_drop(
    pots: tuple[Pot, ...], fee: Cents, jackpot: Cents, short_pot: Literal["waive", "cap"]
) -> Drop:
    """Takes the fee and then the jackpot out of the main pot.

    What would leave nothing to win is waived, or with `cap` taken as far as the pot reaches.
    """
    if not pots:
        return Drop(pots, 0, 0, fee + jackpot)
    left = pots[0].amount
    if short_pot == "waive" and 0 < left <= fee:
        return Drop(pots, 0, 0, fee + jackpot)
    taken = []
    for due in (fee, jackpot):
        part = min(due, left)
        if short_pot == "waive" and due >= left:
            part = 0
        taken.append(part)
        left -= part
    return Drop(
        pots=(replace(pots[0], amount=left), *pots[1:]),
        fee=taken[0],
        jackpot=taken[1],
        waived=fee + jackpot - sum(taken),
    )

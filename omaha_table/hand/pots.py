"""Main and side pots from what each seat put in, and the fee and jackpot out of one of them."""

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
    """What the house took from one pot, and what it gave up because the pots were short."""

    pots: tuple[Pot, ...]
    fee: Cents
    jackpot: Cents
    waived: Cents
    taken_from: int = 0
    """The place of that pot; 0 is the main pot."""


def uncalled(put_in: Mapping[int, Cents], folded: Collection[int] = ()) -> dict[int, Cents]:
    """The part of the largest bet that no other seat matched, to go back to its owner.

    Nothing goes back to a seat that has folded.
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

    `dead` is money that is nobody's bet (a missed small blind). It goes into the main pot and
    matches nothing. If it is negative (a ruling has given chips back), it comes out of the main pot
    and then out of the others. Seats `for_dead` are all in with dead money alone. They have matched
    no bet, so the dead money becomes a pot of its own that they can win.
    """
    returned = uncalled(put_in, folded)
    kept = {seat: cents - returned.get(seat, 0) for seat, cents in put_in.items()}
    live = sorted(seat for seat in put_in if seat not in folded)
    # Only live seats make a level. What a folded seat had put in must not split a pot between the
    # same players.
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
    # Folded seats may have put in more than anybody who is left; it belongs to the last pot.
    stranded = sum(max(cents - below, 0) for cents in kept.values())
    if not pots and live and (dead or stranded):
        pots.append(Pot(0, tuple(live)))
    if pots:
        pots[-1] = replace(pots[-1], amount=pots[-1].amount + stranded)
        for number, pot in enumerate(pots):
            # A positive `dead` lands in the first pot; what is missing of a negative one goes on to
            # the next.
            amount = max(pot.amount + dead, 0)
            dead -= amount - pot.amount
            pots[number] = replace(pot, amount=amount)
    return tuple(pots), returned


def take_drop(
    pots: tuple[Pot, ...],
    fee: Cents,
    jackpot: Cents,
    short_pot: Literal["waive", "cap"],
    taken_from: Literal["main", "first_able"] = "main",
) -> Drop:
    """Takes the fee and then the jackpot out of one pot.

    That is the main pot, or with `first_able` the first one that keeps something to win after the
    whole drop. What would leave nothing to win is waived, or with `cap` taken as far as the main
    pot reaches.
    """
    if not fee + jackpot:
        # Nothing is taken from any pot, even if a ruling has emptied the main pot.
        return Drop(pots, 0, 0, 0)
    if taken_from == "first_able":
        # A seat that is all in for less than the fee must not cost the house its drop: the rules
        # take it from the pot in every hand, and the pot is all of it. Fee and jackpot are one drop
        # out of one pot, so the jackpot is given up before the fee is.
        for part in (jackpot, 0):
            for number, pot in enumerate(pots):
                if pot.amount > fee + part:
                    return _taken(pots, number, fee, part, waived=jackpot - part)
    return _from_main(pots, fee, jackpot, short_pot)


def _taken(
    pots: tuple[Pot, ...], number: int, fee: Cents, jackpot: Cents, *, waived: Cents
) -> Drop:
    pot = pots[number]
    left = replace(pot, amount=pot.amount - fee - jackpot)
    return Drop((*pots[:number], left, *pots[number + 1 :]), fee, jackpot, waived, number)


def _from_main(
    pots: tuple[Pot, ...], fee: Cents, jackpot: Cents, short_pot: Literal["waive", "cap"]
) -> Drop:
    """Out of the main pot alone, however much lies in side pots."""
    if not pots:
        return Drop(pots, 0, 0, fee + jackpot)
    left = pots[0].amount
    # A fee of the whole pot would leave nothing to win, so it is waived, and the jackpot with it
    # (profile setting `fee.short_pot`).
    if short_pot == "waive" and 0 < left <= fee:
        return Drop(pots, 0, 0, fee + jackpot)
    taken = []
    # The jackpot comes after the fee (N.J.A.C. 13:69F-14.19 has the same order).
    for due in (fee, jackpot):
        part = min(due, left)
        if short_pot == "waive" and due >= left:
            part = 0
        taken.append(part)
        left -= part
    return _taken(pots, 0, *taken, waived=fee + jackpot - sum(taken))

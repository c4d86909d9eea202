"""What really happened at the table of a soak, kept apart from the program under test.

Chips are counted, pots built and hands read here once more: the highs by phevaluator, the lows by
brute force, pots and odd chips by the rules' own words. The program's answer is compared with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from phevaluator import evaluate_omaha_cards

if TYPE_CHECKING:
    from omaha_table.rules import Profile

LOW = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8}


def high(board: list[str], hole: list[str]) -> int:
    """The smaller the better; five cards are the best of their five fours."""
    values: list[int] = [evaluate_omaha_cards(*board, *four) for four in combinations(hole, 4)]
    return min(values)


def low(board: list[str], hole: list[str]) -> tuple[int, ...] | None:
    """The five ranks from the top down, the smaller the better; None: no low."""
    found = []
    for two in combinations(hole, 2):
        for three in combinations(board, 3):
            ranks = {LOW.get(card[0], 99) for card in (*two, *three)}
            if len(ranks) == 5 and max(ranks) <= 8:
                found.append(tuple(sorted(ranks, reverse=True)))
    return min(found, default=None)


def left_of(button: int, seats: list[int]) -> list[int]:
    """Clockwise, beginning at the button's left; the button comes last."""
    return sorted(seats, key=lambda seat: (seat - button - 1) % 100)


def unit_for(profile: Profile, amount: int, ways: int) -> int:
    """The chip to divide in: smaller ones where more would be left over than is allowed."""
    unit, most = profile.odd_chip.unit, profile.odd_chip.most
    for smaller in (50, 25, 5, 1):
        if most is None or amount % (ways * unit) <= most:
            break
        unit = min(unit, smaller)
    return unit


@dataclass
class Felt:
    """One hand as it lies on the felt: chips in front and behind, who is in, which cards."""

    button: int
    dealt: list[int]
    stacks: dict[int, int]
    put: dict[int, int]
    dead: dict[int, int]
    at_start: dict[int, int]
    folded: set[int] = field(default_factory=set)
    mucked: list[int] = field(default_factory=list)
    waived: bool = False
    past: list[tuple[dict[int, int], dict[int, int], set[int]]] = field(default_factory=list)
    """Before each action, so that one can be taken back."""

    def act(self, seat: int, pays: int, *, folds: bool = False) -> None:
        self.past.append((dict(self.stacks), dict(self.put), set(self.folded)))
        self.stacks[seat] -= pays
        self.put[seat] += pays
        if folds:
            self.folded.add(seat)

    def take_back(self) -> None:
        self.stacks, self.put, self.folded = self.past.pop()

    def live(self) -> list[int]:
        return [seat for seat in self.dealt if seat not in self.folded]

    def give_back_uncalled(self) -> None:
        """The part of a bet that nobody matched goes back; who has folded gets nothing."""
        most = max(self.put.values())
        owners = [seat for seat, cents in self.put.items() if cents == most]
        second = max([cents for seat, cents in self.put.items() if seat != owners[0]], default=0)
        if len(owners) == 1 and owners[0] not in self.folded and most > second:
            self.put[owners[0]] = second
            self.stacks[owners[0]] += most - second

    def pots(self) -> list[tuple[int, list[int]]]:
        live, made, below = self.live(), [], 0
        for level in sorted({self.put[seat] for seat in live} - {0}):
            amount = sum(min(c, level) - min(c, below) for c in self.put.values())
            made.append((amount, [seat for seat in live if self.put[seat] >= level]))
            below = level
        over = sum(max(cents - below, 0) for cents in self.put.values())
        if not made:
            made.append((0, live))
        first, last = made[0], made[-1]
        made[-1] = (last[0] + over, last[1])
        made[0] = (made[0][0] + sum(self.dead.values()), first[1])
        return made

    def dropped_from(self, profile: Profile, taken: int) -> int:
        """The main pot, or the first that keeps something to win, where the profile says so."""
        if profile.fee.taken_from == "main":
            return 0
        able = (number for number, (amount, _) in enumerate(self.pots()) if amount > taken)
        return next(able, 0)

    def awards(
        self, profile: Profile, taken: int, board: list[str], hole: dict[int, list[str]]
    ) -> dict[int, int]:
        """What each seat must be pushed, `taken` being the fee and the jackpot."""
        self.give_back_uncalled()
        total: dict[int, int] = {}
        pays = self.dropped_from(profile, taken)
        for number, (amount, eligible) in enumerate(self.pots()):
            left = amount - (taken if number == pays else 0)
            claims = [seat for seat in eligible if seat not in self.mucked]
            if not claims:
                claims = [[seat for seat in self.mucked if seat in eligible][-1]]
            for seat, cents in self._split(profile, left, claims, board, hole).items():
                total[seat] = total.get(seat, 0) + cents
        return {seat: cents for seat, cents in total.items() if cents}

    def _split(
        self,
        profile: Profile,
        amount: int,
        claims: list[int],
        board: list[str],
        hole: dict[int, list[str]],
    ) -> dict[int, int]:
        if len(claims) == 1:
            return {claims[0]: amount}
        highs = {seat: high(board, hole[seat]) for seat in claims}
        best = [seat for seat in claims if highs[seat] == min(highs.values())]
        lows = {seat: low(board, hole[seat]) for seat in claims}
        made = [value for value in lows.values() if value is not None]
        if profile.game.split != "high_low" or not made:
            return self._share(profile, amount, best)
        nuts = [seat for seat in claims if lows[seat] == min(made)]
        unit = unit_for(profile, amount, 2)
        half = amount // (2 * unit) * unit
        first = left_of(self.button, [*best, *nuts])[0]
        to_high = profile.odd_chip.side == "high" or first in best
        total = self._share(profile, amount - half if to_high else half, best)
        for seat, cents in self._share(profile, half if to_high else amount - half, nuts).items():
            total[seat] = total.get(seat, 0) + cents
        return total

    def _share(self, profile: Profile, amount: int, seats: list[int]) -> dict[int, int]:
        unit = unit_for(profile, amount, len(seats))
        even = amount // (len(seats) * unit) * unit
        shares, odd = dict.fromkeys(seats, even), amount - even * len(seats)
        for seat in left_of(self.button, seats):
            chip = odd if profile.odd_chip.tie == "all_to_first" else min(unit, odd)
            shares[seat] += chip
            odd -= chip
        return shares

"""The betting of a hand and its awards, from the rules and apart from the program under test.

What a seat may do follows RULES 5, chips and awards follow RULES 7 and 9 (`campaigns.truth`).
Each way in which PokerKit differs can be switched on by name, so that a difference between it and
the program counts as known only if this account arrives at PokerKit's figures, to the cent.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from scripts.campaigns.truth import Felt, high, low

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from omaha_table.rules import Profile

SMALL_BLIND, BIG_BLIND = 200, 400
MAX_RAISES = 3
BETTING = ("short_blind", "short_all_in", "nobody_could_call")
AWARDS = ("odd_chip", "side_pot_low")
RULES: frozenset[str] = frozenset()


class Turn(NamedTuple):
    """Whose turn it is and what that seat may do; amounts as totals in front, but for the call."""

    seat: int
    to_call: int
    least: int | None
    most: int | None


class Referee:
    """One hand: every action is reported to it as a total in front of a seat."""

    def __init__(
        self, structure: str, order: Sequence[int], button: int, stacks: dict[int, int]
    ) -> None:
        self.structure, self.order, self.street = structure, list(order), 0
        none = dict.fromkeys(order, 0)
        self.felt = Felt(button, list(order), dict(stacks), dict(none), dict(none), dict(stacks))
        self.bets = dict(none)
        # With two players the button posts the small blind, and is dealt last.
        small, self._last = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
        self.missing = self._post(small, SMALL_BLIND) + self._post(self._last, BIG_BLIND)
        self.posted = max(self.bets.values())
        self.wagers: list[tuple[int, int, bool]] = []

    def _post(self, seat: int, blind: int) -> int:
        posted = min(blind, self.felt.stacks[seat])
        self.felt.act(seat, posted)
        self.bets[seat] = posted
        return blind - posted

    @property
    def bet(self) -> int:
        return 800 if self.structure == "limit" and self.street > 1 else 400

    def act(self, seat: int, to: int, *, folds: bool = False) -> None:
        self.felt.act(seat, to - self.bets[seat], folds=folds)
        self.bets[seat] = to
        self.wagers.append((seat, to, not self.felt.stacks[seat]))
        self._last = seat

    def close_street(self) -> None:
        self.felt.give_back_uncalled()
        self.street += 1
        self.bets = dict.fromkeys(self.order, 0)
        self.wagers = []
        self._last = self.order[-1]

    def turn(self, theirs: frozenset[str] = RULES) -> Turn | None:
        """The turn by the rules, or with some of them as PokerKit has them; None: street over."""
        live = self.felt.live()
        able = [seat for seat in live if self.felt.stacks[seat]]
        account = _Account(self, theirs)
        if len(live) == 1 or not able:
            return None
        if len(able) == 1 and self.bets[able[0]] >= max(self.bets[seat] for seat in live):
            return None
        after = self.order.index(self._last) + 1
        for seat in self.order[after:] + self.order[:after]:
            if seat in able and (seat not in account.acted_at or self.bets[seat] < account.price):
                return self._options(seat, account, theirs)
        return None

    def _options(self, seat: int, account: _Account, theirs: frozenset[str]) -> Turn:
        stack, bet, price = self.felt.stacks[seat], self.bets[seat], account.price
        to_call = min(stack, max(price - bet, 0))
        others = [other for other in self.felt.live() if other != seat]
        if "nobody_could_call" in theirs:
            called = any(self.felt.stacks[o] + self.bets[o] > price for o in others)
        else:
            called = any(self.felt.stacks[other] for other in others)
        if stack + bet <= price or not called or not account.may_raise(seat, to_call):
            return Turn(seat, to_call, None, None)
        least = account.least_raise()
        if self.structure == "limit":
            most = least
        elif self.structure == "no_limit":
            most = stack + bet
        else:
            pot = sum(self.felt.put.values())
            if self.street == 0 and "short_blind" not in theirs:
                pot += self.missing
            most = max(least, price + pot + price - bet)
        return Turn(seat, to_call, min(least, stack + bet), min(most, stack + bet))


class _Account:
    """What the wagers of a street come to: the price, the next raise, and who may make it."""

    def __init__(self, referee: Referee, theirs: frozenset[str]) -> None:
        self.limit, self.bet = referee.structure == "limit", referee.bet
        self.as_theirs = "short_all_in" in theirs
        before_flop = referee.street == 0
        self.price = BIG_BLIND if before_flop else 0
        if before_flop and "short_blind" in theirs:
            self.price = referee.posted
        self.full, self.increment, self.raises = self.price, self.bet, 0
        self.acted_at: dict[int, int] = {}
        # PokerKit counts every wager towards the cap, keeps the largest growth of the price, and
        # adds up all-ins in a row until they reach it.
        self.cap = MAX_RAISES + (not before_flop) if self.limit else None
        self.count, self.largest = 0, 0
        self.acted: set[int] = set()
        self.short_in_a_row: list[int] = []
        for seat, to, all_in in referee.wagers:
            if to > self.price:
                self._raise(to, all_in=all_in)
            self.acted_at[seat] = self.price
            self.acted.add(seat)

    def _raise(self, to: int, *, all_in: bool) -> None:
        growth = to - self.price
        if self.limit:
            whole = 2 * (to - self.full) >= self.bet
        else:
            whole = growth >= self.increment
            self.increment = max(self.increment, growth)
        if whole:
            self.raises += self.full > 0
            self.full = to
        if growth >= self.largest:
            self.acted.clear()
        self.largest = max(self.largest, growth)
        self.count += 1
        self.short_in_a_row = [*self.short_in_a_row, growth] if all_in else []
        if sum(self.short_in_a_row) >= self.largest:
            self.short_in_a_row = []
        self.price = to

    def may_raise(self, seat: int, to_call: int) -> bool:
        if self.as_theirs:
            short = 0 < sum(self.short_in_a_row) < self.largest and seat in self.acted
            return to_call >= self.largest and self.count != self.cap and not short
        if self.limit and self.raises >= MAX_RAISES:
            return False
        if seat not in self.acted_at:
            return True
        growth = self.price - self.acted_at[seat]
        return 2 * growth >= self.bet if self.limit else growth >= self.increment

    def least_raise(self) -> int:
        if self.as_theirs:
            return self.price + max(self.largest, self.bet)
        return self.full + self.bet if self.limit else self.price + self.increment


def subsets(names: Sequence[str]) -> Iterator[frozenset[str]]:
    """The fewest first."""
    sizes = (combinations(names, size) for size in range(len(names) + 1))
    return map(frozenset, chain.from_iterable(sizes))


class Claims:
    """The hands of the seats that are left, and what the pots come to for them."""

    def __init__(
        self, felt: Felt, profile: Profile, board: list[str], hole: dict[int, list[str]]
    ) -> None:
        self.felt = felt
        self.rules = felt.awards(profile, 0, board, hole)
        self.pots = felt.pots()
        live = felt.live()
        self.high, self.low = dict.fromkeys(live, 0), dict[int, tuple[int, ...]]()
        if len(live) == 1:
            return
        self.high = {seat: high(board, hole[seat]) for seat in live}
        if profile.game.split == "high_low":
            lows = {seat: low(board, hole[seat]) for seat in live}
            self.low = {seat: made for seat, made in lows.items() if made is not None}

    def best(self, seats: Collection[int]) -> tuple[list[int], list[int]]:
        """The seats with the best high and with the best low."""
        tops = [seat for seat in seats if self.high[seat] == min(self.high[s] for s in seats)]
        made = {seat: self.low[seat] for seat in seats if seat in self.low}
        return tops, [seat for seat in made if made[seat] == min(made.values())]

    def odd_units(self) -> int:
        """At most so many chips can be odd: one between halves, and one less than tied hands."""
        return sum(sum(map(len, self.best(eligible))) - 1 for _, eligible in self.pots)

    def winners(self) -> set[int]:
        return {seat for _, eligible in self.pots for part in self.best(eligible) for seat in part}

    def payoffs(self, theirs: frozenset[str]) -> dict[int, int]:
        """The awards with some rules as PokerKit has them."""
        if not theirs:
            return self.rules
        total = dict.fromkeys(self.felt.dealt, 0)
        # PokerKit first takes away the hands that win nothing and then makes one pot of those
        # that the same hands are left in; an odd chip is the high's, and the first seat's.
        winners = self.winners()
        pots: list[tuple[int, list[int]]] = []
        for amount, eligible in self.pots:
            left = [seat for seat in eligible if seat in winners]
            if "odd_chip" in theirs and pots and pots[-1][1] == left:
                pots[-1] = (pots[-1][0] + amount, left)
            else:
                pots.append((amount, left))
        for amount, left in pots:
            tops, lows = self.best(left)
            if "side_pot_low" in theirs and self.low and not lows:
                # A low in any pot halves them all; here the half is shared by all who are left.
                lows = left
            to_low = amount // 2 if lows else 0
            if lows and "odd_chip" not in theirs and self._first({*tops, *lows}) not in tops:
                to_low = amount - to_low
            for part, seats in ((amount - to_low, tops), (to_low, lows)):
                for seat in seats:
                    total[seat] += part // len(seats)
                if seats:
                    total[self._first(seats)] += part % len(seats)
        return {seat: cents for seat, cents in total.items() if cents}

    def _first(self, seats: Collection[int]) -> int:
        """Left of the button: the first to be dealt to."""
        return next(seat for seat in self.felt.dealt if seat in seats)

"""A second engine for one hand, written from the rules and not from the program.

It shares no code with `omaha_table`: a hand is a few dictionaries of cents by seat, what a seat may
do is worked out again from the street's list of bets each time it is asked, and hands are read by
going through every two and three. Section numbers are those of the domain rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal, NamedTuple

Verb = Literal["fold", "check", "call", "bet", "raise", "allin"]
RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Rules:
    """What the second engine knows of a game; money in cents."""

    structure: str
    small_bet: int
    big_bet: int
    small_blind: int
    big_blind: int
    ante: int = 0
    hole_cards: int = 4
    splits: bool = True
    low_qualifier: int = 8
    """0: five different ranks of any height."""
    max_raises: int = 3
    heads_up_uncapped: str = "before_cap"
    half_bet_reopens: bool = True
    first_to_show: str = "last_aggressor"
    odd_to_high: bool = False
    one_odd_chip_each: bool = False
    unit: int = 100
    most_odd: int | None = None
    fee: int = 0
    jackpot: int = 0
    fee_by_player: bool = False
    fee_on_turn: bool = False
    any_pot_pays: bool = True
    cap_short_fee: bool = False
    kill_bet: int = 0
    kill_big_bet: int = 0
    kill_threshold: int = 0
    kill_net: bool = False


class Options(NamedTuple):
    """Totals in front of the seat, but for the call; None: it may not bet or raise."""

    call: int
    least: int | None
    most: int | None


@dataclass
class Seat:
    stack: int | None
    """None: nobody counts its chips; it is all in when it says so."""
    street: int = 0
    total: int = 0
    folded: bool = False
    all_in: bool = False

    def put(self, cents: int) -> None:
        self.total += cents
        if self.stack is not None:
            self.stack -= cents
            self.all_in = self.stack == 0

    @property
    def active(self) -> bool:
        return not (self.folded or self.all_in)


@dataclass
class Hand:
    """One hand: `order` is clockwise from the left of the button."""

    rules: Rules
    order: list[int]
    button: int
    small: int | None
    big: int
    killer: int | None
    seats: dict[int, Seat]
    posts: list[tuple[int, str, int]] = field(default_factory=list)
    street: int = 0
    bets: list[tuple[int, int]] = field(default_factory=list)
    """Every action of the street but folds: the seat, and the total then in front of it."""
    raised: list[int] = field(default_factory=list)
    checked: list[int] = field(default_factory=list)
    uncapped: bool = False
    last: int = 0
    bets_open: bool = True
    """Bets lie in front of the seats; the street may be over."""
    returned: Counter[int] = field(default_factory=Counter)
    paid: Counter[int] = field(default_factory=Counter)
    mucked: set[int] = field(default_factory=set)
    missing: int = 0

    # 3.3 and 10: antes are dead and come first, then blinds; a killer posts the kill and no blind

    def post(self) -> None:
        rules = self.rules
        for seat in self.order if rules.ante else ():
            self._post(seat, "ante", rules.ante)
        for kind, at, blind in (
            ("small_blind", self.small, rules.small_blind),
            ("big_blind", self.big, rules.big_blind),
        ):
            if at is None or at not in self.seats:
                self.missing += blind
            elif at != self.killer and blind:
                self.missing += blind - self._post(at, kind, blind)
        if self.killer is not None:
            self._post(self.killer, "kill", rules.kill_bet)
        self.uncapped = self._lifted_at_start()
        self.last = self.big

    def _post(self, number: int, kind: str, due: int) -> int:
        """A short stack posts what it has; others still owe the full price."""
        seat = self.seats[number]
        cents = due if seat.stack is None else min(due, seat.stack)
        if cents:
            seat.put(cents)
            seat.street += 0 if kind == "ante" else cents
            self.posts.append((number, kind, cents))
        return cents

    # 5: betting

    @property
    def opening(self) -> int:
        """What it costs to come in before the flop, however short the blinds are."""
        return self.rules.kill_bet if self.killer is not None else self.rules.big_blind

    @property
    def bet(self) -> int:
        """The fixed bet of a limit street; elsewhere the least bet."""
        kill, rules = self.killer is not None, self.rules
        if rules.structure == "limit" and self.street >= 2:
            return rules.kill_big_bet if kill else rules.big_bet
        return rules.kill_bet if kill else rules.small_bet

    def _counts(self, growth: int) -> bool:
        """5.4: whether a limit bet that has grown so much is a bet or raise."""
        return growth >= self.bet or (self.rules.half_bet_reopens and 2 * growth >= self.bet)

    def _ledger(self) -> tuple[int, int, int, int, dict[int, int]]:
        """The price, the last full level, the least raise, the raises so far, and the price at
        which each seat acted last."""
        limit = self.rules.structure == "limit"
        price = level = self.opening if self.street == 0 else 0
        step, raises = max(self.bet, price), 0
        acted: dict[int, int] = {}
        for seat, to in self.bets:
            if to > price:
                growth = to - (level if limit else price)
                if self._counts(growth) if limit else growth >= step:
                    # The opening bet is no raise; before the flop the blind is that bet.
                    raises += level > 0
                    level = to
                    step = step if limit else growth
                price = to
            acted[seat] = price
        return price, level, step, raises, acted

    def _lifted_at_start(self) -> bool:
        able = sum(seat.active for seat in self.seats.values())
        return self.rules.heads_up_uncapped != "never" and able <= 2

    def to_act(self) -> int | None:
        """None: the street is over."""
        live = [n for n in self.order if not self.seats[n].folded]
        able = [n for n in live if self.seats[n].active]
        price, *_, acted = self._ledger()
        if len(live) == 1 or not able or not self.bets_open:
            return None
        # Alone against all-in seats: what they have not put in would only come back.
        if len(able) == 1 and self.seats[able[0]].street >= max(self.seats[n].street for n in live):
            return None
        at = self.order.index(self.last) + 1 if self.last in self.order else 0
        for number in self.order[at:] + self.order[:at]:
            if number in able and (number not in acted or self.seats[number].street < price):
                return number
        return None

    def options(self, number: int) -> Options:
        rules, seat = self.rules, self.seats[number]
        price, level, step, raises, acted = self._ledger()
        chips = None if seat.stack is None else seat.stack + seat.street
        call = max(price - seat.street, 0)
        call = call if seat.stack is None else min(call, seat.stack)
        limit = rules.structure == "limit"
        growth = price - acted.get(number, price)
        reopened = number not in acted or (self._counts(growth) if limit else growth >= step)
        capped = rules.max_raises and raises >= rules.max_raises and not self.uncapped
        heard = any(other.active for n, other in self.seats.items() if n != number)
        if not heard or not reopened or capped or (chips is not None and chips <= price):
            return Options(call, None, None)
        most: int | None
        if limit:
            least = most = level + self.bet
        else:
            least = price + step
            most = {
                "spread": price + rules.big_bet,
                "pot_limit": max(least, self._pot_limit(seat, price)),
            }.get(rules.structure)
        if chips is None:
            return Options(call, least, most)
        return Options(call, min(least, chips), chips if most is None else min(most, chips))

    def _pot_limit(self, seat: Seat, price: int) -> int:
        """5.5: the price, the pot and the call; a short blind counts as if it were whole."""
        pot = sum(other.total for other in self.seats.values())
        return price + pot + (self.missing if self.street == 0 else 0) + max(price - seat.street, 0)

    def meaning(self, verb: Verb, amount: int | None) -> tuple[int, bool] | None:
        """The total in front after an action, and whether it is a fold; None: not allowed."""
        number = self.to_act()
        assert number is not None
        seat, may = self.seats[number], self.options(number)
        price = self._ledger()[0]
        if verb == "fold":
            return seat.street, True
        if verb == "check" or (verb == "call" and not may.call):
            return None if may.call else (seat.street, False)
        if verb == "call":
            to = seat.street + may.call
            return (to, False) if amount in (None, to) else None
        if verb == "allin":
            return self._all_in(seat, may, price, amount)
        if may.least is None or (verb == "bet" and price):
            return None
        if amount is None:
            amount = may.least if self.rules.structure == "limit" else 0
        fits = may.least <= amount and (may.most is None or amount <= may.most)
        return (amount, False) if fits else None

    def _all_in(
        self, seat: Seat, may: Options, price: int, amount: int | None
    ) -> tuple[int, bool] | None:
        chips = None if seat.stack is None else seat.stack + seat.street
        amount = chips if amount is None else amount
        if amount is None or (chips is not None and amount != chips) or amount <= seat.street:
            return None
        if amount <= price:
            return amount, False
        if may.least is None or (may.most is not None and amount > may.most):
            return None
        return amount, False

    def act(self, verb: Verb, amount: int | None) -> None:
        number, meant = self.to_act(), self.meaning(verb, amount)
        assert number is not None
        assert meant is not None
        to, folds = meant
        seat, price = self.seats[number], self._ledger()[0]
        checks = not folds and to == seat.street
        seat.put(to - seat.street)
        seat.street, seat.folded = to, folds
        seat.all_in = seat.all_in or verb == "allin"
        if not folds:
            self.bets.append((number, to))
            self.raised += [number] if to > price else []
            self.checked += [number] if checks else []
        self.last = number
        # 5.3: two left before the cap was reached lift it; later ones do not.
        raises = self._ledger()[3]
        if not seat.active and self.rules.heads_up_uncapped == "before_cap":
            able = sum(other.active for other in self.seats.values())
            self.uncapped = self.uncapped or (able <= 2 and raises < self.rules.max_raises)

    def fold_early(self, number: int) -> bool:
        """5.6: a fold out of turn binds, and changes nobody's turn; False: it cannot be one."""
        seat = self.seats.get(number)
        if seat is None or not seat.active or number == self.to_act():
            return False
        seat.folded = True
        if self.bets_open and self.rules.heads_up_uncapped == "before_cap":
            able = sum(other.active for other in self.seats.values())
            raises = self._ledger()[3]
            self.uncapped = self.uncapped or (able <= 2 and raises < self.rules.max_raises)
        return True

    def close_street(self) -> None:
        """What nobody has called goes back."""
        if not self.bets_open:
            return
        self.bets_open = False
        totals = sorted((seat.total for seat in self.seats.values()), reverse=True)
        for number, seat in self.seats.items():
            if seat.total == totals[0] > totals[1] and not seat.folded:
                back = totals[0] - totals[1]
                self.returned[number] += back
                seat.put(-back)
                seat.all_in = False
            seat.street = 0

    def open_street(self) -> None:
        self.street += 1
        self.bets_open = True
        self.bets, self.raised, self.checked = [], [], []
        self.last = 0
        self.uncapped = self._lifted_at_start()

    # 9: who shows first

    def show_order(self) -> list[int]:
        live = [n for n in self.order if not self.seats[n].folded]
        begun = {
            "last_aggressor": self.raised[-1:],
            "first_bettor": [n for n in self.raised if n in live] or self.checked,
        }[self.rules.first_to_show]
        first = next((n for n in begun if n in live), None)
        at = 0 if first is None else live.index(first)
        return live[at:] + live[:at]

    # 7 and 8: pots, and the drop out of one of them

    def pots(self) -> list[tuple[int, list[int]]]:
        live = [n for n, seat in self.seats.items() if not seat.folded]
        totals = {n: seat.total for n, seat in self.seats.items()}
        made: list[tuple[int, list[int]]] = []
        below = 0
        for level in sorted({totals[n] for n in live if totals[n]}):
            cents = sum(min(c, level) - min(c, below) for c in totals.values())
            made.append((cents, sorted(n for n in live if totals[n] >= level)))
            below = level
        over = sum(max(c - below, 0) for c in totals.values())
        if not made:
            return [(over, sorted(live))] if over else []
        return [*made[:-1], (made[-1][0] + over, made[-1][1])]

    def drop(self, board: list[str]) -> tuple[int, int, int, int]:
        """The fee, the jackpot, what was given up, and the place of the pot that paid."""
        rules = self.rules
        if rules.fee_by_player:
            return 0, 0, rules.fee * len(self.order) - sum(self.paid.values()), 0
        if len(board) < (4 if rules.fee_on_turn else 3):
            return 0, 0, 0, 0
        amounts = [cents for cents, _ in self.pots()]
        paying = amounts if rules.any_pot_pays else amounts[:1]
        for fund in (rules.jackpot, 0):
            for number, cents in enumerate(paying):
                if cents > rules.fee + fund:
                    taken = rules.fee, fund, rules.jackpot - fund
                    return *taken, number if rules.fee + fund else 0
        fee = min(rules.fee, amounts[0]) if rules.cap_short_fee and amounts else 0
        return fee, 0, rules.fee + rules.jackpot - fee, 0

    # 9: awards

    def awards(self, board: list[str], hands: dict[int, list[str]]) -> dict[int, int]:
        fee, jackpot, _, number = self.drop(board)
        total: Counter[int] = Counter()
        for at, (cents, eligible) in enumerate(self.pots()):
            left = cents - (fee + jackpot if at == number else 0)
            claims = [n for n in eligible if n not in self.mucked]
            total.update(self._split(left, claims, board, hands))
        return {n: cents for n, cents in sorted(total.items()) if cents}

    def _split(
        self, cents: int, claims: list[int], board: list[str], hands: dict[int, list[str]]
    ) -> Counter[int]:
        if len(claims) == 1:
            return Counter({claims[0]: cents})
        highs = {n: best_high(board, hands[n]) for n in claims}
        tops = [n for n in claims if highs[n] == max(highs.values())]
        lows = {n: best_low(board, hands[n], self.rules.low_qualifier) for n in claims}
        made = [low for low in lows.values() if low is not None]
        if not self.rules.splits or not made:
            return self._share(cents, tops)
        nuts = [n for n in claims if lows[n] == min(made)]
        unit = self._unit(cents, 2, all_to_one=True)
        half = cents // (2 * unit) * unit
        first = self._from_the_left({*tops, *nuts})[0]
        to_high = self.rules.odd_to_high or first in tops
        return self._share(cents - half if to_high else half, tops) + self._share(
            half if to_high else cents - half, nuts
        )

    def _share(self, cents: int, winners: list[int]) -> Counter[int]:
        each = self.rules.one_odd_chip_each
        unit = self._unit(cents, len(winners), all_to_one=not each)
        even = cents // (len(winners) * unit) * unit
        odd = cents - even * len(winners)
        shares = Counter(dict.fromkeys(winners, even))
        for number in self._from_the_left(winners):
            chip = min(unit, odd) if each else odd
            shares[number] += chip
            odd -= chip
        return shares

    def _unit(self, cents: int, ways: int, *, all_to_one: bool) -> int:
        """9.1: chips small enough that nobody gets more of the excess than is allowed."""
        unit, most = self.rules.unit, self.rules.most_odd
        for smaller in (50, 25, 5, 1):
            excess = cents % (ways * unit)
            if most is None or (excess if all_to_one else min(excess, unit)) <= most:
                break
            unit = min(unit, smaller)
        return unit

    def _from_the_left(self, seats: set[int] | list[int]) -> list[int]:
        return sorted(seats, key=lambda n: (n - self.button - 1) % 100)

    # 10: the kill

    def next_killer(self, board: list[str], awards: dict[int, int]) -> int | None:
        fee, jackpot, _, _ = self.drop(board)
        size = sum(cents for cents, _ in self.pots())
        size -= fee + jackpot if self.rules.kill_net else 0
        if not self.rules.kill_bet or len(awards) != 1 or size < self.rules.kill_threshold:
            return None
        return next(iter(awards))


# 2: reading hands


def best_high(board: list[str], hole: list[str]) -> tuple[int, ...]:
    """Of exactly two hole cards and three of the board; the larger the better."""
    fives = (two + three for two in combinations(hole, 2) for three in combinations(board, 3))
    return max(map(_high, fives))


def _high(five: tuple[str, ...]) -> tuple[int, ...]:
    counts = Counter(RANKS.index(card[0]) for card in five)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card[1] for card in five}) == 1
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    if ranks == [12, 3, 2, 1, 0]:  # the wheel: the ace is its lowest card
        straight, ranks = True, [3]
    kinds = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [], [], [3, 2], [4, 1]]
    kind = 8 if straight and flush else 5 if flush else 4 if straight else kinds.index(shape)
    return kind, *ranks


def best_low(board: list[str], hole: list[str], qualifier: int) -> tuple[int, ...] | None:
    """The ranks from the top down, the smaller the better; a pair is no low."""
    made = []
    for two in combinations(hole, 2):
        for three in combinations(board, 3):
            ranks = {(RANKS.index(card[0]) + 1) % 13 + 1 for card in two + three}
            if len(ranks) == 5 and max(ranks) <= (qualifier or 13):
                made.append(tuple(sorted(ranks, reverse=True)))
    return min(made, default=None)

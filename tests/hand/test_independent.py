"""Random hands through the program and through the second engine, turn by turn.

Stacks are odd, some are not tracked, some do not reach the blind; there are antes, kills, fees out
of pots and from players, and every setting of the rules that decides about chips. Each action, also
one that makes no sense, must be accepted or refused by both, and every figure of the end be equal.
`OMAHA_HANDS=2000` plays more of them.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.cards import DECK
from omaha_table.evaluate import read_hands
from omaha_table.hand import betting, showdown, split, unpaid
from omaha_table.hand import commands as play
from omaha_table.hand.betting import options
from omaha_table.hand.phases import Phase, Street
from omaha_table.hand.pots import take_drop
from omaha_table.rules import examine
from omaha_table.session import Session
from omaha_table.table import commands as table
from tests.evenings import shipped
from tests.hand.independent import Hand, Rules, Seat

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.hand.events import HandEnded, HandStarted
    from omaha_table.rules import Profile

HANDS = int(os.environ.get("OMAHA_HANDS", "300"))
OVER = 4
STREETS = {0: Street.FLOP, 1: Street.TURN, 2: Street.RIVER}


def dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def a_game(rng: random.Random) -> tuple[Rules, Profile]:
    """The same game for both engines."""
    structure = rng.choice(["limit", "limit", "spread", "pot_limit", "no_limit"])
    splits = rng.random() < 0.75
    kill = structure == "limit" and splits and rng.random() < 0.5
    by_player = rng.random() < 0.2
    jackpot = 0 if by_player else rng.choice([0, 100])
    any_pot = not by_player and rng.random() < 0.7
    unit = rng.choice([1, 50, 100])
    rules = Rules(
        structure=structure,
        small_bet=400,
        big_bet=800 if structure == "limit" else 2000,
        small_blind=200,
        big_blind=400,
        ante=rng.choice([0, 0, 100]),
        hole_cards=rng.choice([4, 5]),
        splits=splits,
        low_qualifier=rng.choice([7, 8, 8, 9, 0]) if splits else 8,
        max_raises=rng.choice([3, 3, 0]),
        heads_up_uncapped=rng.choice(["before_cap", "street_start", "never"]),
        half_bet_reopens=rng.random() < 0.7,
        first_to_show=rng.choice(["last_aggressor", "first_bettor"]),
        odd_to_high=rng.random() < 0.5,
        one_odd_chip_each=rng.random() < 0.5,
        unit=unit,
        most_odd=rng.choice([None, 100]),
        fee=rng.choice([0, 100, 300, 500]),
        jackpot=jackpot,
        fee_by_player=by_player,
        fee_on_turn=rng.random() < 0.3,
        any_pot_pays=any_pot,
        # A main pot that is capped pays a part of the jackpot too: not in the rules as they are.
        cap_short_fee=(any_pot or not jackpot) and rng.random() < 0.3,
        kill_bet=600 if kill else 0,
        kill_big_bet=1200 if kill else 0,
        kill_threshold=rng.choice([1000, 3000]) if kill else 0,
        kill_net=kill and rng.random() < 0.5,
    )
    return rules, the_profile(rules, must_table=rng.choice(["winners", "all"]))


def the_profile(rules: Rules, must_table: str) -> Profile:
    limit: dict[str, Any] = {
        "id": "test",
        "structure": rules.structure,
        "small_bet": dollars(rules.small_bet),
        "small_blind": dollars(rules.small_blind),
        "big_blind": dollars(rules.big_blind),
        "ante": dollars(rules.ante),
        "fees": [{"players": "2+", "fee": dollars(rules.fee), "jackpot": dollars(rules.jackpot)}],
    }
    if rules.structure in ("limit", "spread"):
        limit["big_bet"] = dollars(rules.big_bet)
    if rules.kill_bet:
        limit["kill"] = {
            "kind": "half",
            "small_bet": dollars(rules.kill_bet),
            "big_bet": dollars(rules.kill_big_bet),
            "blind": dollars(rules.kill_bet),
            "threshold": dollars(rules.kill_threshold),
            "basis": "net" if rules.kill_net else "gross",
        }
    data = shipped("ca_omaha_hilo") | {
        "game": {
            "hole_cards": rules.hole_cards,
            "split": "high_low" if rules.splits else "high",
            "low_qualifier": rules.low_qualifier,
        },
        "seats": {"max": 8, "max_hands": 8},
        "button": {"initial": "placed"},
        "betting": {
            "max_raises": rules.max_raises,
            "heads_up_uncapped": rules.heads_up_uncapped,
            "short_all_in_reopens": "half_bet" if rules.half_bet_reopens else "full_bet",
        },
        "showdown": {"first": rules.first_to_show, "must_table": must_table},
        "odd_chip": {
            "side": "high" if rules.odd_to_high else "left_of_button",
            "tie": "one_each" if rules.one_odd_chip_each else "all_to_first",
            "unit": dollars(rules.unit),
        }
        | ({} if rules.most_odd is None else {"most": dollars(rules.most_odd)}),
        "fee": {
            "by": "player" if rules.fee_by_player else "pot",
            "from": "first_able" if rules.any_pot_pays else "main",
            "trigger": "turn" if rules.fee_on_turn and not rules.fee_by_player else "flop",
            "short_pot": "cap" if rules.cap_short_fee and not rules.fee_by_player else "waive",
        },
        "limits": [limit],
        "sources": {},
    }
    profile, faults = examine(data)
    assert profile is not None, faults
    return profile


class Table:
    """A few hands at one table, with both engines."""

    def __init__(self, rng: random.Random, seen: Counter[str]) -> None:
        self.rng, self.seen = rng, seen
        self.rules, self.profile = a_game(rng)
        self.session = Session(self.profile, self.profile.limits[0])
        self.killer: int | None = None
        self.box = 0
        seats = sorted(rng.sample(range(1, 9), rng.randint(2, 8)))
        self.deep = rng.choice([800, 3000, 20000])
        for seat in seats:
            self.do(table.SeatPlayer(seat, f"P{seat}", self.stack()))
        self.do(table.PlaceButton(rng.choice(seats)))

    def stack(self) -> int | None:
        return None if self.rng.random() < 0.3 else self.rng.randint(1, self.deep)

    @property
    def state(self) -> HandState:
        found = self.session.state.hand
        assert found is not None
        return found

    def do(self, command: Any) -> list[Any]:
        done = self.session.do(command)
        assert done.refusal is None, done.refusal.message
        return [record.event for record in done.records]

    def play_hand(self) -> None:
        for seat, at in self.session.state.seats.items():
            if at.stack == 0:
                self.do(table.Buy(seat, self.rng.randint(1, self.deep)))
        started, *posted = self.do(table.StartHand())
        self.hand = self.second_engine(started)
        self.hand.post()
        assert [(p.seat, p.kind, p.amount) for p in posted] == self.hand.posts
        cards = [card.text for card in self.rng.sample(DECK, 5 + 5 * len(started.dealt))]
        self.board, rest = cards[:5], cards[5:]
        size = self.rules.hole_cards
        self.hole = {n: rest[5 * i : 5 * i + size] for i, n in enumerate(started.dealt)}
        self.pay_fees()
        self.do(play.Deal())
        self.play_streets()

    def second_engine(self, started: HandStarted) -> Hand:
        assert started.killer == self.killer
        order, seats = list(started.dealt), {n: Seat(started.stacks[n]) for n in started.dealt}
        small, big = started.small_blind, started.big_blind
        self.seen["kill"] += started.killer is not None
        return Hand(self.rules, order, started.button, small, big, started.killer, seats)

    def pay_fees(self) -> None:
        if not self.rules.fee_by_player:
            return
        for number, seat in self.hand.seats.items():
            fee = self.rules.fee
            able = bool(fee) and (seat.stack is None or seat.stack > fee)
            if self.rng.random() < 0.8:
                done = self.session.do(play.PayFee((number,)))
                assert (done.refusal is None) == able, number
                if able:
                    seat.stack = None if seat.stack is None else seat.stack - fee
                    self.hand.paid[number] += fee
                    self.seen["paid"] += 1
        owing = [n for n in self.hand.order if not self.hand.paid[n]] if self.rules.fee else []
        assert unpaid(self.state) == owing

    def play_streets(self) -> None:
        while True:
            turn = self.hand.to_act() if self.hand.street < OVER else None
            match self.state.phase:
                case Phase.BETTING:
                    assert self.state.actor == turn
                    if not self.fold_early():
                        self.act()
                    continue
                case Phase.BOARD:
                    self.hand.close_street()
                    if not self.fold_early():
                        self.turn_board()
                case Phase.SHOWDOWN:
                    self.end_betting()
                    self.show()
                case Phase.PUSH:
                    self.end_betting()
                    [ended] = self.do(play.Push())
                    self.compare(ended)
                    return
            assert turn is None, f"by the rules it is seat {turn}'s turn"

    def end_betting(self) -> None:
        if self.hand.street < OVER:
            self.hand.close_street()
            self.hand.street = OVER

    def fold_early(self) -> bool:
        """Now and then somebody throws a hand away before its turn; whether one did."""
        if self.rng.random() > 0.06:
            return False
        number = self.rng.randint(1, 8)
        done = self.session.do(play.FoldOutOfTurn(number))
        allowed = self.hand.fold_early(number)
        assert (done.refusal is None) == allowed, (number, done.refusal)
        self.seen["folded early"] += allowed
        return allowed

    def act(self) -> None:
        number = self.hand.to_act()
        assert number is not None
        may, ours = self.hand.options(number), options(self.state)
        assert (ours.to_call, ours.least, ours.most) == tuple(may), (ours, may)
        for _ in range(20):
            verb, amount = self.a_wager(number)
            meant = self.hand.meaning(verb, amount)
            done = self.session.do(play.Act(verb, amount, number))
            said = done.refusal and done.refusal.message
            assert (done.refusal is None) == (meant is not None), (verb, amount, may, said)
            self.seen["accepted" if meant else "refused"] += 1
            if meant is not None:
                self.hand.act(verb, amount)
                return
        raise AssertionError("no action was taken")

    def a_wager(self, number: int) -> tuple[Any, int | None]:
        """Anything that somebody might say, at the edges of what is allowed and beyond."""
        rng, seat, may = self.rng, self.hand.seats[number], self.hand.options(number)
        verb = rng.choice(["call"] * 5 + ["check", "fold", "bet", "raise", "raise", "allin"])
        if verb in ("check", "fold", "call"):
            return verb, None
        price = self.state.price
        sizes = {0, price, seat.street, seat.street + may.call, rng.randint(1, 3000)}
        for edge in (may.least, may.most, None if seat.stack is None else seat.stack + seat.street):
            if edge is not None:
                sizes |= {edge - 1, edge, edge + 1}
        amount = rng.choice([None, may.least, *sorted(cents for cents in sizes if cents >= 0)])
        return verb, amount

    def turn_board(self) -> None:
        street = STREETS[self.hand.street]
        have = len(self.state.board)
        turned = self.board[have : have + street.board_cards]
        by_text = {card.text: card for card in DECK}
        self.do(play.Board(street, tuple(by_text[card] for card in turned)))
        self.hand.open_street()

    def show(self) -> None:
        hand, tabled = self.hand, self.state.tabled
        waiting = [n for n in hand.show_order() if n not in tabled and n not in hand.mucked]
        assert self.session.step.seat == waiting[0]
        number = waiting[0]
        claimed = all(set(live) - hand.mucked - {number} for _, live in hand.pots())
        if self.rng.random() < 0.25 and claimed:
            allowed = self.profile.showdown.must_table == "winners"
            done = self.session.do(play.Muck(number))
            assert (done.refusal is None) == allowed
            self.seen["mucked"] += allowed
            if allowed:
                hand.mucked.add(number)
                return
        by_text = {card.text: card for card in DECK}
        self.do(play.Show(number, tuple(by_text[card] for card in self.hole[number])))

    def compare(self, ended: HandEnded) -> None:
        hand, board = self.hand, [card.text for card in ended.board]
        fee, jackpot, waived, number = hand.drop(board)
        drop = (ended.fee, ended.jackpot, ended.waived, ended.drop_from)
        assert drop == (fee, jackpot, waived, number)
        pots = hand.pots()
        left = [c - (fee + jackpot if at == number else 0) for at, (c, _) in enumerate(pots)]
        assert [pot.amount for pot in ended.pots] == left
        assert [list(pot.eligible) for pot in ended.pots] == [live for _, live in pots]
        awards = hand.awards(board, self.hole)
        assert ended.awards == awards, (ended, awards)
        assert ended.invested == {n: seat.total for n, seat in sorted(hand.seats.items())}
        assert ended.returned == dict(sorted(hand.returned.items()))
        for seat, at in hand.seats.items():
            if at.stack is not None:
                assert ended.stacks[seat] == at.stack + awards.get(seat, 0)
        self.killer = hand.next_killer(board, awards)
        assert ended.kill == self.killer
        self.box += fee + sum(hand.paid.values())
        assert self.session.state.box.fees == self.box
        self.seen["side pots"] += len(pots) > 1
        self.seen["drop from a side pot"] += bool(number)
        self.seen["waived"] += bool(waived)
        self.seen["low"] += any(pot.low for pot in ended.pots)
        self.seen["showdown"] += ended.outcome == "showdown"
        self.seen["short post"] += any(
            cents not in (100, 200, 400, 600) for *_, cents in hand.posts
        )


def play_hands(count: int, seed: int) -> Counter[str]:
    """Raises AssertionError at the first difference; else what there was to compare."""
    rng, seen = random.Random(seed), Counter[str]()
    while seen["hands"] < count:
        at_table = Table(rng, seen)
        for _ in range(3):
            at_table.play_hand()
            seen["hands"] += 1
    return seen


def test_random_hands_come_to_the_same_by_both_engines() -> None:
    seen = play_hands(HANDS, seed=17)
    for what in (
        *("accepted", "refused", "side pots", "drop from a side pot", "waived", "low", "showdown"),
        *("kill", "paid", "mucked", "short post", "folded early"),
    ):
        assert seen[what] >= HANDS // 100, (what, seen)


def _odd_chip_to_the_last_seat(patch: pytest.MonkeyPatch) -> None:
    right = split.clockwise
    patch.setattr(split, "clockwise", lambda seats, button: right(seats, button)[::-1])


def _an_excess_without_a_limit(patch: pytest.MonkeyPatch) -> None:
    right: Any = split.split_pot

    def wrong(*given: Any) -> Any:
        *others, rule = given
        return right(*others, rule.model_copy(update={"most": None}))

    patch.setattr(showdown, "split_pot", wrong)


def _every_all_in_reopens(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(betting, "_reopened", lambda *_: True)


def _fee_from_the_main_pot_alone(patch: pytest.MonkeyPatch) -> None:
    right: Any = take_drop
    patch.setattr(showdown, "take_drop", lambda *given: right(*given[:4], "main"))


def _lows_of_eight_in_every_game(patch: pytest.MonkeyPatch) -> None:
    right: Any = read_hands
    patch.setattr(showdown, "read_hands", lambda board, hands, _: right(board, hands))


def _the_first_hand_left_of_the_button_shows_first(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("omaha_table.hand.steps.showdown_order", lambda state: state.contenders)


@pytest.mark.parametrize(
    "plant",
    [
        _odd_chip_to_the_last_seat,
        _an_excess_without_a_limit,
        _every_all_in_reopens,
        _fee_from_the_main_pot_alone,
        _lows_of_eight_in_every_game,
        _the_first_hand_left_of_the_button_shows_first,
    ],
)
def test_a_rule_that_is_broken_on_purpose_is_found(
    plant: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        play_hands(300, seed=17)

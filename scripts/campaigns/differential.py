"""The same random hands played by this project and by PokerKit, side by side, with a referee.

Every turn and every award must be what the referee (`campaigns.referee`) finds from the rules.
PokerKit follows other rules in some places. They are named here, with the greatest share of hands
in which each may show; a difference is known only if the referee, with the named rules as PokerKit
has them, comes to PokerKit's figures to the cent. Every hand is played to its end: where PokerKit
does not allow what the rules do, the two part, and the referee alone is left to compare with.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    Mode,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    State,
    Street,
)

from omaha_table.cards import DECK, Card, format_cards
from omaha_table.hand import commands as hand
from omaha_table.hand.betting import options
from omaha_table.hand.phases import Phase
from omaha_table.hand.phases import Street as OurStreet
from omaha_table.session import Session
from omaha_table.table import commands as table
from scripts.campaigns.referee import AWARDS, BETTING, RULES, Claims, Referee, Turn, subsets
from tests.evenings import NO_FEE, profile_with

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.hand.events import HandEnded
    from omaha_table.rules import Profile

KNOWN = {
    "short_blind": "a blind posted short still prices the call in full",
    "short_all_in": "a short all-in reopens by what each player faces; half a bet in limit",
    "nobody_could_call": "a raise that only all-in or covered seats face is not forbidden",
    "odd_chip": "odd chips go by the profile",
    "side_pot_low": "a low qualifies in each pot by itself",
}
MOST = {
    "short_blind": 0.20,
    "short_all_in": 0.12,
    "nobody_could_call": 0.13,
    "odd_chip": 0.09,
    "side_pot_low": 0.03,
    "parted": 0.20,
}
"""Twice the share of hands that was seen, less where it is large."""
STRUCTURES = {
    "limit": BettingStructure.FIXED_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "no_limit": BettingStructure.NO_LIMIT,
}
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)


def our_profile(structure: str, hole: int, split: str) -> Profile:
    limit: dict[str, Any] = {
        "id": "test",
        "structure": structure,
        "small_bet": "4.00",
        "small_blind": "2.00",
        "big_blind": "4.00",
        "fees": NO_FEE,
    }
    if structure == "limit":
        limit["big_bet"] = "8.00"
    seats = {"max": 10, "max_hands": 10} if hole == 4 else {"max": 8, "max_hands": 8}
    return profile_with(
        "ca_omaha_hilo",
        game={"hole_cards": hole, "split": split},
        seats=seats,
        betting={
            "max_raises": 3 if structure == "limit" else 0,
            "heads_up_uncapped": "never",
        },
        odd_chip={"unit": "0.01"},
        limit=limit,
    )


def their_state(structure: str, hole: int, split: str, stacks: list[int]) -> State:
    big = 800 if structure == "limit" else 400
    cap = structure == "limit"
    kinds = (
        (OmahaHoldemHand, OmahaEightOrBetterLowHand) if split == "high_low" else (OmahaHoldemHand,)
    )
    return State(
        automations=AUTOMATIONS,
        deck=Deck.STANDARD,
        hand_types=kinds,
        streets=(
            Street(False, (False,) * hole, 0, False, Opening.POSITION, 400, 3 if cap else None),
            Street(True, (), 3, False, Opening.POSITION, 400, 4 if cap else None),
            Street(True, (), 1, False, Opening.POSITION, big, 4 if cap else None),
            Street(True, (), 1, False, Opening.POSITION, big, 4 if cap else None),
        ),
        betting_structure=STRUCTURES[structure],
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=(200, 400),
        bring_in=0,
        raw_starting_stacks=stacks,
        player_count=len(stacks),
        mode=Mode.CASH_GAME,
    )


@dataclass
class Tally:
    hands: int = 0
    actions: int = 0
    refused: int = 0
    """Wagers outside the rules that were tried, and refused."""
    compared: int = 0
    """Hands whose results were compared with PokerKit's, beside the referee's."""
    named: Counter[str] = field(default_factory=Counter)
    """Hands in which PokerKit differed, by cause; `parted`: it could not follow to the end."""
    moved: Counter[str] = field(default_factory=Counter)
    """Cents that PokerKit gave to other seats, by cause."""

    def check_shares(self) -> None:
        """A cause that excuses more hands than the rules explain is no excuse."""
        for name, most in MOST.items():
            found = self.named[name]
            assert found <= most * self.hands, f"{name} in {found} of {self.hands} hands"
        assert self.compared + self.named["parted"] == self.hands


def play(count: int, seed: int, tally: Tally) -> None:
    """Plays random hands; raises AssertionError at a difference that has no name."""
    rng = random.Random(seed)
    for _ in range(count):
        tally.hands += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            hand = _Hand(rng, tally)
            hand.play()
        tally.named.update(hand.named)


class _Hand:
    def __init__(self, rng: random.Random, tally: Tally) -> None:
        self.rng = rng
        self.tally = tally
        self.structure = rng.choice(list(STRUCTURES))
        self.hole = rng.choice([4, 4, 5])
        self.split = rng.choice(["high", "high_low", "high_low"])
        self.profile = our_profile(self.structure, self.hole, self.split)
        count = rng.randint(2, self.profile.seats.hands)
        seats = sorted(rng.sample(range(1, self.profile.seats.max + 1), count))
        deep = rng.choice([1500, 6000, 30000])
        self.session = Session(self.profile, self.profile.limits[0])
        self.button = rng.choice(seats)
        stacks = {seat: rng.randint(1, deep) for seat in seats}
        for seat, stack in stacks.items():
            self.do(table.SeatPlayer(seat, f"P{seat}", stack))
        self.do(table.PlaceButton(self.button))
        self.do(table.StartHand())
        self.do(hand.Deal())
        at = seats.index(self.button) + 1
        self.order = seats[at:] + seats[:at]
        assert list(self.state.setup.dealt) == self.order, "the deal does not begin at the left"
        cards = rng.sample(DECK, 5 + count * self.hole)
        self.board = cards[:5]
        self.cards = {
            seat: tuple(cards[5 + i * self.hole : 5 + (i + 1) * self.hole])
            for i, seat in enumerate(self.order)
        }
        self.referee = Referee(self.structure, self.order, self.button, stacks)
        started = [stacks[seat] for seat in self.order]
        self.theirs: State | None = their_state(self.structure, self.hole, self.split, started)
        for seat in self.order:
            self.theirs.deal_hole(_text(self.cards[seat]))
        self.named: set[str] = set()

    @property
    def state(self) -> HandState:
        found = self.session.state.hand
        assert found is not None
        return found

    def do(self, command: Any) -> list[Any]:
        done = self.session.do(command)
        assert done.refusal is None, done.refusal.message
        return [record.event for record in done.records]

    def play(self) -> None:
        while True:
            turn = self.referee.turn()
            match self.state.phase:
                case Phase.BETTING:
                    self.act(turn)
                    continue
                case Phase.BOARD:
                    self.turn_board()
                case Phase.SHOWDOWN:
                    seat = next(s for s in self.state.contenders if s not in self.state.tabled)
                    self.do(hand.Show(seat, self.cards[seat]))
                case Phase.PUSH:
                    [ended] = self.do(hand.Push())
                    self.compare_end(ended)
                    return
            assert turn is None, f"by the rules it is seat {turn.seat}'s turn"

    def act(self, turn: Turn | None) -> None:
        self.tally.actions += 1
        ours = options(self.state)
        found = Turn(ours.seat, ours.to_call, ours.least, ours.most)
        assert found == turn, f"the console has {found}, by the rules it is {turn}"
        self.compare_turn(turn)
        self.try_too_much(turn)
        roll = self.rng.random()
        to = self.referee.bets[turn.seat]
        if turn.least is not None and turn.most is not None and roll < 0.35:
            sizes = [turn.least, turn.most, self.rng.randint(turn.least, turn.most)]
            to = self.rng.choice(sizes)
            self.do(hand.Act("raise" if self.state.price else "bet", to))
            self.mirror("raise", turn, to)
        elif turn.to_call and roll < 0.55:
            self.do(hand.Act("fold"))
            self.mirror("fold", turn, to)
        else:
            to += turn.to_call
            self.do(hand.Act("call" if turn.to_call else "check"))
            self.mirror("call", turn, to)

    def try_too_much(self, turn: Turn) -> None:
        """A wager outside the rules is refused and changes nothing."""
        all_in = self.referee.bets[turn.seat] + self.referee.felt.stacks[turn.seat]
        amounts = [all_in + 1]
        if turn.least is None or turn.most is None:
            amounts.append(all_in)
        else:
            amounts += [turn.least - 1, turn.most + 1]
        amount, before = self.rng.choice(amounts), self.session.state
        done = self.session.do(hand.Act("raise" if self.state.price else "bet", amount))
        assert done.refusal is not None, f"a wager of {amount} was taken, by the rules {turn}"
        assert self.session.state == before
        self.tally.refused += 1

    def their_turn(self, ours: int | None) -> Turn | None:
        """What PokerKit would let whom do; seats that it asks without a choice are passed."""
        theirs = self.theirs
        assert theirs is not None
        while theirs.actor_index is not None:
            turn = Turn(
                self.order[theirs.actor_index],
                theirs.checking_or_calling_amount or 0,
                theirs.min_completion_betting_or_raising_to_amount,
                theirs.max_completion_betting_or_raising_to_amount,
            )
            if turn.seat == ours or turn.to_call or turn.least is not None:
                return turn
            theirs.check_or_call()
        return None

    def compare_turn(self, turn: Turn | None) -> None:
        if self.theirs is None:
            return
        theirs = self.their_turn(turn.seat if turn else None)
        for causes in subsets(BETTING):
            if self.referee.turn(causes) == theirs:
                self.named |= causes
                break
        else:
            raise AssertionError(
                f"PokerKit has {theirs}, by the rules it is {turn}: no known cause"
            )
        if (theirs is None) != (turn is None) or (theirs and turn and theirs.seat != turn.seat):
            self.part()

    def part(self) -> None:
        assert self.named, "PokerKit cannot follow, and no cause is known"
        self.named.add("parted")
        self.theirs = None

    def mirror(self, action: str, turn: Turn, to: int) -> None:
        theirs = self.theirs
        if theirs is not None:
            if action == "fold":
                theirs.fold()
            elif action == "raise" and theirs.can_complete_bet_or_raise_to(to):
                theirs.complete_bet_or_raise_to(to)
            elif action == "call" and theirs.checking_or_calling_amount == turn.to_call:
                theirs.check_or_call()
            else:
                self.part()
        self.referee.act(turn.seat, to, folds=action == "fold")

    def turn_board(self) -> None:
        self.compare_turn(None)
        self.referee.close_street()
        street = OurStreet(self.state.street + 1)
        have = len(self.state.board)
        cards = tuple(self.board[have : have + street.board_cards])
        self.do(hand.Board(street, cards))
        if self.theirs is not None:
            self.show_theirs()
            self.theirs.deal_board(_text(cards))

    def show_theirs(self) -> None:
        assert self.theirs is not None
        while self.theirs.can_show_or_muck_hole_cards():
            self.theirs.show_or_muck_hole_cards(True)

    def compare_end(self, ended: HandEnded) -> None:
        felt = self.referee.felt
        board = [card.text for card in ended.board]
        hole = {seat: [card.text for card in cards] for seat, cards in self.cards.items()}
        claims = Claims(felt, self.profile, board, hole)
        pots = [(pot.amount, list(pot.eligible)) for pot in ended.pots]
        by_rules = [(amount, sorted(eligible)) for amount, eligible in claims.pots]
        assert pots == by_rules, f"the pots are {pots}, by the rules {by_rules}"
        awards = claims.payoffs(RULES)
        assert ended.awards == awards, f"pushed {ended.awards}, by the rules {awards}"
        assert ended.invested == felt.put, f"put in {ended.invested}, by the rules {felt.put}"
        left = {seat: felt.stacks[seat] + awards.get(seat, 0) for seat in self.order}
        assert ended.stacks == left, f"left with {ended.stacks}, by the rules {left}"
        if self.theirs is not None:
            self.tally.compared += 1
            self.compare_payoffs(claims)

    def compare_payoffs(self, claims: Claims) -> None:
        assert self.theirs is not None
        assert self.their_turn(None) is None
        self.show_theirs()
        assert not self.theirs.status
        put = claims.felt.put
        paid = dict(zip(self.order, self.theirs.payoffs, strict=True))
        paid = {seat: net + put[seat] for seat, net in paid.items() if net + put[seat]}
        awards = claims.payoffs(RULES)
        for causes in subsets(AWARDS):
            if claims.payoffs(causes) == paid:
                break
        else:
            raise AssertionError(f"PokerKit pays {paid}, the rules {awards}: no known cause")
        self.named |= causes
        changed = {seat: paid.get(seat, 0) - awards.get(seat, 0) for seat in self.order}
        moved = sum(cents for cents in changed.values() if cents > 0)
        self.tally.moved["+".join(sorted(causes))] += moved
        if causes == {"odd_chip"}:
            assert moved <= claims.odd_units(), (moved, claims.pots)
            assert {seat for seat, cents in changed.items() if cents} <= claims.winners()


def _text(cards: tuple[Card, ...]) -> str:
    return format_cards(cards).replace(" ", "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hands", type=int, nargs="?", default=5_000)
    parser.add_argument("seed", type=int, nargs="?", default=2026)
    given = parser.parse_args()
    start = time.monotonic()
    tally = Tally()
    while tally.hands < given.hands:
        part = min(100, given.hands - tally.hands)
        play(part, given.seed + tally.hands, tally)
        print(f"\r{tally.hands:,} of {given.hands:,} hands", end="", file=sys.stderr)
    print(file=sys.stderr)
    print(
        f"{tally.hands:,} hands, {tally.actions:,} turns and all awards as the referee has them, "
        f"{tally.refused:,} wagers outside the rules refused, {tally.compared:,} results compared "
        f"with PokerKit's, {time.monotonic() - start:.0f} s, seed {given.seed}"
    )
    for name, meaning in KNOWN.items():
        print(f"{tally.named[name]:6,}  {name}: {meaning}")
    print(f"{tally.named['parted']:6,}  parted: PokerKit could not follow to the end")
    for causes, cents in tally.moved.items():
        if causes:
            print(f"{cents:6,}  cents went to other seats there: {causes}")
    assert tally.hands, "no hands were played"
    tally.check_shares()
    return 0


if __name__ == "__main__":
    sys.exit(main())

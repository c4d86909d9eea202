"""The same random hands played by this project and by PokerKit, side by side.

PokerKit follows other rules in some places. Each is named here with the moment at which it can
show; wherever none of them applies, options and results must be equal to the chip.
"""

from __future__ import annotations

import random
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
from omaha_table.desk import Desk
from omaha_table.hand import Refused
from omaha_table.hand import commands as hand
from omaha_table.hand.betting import options
from omaha_table.hand.events import Acted, HandEnded, Posted, StreetClosed
from omaha_table.hand.phases import Phase
from omaha_table.hand.phases import Street as OurStreet
from omaha_table.table import commands as table
from tests.evenings import NO_FEE, profile_with

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.rules import Profile

KNOWN = {
    "short_blind": "a blind posted short still prices the call in full",
    "short_all_in": "a short all-in reopens by what each player faces; half a bet in limit",
    "nobody_could_call": "a raise that only all-in or covered seats face is not forbidden",
    "odd_chip": "odd chips go by the profile",
    "side_pot_low": "a low qualifies in each pot by itself",
}
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
    compared: int = 0
    """Hands whose results were compared to the chip."""
    named: Counter[str] = field(default_factory=Counter)


def play(count: int, seed: int, tally: Tally) -> None:
    """Plays random hands; raises AssertionError at a difference that has no name."""
    rng = random.Random(seed)
    for _ in range(count):
        tally.hands += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            named = _Hand(rng, tally).play()
        tally.named.update(named)


class _Hand:
    def __init__(self, rng: random.Random, tally: Tally) -> None:
        self.rng = rng
        self.tally = tally
        self.structure = rng.choice(list(STRUCTURES))
        self.hole = rng.choice([4, 4, 5])
        self.split = rng.choice(["high", "high_low", "high_low"])
        profile = our_profile(self.structure, self.hole, self.split)
        count = rng.randint(2, profile.seats.hands)
        seats = sorted(rng.sample(range(1, profile.seats.max + 1), count))
        deep = rng.choice([1500, 6000, 30000])
        self.desk = Desk(profile, profile.limits[0])
        button = rng.choice(seats)
        for seat in seats:
            self.do(table.SeatPlayer(seat, f"P{seat}", rng.randint(1, deep)))
        self.do(table.PlaceButton(button))
        self.events: list[Any] = []
        self.do(table.StartHand())
        self.do(hand.Deal())
        state = self.state
        self.order = list(state.setup.dealt)
        self.stacks = [state.setup.started.stacks[seat] or 0 for seat in self.order]
        cards = rng.sample(DECK, 5 + count * self.hole)
        self.board = cards[:5]
        self.cards = {
            seat: tuple(cards[5 + i * self.hole : 5 + (i + 1) * self.hole])
            for i, seat in enumerate(self.order)
        }
        self.theirs = their_state(self.structure, self.hole, self.split, self.stacks)
        for seat in self.order:
            self.theirs.deal_hole(_text(self.cards[seat]))
        self.causes: set[str] = set()
        blinds = {"small_blind": 200, "big_blind": 400}
        for event in self.events:
            if isinstance(event, Posted) and event.amount < blinds[event.kind]:
                self.causes.add("short_blind")

    @property
    def state(self) -> HandState:
        found = self.desk.state.hand
        assert found is not None
        return found

    def do(self, command: Any) -> list[Any]:
        done = self.desk.do(command)
        assert not isinstance(done, Refused), done.message
        made = [record.event for record in done]
        if hasattr(self, "events"):
            self.events += made
        return made

    def play(self) -> set[str]:
        """The names of the differences met; empty: the hand was equal to the chip."""
        while self.desk.state.hand is not None:
            match self.state.phase:
                case Phase.BETTING:
                    difference = self.act()
                    if difference:
                        return difference
                case Phase.BOARD:
                    self.pass_empty_turns()
                    if self.theirs.actor_index is not None:
                        assert self.causes, "they see an action to come"
                        return self.causes
                    self.turn()
                case Phase.SHOWDOWN:
                    seat = next(s for s in self.state.contenders if s not in self.state.tabled)
                    self.do(hand.Show(seat, self.cards[seat]))
                case Phase.PUSH:
                    [ended] = self.do(hand.Push())
        return self.compare_end(ended)

    def act(self) -> set[str]:
        self.tally.actions += 1
        state, theirs = self.state, self.theirs
        ours = options(state)
        street_causes = self.causes | self.street_causes()
        assert theirs.actor_index is not None or street_causes, "they see nobody to act"
        if theirs.actor_index is None or self.order[theirs.actor_index] != ours.seat:
            assert street_causes, "another seat is to act"
            return street_causes
        low = theirs.min_completion_betting_or_raising_to_amount
        high = theirs.max_completion_betting_or_raising_to_amount
        if (ours.to_call, ours.least, ours.most) != (theirs.checking_or_calling_amount, low, high):
            assert street_causes, (ours, theirs.checking_or_calling_amount, low, high)
            return street_causes
        self.mirror(ours)
        return set()

    def street_causes(self) -> set[str]:
        """The rules in which we differ that can show at this moment."""
        causes = set()
        for event in reversed(self.events):
            if isinstance(event, StreetClosed):
                break
            if isinstance(event, Acted) and event.all_in and event.action in ("bet", "raise"):
                causes.add("short_all_in")
        state, actor = self.state, self.state.actor
        others = [state.seats[seat] for seat in state.able if seat != actor]
        if not any((seat.stack or 0) + seat.bet > state.price for seat in others):
            causes.add("nobody_could_call")
        return causes

    def mirror(self, ours: Any) -> None:
        roll = self.rng.random()
        if ours.least is not None and roll < 0.35:
            amount = self.rng.choice(
                [ours.least, ours.most, self.rng.randint(ours.least, ours.most)]
            )
            self.do(hand.Act("raise" if self.state.price else "bet", amount))
            self.theirs.complete_bet_or_raise_to(amount)
        elif ours.to_call and roll < 0.55:
            self.do(hand.Act("fold"))
            self.theirs.fold()
        else:
            self.do(hand.Act("call" if ours.to_call else "check"))
            self.theirs.check_or_call()

    def turn(self) -> None:
        street = OurStreet(self.state.street + 1)
        have = len(self.state.board)
        cards = tuple(self.board[have : have + street.board_cards])
        self.do(hand.Board(street, cards))
        self.show_theirs()
        self.theirs.deal_board(_text(cards))

    def pass_empty_turns(self) -> None:
        """They ask a seat that can neither call nor raise anything; here it is not asked."""
        theirs = self.theirs
        while (
            theirs.actor_index is not None
            and not theirs.checking_or_calling_amount
            and theirs.min_completion_betting_or_raising_to_amount is None
        ):
            theirs.check_or_call()

    def show_theirs(self) -> None:
        while self.theirs.can_show_or_muck_hole_cards():
            self.theirs.show_or_muck_hole_cards(True)

    def compare_end(self, ended: HandEnded) -> set[str]:
        self.pass_empty_turns()
        self.show_theirs()
        assert not self.theirs.status
        ours = [ended.awards.get(seat, 0) - ended.invested[seat] for seat in self.order]
        self.tally.compared += 1
        if ours == list(self.theirs.payoffs):
            return set()
        causes = set(self.causes)
        if any(_uneven(pot.high) or _uneven(pot.low) or _odd_half(pot) for pot in ended.pots):
            causes.add("odd_chip")
        if len(ended.pots) > 1 and any(pot.low for pot in ended.pots):
            causes.add("side_pot_low")
        assert causes, (ours, self.theirs.payoffs, ended)
        return causes


def _uneven(shares: dict[int, int]) -> bool:
    return len(set(shares.values())) > 1


def _odd_half(pot: Any) -> bool:
    return bool(pot.low) and sum(pot.high.values()) != sum(pot.low.values())


def _text(cards: tuple[Card, ...]) -> str:
    return format_cards(cards).replace(" ", "")

"""Whole hands: eight seats of fixed-limit Big O, everyone to the river, every check on."""

from __future__ import annotations

import random
import time
from itertools import cycle, islice
from statistics import median

from measure import Contender, Figure, measure
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

from omaha_table.cards import DECK, Card
from omaha_table.hand import commands as hand
from omaha_table.hand.phases import Street as OurStreet
from omaha_table.rules import load_profile
from omaha_table.table import SeatAtTable, TableState, decide
from omaha_table.table import commands as table

SEATS = 8
Cards = tuple[tuple[Card, ...], list[tuple[Card, ...]]]


def deals(count: int) -> list[Cards]:
    rng = random.Random(11)
    found = []
    for _ in range(count):
        cards = rng.sample(DECK, 45)
        found.append((tuple(cards[:5]), [tuple(cards[at : at + 5]) for at in range(5, 45, 5)]))
    return found


def script(deal: Cards) -> list[table.TableCommand]:
    """The commands of one hand: called before the flop, bet and called on every street."""
    board, hands = deal
    call = [hand.Act("call")] * (SEATS - 1)
    streets = (
        hand.Board(OurStreet.FLOP, board[:3]),
        hand.Board(OurStreet.TURN, board[3:4]),
        hand.Board(OurStreet.RIVER, board[4:]),
    )
    commands: list[table.TableCommand] = [table.StartHand(), hand.Deal(), *call, hand.Act("check")]
    for street in streets:
        commands += [street, hand.Act("bet"), *call]
    commands += [hand.Show(seat, cards) for seat, cards in enumerate(hands, start=1)]
    return [*commands, hand.Push()]


def fresh_table() -> TableState:
    profile = load_profile("ca_big_o")
    seats = {seat: SeatAtTable(f"P{seat}", 20000) for seat in range(1, SEATS + 1)}
    return TableState(profile, profile.limits[0], seats=seats, button=SEATS)


def ours(given: list[Cards]) -> Contender:
    scripts = [script(deal) for deal in given]
    opened = fresh_table()

    def work(count: int) -> None:
        for commands in islice(cycle(scripts), count):
            state = opened
            for command in commands:
                state = decide(state, command).state
            assert state.hand is None

    return Contender("omaha-table", work, "decide, apply, split, every check")


def theirs(given: list[Cards]) -> Contender:
    def work(count: int) -> None:
        for board, hands in islice(cycle(given), count):
            state = fixed_limit()
            for cards in hands:
                state.deal_hole("".join(card.text for card in cards))
            for street, cards in enumerate(((), board[:3], board[3:4], board[4:])):
                if cards:
                    state.deal_board("".join(card.text for card in cards))
                    state.complete_bet_or_raise_to()
                for _ in range(SEATS if street == 0 else SEATS - 1):
                    state.check_or_call()
            while state.can_show_or_muck_hole_cards():
                state.show_or_muck_hole_cards(True)
            assert not state.status

    return Contender("PokerKit", work, "its state, set to fixed limit with a cap")


def fixed_limit() -> State:
    return State(
        automations=(
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.CARD_BURNING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        deck=Deck.STANDARD,
        hand_types=(OmahaHoldemHand, OmahaEightOrBetterLowHand),
        streets=(
            Street(False, (False,) * 5, 0, False, Opening.POSITION, 400, 3),
            Street(True, (), 3, False, Opening.POSITION, 400, 4),
            Street(True, (), 1, False, Opening.POSITION, 800, 4),
            Street(True, (), 1, False, Opening.POSITION, 800, 4),
        ),
        betting_structure=BettingStructure.FIXED_LIMIT,
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=(200, 400),
        bring_in=0,
        raw_starting_stacks=20000,
        player_count=SEATS,
        mode=Mode.TOURNAMENT,
    )


def run(rounds: int, seconds: float) -> list[Figure]:
    given = deals(50)
    return measure([ours(given), theirs(given)], rounds, seconds)


def one_command(rounds: int) -> list[Figure]:
    """The median and the 99th percentile of deciding and applying one command."""
    times = []
    for _ in range(rounds):
        for deal in deals(50):
            state = fresh_table()
            for command in script(deal):
                start = time.perf_counter()
                state = decide(state, command).state
                times.append((time.perf_counter() - start) * 1e6)
    times.sort()
    return [
        Figure("median", median(times), 1.0, f"{len(times):,} commands; to reach: 15 µs"),
        Figure("99 of 100 within", times[len(times) * 99 // 100], times[-1] / median(times)),
    ]

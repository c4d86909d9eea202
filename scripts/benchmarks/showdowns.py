"""One showdown, read by this project and by four others on the same deals."""

from __future__ import annotations

import random
from itertools import combinations, cycle, islice

import eval7
from measure import Contender, Figure, measure
from phevaluator import Card as PhevaluatorCard
from phevaluator import evaluate_omaha_cards
from pokerkit import Card as PokerKitCard
from pokerkit import OmahaEightOrBetterLowHand, OmahaHoldemHand
from treys import Card as TreysCard
from treys import Evaluator

from omaha_table.cards import DECK
from omaha_table.evaluate import read_hands

Deal = tuple[tuple[str, ...], list[tuple[str, ...]]]


def deals(seats: int, hole_cards: int, count: int, seed: int = 7) -> list[Deal]:
    rng = random.Random(seed)
    names = [card.text for card in DECK]
    found = []
    for _ in range(count):
        cards = rng.sample(names, 5 + seats * hole_cards)
        hands = [tuple(cards[at : at + hole_cards]) for at in range(5, len(cards), hole_cards)]
        found.append((tuple(cards[:5]), hands))
    return found


def translate(given: list[Deal], card: dict[str, object]) -> list[tuple[list, list[list]]]:
    return [
        ([card[name] for name in board], [[card[name] for name in hand] for hand in hands])
        for board, hands in given
    ]


def ours(given: list[Deal]) -> Contender:
    table = translate(given, {card.text: card.code for card in DECK})

    def work(count: int) -> None:
        for board, hands in islice(cycle(table), count):
            read_hands(board, hands)

    return Contender("omaha-table", work, "high and low")


def pokerkit(given: list[Deal]) -> Contender:
    table = translate(given, {c.text: next(iter(PokerKitCard.parse(c.text))) for c in DECK})

    def work(count: int) -> None:
        for board, hands in islice(cycle(table), count):
            for hand in hands:
                OmahaHoldemHand.from_game(hand, board)
                OmahaEightOrBetterLowHand.from_game_or_none(hand, board)

    return Contender("PokerKit", work, "high and low")


def phevaluator(given: list[Deal]) -> Contender:
    table = translate(given, {card.text: PhevaluatorCard(card.text).id_ for card in DECK})

    def work(count: int) -> None:
        for board, hands in islice(cycle(table), count):
            for hand in hands:
                min([evaluate_omaha_cards(*board, *four) for four in combinations(hand, 4)])

    return Contender("phevaluator", work, "high only")


def by_fives(name: str, table: list, evaluate: object) -> Contender:
    def work(count: int) -> None:
        for board, hands in islice(cycle(table), count):
            threes = list(combinations(board, 3))
            for hand in hands:
                [evaluate(three + two) for two in combinations(hand, 2) for three in threes]

    return Contender(name, work, "high only, every two and three")


def treys(given: list[Deal]) -> Contender:
    table = translate(given, {card.text: TreysCard.new(card.text) for card in DECK})
    return by_fives("treys", table, Evaluator()._five)


def eval_seven(given: list[Deal]) -> Contender:
    table = translate(given, {card.text: eval7.Card(card.text) for card in DECK})
    return by_fives("eval7", table, eval7.evaluate)


def run(seats: int, hole_cards: int, rounds: int, seconds: float) -> list[Figure]:
    given = deals(seats, hole_cards, 2000)
    contenders = [make(given) for make in (ours, pokerkit, phevaluator, treys, eval_seven)]
    return measure(contenders, rounds, seconds)

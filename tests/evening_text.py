"""Whole evenings written as text: what a dealer would key, for scripts of any length."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from omaha_table.cards import DECK
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import opening

if TYPE_CHECKING:
    from collections.abc import Iterator


def evening(
    hands: int, seed: int, rules: str = "ca_big_o", *, shoe: bool = False, seats: int = 8
) -> Iterator[str]:
    """The lines of an evening; with a shoe every card is read, face down or up."""
    rng = random.Random(seed)
    profile = load_profile(rules)
    session = Session(profile, profile.limits[0])

    def say(line: str) -> str:
        for answer in run_line(session, 1, line):
            assert answer["type"] != "refused", (line, answer)
        return line

    for seat in range(1, seats + 1):
        yield say(f"seat {seat} P{seat}")
    for line in opening(profile, seats, range(1, seats + 1)):
        yield say(line)
    for _ in range(hands):
        deck = [card.text for card in rng.sample(DECK, 52)]
        yield say("hand")
        if shoe:
            while session.step.what == "deal":
                yield say(f"card {deck.pop()}")
        else:
            yield say("deal")
        while session.state.hand is not None:
            yield say(next_line(session, rng, deck, shoe=shoe))


def next_line(session: Session, rng: random.Random, deck: list[str], *, shoe: bool) -> str:
    """What the dealer keys next in the hand that is played."""
    step = session.step
    words = {choice.word for choice in step.choices}
    match step.what:
        case "act":
            sized = words & {"bet", "raise"}
            roll = rng.random()
            if sized and roll < 0.2:
                return f"{step.seat} {sized.pop()}"
            if "call" in words and roll < 0.55:
                return f"{step.seat} fold"
            return f"{step.seat} {'call' if 'call' in words else 'check'}"
        case "flop" | "turn" | "river" as street:
            if shoe:
                return f"card {deck.pop()}"
            count = 3 if street == "flop" else 1
            return f"{street} {' '.join(deck.pop() for _ in range(count))}"
        case "show":
            if rng.random() < 0.3 and "muck" in words:
                return f"muck {step.seat}"
            if shoe:
                return f"show {step.seat}"
            hole = session.state.profile.game.hole_cards
            return f"show {step.seat} {' '.join(deck.pop() for _ in range(hole))}"
        case _:
            return "push"

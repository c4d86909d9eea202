"""A careful dealer at the keys: whole hands from one seed, each key counted."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from omaha_table.cards import DECK
from omaha_table.dealer.pad import RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.console.scenes import Table

_KEY_OF_RANK = {rank: typed for typed, rank in RANKS.items()}
_KEY_OF_SUIT = {suit: key for key, suit in SUITS.items()}
LONE_STEPS = ("hand", "deal", "flop", "turn", "river", "push")
"""Where ENTER is not enough: start, cards out, board, push."""


def card_keys(card: str) -> list[str]:
    return [*_KEY_OF_RANK[card[0]], _KEY_OF_SUIT[card[1]]]


class CarefulDealer:
    """Presses what the white key says. `before` is called at each of the steps of LONE_STEPS."""

    def __init__(self, table: Table, seed: int, before: Callable[[Table], None] | None = None):
        self.table, self._rng = table, random.Random(seed)
        self._before = before or (lambda table: None)
        self._cards = [card.text for card in self._rng.sample(DECK, 52)]

    def play(self) -> None:
        """One hand, from its deck to the last push."""
        table = self.table
        hands = table.session.state.hands
        for _ in range(400):
            what = table.session.step.what
            if table.session.state.hands > hands and table.session.state.hand is None:
                return
            if what in LONE_STEPS:
                self._before(table)
            self._step(what)
        raise AssertionError(f"the hand does not end: {table.console.prompt.title}")

    def _step(self, what: str) -> None:
        table = self.table
        match what:
            case "deck" if table.devices is not None:
                hands = table.session.state.hands
                table.deck(("red", "blue")[hands % 2], hands + 1)
                if table.session.step.what == "deck":
                    table.keys("enter")  # shuffled by hand, dealt from the shoe
            case "deck" | "cut":
                table.keys("enter")
            case "hand":
                table.keys("+")
            case "deal" if table.console.model.facts.shoe_deals:
                table.cards(len(table.console.model.hand.setup.dealt) * self._hole)
            case "deal":
                table.keys("0")
            case "flop" | "turn" | "river" if table.console.model.facts.shoe_deals:
                table.cards(4 if what == "flop" else 2)
            case "flop" | "turn" | "river":
                for _ in range(3 if what == "flop" else 1):
                    table.keys(*card_keys(self._cards.pop()))
                self._before(table)
                table.keys("0")
            case "act":
                self._act()
            case "show":
                self._show()
            case "push":
                table.keys("0")
            case _:
                raise AssertionError(what)

    @property
    def _hole(self) -> int:
        return self.table.session.state.profile.game.hole_cards

    def _act(self) -> None:
        words = {choice.word for choice in self.table.session.step.choices}
        roll = self._rng.random()
        if roll < 0.1 and "call" in words:
            self.table.keys("-")
        elif roll < 0.2 and {"bet", "raise"} & words:
            fixed = self.table.session.state.limit.structure == "limit"
            self.table.keys(*(["+"] if fixed else ["*", "enter"]))
        else:
            self.table.keys("enter")

    def _show(self) -> None:
        """The shoe has read the hands, or the dealer names who wins each pot."""
        table = self.table
        table.keys("enter")
        while "WHO WINS?" in table.console.prompt.title:
            named = table.console.prompt.detail.rpartition("Type the winner's seat: ")[2]
            table.keys(*named.partition(" ")[0].rstrip("."), "enter")

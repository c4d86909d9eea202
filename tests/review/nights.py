"""Nights of hands in journals, played at random by the rules, for the exports to tell again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from omaha_table.cards import DECK
from omaha_table.review.index.reading import hands_in
from omaha_table.rules import load_profile
from omaha_table.rules.profile import FeeBracket
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import opening
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    from omaha_table.hand import Step
    from omaha_table.journal.writer import Clock
    from omaha_table.review.index.hands import Played
    from omaha_table.rules import Profile

STACK = 200_00


class Night:
    """A session on a journal, and the deck that every hand is dealt from."""

    def __init__(
        self,
        folder: Path,
        rules: str | Profile,
        limit: str | None = None,
        *,
        seed: int = 1,
        table: str = "t7",
        fees: bool = True,
        office: X25519PublicKey | None = None,
        clock: Clock | None = None,
    ) -> None:
        profile = load_profile(rules) if isinstance(rules, str) else rules
        chosen = profile.limits[0] if limit is None else profile.limit(limit)
        assert chosen is not None
        if not fees:
            nothing = FeeBracket.model_validate({"players": "2+", "fee": "0.00"})
            chosen = chosen.model_copy(update={"fees": [nothing]})
            profile = profile.model_copy(update={"limits": [chosen]})
        self.folder, self.table, self.shoe = folder, table, office is not None
        self.rng = random.Random(seed)
        self.session = Session.on_journal(
            folder, table, profile, chosen, without_dealers(), office=office, clock=clock
        )
        self.face_down: dict[int, dict[int, set[str]]] = {}
        """With a shoe: the hole cards of every hand by seat, as dealt."""

    def say(self, *lines: str) -> None:
        for line in lines:
            for answer in run_line(self.session, 1, line):
                assert answer["type"] != "refused", (line, answer)

    def seat(self, seats: int, stack: int | None = None) -> Night:
        amount = "" if stack is None else f" {stack / 100:.2f}"
        self.say(*(f"seat {seat} P{seat}{amount}" for seat in range(1, seats + 1)))
        self.say(*opening(self.session.state.profile, seats, range(1, seats + 1)))
        return self

    def play(self, hands: int) -> Night:
        for _ in range(hands):
            self.top_up()
            self.hand()
        return self

    def top_up(self) -> None:
        for seat, at in self.session.state.seats.items():
            if at.stack is not None and at.stack < STACK // 2:
                self.say(f"buy {seat} {(STACK - at.stack) / 100:.2f}")

    def hand(self) -> None:
        deck = [card.text for card in self.rng.sample(DECK, 52)]
        self.say("hand")
        number = self.session.state.hands
        if self.shoe:
            dealt = self.face_down.setdefault(number, {})
            while self.session.step.what == "deal":
                seat, card = self.session.step.seat, deck.pop()
                assert seat is not None
                dealt.setdefault(seat, set()).add(card)
                self.say(f"card {card}")
        else:
            self.say("deal")
        while self.session.state.hand is not None:
            self.say(self._next(self.session.step, deck))

    def _next(self, step: Step, deck: list[str]) -> str:
        match step.what:
            case "act":
                return f"{step.seat} {self._act(step)}"
            case "flop" | "turn" | "river" as street:
                if self.shoe:
                    return f"card {deck.pop()}"
                count = 3 if street == "flop" else 1
                return f"{street} {' '.join(deck.pop() for _ in range(count))}"
            case "show":
                words = {choice.word for choice in step.choices}
                if self.rng.random() < 0.3 and "muck" in words:
                    return f"muck {step.seat}"
                if self.shoe:
                    return f"show {step.seat}"
                hole = self.session.state.profile.game.hole_cards
                return f"show {step.seat} {' '.join(deck.pop() for _ in range(hole))}"
            case _:
                return "push"

    def _act(self, step: Step) -> str:
        choices = {choice.word: choice for choice in step.choices}
        roll = self.rng.random()
        sized = choices.get("bet") or choices.get("raise")
        if sized is not None and roll < 0.25:
            least, most = sized.least or 0, sized.most or (sized.least or 0) * 3
            whole = self.rng.randint(least // 100, most // 100) * 100 if most > least else least
            return f"{sized.word} {max(whole, least) / 100:.2f}"
        if "call" in choices and roll < 0.5:
            return "fold"
        return "call" if "call" in choices else "check"

    def fold_out(self) -> None:
        """A hand in which everybody folds to the last."""
        self.say("deal")
        while self.session.state.hand is not None:
            self.say("fold" if self.session.step.what == "act" else "push")

    def close(self) -> Path:
        self.session.close()
        [path] = self.folder.glob(f"{self.table}-*.journal")
        return path


def read(path: Path) -> list[Played]:
    return list(hands_in(path))

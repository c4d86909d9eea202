"""Whole evenings at random: players come and go, hands are played, the floor rules."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from omaha_table.floor import RULINGS, Give
from omaha_table.hand import Refused
from omaha_table.hand import commands as hand
from omaha_table.hand.events import HandEnded, HandStarted
from omaha_table.table import commands as table
from omaha_table.table.events import ButtonPlaced, HandTakenBack
from tests.machine import STREETS, Evening, open_game, unseen
from tests.ruling_words import random_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.rules import Profile
    from omaha_table.table.commands import TableCommand


RULES = 0.08
"""How often the floor rules in a hand, per step. Most of it does not fit and is refused."""


class Night:
    """One evening from a seed: every stack tracked, so that every chip can be counted."""

    def __init__(
        self,
        profile: Profile,
        limit_id: str,
        seed: int,
        folder: Path | None = None,
        *,
        without: tuple[str, ...] = ("close", "fouled"),
    ) -> None:
        self.without = without
        self.rng = random.Random(seed)
        self.evening = Evening(profile, limit_id, folder)
        self.most = profile.seats.max
        for seat in self.rng.sample(range(1, self.most + 1), self.rng.randint(2, self.most)):
            self.sit(seat)
        state = self.evening.session.state
        for command in open_game(state, self.rng.choice(sorted(state.seats))):
            assert self.do(command) is None

    def sit(self, seat: int) -> None:
        blind = self.evening.session.state.limit.big_blind
        self.do(table.SeatPlayer(seat, f"P{seat}", self.rng.randint(1, 30) * blind))

    def do(self, command: TableCommand) -> Refused | None:
        done = self.evening.do(command)
        return done if isinstance(done, Refused) else None

    def play(self, hands: int) -> None:
        self.deal(hands)
        self.evening.check_log()
        self.check_places()

    def deal(self, hands: int) -> None:
        for _ in range(hands):
            for _ in range(self.rng.randint(0, 3)):
                self.between_hands()
            if self.rng.random() < 0.1:
                self.rule()
            if self.do(table.StartHand()) is None:
                self.hand()

    def between_hands(self) -> None:
        rng, seat = self.rng, self.rng.randint(1, self.most)
        blind = self.evening.session.state.limit.big_blind
        doings: list[Callable[[], object]] = [
            lambda: self.sit(seat),
            lambda: self.do(table.Leave(seat)),
            lambda: self.do(table.PickUp(seat)),
            lambda: self.do(table.SetStack(seat, rng.randint(1, 30) * blind)),
            lambda: self.do(table.Away(seat)),
            lambda: self.do(table.Back(seat)),
            lambda: self.do(table.PostOwed(seat)),
            lambda: self.do(table.Buy(seat, rng.randint(1, 20) * blind)),
            lambda: self.do(table.MoveSeat(seat, rng.randint(1, self.most))),
            lambda: self.do(table.ReportDeck("manual")),
            lambda: self.do(hand.Undo()),
            lambda: self.do(table.PushIn(f"D{seat}")),
            lambda: self.do(table.OpenShift("s", f"B{seat}", f"J{seat}")),
        ]
        rng.choice(doings)()

    def hand(self) -> None:
        for _ in range(600):
            if self.evening.session.state.hand is None:
                return
            if self.rng.random() < RULES:
                self.rule()
            elif self.rng.random() < 0.03:
                self.do(hand.Undo())
            elif self.rng.random() < 0.04:
                self.ask()
            else:
                self.step()
        raise AssertionError("the hand does not end")

    def ask(self) -> None:
        """Somebody wants to sit down, leave, stand up, come back or buy, or not any more."""
        seat = self.rng.randint(1, self.most)
        blind = self.evening.session.state.limit.big_blind
        doings: list[Callable[[], object]] = [
            lambda: self.sit(seat),
            lambda: self.do(table.Leave(seat)),
            lambda: self.do(table.Away(seat)),
            lambda: self.do(table.Back(seat)),
            lambda: self.do(table.Buy(seat, self.rng.randint(1, 20) * blind)),
            lambda: self.do(table.CancelSeatChange(seat)),
        ]
        self.rng.choice(doings)()

    def step(self) -> None:
        """The plain thing to do, sometimes a bet or a fold."""
        rng, step, state = self.rng, self.evening.session.step, self.evening.session.state.hand
        if state is None:
            return
        words = {choice.word: choice for choice in step.choices}
        command: TableCommand
        if step.what == "act":
            sized = words.get("raise") or words.get("bet")
            bound = state.bound.get(step.seat or 0)
            if bound is not None and bound[1] == state.price:
                command = hand.Act(bound[0])
            elif sized is not None and rng.random() < 0.25:
                least = sized.least or 0
                # Without a most there is no limit but the chips, which may not be tracked.
                amount = rng.randint(least, 4 * least if sized.most is None else sized.most)
                command = hand.Act("raise", amount)
            elif rng.random() < 0.2:
                command = hand.Act("fold")
            else:
                command = hand.Act("call")
            if self.do(command) is not None:
                self.do(hand.Act("fold"))
                if state is self.evening.session.state.hand:
                    self.give("release", str(step.seat))
            return
        if step.what in STREETS:
            count = STREETS[step.what].board_cards
            command = hand.Board(STREETS[step.what], tuple(rng.sample(unseen(state), count)))
        elif step.what == "show":
            hole = state.setup.profile.game.hole_cards
            cards = tuple(rng.sample(unseen(state), hole))
            seat = step.seat or 0
            mucks = rng.random() < 0.2 and "muck" in words
            command = hand.Muck(seat) if mucks else hand.Show(seat, cards)
        else:
            plain: dict[str, TableCommand] = {"deal": hand.Deal(), "push": hand.Push()}
            command = plain[step.what]
        assert self.do(command) is None

    def rule(self) -> None:
        """A ruling at a moment that may or may not fit, sometimes by nobody."""
        ruling = self.rng.choice([r for r in RULINGS if r.name not in self.without])
        self.give(ruling.name, *random_words(ruling, self.evening.session.state, self.rng))

    def give(self, name: str, *words: str) -> None:
        pins = self.rng.choice([("4711",), ("4711", "9000"), ("1111",), ("0000",)])
        refusal = self.evening.rule(Give(pins, name, (*words, "by the book")))
        if pins[0] in ("1111", "0000"):
            assert refusal is not None
        # Whoever is locked out waits.
        self.evening.now = max(self.evening.now, self.evening.session.state.locked_until)

    def check_places(self) -> None:
        """Nobody has the big blind twice running, but for a hand dealt again or a moved button."""
        last: HandStarted | None = None
        before: HandStarted | None = None
        for record in self.evening.log:
            match record.event:
                case ButtonPlaced():
                    last = None
                case HandEnded(outcome="misdeal" | "void"):
                    last = None
                case HandTakenBack():
                    last = before
                case HandStarted() as started:
                    if last is not None and len({*started.dealt, *started.no_hand}) > 1:
                        assert started.big_blind != last.big_blind, record
                    assert started.big_blind in (*started.dealt, *started.no_hand)
                    before, last = last, started

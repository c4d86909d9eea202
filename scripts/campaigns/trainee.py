"""A trainee at the practice table: keys what is said, reads the cards on the screen for itself.

It reads with phevaluator and with the pots and odd chips of `scripts.campaigns.truth`, so that what
the practice calls right is compared with an account that is not the program's. It makes the
mistakes that it is told to make.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.dealer.change import Change, Rule
from omaha_table.demo.emulated_table import QUICK, Rig
from omaha_table.demo.evening import DemoEvening
from omaha_table.demo.players import single_keys
from omaha_table.demo.practice_config import machines, practice_table
from omaha_table.demo.practice_table import PracticeTable
from omaha_table.demo.score import Result
from omaha_table.demo.situations import situation
from omaha_table.floor import Give
from omaha_table.hand.frozen import replace
from scripts.campaigns.truth import Felt, high, low

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from omaha_table.dealer.console import Console
    from omaha_table.demo.score import Score

PATIENCE = 4000
"""Beats of a practice; one that takes longer is stuck."""


class Trainee(DemoEvening):
    """A practice that deals itself, by somebody who reads the screen."""

    def __init__(
        self,
        folder: Path,
        name: str = "",
        rules: str = "ca_big_o",
        limit: str | None = None,
        *,
        shoe: bool = True,
        hands: int = 1,
        seed: int = 3,
        mistakes: Collection[str] = (),
    ) -> None:
        given = situation(name) if name else None
        table = practice_table(rules, limit, given)
        rig = Rig(folder, QUICK, seed, machines=machines(table, shoe=shoe))
        super().__init__(
            table, folder, rig,
            office=X25519PrivateKey.generate().public_key(), pace=QUICK, autoplay=True,
            hands=max(hands, given.least_hands if given else 1), seed=seed, headless=(80, 24),
            practice=True, situation=given,
        )  # fmt: skip
        self.mistakes = set(mistakes)
        self.screens: list[str] = []
        """What the band said, and what was told of the hands before they were read."""
        self.refused: list[str] = []
        """Keys that rang the bell, with the reason."""
        self.banner = ""
        self.lines: tuple[str, ...] = ()
        self.failure: Exception | None = None
        self._beats = count()
        self._high: dict[str, list[int]] = {}
        self._low: dict[str, list[int]] = {}
        self.read: list[dict[int, int]] = []
        """What the trainee found out that each seat gets, pot by pot."""

    def deal(self) -> Score:
        self.run()
        if self.failure is not None:
            raise self.failure
        assert self.examiner is not None
        return self.examiner.score

    # The hands

    def _press(self) -> None:
        assert self.life is not None
        console = self.life.console
        try:
            self._press_next(console)
        except Exception as error:
            # Raised here, it would be taken for a crash of the console, which starts again.
            self.failure = error
            console.model = replace(console.model, quit=True)

    def _press_next(self, console: Console) -> None:
        said = console.prompt
        assert next(self._beats) < PATIENCE, f"the practice is stuck: {said.title}: {said.detail}"
        if isinstance(console.model.mode, Result):
            self.banner, self.lines = console.prompt.title, console.model.mode.lines
        self._look(console)
        for key in self._answer(console):
            refusals = console.model.refusals
            console.press(key, next(self._times))
            if console.model.refusals > refusals:
                self.refused.append(f"{key} at {console.prompt.title}: {console.model.answer.text}")

    def _look(self, console: Console) -> None:
        prompt = console.prompt
        self.screens.append(f"{prompt.title}: {prompt.detail}")
        table = console.model.modes[0]
        assert isinstance(table, PracticeTable)
        if not table.staging(console.model).readings:
            view = console.view()
            told = [seat.reading for seat in view.seats if seat.reading]
            told += [pot.high + pot.low for pot in view.felt.pots if pot.high or pot.low]
            told += [s.title for s in view.felt.sections if s.title in ("HANDS", "PUSHES")]
            told += [key.label for key in prompt.keys if "EXPLAIN" in key.label]
            assert not told, told
        hand = console.session.state.hand
        if hand is not None and prompt.title.startswith("PUSH") and len(hand.contenders) > 1:
            contested = len([seat for seat in hand.contenders if seat not in hand.mucked]) > 1
            read = [reading.hand for reading in table.readings]
            assert not contested or console.session.state.hands in read, prompt.title

    def _answer(self, console: Console) -> list[str]:
        life = self.life
        assert life is not None
        prompt = console.prompt
        mode = console.model.mode
        if isinstance(mode, Result):
            return ["+"]
        if prompt.title.startswith("MAY SEAT"):
            return self._may_raise(console)
        who = re.match(r"(HIGH|LOW): WHO WINS\?", prompt.title)
        if who:
            return self._who_wins(console, who[1], prompt.detail)
        gets = re.match(r"SEAT (\d+) GETS\?", prompt.title)
        if gets:
            return self._gets(int(gets[1]), prompt.detail)
        if life.struck is not None and "ignore" not in self.mistakes:
            handled = self._handle(console, life.struck[0])
            if handled is not None:
                return handled
        acting = console.session.step.what == "act"
        if acting and "void" in self.mistakes:
            self._rule(console, "void")
            return []
        if acting and "deaf" in self.mistakes and life.heard is None and life.announced:
            return ["enter"]
        all_in = acting and life.intent is not None and life.intent.word == "allin"
        if all_in and "call the all-in" in self.mistakes:
            return ["enter"]
        at_table = isinstance(mode, PracticeTable)
        if (
            at_table
            and life.by_hand
            and console.session.step.what in ("deal", "flop", "turn", "river")
        ):
            # As the hint says; autoplay would turn other cards.
            if not life.announced:
                return []
            said = re.search(r"press (.*)$", console.model.hint)
            return single_keys(said[1].lower().split()) if said else ["0"]
        return life.next_keys()

    # The floor

    def _handle(self, console: Console, seat: int) -> list[str] | None:
        """What happened is put right before anything else, once; or for the wrong seat."""
        hand, given = console.session.state.hand, self._situation
        if hand is None or given is None:
            return None
        if "seat" in self.mistakes:
            seat = next(other for other in hand.setup.dealt[3:] if other != seat)
        if given.fault == "fold":
            due = not hand.actions and not hand.seats[seat].folded
            return [str(seat), "-", "+"] if due else None
        if hand.exposed or hand.board:
            return None
        self._rule(console, "exposed", str(seat))
        return []

    def _rule(self, console: Console, name: str, *words: str) -> None:
        def then(model, answer):  # type: ignore[no-untyped-def]
            assert answer.refusal is None, answer.refusal
            return Change(model)

        console.carry_out(Rule(Give(("4711", "9000"), name, (*words, "dealer error")), then))

    # The reading

    def _may_raise(self, console: Console) -> list[str]:
        """Who has not acted yet may; to who has, a quarter of a bet does not open the betting."""
        hand = console.session.state.hand
        assert hand is not None
        may = console.session.step.seat != hand.setup.dealt[2]
        if "raise" in self.mistakes:
            may = not may
        return ["1" if may else "2"]

    def _who_wins(self, console: Console, side: str, detail: str) -> list[str]:
        live = [int(seat) for seat in re.search(r"(?:hands|seat): ([\d ]+)\.", detail)[1].split()]  # type: ignore[index]
        pot = re.split(r"[,.]| \d", detail)[0]
        board, holes = self._cards(console)
        if side == "HIGH":
            values = {seat: high(board, holes[seat]) for seat in live}
            best = [seat for seat in live if values[seat] == min(values.values())]
        else:
            lows = {seat: low(board, holes[seat]) for seat in live}
            made = min((value for value in lows.values() if value is not None), default=None)
            best = [] if made is None else [seat for seat in live if lows[seat] == made]
        if f"wrong {side.lower()}" in self.mistakes:
            best = [next(seat for seat in live if seat not in best)]
        (self._high if side == "HIGH" else self._low)[pot] = best
        self._claims, self._board, self._holes = live, board, holes
        if not best:
            return ["-"]
        return [*"+".join(map(str, best)), "enter"]

    def _gets(self, seat: int, detail: str) -> list[str]:
        assert self.life is not None
        state = self.life.console.session.state
        hand = state.hand
        assert hand is not None
        found = re.match(r"(?:The pot|MAIN pot|SIDE pot \d+) ([\d,.]+) to push", detail)
        assert found, detail
        pot = round(float(found[1].replace(",", "")) * 100)
        board, holes = self._cards(self.life.console)
        at = hand.pots()[int(detail[9]) if detail.startswith("SIDE") else 0]
        claims = [one for one in at.eligible if one not in hand.mucked]
        felt = Felt(hand.setup.button, claims, {}, dict.fromkeys(claims, 0), {0: pot}, {})
        awards = felt.awards(state.profile, 0, board, holes)
        if awards not in self.read:
            self.read.append(awards)
        cents = awards.get(seat, 0) + (100 if "amount" in self.mistakes else 0)
        whole, rest = divmod(cents, 100)
        return [*(f"{whole}.{rest:02}" if rest else str(whole)), "enter"]

    def _cards(self, console: Console) -> tuple[list[str], dict[int, list[str]]]:
        view = console.view()
        assert len(view.felt.board) == 5
        shown = {seat.number: list(seat.shown) for seat in view.seats if seat.shown}
        return list(view.felt.board), shown

"""The demo: the real console on emulated machines, with players who say what they do."""

from __future__ import annotations

import tempfile
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.screen.run import Evening
from omaha_table.demo.emulated_table import Life, Pace, Rig
from omaha_table.demo.faults import FaultMaker
from omaha_table.demo.practice import Examiner
from omaha_table.demo.score import Result
from omaha_table.demo.situations import open_game
from omaha_table.hand.frozen import replace
from omaha_table.table.commands import ReopenTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import ExitStack

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
    from omaha_drivers.settings import DeviceSettings

    from omaha_table.dealer.console import Console
    from omaha_table.dealer.room_status import RoomLink
    from omaha_table.dealer.screen.app import ConsoleApp
    from omaha_table.demo.situations import Situation
    from omaha_table.session import Session
    from omaha_table.session.config import TableConfig

HANDS_OFF: Final = 10.0
"""Seconds that autoplay waits after a key of somebody's."""


class DemoEvening(Evening):
    def __init__(
        self,
        config: TableConfig,
        data: Path,
        rig: Rig,
        *,
        office: X25519PublicKey | None = None,
        pace: Pace | None = None,
        autoplay: bool = False,
        hands: int | None = None,
        seed: int = 1,
        hints: bool = True,
        faults: float = 0.0,
        practice: bool = False,
        situation: Situation | None = None,
        link: RoomLink | None = None,
        headless: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(config, data, office=office, link=link, headless=headless)
        self._rig, self._pace = rig, pace or Pace()
        self._autoplay, self._hands, self._seed, self._hints = autoplay, hands, seed, hints
        self._practice, self._situation = practice, situation
        self.faults = FaultMaker(rig, seed, faults) if faults else None
        self.life: Life | None = None
        self.examiner: Examiner | None = None
        self._shown = False
        self._times = count(1.0)
        """Of autoplay's keys, a second apart: they never bounce."""
        self.watch: Callable[[Console], None] | None = None
        """Called after every change, for scores and tests."""

    @property
    def settings(self) -> Sequence[DeviceSettings]:
        return self._rig.settings

    @property
    def demo(self) -> bool:
        return True

    @property
    def deck_required(self) -> bool:
        return True

    def machines(self, held: ExitStack) -> None:
        self._rig.start()
        held.callback(self._rig.stop)

    def open(self) -> Session:
        """A practice is about hands: the button is on the table already."""
        session = super().open()
        if session.reopening is not None:
            # The simulated players are those of the demo's file.
            session.opening += session.do(ReopenTable("file")).records
        if self._practice and session.state.button is None:
            open_game(session)
        return session

    def begin(self, console: Console) -> None:
        seed, before = self._seed + console.session.state.seq, self.life
        self.life = life = Life(
            console,
            self._rig,
            seed,
            hints=self._hints,
            practice=self._practice,
            situation=self._situation,
        )
        if before is not None:
            life.carry_on(before)
        if self._practice:
            self.examiner = Examiner(life, self._situation, before=self.examiner)

    def attend(self, app: ConsoleApp) -> None:
        """Puts the simulated table's clock on the app."""
        quick = self._pace.card <= 0
        app.set_interval(0.01 if quick else self._pace.card, lambda: self._beat(app))
        if self._autoplay:
            app.set_interval(max(self._pace.key, 0.01), lambda: self._autopress(app))

    def _beat(self, app: ConsoleApp) -> None:
        life = self.life
        if life is None or app.crash is not None:
            return
        console = life.console
        if self.faults is not None:
            self.faults.beat(in_hand=console.session.state.hand is not None)
        hint = console.model.hint
        moved = life.work_shuffler() or life.pass_card()
        life.announce()
        life.strike()
        if self.examiner is not None:
            self.examiner.tick()
        self._finish_practice(console)
        if self.watch is not None:
            self.watch(console)
        if moved or console.model.hint != hint:
            app.guard(lambda: None)

    def _finish_practice(self, console: Console) -> None:
        """After the last hand of a practice: its result."""
        examiner, hands = self.examiner, self._hands
        in_hand = console.session.state.hand is not None
        if examiner is None or hands is None or self._shown or in_hand:
            return
        if examiner.hands >= hands:
            self._shown = True
            console.model = console.model.enter(Result.of(examiner.score))

    def _autopress(self, app: ConsoleApp) -> None:
        """Autoplay keeps its hands off the keys while somebody presses them."""
        if time.monotonic() - app.touched > HANDS_OFF:
            app.guard(self._press)

    def _press(self) -> None:
        life = self.life
        if life is None:
            return
        console = life.console
        state = console.session.state
        if self._hands is not None and state.hands >= self._hands and state.hand is None:
            console.model = replace(console.model, quit=True)
            return
        if self.watch is not None:
            self.watch(console)
        for name in life.next_keys():
            console.press(name, next(self._times))


def demo_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="omaha-table-demo-"))

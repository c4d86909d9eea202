"""Runs the console: opens the session, starts the devices, and comes back after a crash."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog
from omaha_drivers.supervisor import Supervisor

from omaha_table.console.app import Console
from omaha_table.console.demo import Gremlin, Life, Pace, Rig
from omaha_table.console.practice import Examiner, Result, Situation
from omaha_table.console.terminal import speaks_unicode, suits_are_narrow
from omaha_table.dealer.controller import Front
from omaha_table.floor import Staff
from omaha_table.floor.files import demo_staff
from omaha_table.journal.opening import check_open_day
from omaha_table.log import set_up_log
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.config import seat_players
from omaha_table.session.devices import Devices

if TYPE_CHECKING:
    from collections.abc import Callable

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
    from omaha_drivers.settings import DeviceSettings

    from omaha_table.session.config import TableConfig

_log = structlog.get_logger(__name__)
HANDS_OFF: Final = 10.0
"""Seconds that autoplay waits after a key of somebody's."""
MOST_CRASHES: Final = 5
"""In one minute; more and the console gives up rather than flicker."""


@dataclass
class Outcome:
    hands: int = 0
    crashes: int = 0
    folder: Path = Path()
    said: str = ""
    """Why it gave up, if it did."""


class Evening:
    """One run of the console, over as many screens as it takes."""

    def __init__(
        self,
        config: TableConfig,
        data: Path,
        staff: Staff | None = None,
        *,
        office: X25519PublicKey | None = None,
        rig: Rig | None = None,
        pace: Pace | None = None,
        autoplay: bool = False,
        hands: int | None = None,
        seed: int = 1,
        hints: bool = True,
        faults: float = 0.0,
        practice: bool = False,
        situation: Situation | None = None,
        headless: tuple[int, int] | None = None,
    ) -> None:
        self._config, self._data = config, data
        if staff is None:
            # The demo's PINs are in the README: they must open no other table.
            staff = Staff() if rig is None else demo_staff()
        self._staff = staff
        self._office, self._rig, self._pace = office, rig, pace or Pace()
        self._autoplay, self._hands, self._seed, self._hints = autoplay, hands, seed, hints
        self._headless = headless
        self._practice, self._situation = practice, situation
        self.examiner: Examiner | None = None
        self.gremlin = Gremlin(rig, seed, faults) if rig is not None and faults else None
        self.front: Front | None = None
        self.life: Life | None = None
        self._shown = False
        self.watch: Callable[[Front], None] | None = None
        """Called after every change, for scores and tests."""

    def open(self) -> Session:
        config = self._config
        profile = load_profile(config.rules)
        limit = profile.limits[0] if config.table.limit is None else None
        limit = limit or profile.limit(config.table.limit or "")
        if limit is None:
            known = ", ".join(limit.id for limit in profile.limits)
            raise ValueError(f"{profile.id} has no limit {config.table.limit!r}; it has {known}.")
        check_open_day(self._data, config.table.id)
        session = Session.on_journal(
            self._data,
            config.table.id,
            profile,
            limit,
            self._staff,
            mirror=config.beside(config.table.mirror) if config.table.mirror else None,
            office=self._office,
            deck_required=config.deck_required or self._rig is not None,
        )
        seat_players(session, config)
        return session

    def run(self) -> Outcome:
        """Until the dealer shuts it down; after a crash the same step comes back."""
        outcome = Outcome(folder=self._data)
        if not structlog.is_configured():
            self._data.mkdir(mode=0o700, parents=True, exist_ok=True)
            set_up_log(file=self._data / "console.log", on_terminal=False)
        for name in ("COLUMNS", "LINES"):
            # They would be believed over the terminal, whatever its size becomes.
            os.environ.pop(name, None)
        letters = not suits_are_narrow()
        plain = not speaks_unicode()
        crashes: list[float] = []
        with ExitStack() as held:
            if self._rig is not None:
                self._rig.start()
                held.callback(self._rig.stop)
            while True:
                crash = self._screen(outcome, letters=letters, plain=plain)
                if crash is None:
                    return outcome
                outcome.crashes += 1
                _log.error("the console was started again", cause=type(crash).__name__,
                           exc_info=crash)  # fmt: skip
                crashes = [at for at in crashes if time.monotonic() - at < 60]
                crashes.append(time.monotonic())
                if len(crashes) >= MOST_CRASHES:
                    outcome.said = "The console has failed again and again; the log is safe."
                    return outcome

    def _screen(self, outcome: Outcome, *, letters: bool, plain: bool) -> Exception | None:
        session = self.open()
        settings = self._settings()
        devices = Devices(session, settings) if settings else None
        self.front = front = Front(
            session, devices, title=self._config.table.title or self._config.table.id.upper()
        )
        front.reopen = self.open
        app = Console(front, letters=letters, plain=plain, attend=self._attend)
        supervisors = [
            Supervisor(given, app.hear, place=session.heard(given.name)) for given in settings
        ]
        if self._rig is not None:
            self.life = Life(
                front,
                self._rig,
                self._seed + session.state.seq,
                hints=self._hints,
                situation=self._situation,
            )
        if self._practice and self.life is not None:
            self.examiner = Examiner(self.life)
        try:
            for supervisor in supervisors:
                supervisor.start()
            app.run(mouse=False, headless=self._headless is not None, size=self._headless)
        except Exception as error:
            return error
        finally:
            for supervisor in supervisors:
                supervisor.stop()
            outcome.hands = front.session.state.hands
            front.session.close()
        return app.crash

    def _settings(self) -> list[DeviceSettings]:
        return self._config.device_settings() if self._rig is None else self._rig.settings

    def _attend(self, app: Console) -> None:
        """Puts the simulated table's clock on the app."""
        if self.life is None:
            return
        quick = self._pace.card <= 0
        app.set_interval(0.01 if quick else self._pace.card, lambda: self._beat(app))
        if self._autoplay:
            app.set_interval(max(self._pace.key, 0.01), lambda: self._autopress(app))

    def _beat(self, app: Console) -> None:
        life = self.life
        if life is None or app.crash is not None:
            return
        if self.gremlin is not None:
            self.gremlin.beat(in_hand=life.front.session.state.hand is not None)
        hint = life.front.hint
        moved = life.work_shuffler() or life.pass_card()
        life.announce()
        life.strike()
        self._finish_practice(life.front)
        if self.watch is not None:
            self.watch(life.front)
        if moved or life.front.hint != hint:
            app.guard(lambda: None)

    def _finish_practice(self, front: Front) -> None:
        """After the last hand of a practice: its result."""
        examiner, hands = self.examiner, self._hands
        if examiner is None or hands is None or self._shown or front.session.state.hand is not None:
            return
        if examiner.score.hands >= hands:
            self._shown = True
            front.enter(Result(front, tuple(examiner.score.lines())))

    def _autopress(self, app: Console) -> None:
        """Autoplay keeps its hands off the keys while somebody presses them."""
        if time.monotonic() - app.touched > HANDS_OFF:
            app.guard(self._press)

    def _press(self) -> None:
        life = self.life
        if life is None:
            return
        state = life.front.session.state
        if self._hands is not None and state.hands >= self._hands and state.hand is None:
            life.front.quit = True
            return
        if self.watch is not None:
            self.watch(life.front)
        for name in life.next_keys():
            life.front.press(name, _Clock.next())


class _Clock:
    """Autoplay's keys are never bouncing ones."""

    _now = 0.0

    @classmethod
    def next(cls) -> float:
        cls._now += 1.0
        return cls._now


def demo_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="omaha-table-demo-"))

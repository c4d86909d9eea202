"""Runs the console: opens the session, starts the devices, and comes back after a crash."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.supervisor import Supervisor

from omaha_table.dealer.console import Console
from omaha_table.dealer.screen.app import ConsoleApp
from omaha_table.dealer.screen.terminal import speaks_unicode, suits_are_narrow, without_auto_repeat
from omaha_table.files import make_folder
from omaha_table.journal.opening import check_open_day, writer_name
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.log import set_up_log
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.config import seat_players
from omaha_table.session.devices import Devices
from omaha_table.session.equipment import Missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    from omaha_table.dealer.room_status import RoomLink
    from omaha_table.session.config import TableConfig

_log = structlog.get_logger(__name__)
MOST_CRASHES: Final = 5
"""In one minute; more and the console gives up rather than flicker."""


@dataclass
class Outcome:
    hands: int = 0
    crashes: int = 0
    folder: Path = Path()
    gave_up: str = ""
    """Why it gave up, if it did."""


class Evening:
    """One run of the console, over as many screens as it takes."""

    def __init__(
        self,
        config: TableConfig,
        data: Path,
        *,
        office: X25519PublicKey | None = None,
        missing: Sequence[Missing] = (),
        link: RoomLink | None = None,
        headless: tuple[int, int] | None = None,
    ) -> None:
        self._config, self._data, self._office = config, data, office
        found = config.find_devices()
        # Once, for all screens: a key that goes away while the console runs changes nothing.
        self._settings = [one for one in found if isinstance(one, DeviceSettings)]
        self.missing = [*(one for one in found if isinstance(one, Missing)), *missing]
        self._link = link
        self._headless = headless
        self.console: Console | None = None
        self.notices: list[str] = []
        """What was said on the terminal before the screen covered it, for the program's log."""

    # What a demo does otherwise

    @property
    def demo(self) -> bool:
        """Whether the demo's staff may rule; its logs say so."""
        return False

    @property
    def settings(self) -> Sequence[DeviceSettings]:
        return self._settings

    @property
    def deck_required(self) -> bool:
        return self._config.deck_required

    def machines(self, held: ExitStack) -> None:
        """Starts what must run beside the console; a real table has its own machines."""

    def begin(self, console: Console) -> None:
        """Called with every new console, before its screen is there."""

    def attend(self, app: ConsoleApp) -> None:
        """Called when the screen is there."""

    # Running

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
            PinDesk(self._data, config.table.id, writer_name(), demo=self.demo),
            mirror=config.second_copy,
            office=self._office,
            deck_required=self.deck_required,
            group=config.group,
            dealer_pins=config.table.dealer_sign_in == "pin",
            authority=config.signs,
        )
        try:
            seat_players(session, config)
            for missing in self.missing:
                session.opening += session.do(missing.note).records
        except BaseException:
            session.close()
            raise
        return session

    def run(self) -> Outcome:
        """Until the dealer shuts it down; after a crash the same step comes back."""
        outcome = Outcome(folder=self._data)
        if not structlog.is_configured():
            make_folder(self._data, self._config.group)
            set_up_log(file=self._data / "console.log", on_terminal=False)
        for notice in self.notices:
            _log.warning("before the console was opened", message=notice)
        for name in ("COLUMNS", "LINES"):
            # They would be believed over the terminal, whatever its size becomes.
            os.environ.pop(name, None)
        letters = not suits_are_narrow()
        plain = not speaks_unicode()
        crashes: list[float] = []
        with ExitStack() as held:
            held.enter_context(without_auto_repeat())
            self.machines(held)
            while True:
                crash = self._screen(outcome, letters=letters, plain=plain)
                if crash is None:
                    return outcome
                outcome.crashes += 1
                _log.error("the console was restarted", cause=type(crash).__name__, exc_info=crash)
                crashes = [at for at in crashes if time.monotonic() - at < 60]
                crashes.append(time.monotonic())
                if len(crashes) >= MOST_CRASHES:
                    outcome.gave_up = "The console keeps failing and was stopped; the log is safe."
                    return outcome

    def _screen(self, outcome: Outcome, *, letters: bool, plain: bool) -> Exception | None:
        session = self.open()
        settings, missing = self.settings, self.missing
        devices = None
        if settings or missing:
            devices = Devices(session, settings, missing, self._config.unread_per_100)
        title = self._config.table.title or self._config.table.id.upper()
        self.console = console = Console(
            session, devices, missing=missing, title=title, room=self._config.table.room
        )
        console.reopen, console.link = self.open, self._link
        self.begin(console)
        app = ConsoleApp(console, letters=letters, plain=plain, attend=self.attend)
        supervisors = [
            Supervisor(given, app.hear, resume_token=session.resume_token(given.name))
            for given in settings
        ]
        console.damaged = lambda: {
            given.name: one.status.counters
            for given, one in zip(settings, supervisors, strict=True)
        }
        try:
            for supervisor in supervisors:
                supervisor.start()
            app.run(mouse=False, headless=self._headless is not None, size=self._headless)
        except Exception as error:
            return error
        finally:
            for supervisor in supervisors:
                supervisor.stop()
            outcome.hands = console.session.state.hands
            console.session.close()
        return app.crash

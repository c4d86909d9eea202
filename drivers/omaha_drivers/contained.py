"""Runs an adapter so that nothing it does can harm the driver's thread.

An adapter may be anybody's. Whatever goes wrong in it becomes an `AdapterFailedError`, which names
the module and the type of the exception and never the message, because that could contain a card.
A new adapter is made for the next try. One that cannot even be made is tried again later.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from omaha_drivers import registry
from omaha_drivers.adapter import Actions, Caps, PortDefaults
from omaha_drivers.events import AdapterFailed, CardDrawn, DeviceEvent, is_place
from omaha_drivers.recording.masking import Recordable
from omaha_drivers.sealed import Sealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.adapter import Adapter
    from omaha_drivers.settings import DeviceSettings

_EVENTS: Final = frozenset(DeviceEvent.__args__)
FIRST_REST: Final = 0.5
LONGEST_REST: Final = 30.0
GOOD_AFTER: Final = 60.0
"""An adapter that has worked for this long may fail again without a longer rest."""


class AdapterFailedError(Exception):
    def __init__(self, failed: AdapterFailed) -> None:
        self.failed = failed
        super().__init__(f"{failed.module}: {failed.error}")


class InvalidActionsError(TypeError):
    """What an adapter returned is not what the interface promises."""


class ContainedAdapter:
    def __init__(
        self,
        settings: DeviceSettings,
        resume_token: str = "",
        make: Callable[[DeviceSettings, str], Adapter] = registry.make,
    ) -> None:
        """Raises UnknownAdapterError for settings that cannot be used; keeps a failure."""
        self._settings, self._make = settings, make
        self._module = registry.module_of(settings.adapter)
        self._adapter: Adapter | None = None
        self.failure: AdapterFailed | None = None
        """What failed, until the adapter works again."""
        self._rest = FIRST_REST
        self._failed_at = -math.inf
        self.made_again(resume_token)

    @property
    def ready(self) -> bool:
        return self._adapter is not None

    @property
    def caps(self) -> Caps:
        return self._adapter.caps if self._adapter is not None else Caps()

    @property
    def port_defaults(self) -> PortDefaults:
        return self._adapter.port_defaults if self._adapter is not None else PortDefaults(9600)

    def made_again(self, resume_token: str) -> bool:
        """Makes a new adapter; returns whether that worked."""
        self._adapter = None
        try:
            made = self._make(self._settings, resume_token)
        except registry.BrokenAdapterError as error:
            self.failure = AdapterFailed(error.module, error.stage, error.error)
            return False
        promised: tuple[object, object] = made.caps, made.port_defaults
        if not (isinstance(promised[0], Caps) and isinstance(promised[1], PortDefaults)):
            self.failure = AdapterFailed(self._module, "start", "TypeError")
            return False
        self._adapter = made
        return True

    def rest(self, now: float) -> float:
        """How long to wait after a failure: longer each time, unless the last one is long ago."""
        if now - self._failed_at > GOOD_AFTER + self._rest:
            self._rest = FIRST_REST
        self._failed_at = now
        rest = self._rest
        self._rest = min(self._rest * 2, LONGEST_REST)
        return rest

    def counters(self) -> dict[str, int]:
        if self._adapter is None:
            return {}
        try:
            return {str(name): int(count) for name, count in self._adapter.counters().items()}
        except (Exception, SystemExit):
            return {}

    def replaying(self, sent: bytes) -> None:
        """Before a replay, for an adapter whose device can be recorded."""
        made: object = self._adapter
        if isinstance(made, Recordable):
            with suppress(Exception):
                made.replaying(sent)

    def opened(self, now: float) -> Actions:
        return self._run("opened", now)

    def closed(self, now: float) -> Actions:
        return self._run("closed", now)

    def feed(self, data: bytes, now: float) -> Actions:
        return self._run("feed", data, now)

    def tick(self, now: float) -> Actions:
        return self._run("tick", now)

    def command(self, verb: str, now: float) -> Actions:
        return self._run("command", verb, now)

    def _run(self, what: str, *given: object) -> Actions:
        if self._adapter is None:
            return Actions()
        try:
            actions: Actions = getattr(self._adapter, what)(*given)
            _check(actions)
        except BaseException as error:
            # Some libraries raise what is not an Exception; it must not end the thread either.
            failed = AdapterFailed(self._module, "run", type(error).__name__)
            self.failure = failed
            raise AdapterFailedError(failed) from None
        return actions


def _check(actions: object) -> None:
    if not isinstance(actions, Actions) or not isinstance(actions.send, bytes):
        raise InvalidActionsError
    if actions.deadline is not None and not math.isfinite(actions.deadline):
        raise InvalidActionsError
    for emitted in actions.events:
        event = emitted.event
        if type(event) not in _EVENTS:
            raise InvalidActionsError
        if isinstance(event, CardDrawn) and not (
            (event.card is None or isinstance(event.card, Sealed)) and is_place(event.place)
        ):
            raise InvalidActionsError

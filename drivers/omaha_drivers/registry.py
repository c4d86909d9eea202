"""Adapters by name, or as 'module:Class'.

A package can add its own names with the entry point `omaha_table.drivers`. An adapter may come from
anybody: whatever it does while it is imported or made is an error of this module.
"""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final, Literal

from omaha_drivers.options import OptionError
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.adapter import Adapter
    from omaha_drivers.settings import DeviceSettings

GROUP: Final = "omaha_table.drivers"
MANUAL: Final = "manual"
"""No device: the dealer keys everything. A name in the configuration, without an adapter."""

_BUILT_IN: Final = {
    "tdp": ("omaha_drivers.tdp", "Tdp"),
    "angel_eye": ("omaha_drivers.angel_eye", "AngelEye"),
    "angel_eye_stx": ("omaha_drivers.angel_eye", "AngelEyeStx"),
}
_PATH: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


class UnknownAdapterError(LookupError):
    """No adapter can be made from the settings; the message says why."""


class BrokenAdapterError(UnknownAdapterError):
    """The adapter's own code failed. Its message is left out: it could contain a card."""

    def __init__(self, name: str, module: str, stage: Literal["load", "start"], error: str) -> None:
        self.module, self.stage, self.error = module, stage, error
        doing = "loaded" if stage == "load" else "started"
        where = f" ({module})" if module != name else ""
        super().__init__(f"The adapter {name}{where} cannot be {doing} ({error}).")


def names() -> list[str]:
    return sorted({MANUAL, *_BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def is_manual(settings: DeviceSettings) -> bool:
    """Whether the settings mean no device."""
    return settings.adapter == MANUAL


def make(settings: DeviceSettings, resume_token: str = "") -> Adapter:
    """The adapter for a device, resuming after the token. Imports the adapter's module."""
    name = printable(settings.adapter, 80)
    point = _find(settings.adapter)
    module = printable(point.module, 80)
    try:
        kind: Callable[[DeviceSettings, str], Adapter] = point.load()
    except (Exception, SystemExit) as error:
        raise BrokenAdapterError(name, module, "load", type(error).__name__) from None
    try:
        made = kind(settings, resume_token)
        fits = made.kind == settings.kind
    except OptionError as error:
        raise UnknownAdapterError(
            f"devices.{settings.name}.options: {printable(str(error), 200)}"
        ) from None
    except (Exception, SystemExit) as error:
        raise BrokenAdapterError(name, module, "start", type(error).__name__) from None
    if not fits:
        raise UnknownAdapterError(
            f"The adapter {name} is for a {made.kind}, not a {settings.kind}."
        )
    return made


def module_of(name: str) -> str:
    """Where an adapter comes from."""
    return printable(_find(name).module, 80)


def _find(name: str) -> EntryPoint:
    if name == MANUAL:
        raise UnknownAdapterError("The adapter 'manual' means no device: there is nothing to open.")
    if name in _BUILT_IN:
        return EntryPoint(name, ":".join(_BUILT_IN[name]), GROUP)
    if _PATH.fullmatch(name):
        return EntryPoint(name, name, GROUP)
    for point in entry_points(group=GROUP):
        if point.name == name:
            return point
    known = ", ".join(names())
    raise UnknownAdapterError(f"Unknown adapter {name!r}. Known adapters: {known}.")

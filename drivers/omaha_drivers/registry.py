"""Adapters by name. A package may add its own under the entry points `omaha_table.drivers`."""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.adapter import Adapter
    from omaha_drivers.settings import DeviceSettings

GROUP: Final = "omaha_table.drivers"
MANUAL: Final = "manual"
"""No device: the dealer's keys. Known by name, and never supervised."""

_BUILT_IN: Final = {
    "tdp": ("omaha_drivers.tdp", "Tdp"),
    "angel_eye": ("omaha_drivers.angel_eye", "AngelEye"),
    "angel_eye_stx": ("omaha_drivers.angel_eye", "AngelEyeStx"),
}


class UnknownAdapterError(LookupError):
    """A sentence that names the adapters there are."""


def names() -> list[str]:
    return sorted({MANUAL, *_BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def is_manual(settings: DeviceSettings) -> bool:
    """Whether there is no device to talk to."""
    return settings.adapter == MANUAL


def make(settings: DeviceSettings, place: str = "") -> Adapter:
    """The adapter for a device, going on after `place`. Its module is imported now."""
    made = _find(settings.adapter)(settings, place)
    if made.kind != settings.kind:
        raise UnknownAdapterError(
            f"The adapter {settings.adapter} is for a {made.kind}, not for a {settings.kind}."
        )
    return made


def _find(name: str) -> Callable[[DeviceSettings, str], Adapter]:
    if name == MANUAL:
        raise UnknownAdapterError("The adapter manual means that there is no device to open.")
    if name in _BUILT_IN:
        module, attribute = _BUILT_IN[name]
        found = getattr(importlib.import_module(module), attribute)
        return cast("Callable[[DeviceSettings, str], Adapter]", found)
    for point in entry_points(group=GROUP):
        if point.name == name:
            return cast("Callable[[DeviceSettings, str], Adapter]", point.load())
    known = ", ".join(names())
    raise UnknownAdapterError(f"There is no adapter {name!r}; there are {known}.")

"""Adapters by name. A package can add its own with the entry point `omaha_table.drivers`."""

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
"""No device: the dealer keys everything. A name in the configuration, without an adapter."""

_BUILT_IN: Final = {
    "tdp": ("omaha_drivers.tdp", "Tdp"),
    "angel_eye": ("omaha_drivers.angel_eye", "AngelEye"),
    "angel_eye_stx": ("omaha_drivers.angel_eye", "AngelEyeStx"),
}


class UnknownAdapterError(LookupError):
    """The message names the known adapters."""


def names() -> list[str]:
    return sorted({MANUAL, *_BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def is_manual(settings: DeviceSettings) -> bool:
    """Whether the settings mean no device."""
    return settings.adapter == MANUAL


def make(settings: DeviceSettings, resume_token: str = "") -> Adapter:
    """The adapter for a device, resuming after the token. Imports the adapter's module."""
    made = _find(settings.adapter)(settings, resume_token)
    if made.kind != settings.kind:
        raise UnknownAdapterError(
            f"The adapter {settings.adapter} is for a {made.kind}, not a {settings.kind}."
        )
    return made


def _find(name: str) -> Callable[[DeviceSettings, str], Adapter]:
    if name == MANUAL:
        raise UnknownAdapterError("The adapter 'manual' means no device: there is nothing to open.")
    if name in _BUILT_IN:
        module, attribute = _BUILT_IN[name]
        found = getattr(importlib.import_module(module), attribute)
        return cast("Callable[[DeviceSettings, str], Adapter]", found)
    for point in entry_points(group=GROUP):
        if point.name == name:
            return cast("Callable[[DeviceSettings, str], Adapter]", point.load())
    known = ", ".join(names())
    raise UnknownAdapterError(f"Unknown adapter {name!r}. Known adapters: {known}.")

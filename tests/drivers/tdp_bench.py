"""A TDP shoe on a bench, with and without a key."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from omaha_drivers.conformance.bench import Bench
from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp

KEY = b"a key of thirty-two bytes, or so"
SHOE = DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1")


def shoe(key: bytes = b"", place: str = "", **changes: Any) -> Bench:
    settings = replace(SHOE, key=key, **changes)
    return Bench(Tdp(settings, place), ShoeModel("SHOE-1", key, chance=Random(1)))


def of(bench: Bench, *kinds: type) -> list[Any]:
    return [event for event in bench.events if isinstance(event, kinds)]

"""The shipped adapters, put on trial with the emulated devices."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from omaha_drivers.conformance import Trial
from omaha_drivers.emulate.angel_eye import AngelShoeModel
from omaha_drivers.emulate.tdp import ShoeModel, ShufflerModel
from omaha_drivers.events import DeviceEvent, DeviceWarning
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp_codec import CARDS

if TYPE_CHECKING:
    from omaha_drivers.emulate.host import Model

KEY = b"a key of thirty-two bytes, or so"
DECK = CARDS[::-1]


class Shoe(Trial):
    settings = DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1")

    def model(self) -> Model:
        return ShoeModel("SHOE-1", self.settings.key, chance=Random(1))

    def begin(self, model: Any) -> None:
        model.load(DECK)

    def happen(self, model: Any, number: int) -> str:
        model.draw()
        return DECK[number - 1]


class ShoeWithKey(Shoe):
    settings = DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1", key=KEY)


class Shuffler(Trial):
    settings = DeviceSettings("shuffler", "shuffler", "tdp", "", serial="SHUF-1")

    def model(self) -> Model:
        return ShufflerModel("SHUF-1", chance=Random(1))

    def happen(self, model: Any, number: int) -> str:
        model.event("WRN", f"W{number}")
        return f"W{number}"

    def label(self, event: DeviceEvent) -> str | None:
        warned = isinstance(event, DeviceWarning) and event.code.startswith("W")
        return event.code if isinstance(event, DeviceWarning) and warned else None


class AngelEye(Shoe):
    settings = DeviceSettings("shoe", "shoe", "angel_eye", "")

    def model(self) -> Model:
        return AngelShoeModel()

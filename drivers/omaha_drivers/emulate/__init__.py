"""Emulated devices on real pseudo-terminals, for tests, the demo and experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers.emulate.angel_eye import AngelShoeModel
from omaha_drivers.emulate.faults import FAULTS, Faults
from omaha_drivers.emulate.host import Model, PtyHost
from omaha_drivers.emulate.tdp import ShoeModel, ShufflerModel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omaha_drivers.angel_eye_options import AngelEyeOptions

__all__ = ["FAULTS", "EmulatedAngelShoe", "EmulatedShoe", "EmulatedShuffler", "Faults"]


class _Emulated:
    def __init__(self, link: Path, model: Model, speed: int, faults: Faults | None) -> None:
        self._host = PtyHost(link, model, speed, faults)
        self._device = model

    def start(self) -> None:
        self._host.start()

    def stop(self) -> None:
        """Removes the port and its link."""
        self._host.stop()

    def unplug(self) -> None:
        """Pulls the cable; the device keeps running and keeps its events."""
        self._host.unplug()

    def replug(self) -> None:
        self._host.replug()

    def power_cycle(self) -> None:
        self._host.do(self._device.power_cycle)


class EmulatedShoe(_Emulated):
    def __init__(
        self,
        link: Path,
        *,
        serial: str = "SHOE-EMU-1",
        key: bytes = b"",
        faults: Faults | None = None,
    ) -> None:
        self.model = ShoeModel(serial, key)
        super().__init__(link, self.model, 115200, faults)

    def load(self, cards: Sequence[str]) -> None:
        """Loads a deck; cards are drawn in this order."""
        self._host.do(lambda: self.model.load(cards))

    def draw(self) -> None:
        """Draws the next card."""
        self._host.do(self.model.draw)

    def draw_unreadable(self) -> None:
        self._host.do(lambda: self.model.draw_badly("UNR"))

    def put_back(self) -> None:
        self._host.do(self.model.put_back)

    def open_lid(self, is_open: bool) -> None:
        self._host.do(lambda: self.model.lid(is_open))


class EmulatedShuffler(_Emulated):
    def __init__(
        self,
        link: Path,
        *,
        serial: str = "SHUF-EMU-1",
        key: bytes = b"",
        seconds: float = 0.0,
        faults: Faults | None = None,
    ) -> None:
        self.model = ShufflerModel(serial, key, seconds=seconds)
        super().__init__(link, self.model, 115200, faults)

    def shuffle(self, back: str = "red", count: int = 52) -> None:
        """Loads a deck and shuffles it; the shuffle takes `seconds`."""
        self._host.do(lambda: self.model.shuffle(back, count))

    def take(self) -> None:
        self._host.do(self.model.take)

    def jam(self) -> None:
        self._host.do(self.model.jam)

    def clear_jam(self) -> None:
        self._host.do(self.model.clear_jam)

    def open_door(self, is_open: bool) -> None:
        self._host.do(lambda: self.model.open_door(is_open))


class EmulatedAngelShoe(_Emulated):
    def __init__(
        self, link: Path, *, faults: Faults | None = None, options: AngelEyeOptions | None = None
    ) -> None:
        self.model = AngelShoeModel(options=options)
        super().__init__(link, self.model, 4800, faults)

    def load(self, cards: Sequence[str]) -> None:
        self._host.do(lambda: self.model.load(cards))

    def draw(self) -> None:
        self._host.do(self.model.draw)

    def put_back(self) -> None:
        self._host.do(self.model.put_back)
